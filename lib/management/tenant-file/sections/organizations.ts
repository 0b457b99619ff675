// `organizations`: customers of the tenant, identified by name, with the connections they enable and the client grants that may be
// used for them. Members and invitations are no configuration.
// - A list of connections or client grants is complete. One of an unknown connection or client is reported and left out.
// - A client grant is named by its client, as the vendor does. Ours: `audience`, for a client with several.
import * as z from 'zod'
import { organizationSettings } from '../../../data/organizations/organization'
import { membersThatDiffer } from '../../operations/repeated'
import type { ClientGrantResourceRow } from '../../resources/client-grants'
import type { EnabledConnectionRow } from '../../resources/enabled-connection'
import {
  organizationClientGrants as grantOperations,
  type OrganizationClientGrantDeps,
} from '../../resources/organization-client-grants'
import {
  type OrganizationConnectionDeps,
  type OrganizationConnectionStore,
  organizationConnections,
} from '../../resources/organization-connections'
import {
  type OrganizationDeps,
  type OrganizationRow,
  type OrganizationStore,
  organizationName,
  organizations as organizationOperations,
  presentOrganization,
} from '../../resources/organizations'
import type { PlanContext } from '../context'
import { demand, onlyThese, rowsIn } from '../copied-stores'
import type { Configuration, Json, JsonObject, StoreWrite } from '../model'
import { mergedWith, operate, put } from '../working-copy'
import { nameOfClient, resolveClient } from './clients'
import { type ObjectKind, objectsSection } from './objects'

const { connections: connectionOperations } = organizationConnections

export type FileOrganization = OrganizationRow & {
  connections: EnabledConnectionRow[]
  /** The client grants that may be used for it. */
  clientGrants: readonly ClientGrantResourceRow[]
}

declare module '../model' {
  interface Copied {
    organizations: {
      rows: FileOrganization[]
      stores: Pick<OrganizationDeps, 'organizations'> &
        Pick<OrganizationConnectionDeps, 'organizationConnections'> &
        Pick<OrganizationClientGrantDeps, 'organizationClientGrants'>
    }
  }
}

const connectionEntry = z.object({
  name: z.string().min(1),
  assign_membership_on_login: z.boolean().default(false),
  show_as_button: z.boolean().default(true),
  is_signup_enabled: z.boolean().default(false),
  is_enabled: z.boolean().default(true),
})
const grantEntry = z.object({ client_id: z.string().min(1), audience: z.string().min(1).optional() })

const fields = organizationSettings.extend({
  name: organizationName,
  connections: z.array(connectionEntry).max(1000).optional(),
  client_grants: z.array(grantEntry).max(1000).optional(),
})

/** The lists that the vendor's exports have beside these, empty where nothing was set. */
const OTHER_LISTS = ['discovery_domains', 'clients'] as const

const kind: ObjectKind<FileOrganization> = {
  section: 'organizations',
  copy: {
    name: 'organizations',
    none: [],
    stores: (context) => ({
      organizations: organizationsOf(context),
      organizationConnections: connectionsOf(context),
      organizationClientGrants: clientGrantsOf(context),
    }),
  },
  fields,
  all: ({ organizations }) => organizations,
  isNamed:
    (entry) =>
    ({ name }) =>
      name === entry.name,
  async operate(entry, before, path, context) {
    const { connections: _connections, client_grants: _grants, ...members } = entry
    const stored = before ? presentOrganization(before) : {}
    const body = mergedWith(stored, members)
    const id = await put(organizationOperations, body, before && { id: before.id, shown: stored }, context)
    const { connections, client_grants } = fields.parse(entry)
    if (connections) await setConnections(id, before?.connections ?? [], connections, path, context)
    if (client_grants) await setGrants(id, before?.clientGrants ?? [], grantsOf(client_grants, path, context), context)
  },
  name: ({ name }) => name,
  shown: ({ name, settings, connections, clientGrants }, stored) => ({
    name,
    ...settings,
    connections: connections.map((row) => shownConnection(row, stored)),
    client_grants: clientGrants.map((grant) => shownGrant(grant, stored)),
  }),
}

