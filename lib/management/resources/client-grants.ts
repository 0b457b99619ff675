// Client grants: the scopes of an API that a client gets by client credentials.
import * as z from 'zod'
import type { ApiPort } from '../../apis/api'
import type { ClientPort } from '../../clients/client'
import type { JsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { inexistent, invalidBody } from '../errors'
import { flag } from '../list'
import { changeMembers, newMembers } from '../members'
import { defineResource, type ResourceStore } from '../resource'

export type ClientGrantResourceRow = {
  id: string
  clientId: string
  audience: string
  scopes: string[]
  kept: JsonObject
}

export type ClientGrantFilter = {
  client_id?: string | undefined
  audience?: string | undefined
}

export type ClientGrantDeps = {
  clock: { now(): Date }
  random: Random
  clients: Pick<ClientPort, 'find'>
  apis: ApiPort
  managedGrants: ResourceStore<ClientGrantResourceRow, ClientGrantFilter>
}

const scope = z.array(z.string().min(1).max(280)).max(1000)
/** What the vendor has beside the scopes: without effect until a client can act for an organization. */
const others = z.object({})

export const clientGrants = defineResource({
  noun: 'client_grant',
  plural: 'client_grants',
  examples: {
    create: { client_id: '<client>', audience: 'https://shop.example/stock', scope: ['read:stock'] },
    update: { scope: [] },
  },
  path: '/client-grants',
  shown: z
    .object({ id: z.string(), client_id: z.string(), audience: z.string(), scope, subject_type: z.enum(['client']) })
    .meta({ id: 'ClientGrant' }),
  create: z.looseObject({ client_id: z.string().min(1), audience: z.string().min(1), scope: scope.optional() }),
  update: z.looseObject({ scope: scope.nullish() }),
  filter: {
    client_id: z.string().optional(),
    audience: z.string().optional(),
    allow_any_organization: flag.optional(),
    subject_type: z.enum(['client', 'user']).optional(),
  },
  checkpoint: true,
  taken: {
    message: 'A client grant with the same client_id and audience already exists.',
    errorCode: 'client_grant_conflict',
  },
  store: ({ managedGrants }: ClientGrantDeps) => managedGrants,
  id: (row: ClientGrantResourceRow) => row.id,
  present: presentClientGrant,
  async make(body, { deps }) {
    const { client_id, audience, scope = [], id: _id, ...members } = body as JsonObject & { scope?: string[] }
    if (!(await deps.clients.find(String(client_id)))) throw inexistent('client')
    await checkScopes(String(audience), scope, deps)
    const { kept } = newMembers(others, members)
    return {
      id: `cgr_${deps.random.hex(16)}`,
      clientId: String(client_id),
      audience: String(audience),
      scopes: scope,
      kept,
    }
  },
  async change(row, body, { deps }) {
    const {
      scope,
      client_id: _client,
      audience: _audience,
      id: _id,
      ...members
    } = body as JsonObject & { scope?: string[] | null }
    if (scope) await checkScopes(row.audience, scope, deps)
    const { kept } = changeMembers(others, { settings: {}, kept: row.kept }, members)
    return { ...row, scopes: scope ?? (scope === null ? [] : row.scopes), kept }
  },
})

export function presentClientGrant({ id, clientId, audience, scopes, kept }: ClientGrantResourceRow): JsonObject {
  return { subject_type: 'client', ...kept, id, client_id: clientId, audience, scope: scopes }
}

/** A personal scope is no client's (threat-model.md TK6). */
async function checkScopes(audience: string, scopes: readonly string[], { apis }: ClientGrantDeps): Promise<void> {
  const api = await apis.find(audience)
  if (!api) throw inexistent('resource_server')
  const unknown = scopes.find((each) => !api.scopes.has(each) || api.personal?.scopes.has(each))
  if (unknown !== undefined) throw invalidBody(`${unknown} is no scope of ${audience}`)
}
