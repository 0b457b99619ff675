// Resource servers: registered APIs. The path names one by its id or by its identifier. The Management API itself is one of them,
// and cannot be changed.
import * as z from 'zod'
import { apiSettings, toApi } from '../../data/apis/api'
import { managementApi } from '../../data/apis/built-in'
import type { Client, ClientPort } from '../../data/clients/client'
import { DomainError } from '../../kernel/errors'
import { type JsonObject, objectIn } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { digestHex } from '../../kernel/secret'
import type { TokenResponse } from '../../tokens/issue'
import { unknownMembers } from '../operations/effects'
import { conflict, inexistent, invalidBody, placeOf } from '../operations/errors'
import { flag, windowOf } from '../operations/list'
import { allMembers, changeMembers, newMembers, type StoredMembers } from '../operations/members'
import { operationsWith } from '../operations/operation'
import { defineResource, type ResourceStore } from '../operations/resource'
import { isSet } from '../operations/unsupported-protections'
import type { ClientDeps } from './clients'

export type ApiResourceRow = StoredMembers & { id: string; identifier: string; name: string }

export type ResourceServerFilter = { identifiers?: string[] | undefined; include_system?: boolean | undefined }

export type ResourceServerDeps = {
  clock: { now(): Date }
  random: Random
  canonicalUrl: string
  resourceServers: ResourceStore<ApiResourceRow, ResourceServerFilter>
  prepareKeys: ClientDeps['prepareKeys']
  clients: Pick<ClientPort, 'find'>
  /** What the client would get for itself. Throws a DomainError where it would get none. */
  issueTestToken(request: { client: Client; audience: string; scope: string; ip: string }): Promise<TokenResponse>
}

/** The vendor's tools recognise the system API by this name and leave it alone. */
const SYSTEM_NAME = 'Auth0 Management API'

const identifier = z
  .string()
  .min(1)
  .max(600)
  .meta({ title: 'Audience', help: 'A URL that names the API; it is not called. It cannot be changed later.' })
const name = z.string().min(1).max(200).meta({ title: 'Name', group: 'basics', order: 11 })

const shown = withOthers(apiSettings.extend({ id: z.string(), identifier, name, is_system: z.boolean() })).meta({
  id: 'ResourceServer',
})

export const resourceServers = defineResource({
  noun: 'resource_server',
  plural: 'resource_servers',
  console: true,
  examples: {
    create: { identifier: 'https://shop.example/stock', name: 'Stock', scopes: [{ value: 'read:stock' }] },
    update: { token_lifetime: 3600 },
  },
  path: '/resource-servers',
  target: 'tenant',
  shown,
  create: openObject({ identifier, name: name.optional() }),
  update: openObject({ name: name.nullish() }),
  filter: {
    identifiers: z
      .union([z.string(), z.array(z.string())])
      .transform((value) => [value].flat())
      .optional(),
    include_system: flag.optional(),
  },
  checkpoint: true,
  taken: {
    message: 'A resource server with the same identifier already exists.',
    errorCode: 'resource_server_already_exists',
  },
  store: ({ resourceServers, canonicalUrl }: ResourceServerDeps) => withSystemApi(resourceServers, canonicalUrl),
  id: (row: ApiResourceRow) => row.id,
  present: presentApi,
  notApplied: (api) => unknownMembers(shown, api),
  protecting: {
    authorization_policy: isSet,
    token_encryption: isSet,
  },
  make(body, { deps }) {
    const { identifier, name, id: _id, is_system: _system, ...members } = body
    if (identifier === systemRow(deps.canonicalUrl).identifier)
      throw conflict('The identifier is the one of the Management API.', 'resource_server_already_exists')
    return {
      id: deps.random.hex(24),
      identifier,
      name: name ?? identifier,
      ...newMembers(apiSettings, members),
    }
  },
  change(row, body, { deps }) {
    refuseSystem(row, deps)
    const { name, identifier: _identifier, id: _id, is_system: _system, ...members } = body
    return { ...row, name: name ?? row.name, ...changeMembers(apiSettings, row, members) }
  },
  changed: (row, { deps }) => deps.prepareKeys([toApi(row).settings.signing_alg]),
  mayRemove: (row, { deps }) => refuseSystem(row, deps),
  operations: {
    testToken: operationsWith<ResourceServerDeps>()({
      name: 'resource_servers.test_token',
      console: true,
      danger: true,
      method: 'POST',
      path: '/resource-servers/:id/test-token',
      summary: 'Issue a test token of an application for an API (ours)',
      scopes: ['update:client_keys'],
      secrets: { access_token: { scopes: ['update:client_keys'], otherwise: 'absent' } },
      target: ({ body: { client_id } }) => ({ clients: [client_id] }),
      body: z.object({
        client_id: z.string().min(1).max(200).meta({ title: 'Application' }),
        scope: z.array(z.string().min(1).max(280)).max(1000).optional().meta({ title: 'Permissions' }),
      }),
      status: 201,
      answer: z.object({
        access_token: z.string(),
        token_type: z.enum(['Bearer', 'DPoP']),
        expires_in: z.number(),
        scope: z.string().optional(),
      }),
      async handle({ params: { id }, body: { client_id, scope = [] }, ip, deps }) {
        const api = await withSystemApi(deps.resourceServers, deps.canonicalUrl).find(id)
        if (!api) throw inexistent('resource_server')
        // Such a token would act on the tenant by the rights of another.
        if (api.id === systemRow(deps.canonicalUrl).id)
          throw invalidBody('There is no test token for the Management API')
        const client = await deps.clients.find(client_id)
        if (!client) throw invalidBody({ path: 'client_id', message: 'is the id of no application' })
        const request = { client, audience: api.identifier, scope: scope.join(' '), ip }
        const {
          access_token,
          token_type,
          expires_in,
          scope: given,
        } = await asProblemOf('client_id', () => deps.issueTestToken(request))
        return {
          body: { access_token, token_type, expires_in, ...(given !== undefined && { scope: given }) },
          after: { client_id, ...(given !== undefined && { scope: given }) },
        }
      },
    }),
  },
})

