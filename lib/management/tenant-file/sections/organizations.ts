// `organizations`: customers of the tenant, identified by name, with the connections they enable and the client grants that may be
// used for them. Members and invitations are no configuration.
// - A list of connections or client grants is complete. One of an unknown connection or client is reported and left out.
// - A client grant is named by its client, as the vendor does. Ours: `audience`, for a client with several.
import * as z from 'zod'
import { organizationSettings } from '../../../data/organizations/organization'
import { mergeObjects } from '../../../kernel/json'
import { alphanumeric } from '../../../kernel/random'
import { organizationName } from '../../resources/organizations'
import type { PlanContext } from '../context'
import type { Configuration, Json, JsonObject, OrganizationConnectionRow, OrganizationRow } from '../model'
import { resolveClient } from './clients'
import { nameOfClient } from './connection-rows'
import { objectsSection, writtenKind } from './objects'

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

const kind = writtenKind<OrganizationRow>({
  section: 'organizations',
  fields,
  all: ({ organizations }) => organizations,
  isNamed: ({ name }, entry) => name === entry.name,
  build(entry, before, path, context) {
    const { name, connections, client_grants } = fields.parse(entry)
    const { name: _name, connections: _connections, client_grants: _grants, ...given } = entry
    return {
      id: before?.id ?? `org_${alphanumeric(context.random, 16)}`,
      name,
      settings: mergeObjects(before?.settings ?? {}, given),
      connections: connections ? connectionsOf(connections, path, context) : (before?.connections ?? []),
      clientGrants: client_grants ? grantsOf(client_grants, path, context) : (before?.clientGrants ?? []),
    }
  },
  name: ({ name }) => name,
  shown: ({ name, settings, connections, clientGrants }, stored) => ({
    name,
    ...settings,
    connections: connections.map((row) => shownConnection(row, stored)),
    client_grants: clientGrants.map((grant) => shownGrant(grant, stored)),
  }),
  put(stored, row, before) {
    stored.organizations = [...stored.organizations.filter((each) => each !== before), row]
  },
  write: (row) => ({ table: 'organization', row }),
})

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

function connectionsOf(
  entries: z.output<typeof connectionEntry>[],
  path: string,
  { stored, notApplied }: PlanContext,
): OrganizationConnectionRow[] {
  const rows = new Map<string, OrganizationConnectionRow>()
  for (const { name, ...use } of entries) {
    const connection = stored.connections.find((each) => each.name === name)
    if (!connection) notApplied.push(`${path}.connections: no connection ${JSON.stringify(name)}`)
    else
      rows.set(connection.id, {
        connectionId: connection.id,
        assignMembership: use.assign_membership_on_login,
        showAsButton: use.show_as_button,
        signupEnabled: use.is_signup_enabled,
        enabled: use.is_enabled,
      })
  }
  return [...rows.values()].sort((a, b) => (a.connectionId < b.connectionId ? -1 : 1))
}

/** All grants of a client, or its grant for the audience. */
function grantsOf(
  entries: z.output<typeof grantEntry>[],
  path: string,
  context: PlanContext,
): OrganizationRow['clientGrants'] {
  const rows = new Map<string, OrganizationRow['clientGrants'][number]>()
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
    for (const grant of found)
      rows.set(`${grant.clientId} ${grant.audience}`, { clientId: grant.clientId, audience: grant.audience })
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function shownGrant(
  { clientId, audience }: OrganizationRow['clientGrants'][number],
  stored: Configuration,
): JsonObject {
  const client_id = nameOfClient(clientId, stored)
  const hasOne =
    stored.clientGrants.filter((grant) => grant.subjectType === 'client' && grant.clientId === clientId).length === 1
  return hasOne ? { client_id } : { client_id, audience }
}

function shownConnection(row: OrganizationConnectionRow, { connections }: Configuration): JsonObject {
  return {
    name: connections.find(({ id }) => id === row.connectionId)?.name ?? row.connectionId,
    assign_membership_on_login: row.assignMembership,
    show_as_button: row.showAsButton,
    is_signup_enabled: row.signupEnabled,
    is_enabled: row.enabled,
  }
}
