// Organizations: the customers of a tenant. Users are members of them, sign in by the connections they enable, and have roles that
// count in one organization alone.

import * as z from 'zod'
import { organizationSettings as settings } from '../../data/organizations/organization'
import type { MailedOrganization } from '../../data/outbox/message'
import type { JsonObject } from '../../kernel/json'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { alphanumeric, type Random } from '../../kernel/random'
import { openObject, withOthers } from '../../kernel/schema'
import { unknownMembers } from '../operations/effects'
import { inexistent } from '../operations/errors'
import {
  answerList,
  checkpointQuery,
  fieldsQuery,
  type Page,
  pageQuery,
  selectFields,
  type Window,
} from '../operations/list'
import { allMembers, changeMembers, newMembers, type StoredMembers } from '../operations/members'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'
import { defineResource, type ResourceStore } from '../operations/resource'
import { isOneOf, isSet } from '../operations/unsupported-protections'
import { type SearchStore, searchOperation } from '../search/object-search'
import {
  type ConnectionFinder,
  connectionChange,
  type EnabledConnectionRow,
  newEnabledConnection,
  presentEnabledConnection,
} from './enabled-connection'

export type OrganizationRow = StoredMembers & {
  id: string
  name: string
  /** The connections that a new organization begins with; absent in a row that was read. */
  connections?: EnabledConnectionRow[]
}

const SORTS = ['name:1', 'name:-1', 'created_at:1', 'created_at:-1'] as const

export type OrganizationFilter = { sort?: (typeof SORTS)[number] | undefined }

export type OrganizationStore = ResourceStore<OrganizationRow, OrganizationFilter> &
  SearchStore<OrganizationRow> & {
    findByName(name: string): Promise<OrganizationRow | null>
    /** The organizations that a user is a member of; null if there is no such user. */
    ofUser(userId: string, window: Window): Promise<Page<OrganizationRow> | null>
  }

export type OrganizationDeps = {
  clock: { now(): Date }
  random: Random
  organizations: OrganizationStore
  managedConnections: ConnectionFinder
}

const operation = operationsWith<OrganizationDeps>()

/** A name that begins like an id would be read as an id by the vendor's SDKs. */
export const organizationName = z
  .string()
  .regex(/^[a-z0-9_-]{1,50}$/, 'must be 1 to 50 lower-case letters, digits, hyphens and underscores')
  .refine((value) => !value.startsWith('org_'), 'must not begin with org_')
  .meta({
    title: 'Short name',
    help: 'Lower-case letters, digits, hyphens and underscores.',
    group: 'basics',
    order: 11,
  })

const MAX_FIRST_CONNECTIONS = 10

export const shownOrganization = withOthers(settings.extend({ id: z.string(), name: organizationName })).meta({
  id: 'Organization',
})

/** Every application of the tenant may ask for every organization. */
const ALWAYS = { is_app_entitlement_active: false, third_party_client_access: 'allow' }

