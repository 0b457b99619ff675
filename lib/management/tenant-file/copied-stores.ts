// The stores of the operations over the rows of a plan's working copy. Each write is noted with the same on the database.
import { objectsIn } from '../../kernel/json'
import type { Document, DocumentKind, DocumentStore } from '../operations/documents'
import { windowOf } from '../operations/list'
import { type PermissionRow, permissionId } from '../operations/permission-body'
import type { ResourceStore } from '../operations/resource'
import type { TenantRecord, TenantRecordStore } from '../operations/singleton'
import type { ActionResourceRow, ActionResourceStore } from '../resources/actions'
import type { ClientGrantResourceRow } from '../resources/client-grants'
import { liveOf } from '../resources/deployed-action'
import type { EmailProviderRow } from '../resources/email-provider'
import type { EnabledConnectionRow } from '../resources/enabled-connection'
import type { OrganizationConnectionStore } from '../resources/organization-connections'
import type { OrganizationStore } from '../resources/organizations'
import type { PhoneProviderRow } from '../resources/phone-providers'
import type { RoleResourceRow, RoleStore } from '../resources/roles'
import type { PlanContext } from './context'
import { type ActionRow, type DocumentRow, type FileOrganization, type FileRole, newTenant } from './model'
import type { FileStores, StoreWrite } from './stores'

export const storesOf = (context: PlanContext): Omit<FileStores, 'createTenant' | 'keepBundle'> => ({
  tenantRecord: tenantRecordOf(context),
  managedClients: onlyThese<FileStores['managedClients']>(
    rowsIn(context, {
      list: () => context.stored.clients,
      replace: (rows) => Object.assign(context.stored, { clients: rows }),
      hasId: (row, id) => row.clientId === id,
      nameOf: ({ clientId }) => clientId,
      listed: (row) => row,
      write: (row, run) => ({ table: 'client', row, run }),
      store: ({ managedClients }) => managedClients,
    }),
  ),
  managedActions: actionsOf(context),
  roles: rolesOf(context),
  resourceServers: rowsIn(context, {
    list: () => context.stored.apis,
    replace: (rows) => Object.assign(context.stored, { apis: rows }),
    hasId: (row, id) => row.id === id || row.identifier === id,
    nameOf: ({ identifier }) => identifier,
    listed: (row) => row,
    write: (row, run) => ({ table: 'api', row, run }),
    store: ({ resourceServers }) => resourceServers,
  }),
  managedGrants: rowsIn(context, {
    list: () => context.stored.clientGrants,
    replace: (rows) => Object.assign(context.stored, { clientGrants: rows }),
    hasId: (row, id) => row.id === id,
    nameOf: ({ subjectType, clientId, audience }) => JSON.stringify([subjectType, clientId, audience]),
    listed: (row) => row,
    write: (row, run) => ({ table: 'clientGrant', row, run }),
    store: ({ managedGrants }) => managedGrants,
  }),
  managedConnections: onlyThese<FileStores['managedConnections']>({
    ...rowsIn(context, {
      list: () => context.stored.connections,
      replace: (rows) => Object.assign(context.stored, { connections: rows }),
      hasId: (row, id) => row.id === id,
      nameOf: ({ name }) => name,
      listed: (row) => row,
      write: (row, run) => ({ table: 'connection', row, run }),
      store: ({ managedConnections }) => managedConnections,
    }),
    clientIds: async () =>
      context.stored.clients.flatMap(({ clientId, isRegistered }) => (isRegistered ? [] : [clientId])).sort(),
  }),
  logStreams: onlyThese<FileStores['logStreams']>(
    rowsIn(context, {
      list: () => context.stored.logStreams,
      replace: (rows) => Object.assign(context.stored, { logStreams: rows }),
      hasId: (row, id) => row.id === id,
      nameOf: ({ name }) => name,
      listed: (row) => row,
      write: (row, run) => ({ table: 'logStream', row, run }),
      store: ({ logStreams }) => logStreams,
    }),
  ),
  organizations: onlyThese<OrganizationStore>(
    rowsIn<OrganizationAlone, FileOrganization>(context, {
      list: () => context.stored.organizations,
      replace: (rows) => Object.assign(context.stored, { organizations: rows }),
      hasId: (row, id) => row.id === id,
      nameOf: ({ name }) => name,
      listed: (row, before) => ({
        ...row,
        connections: before?.connections ?? [],
        clientGrants: before?.clientGrants ?? [],
      }),
      write: (row, run) => ({ table: 'organization', row, run }),
      store: ({ organizations }) => organizations,
    }),
  ),
  tokenExchangeProfiles: rowsIn(context, {
    list: () => context.stored.tokenExchangeProfiles,
    replace: (rows) => Object.assign(context.stored, { tokenExchangeProfiles: rows }),
    hasId: (row, id) => row.id === id,
    nameOf: ({ subjectTokenType }) => subjectTokenType,
    listed: (row) => row,
    write: (row, run) => ({ table: 'tokenExchangeProfile', row, run }),
    store: ({ tokenExchangeProfiles }) => tokenExchangeProfiles,
  }),
  organizationConnections: organizationConnectionsOf(context),
  organizationClientGrants: organizationGrantsOf(context),
  documents: documentsOf(context),
  emailProvider: singleIn<EmailProviderRow | null>(context, {
    find: () => context.stored.emailProvider,
    put: (row) => Object.assign(context.stored, { emailProvider: row }),
    write: (row, run) => ({ table: 'emailProvider', row, run }),
    store: ({ emailProvider }) => emailProvider,
  }),
  phoneProvider: singleIn<PhoneProviderRow | null>(context, {
    find: () => context.stored.phoneProvider,
    put: (row) => Object.assign(context.stored, { phoneProvider: row }),
    write: (row, run) => ({ table: 'phoneProvider', row, run }),
    store: ({ phoneProvider }) => phoneProvider,
  }),
})