/** A refusal of the token endpoint is about a member here. */
async function asProblemOf<Result>(path: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof DomainError ? invalidBody({ path, message: placeOf(error).message }) : error
  }
}

function presentApi(row: ApiResourceRow, { deps }: { deps: ResourceServerDeps }): JsonObject {
  const { settings: effective } = toApi(row)
  return {
    ...objectIn(effective),
    ...allMembers(row),
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    is_system: row.id === systemRow(deps.canonicalUrl).id,
  }
}

function systemRow(canonicalUrl: string): ApiResourceRow {
  const { identifier, settings, scopes } = managementApi(canonicalUrl)
  const { token_lifetime, token_lifetime_for_web } = settings
  const all = [...scopes].map(([value, description = '']) => ({ value, description }))
  return {
    id: digestHex(identifier).slice(0, 24),
    identifier,
    name: SYSTEM_NAME,
    settings: { scopes: all, token_lifetime, token_lifetime_for_web },
    kept: {},
  }
}

function refuseSystem(row: ApiResourceRow, { canonicalUrl }: ResourceServerDeps): void {
  if (row.id === systemRow(canonicalUrl).id) throw invalidBody('The Management API cannot be changed')
}

/** The registered APIs and the system API, which is found first and listed first. */
function withSystemApi(
  store: ResourceStore<ApiResourceRow, ResourceServerFilter>,
  canonicalUrl: string,
): ResourceStore<ApiResourceRow, ResourceServerFilter> {
  const system = systemRow(canonicalUrl)
  const isSystem = (id: string): boolean => id === system.id || id === system.identifier
  return {
    ...store,
    find: async (id) => (isSystem(id) ? system : store.find(id)),
    async list(filter, window) {
      const { rows } = await store.list(filter, { offset: 0, limit: MAX_APIS })
      const wanted = filter.identifiers === undefined || filter.identifiers.includes(system.identifier)
      return windowOf(wanted ? [system, ...rows] : rows, window, ({ id }) => id)
    },
    async change(id, alter, at) {
      if (!isSystem(id)) return store.change(id, alter, at)
      await alter(system)
      return null
    },
    async remove(id, check) {
      if (isSystem(id)) await check(system)
      return store.remove(id, check)
    },
  }
}

/** APIs are few: a tenant file holds them all. */
const MAX_APIS = 10_000