const list = objectsSection(kind, 'name')

export const organizations = {
  ...list,
  plan: (given: Json, context: PlanContext) =>
    list.plan(Array.isArray(given) ? given.map(withoutEmptyLists) : given, context),
}

function withoutEmptyLists(entry: Json): Json {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
  const isEmptyList = (name: string): boolean =>
    OTHER_LISTS.some((other) => other === name) && Array.isArray(entry[name]) && entry[name].length === 0
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !isEmptyList(name)))
}

async function setConnections(
  id: string,
  before: readonly EnabledConnectionRow[],
  entries: z.output<typeof connectionEntry>[],
  path: string,
  context: PlanContext,
): Promise<void> {
  const wanted = new Map<string, JsonObject>()
  for (const { name, ...use } of entries) {
    const connection = context.stored.connections.find((each) => each.name === name)
    if (connection) wanted.set(connection.id, use)
    else context.notApplied.push(`${path}.connections: no connection ${JSON.stringify(name)}`)
  }
  for (const [connection_id, use] of wanted) {
    const stored = before.find(({ connectionId }) => connectionId === connection_id)
    const differing = stored ? membersThatDiffer(use, usageOf(stored)) : {}
    if (!stored)
      await operate(connectionOperations.create, { params: { id }, body: { connection_id, ...use } }, context)
    else if (Object.keys(differing).length > 0)
      await operate(connectionOperations.update, { params: { id, connection_id }, body: differing }, context)
  }
  for (const { connectionId: connection_id } of before)
    if (!wanted.has(connection_id))
      await operate(connectionOperations.delete, { params: { id, connection_id } }, context)
}

async function setGrants(
  id: string,
  before: readonly ClientGrantResourceRow[],
  wanted: readonly ClientGrantResourceRow[],
  context: PlanContext,
): Promise<void> {
  const isIn = (rows: readonly ClientGrantResourceRow[], { id: grant }: ClientGrantResourceRow): boolean =>
    rows.some((row) => row.id === grant)
  for (const grant of wanted)
    if (!isIn(before, grant))
      await operate(grantOperations.clientGrantsAdd, { params: { id }, body: { grant_id: grant.id } }, context)
  for (const grant of before)
    if (!isIn(wanted, grant))
      await operate(grantOperations.clientGrantsRemove, { params: { id, grant_id: grant.id } }, context)
}

/** All grants of a client, or its grant for the audience. */
function grantsOf(
  entries: z.output<typeof grantEntry>[],
  path: string,
  context: PlanContext,
): ClientGrantResourceRow[] {
  const rows = new Set<ClientGrantResourceRow>()
  for (const { client_id, audience } of entries) {
    const client = resolveClient(client_id, context)
    const found = context.stored.clientGrants.filter(
      (grant) =>
        grant.subjectType === 'client' &&
        grant.clientId === client?.clientId &&
        (audience === undefined || grant.audience === audience),
    )
    if (found.length === 0)
      context.notApplied.push(`${path}.client_grants: no client grant of ${JSON.stringify(client_id)}`)
    for (const grant of found) rows.add(grant)
  }
  return [...rows]
}

function shownGrant({ clientId, audience }: ClientGrantResourceRow, stored: Configuration): JsonObject {
  const client_id = nameOfClient(clientId, stored)
  const isOwn = (grant: ClientGrantResourceRow): boolean =>
    grant.subjectType === 'client' && grant.clientId === clientId
  return stored.clientGrants.filter(isOwn).length === 1 ? { client_id } : { client_id, audience }
}

const shownConnection = (row: EnabledConnectionRow, { connections }: Configuration): JsonObject => ({
  name: connections.find(({ id }) => id === row.connectionId)?.name ?? row.connectionId,
  ...usageOf(row),
})

const usageOf = (row: EnabledConnectionRow): JsonObject => ({
  assign_membership_on_login: row.assignMembership,
  show_as_button: row.showAsButton,
  is_signup_enabled: row.signupEnabled,
  is_enabled: row.enabled,
})