function tenantRecordOf(context: PlanContext): TenantRecordStore {
  const { find: read, change } = singleIn<TenantRecord>(context, {
    find: () => context.stored.tenant ?? newTenant(context.tenantId),
    put: (row) => Object.assign(context.stored, { tenant: row }),
    write: (row, run) => ({ table: 'tenant', row, run }),
    store: ({ tenantRecord }) => tenantRecord,
  })
  return { read, change }
}

function actionsOf(context: PlanContext): ActionResourceStore {
  const { stored, writes } = context
  const rows = rowsIn<ActionResourceRow, ActionRow>(context, {
    list: () => stored.actions,
    replace: (actions) => Object.assign(stored, { actions }),
    hasId: (row, id) => row.id === id,
    nameOf: ({ name }) => name,
    listed: (row, before) => ({ ...row, newest: before?.newest ?? 0 }),
    write: (row, run) => ({ table: 'action', row, run }),
    store: ({ managedActions }) => managedActions,
  })
  return onlyThese<ActionResourceStore>({
    ...rows,
    async list({ actionName, moduleId }) {
      const found = stored.actions.filter(
        ({ name, live }) =>
          (actionName === undefined || name === actionName) &&
          (moduleId === undefined || objectsIn(live.modules).some(({ module_id }) => module_id === moduleId)),
      )
      return { rows: found, total: found.length }
    },
    versions: async () => ({ rows: [], total: 0 }),
    async deploy(id, bodyOf, versionId, createdAt) {
      const before = stored.actions.find((row) => row.id === id)
      if (!before) return null
      const body = bodyOf(before)
      const deployed = { draft: null, buildDueAt: null, newest: before.newest + 1, updatedAt: createdAt }
      const row = { ...before, live: liveOf(body, before.live), ...deployed }
      stored.actions = stored.actions.map((each) => (each === before ? row : each))
      const run: StoreWrite['run'] = async ({ managedActions }, at) =>
        demand(await managedActions.deploy(id, () => body, versionId, at))
      writes.push({ table: 'action', row, run })
      return { row, version: { id: versionId, number: row.newest, body, createdAt } }
    },
  })
}

function rolesOf(context: PlanContext): RoleStore {
  const { stored, writes } = context
  const rows = rowsIn<RoleResourceRow, FileRole>(context, {
    list: () => stored.roles,
    replace: (roles) => Object.assign(stored, { roles }),
    hasId: (row, id) => row.id === id,
    nameOf: ({ name }) => name,
    listed: (row, before) => ({ ...row, permissions: before?.permissions ?? [] }),
    write: (row, run) => ({ table: 'role', row, run }),
    store: ({ roles }) => roles,
  })
  const permissionsOf = (id: string): readonly PermissionRow[] =>
    stored.roles.find((role) => role.id === id)?.permissions ?? []
  const setPermissions = (id: string, permissions: PermissionRow[]): void => {
    stored.roles = stored.roles.map((role) => (role.id === id ? { ...role, permissions } : role))
  }
  return onlyThese<RoleStore>({
    ...rows,
    permissions: async (id, window) => windowOf(permissionsOf(id), window, permissionId),
    async addPermissions(roleId, permissions) {
      const all = new Map([...permissionsOf(roleId), ...permissions].map((each) => [permissionId(each), each]))
      setPermissions(roleId, [...all.values()])
      const row = { roleId, permissions }
      writes.push({ table: 'rolePermissions', row, run: ({ roles }) => roles.addPermissions(roleId, permissions) })
      return true
    },
    async removePermissions(roleId, permissions) {
      const gone = new Set(permissions.map(permissionId))
      setPermissions(
        roleId,
        permissionsOf(roleId).filter((each) => !gone.has(permissionId(each))),
      )
      const row = { roleId, permissions: [] }
      writes.push({ table: 'rolePermissions', row, run: ({ roles }) => roles.removePermissions(roleId, permissions) })
    },
  })
}