export const organizations = defineResource({
  noun: 'organization',
  plural: 'organizations',
  console: true,
  examples: {
    create: { name: 'acme', display_name: 'Acme' },
    update: { metadata: { plan: 'gold' } },
  },
  path: '/organizations',
  target: { create: 'tenant', update: 'tenant', delete: inPath('organizations') },
  shown: shownOrganization,
  create: openObject({
    name: organizationName,
    enabled_connections: z
      .array(openObject({ connection_id: z.string().min(1), ...connectionChange }))
      .max(MAX_FIRST_CONNECTIONS)
      .nullish(),
  }),
  update: openObject({ name: organizationName.nullish() }),
  filter: { sort: z.enum(SORTS, `must be one of ${SORTS.join(', ')}`).optional() },
  checkpoint: true,
  guarded: { create: { 'create:organization_connections': ['enabled_connections'] } },
  taken: {
    message: 'An organization with this name already exists.',
    errorCode: 'organization_already_exists',
  },
  store: ({ organizations }: OrganizationDeps) => organizations,
  id: (row: OrganizationRow) => row.id,
  present: presentOrganization,
  notApplied: (organization) => unknownMembers(shownOrganization, organization, ALWAYS),
  protecting: {
    is_app_entitlement_active: isOneOf(true),
    third_party_client_access: isOneOf('block'),
    token_quota: isSet,
  },
  presentNew: async (row, { deps }) => ({
    ...presentOrganization(row),
    ...(row.connections && {
      enabled_connections: await mapBounded(row.connections, (each) => presentEnabledConnection(each, deps)),
    }),
  }),
  async make(body, { deps }) {
    const { enabled_connections, ...given } = body
    const connections: EnabledConnectionRow[] = []
    for (const each of enabled_connections ?? [])
      if (!connections.some(({ connectionId }) => connectionId === each.connection_id))
        connections.push(await newEnabledConnection(each.connection_id, each, deps))
    return {
      id: `org_${alphanumeric(deps.random, 16)}`,
      name: given.name,
      ...newMembers(settings, membersOf(given)),
      ...(enabled_connections && { connections }),
    }
  },
  change: (row, body) => ({
    ...row,
    ...changeMembers(settings, row, membersOf(body)),
    name: body.name ?? row.name,
  }),
  operations: {
    search: searchOperation<OrganizationDeps, OrganizationRow>({
      plural: 'organizations',
      path: '/organizations',
      scopes: ['read:organizations'],
      sorts: ['name', 'display_name', 'created_at'],
      fields: '`id`, `name`, `display_name`, `created_at`, `updated_at`, `metadata.*` and `branding.*`',
      shown: shownOrganization,
      store: ({ organizations }) => organizations,
      present: presentOrganization,
    }),
    readByName: operation({
      name: 'organizations.read_by_name',
      method: 'GET',
      path: '/organizations/name/:name',
      summary: 'Read an organization by its name',
      scopes: ['read:organizations'],
      query: z.object(fieldsQuery),
      status: 200,
      tagged: true,
      answer: shownOrganization,
      async handle({ params, query, deps }) {
        const row = await deps.organizations.findByName(params.name ?? '')
        if (!row) throw inexistent('organization')
        return { body: selectFields(presentOrganization(row), query) }
      },
    }),
    organizationsList: operation({
      name: 'users.organizations.list',
      method: 'GET',
      path: '/users/:id/organizations',
      summary: 'List the organizations that a user is a member of',
      scopes: ['read:organizations'],
      list: 'organizations',
      query: z.object(pageQuery),
      status: 200,
      answer: z.array(shownOrganization),
      async handle({ params, query, deps }) {
        const body = await answerList(query, {
          key: 'organizations',
          async load(window) {
            const page = await deps.organizations.ofUser(params.id ?? '', window)
            if (!page) throw inexistent('user')
            return page
          },
          present: presentOrganization,
          id: (row) => row.id,
        })
        return { body }
      },
    }),
    clientsList: operation({
      name: 'organizations.clients.list',
      method: 'GET',
      path: '/organizations/:id/clients',
      summary: 'List the clients of an organization: always none',
      scopes: ['read:organization_clients'],
      query: z.object({ ...pageQuery, ...checkpointQuery }),
      status: 200,
      answer: z.object({ clients: z.array(z.never()) }),
      async handle({ params, deps }) {
        await existingOrganization(params.id, deps)
        return { body: { clients: [] } }
      },
    }),
  },
})

export async function existingOrganization(
  id: string | undefined,
  { organizations }: { organizations: Pick<OrganizationStore, 'find'> },
): Promise<OrganizationRow> {
  const row = await organizations.find(id ?? '')
  if (!row) throw inexistent('organization')
  return row
}

/** As a mail names it. */
export const mailedOrganization = ({ id, name, settings: stored }: OrganizationRow): MailedOrganization => ({
  id,
  name,
  settings: settings.parse(stored),
})

export function presentOrganization(row: OrganizationRow): JsonObject {
  return { ...allMembers(row), id: row.id, name: row.name }
}

const membersOf = ({ id: _id, name: _name, enabled_connections: _connections, ...members }: JsonObject): JsonObject =>
  members