const organizationsOf = (context: PlanContext): OrganizationStore =>
  onlyThese<OrganizationStore>(
    rowsIn<OrganizationRow, FileOrganization>(context, 'organizations', ({ organizations }) => organizations, {
      nameOf: ({ name }) => name,
      listed: (row, before) => ({
        ...row,
        connections: before?.connections ?? [],
        clientGrants: before?.clientGrants ?? [],
      }),
    }),
  )

function connectionsOf({ stored, writes }: PlanContext): OrganizationConnectionStore {
  const inOrganization = (id: string): EnabledConnectionRow[] =>
    stored.organizations.find((row) => row.id === id)?.connections ?? []
  const find = (id: string, connectionId: string): EnabledConnectionRow | undefined =>
    inOrganization(id).find((row) => row.connectionId === connectionId)
  const set = (id: string, connections: EnabledConnectionRow[]): void => {
    const sorted = connections.toSorted((a, b) => (a.connectionId < b.connectionId ? -1 : 1))
    stored.organizations = stored.organizations.map((row) => (row.id === id ? { ...row, connections: sorted } : row))
  }
  const without = (id: string, gone: EnabledConnectionRow | undefined): EnabledConnectionRow[] =>
    inOrganization(id).filter((row) => row !== gone)
  const note = (organizationId: string, row: EnabledConnectionRow | string, run: StoreWrite['run']): void =>
    void writes.push({ table: 'organizationConnections', row: { organizationId, connection: row }, run })
  return onlyThese<OrganizationConnectionStore>({
    find: async (id, connectionId) => find(id, connectionId) ?? null,
    async insert(id, row) {
      if (find(id, row.connectionId)) return 'taken'
      set(id, [...inOrganization(id), row])
      note(id, row, async (stores) => demand(await stores.organizationConnections.insert(id, row)))
      return 'done'
    },
    async change(id, connectionId, alter) {
      const before = find(id, connectionId)
      if (!before) return null
      const after = await alter(before)
      set(id, [...without(id, before), after])
      note(id, after, async (stores) =>
        demand(await stores.organizationConnections.change(id, connectionId, async () => after)),
      )
      return { before, after }
    },
    async remove(id, connectionId) {
      const before = find(id, connectionId)
      set(id, without(id, before))
      note(id, connectionId, ({ organizationConnections }) => organizationConnections.remove(id, connectionId))
      return before ?? null
    },
  })
}

type GrantStore = OrganizationClientGrantDeps['organizationClientGrants']

function clientGrantsOf({ stored, writes }: PlanContext): GrantStore {
  const inOrganization = (id: string): readonly ClientGrantResourceRow[] =>
    stored.organizations.find((row) => row.id === id)?.clientGrants ?? []
  const set = (id: string, clientGrants: ClientGrantResourceRow[]): void => {
    stored.organizations = stored.organizations.map((row) => (row.id === id ? { ...row, clientGrants } : row))
  }
  const note = (organizationId: string, grantId: string, run: StoreWrite['run']): void =>
    void writes.push({ table: 'organizationClientGrants', row: { organizationId, grantId }, run })
  return onlyThese<GrantStore>({
    async insert(id, grantId) {
      const grant = stored.clientGrants.find((row) => row.id === grantId)
      if (!grant) return null
      const pair = ({ clientId, audience }: ClientGrantResourceRow): string => `${clientId} ${audience}`
      set(
        id,
        [...inOrganization(id), grant].sort((a, b) => (pair(a) < pair(b) ? -1 : 1)),
      )
      note(id, grantId, async (stores) => demand(await stores.organizationClientGrants.insert(id, grantId)))
      return grant
    },
    async remove(id, grantId) {
      set(
        id,
        inOrganization(id).filter((row) => row.id !== grantId),
      )
      note(id, grantId, ({ organizationClientGrants }) => organizationClientGrants.remove(id, grantId))
      return true
    },
  })
}
