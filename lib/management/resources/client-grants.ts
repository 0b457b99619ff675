// Client grants: the scopes of an API that a client gets by client credentials, and the organizations that it may act for; with
// `subject_type: user`, the scopes that it gets for its users where the API requires a grant for that.
import * as z from 'zod'
import { type Api, type ApiPort, type ClientGrant, isBuiltIn, ORGANIZATION_USAGES } from '../../data/apis/api'
import type { ClientPort } from '../../data/clients/client'
import type { JsonObject } from '../../kernel/json'
import type { Random } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { unknownMembers } from '../operations/effects'
import { inexistent, invalidBody } from '../operations/errors'
import { flag } from '../operations/list'
import { changeMembers, newMembers, type StoredMembers } from '../operations/members'
import { inPath } from '../operations/rank'
import { defineResource, type ResourceStore } from '../operations/resource'
import { isSet } from '../operations/unsupported-protections'

export type ClientGrantResourceRow = Pick<ClientGrant, 'id' | 'organizationUsage' | 'allowAnyOrganization'> & {
  subjectType: SubjectType
  clientId: string
  audience: string
  scopes: string[]
  kept: JsonObject
}

const SUBJECT_TYPES = ['client', 'user'] as const
type SubjectType = (typeof SUBJECT_TYPES)[number]

export type ClientGrantFilter = {
  client_id?: string | undefined
  audience?: string | undefined
  allow_any_organization?: boolean | undefined
  subject_type?: SubjectType | undefined
}

export type ClientGrantDeps = {
  clock: { now(): Date }
  random: Random
  clients: Pick<ClientPort, 'find'>
  apis: ApiPort
  managedGrants: ResourceStore<ClientGrantResourceRow, ClientGrantFilter>
}

const scope = z.array(z.string().min(1).max(280)).max(1000).meta({ title: 'Permissions' })
const subjectType = z.enum(SUBJECT_TYPES).meta({
  title: 'For',
  standard: 'client',
  options: { client: 'The application itself', user: 'Its users' },
})
const organizationUsage = z.enum(ORGANIZATION_USAGES).meta({
  title: 'Tokens for organizations',
  standard: 'deny',
  options: { deny: 'For none', allow: 'For one or none', require: 'For one, always' },
})
const anyOrganization = z
  .boolean()
  .meta({ title: 'For every organization', help: 'Otherwise only for those that the grant is added to.' })
const organizationUse = z.object({
  organization_usage: organizationUsage.default('deny'),
  allow_any_organization: anyOrganization.default(false),
})
/** Of a grant for the application itself. */
const givenUse = { organization_usage: organizationUsage.nullish(), allow_any_organization: anyOrganization.nullish() }

export const shownClientGrant = withOthers(
  z
    .object({ id: z.string(), client_id: z.string(), audience: z.string(), scope, subject_type: subjectType })
    .extend(organizationUse.shape),
).meta({ id: 'ClientGrant' })

export const clientGrants = defineResource({
  noun: 'client_grant',
  plural: 'client_grants',
  console: true,
  examples: {
    create: { client_id: '<client>', audience: 'https://shop.example/stock', scope: ['read:stock'] },
    update: { scope: [] },
  },
  path: '/client-grants',
  target: {
    create: ({ body: { client_id, audience, scope } }) => ({
      clients: [client_id],
      given: [{ audience, scopes: scope ?? [] }],
    }),
    async update({ params: { id = '' }, body: { scope }, deps }) {
      const row = await deps.managedGrants.find(id)
      return { grants: [id], ...(row && { given: [{ audience: row.audience, scopes: scope ?? [] }] }) }
    },
    delete: inPath('grants'),
  },
  shown: shownClientGrant,
  create: openObject({
    client_id: z.string().min(1).meta({ title: 'Application' }),
    audience: z.string().min(1).meta({ title: 'API' }),
    scope: scope.optional(),
    subject_type: subjectType.optional(),
    ...givenUse,
  }),
  update: openObject({ scope: scope.nullish(), subject_type: subjectType.optional(), ...givenUse }),
  filter: {
    client_id: z.string().optional(),
    audience: z.string().optional(),
    allow_any_organization: flag.optional(),
    subject_type: subjectType.optional(),
  },
  checkpoint: true,
  taken: {
    message: 'A client grant with the same client_id, audience and subject_type already exists.',
    errorCode: 'client_grant_conflict',
  },
  store: ({ managedGrants }: ClientGrantDeps) => managedGrants,
  id: (row: ClientGrantResourceRow) => row.id,
  present: presentClientGrant,
  notApplied: (grant) => unknownMembers(shownClientGrant, grant),
  protecting: { authorization_details_types: isSet },
  async make(body, { deps }) {
    const { client_id, audience, scope, subject_type = 'client', id: _id, ...members } = body
    if (!(await deps.clients.find(client_id))) throw inexistent('client')
    await checkScopes(audience, scope ?? [], deps)
    if (subject_type === 'user') await refuseBuiltIn(audience, deps)
    return {
      id: `cgr_${deps.random.hex(16)}`,
      subjectType: subject_type,
      clientId: client_id,
      audience: audience,
      scopes: scope ?? [],
      ...(await checkedUse(newMembers(organizationUse, members), audience, subject_type, deps)),
    }
  },
  async change(row, body, { deps }) {
    const { scope, client_id: _client, audience: _audience, subject_type = row.subjectType, id: _id, ...members } = body
    if (subject_type !== row.subjectType)
      throw invalidBody({ path: 'subject_type', message: 'A grant keeps its subject' })
    if (scope) await checkScopes(row.audience, scope, deps)
    const changed = changeMembers(organizationUse, { settings: shownUse(row), kept: row.kept }, members)
    return {
      ...row,
      scopes: scope ?? (scope === null ? [] : row.scopes),
      ...(await checkedUse(changed, row.audience, row.subjectType, deps)),
    }
  },
})

export function presentClientGrant(row: ClientGrantResourceRow): JsonObject {
  const { id, clientId, audience, scopes, subjectType, kept } = row
  return { ...kept, id, client_id: clientId, audience, scope: scopes, subject_type: subjectType, ...shownUse(row) }
}

const shownUse = ({ organizationUsage, allowAnyOrganization }: ClientGrantResourceRow): JsonObject => ({
  organization_usage: organizationUsage,
  allow_any_organization: allowAnyOrganization,
})

async function checkedUse(
  { settings, kept }: StoredMembers,
  audience: string,
  subject: SubjectType,
  deps: ClientGrantDeps,
) {
  const { organization_usage, allow_any_organization } = organizationUse.parse(settings)
  if (subject === 'user' && (organization_usage !== 'deny' || allow_any_organization))
    throw invalidBody({ path: 'organization_usage', message: 'A grant for users says nothing of organizations' })
  if (organization_usage !== 'deny' && isBuiltIn(await findApi(audience, deps)))
    throw invalidBody(`Tokens for ${audience} are for no organization: organization_usage must be deny`)
  return { organizationUsage: organization_usage, allowAnyOrganization: allow_any_organization, kept }
}

/** A built-in API has rules of its own for users (lib/data/apis/permissions.ts), so a grant would have no effect. */
async function refuseBuiltIn(audience: string, deps: ClientGrantDeps): Promise<void> {
  if (isBuiltIn(await findApi(audience, deps)))
    throw invalidBody({ path: 'subject_type', message: `Users reach ${audience} without a grant` })
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