type OrganizationAlone = Omit<FileOrganization, 'connections' | 'clientGrants'>

function organizationConnectionsOf({ stored, writes }: PlanContext): OrganizationConnectionStore {
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
    void writes.push({ table: 'organizationConnection', row: { organizationId, connection: row }, run })
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

function organizationGrantsOf({ stored, writes }: PlanContext): FileStores['organizationClientGrants'] {
  const inOrganization = (id: string): readonly ClientGrantResourceRow[] =>
    stored.organizations.find((row) => row.id === id)?.clientGrants ?? []
  const set = (id: string, clientGrants: ClientGrantResourceRow[]): void => {
    stored.organizations = stored.organizations.map((row) => (row.id === id ? { ...row, clientGrants } : row))
  }
  const note = (organizationId: string, grantId: string, run: StoreWrite['run']): void =>
    void writes.push({ table: 'organizationClientGrant', row: { organizationId, grantId }, run })
  return onlyThese<FileStores['organizationClientGrants']>({
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

function documentsOf({ stored, writes }: PlanContext): DocumentStore {
  const isThis = (kind: DocumentKind, id: string) => (row: DocumentRow) => row.kind === kind && row.id === id
  const list = (kind: DocumentKind): Document[] =>
    stored.documents.filter((row) => row.kind === kind).map(({ id, body }) => ({ id, body }))
  return {
    find: async (kind, id) => stored.documents.find(isThis(kind, id))?.body ?? null,
    list: async (kind) => list(kind),
    async change(kind, id, alter) {
      const before = stored.documents.find(isThis(kind, id))
      const body = await alter(before?.body ?? null, async () => list(kind))
      if (body === null || body === before?.body) return { before: before?.body ?? null, after: body }
      const row = { kind, id, body }
      stored.documents = [...stored.documents.filter((each) => each !== before), row]
      writes.push({ table: 'document', row, run: ({ documents }, at) => documents.change(kind, id, () => body, at) })
      return { before: before?.body ?? null, after: body }
    },
  }
}

type Single<Row> = {
  find(): Row
  put(row: Row & object): void
  write(row: Row & object, run: StoreWrite['run']): StoreWrite
  store(stores: FileStores): Pick<SingleStore<Row>, 'change'>
}

type SingleStore<Row> = {
  find(): Promise<Row>
  change(alter: (before: Row) => Row, at: Date): Promise<{ before: Row; after: Row }>
}

/** What a tenant has one of at most. */
const singleIn = <Row extends object | null>(
  { writes }: PlanContext,
  { find, put, write, store }: Single<Row>,
): SingleStore<Row> => ({
  find: async () => find(),
  async change(alter) {
    const before = find()
    const after = alter(before)
    if (after !== null) {
      put(after)
      writes.push(write(after, (stores, at) => store(stores).change(() => after, at)))
    }
    return { before, after }
  },
})

type Rows<Row, Listed extends Row> = {
  list(): readonly Listed[]
  replace(rows: Listed[]): void
  hasId(row: Row, id: string): boolean
  /** No two rows have the same. */
  nameOf(row: Row): string
  /** The row as the configuration has it. */
  listed(row: Row, before?: Listed): Listed
  write(row: Row, run: StoreWrite['run']): StoreWrite
  /** On the database. */
  store(stores: FileStores): Pick<ResourceStore<Row>, 'insert' | 'change'>
}

/** Rows of the working copy as the store of a resource. A file removes no object. */
function rowsIn<Row, Listed extends Row>(
  { writes }: PlanContext,
  { list, replace, hasId, nameOf, listed, write, store }: Rows<Row, Listed>,
): ResourceStore<Row> {
  const isTaken = (row: Row, before?: Listed): boolean =>
    list().some((each) => each !== before && nameOf(each) === nameOf(row))
  return onlyThese<ResourceStore<Row>>({
    find: async (id) => list().find((row) => hasId(row, id)) ?? null,
    list: async () => ({ rows: [...list()], total: list().length }),
    async insert(row) {
      if (isTaken(row)) return false
      replace([...list(), listed(row)])
      writes.push(write(row, async (stores, at) => demand(await store(stores).insert(row, at))))
      return true
    },
    async change(id, alter) {
      const before = list().find((row) => hasId(row, id))
      if (!before) return null
      const after = await alter(before)
      if (isTaken(after, before)) return 'taken'
      replace(list().map((each) => (each === before ? listed(after, before) : each)))
      writes.push(write(after, async (stores, at) => demand(await store(stores).change(id, () => after, at))))
      return { before, after }
    },
  })
}

/** What no operation of a file calls is left out. */
export const onlyThese = <Store>(methods: Partial<Store>): Store => methods as Store

function demand(done: unknown): void {
  if (done === false || done === null || done === 'taken')
    throw new Error('The tenant was changed while the file was applied: apply it again')
}
