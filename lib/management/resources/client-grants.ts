// Client grants: the scopes of an API that a client gets by client credentials, and the organizations that it may act for.
import * as z from 'zod'
import { type Api, type ApiPort, type ClientGrant, isBuiltIn, ORGANIZATION_USAGES } from '../../apis/api'
import type { ClientPort } from '../../clients/client'
import type { JsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { inexistent, invalidBody } from '../errors'
import { flag } from '../list'
import { changeMembers, type Members, newMembers } from '../members'
import { defineResource, type ResourceStore } from '../resource'

export type ClientGrantResourceRow = Pick<ClientGrant, 'id' | 'organizationUsage' | 'allowAnyOrganization'> & {
  clientId: string
  audience: string
  scopes: string[]
  kept: JsonObject
}

export type ClientGrantFilter = {
  client_id?: string | undefined
  audience?: string | undefined
  allow_any_organization?: boolean | undefined
}

export type ClientGrantDeps = {
  clock: { now(): Date }
  random: Random
  clients: Pick<ClientPort, 'find'>
  apis: ApiPort
  managedGrants: ResourceStore<ClientGrantResourceRow, ClientGrantFilter>
}

const scope = z.array(z.string().min(1).max(280)).max(1000)
const organizationUse = z.object({
  organization_usage: z.enum(ORGANIZATION_USAGES).default('deny'),
  allow_any_organization: z.boolean().default(false),
})

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
    .extend(organizationUse.shape)
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
    refuseUserGrant(members)
    if (!(await deps.clients.find(String(client_id)))) throw inexistent('client')
    await checkScopes(String(audience), scope, deps)
    return {
      id: `cgr_${deps.random.hex(16)}`,
      clientId: String(client_id),
      audience: String(audience),
      scopes: scope,
      ...(await checkedUse(newMembers(organizationUse, members), String(audience), deps)),
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
    refuseUserGrant(members)
    if (scope) await checkScopes(row.audience, scope, deps)
    const changed = changeMembers(organizationUse, { settings: shownUse(row), kept: row.kept }, members)
    return {
      ...row,
      scopes: scope ?? (scope === null ? [] : row.scopes),
      ...(await checkedUse(changed, row.audience, deps)),
    }
  },
})

export function presentClientGrant(row: ClientGrantResourceRow): JsonObject {
  const { id, clientId, audience, scopes, kept } = row
  return { subject_type: 'client', ...kept, id, client_id: clientId, audience, scope: scopes, ...shownUse(row) }
}

const shownUse = ({ organizationUsage, allowAnyOrganization }: ClientGrantResourceRow): JsonObject => ({
  organization_usage: organizationUsage,
  allow_any_organization: allowAnyOrganization,
})

async function checkedUse({ settings, kept }: Members, audience: string, deps: ClientGrantDeps) {
  const { organization_usage, allow_any_organization } = organizationUse.parse(settings)
  if (organization_usage !== 'deny' && isBuiltIn(await findApi(audience, deps)))
    throw invalidBody(`Tokens for ${audience} are for no organization: organization_usage must be deny`)
  return { organizationUsage: organization_usage, allowAnyOrganization: allow_any_organization, kept }
}

/** A grant for logins of users must not give its client tokens of its own. */
function refuseUserGrant({ subject_type = 'client' }: JsonObject): void {
  if (subject_type !== 'client') throw invalidBody("Client grants are for clients alone' on property 'subject_type")
}

async function findApi(audience: string, { apis }: ClientGrantDeps): Promise<Api> {
  const api = await apis.find(audience)
  if (!api) throw inexistent('resource_server')
  return api
}

/** A personal scope is no client's (threat-model.md TK6). */
async function checkScopes(audience: string, scopes: readonly string[], deps: ClientGrantDeps): Promise<void> {
  const api = await findApi(audience, deps)
  const unknown = scopes.find((each) => !api.scopes.has(each) || api.personal?.scopes.has(each))
  if (unknown !== undefined) throw invalidBody(`${unknown} is no scope of ${audience}`)
}
