// Runs operations of the Management API on the copy of a tenant's configuration that a plan works with. What they write is noted, and
// written to the database once the plan is applied; so the file has the schema, the rules and the audit record of the API.

import { managementAudience } from '../../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../../data/apis/management-scopes'
import type { Trail } from '../../data/audit/trail'
import { toClient } from '../../data/clients/client'
import { isJsonObject, type JsonObject, mergeObjects } from '../../kernel/json'
import { execute, validBody } from '../operations/execute'
import { windowOf } from '../operations/list'
import type { Operation } from '../operations/operation'
import { type PermissionRow, permissionId } from '../operations/permissions'
import type { RankDeps } from '../operations/rank'
import { membersThatDiffer } from '../operations/repeated'
import type { ResourceStore } from '../operations/resource'
import type { ClientGrantDeps } from '../resources/client-grants'
import type { ResourceServerDeps } from '../resources/resource-servers'
import type { RoleDeps, RoleResourceRow, RoleStore } from '../resources/roles'
import { findApi } from './apis'
import type { PlanContext } from './context'
import type { ChangeRecord, RoleRow } from './model'
import type { FileStores, StoreWrite } from './stores'

export type FileDeps = RoleDeps & ResourceServerDeps & ClientGrantDeps & RankDeps

/** A file is applied by its operator, who has the database. */
const OPERATOR = { clientId: 'tenant-file', userId: null, scopes: new Set<string>(MANAGEMENT_SCOPES.keys()) }

type Input = { params?: Record<string, string>; body?: JsonObject }

/** Runs an operation on the working copy; the id of its object. Throws a DomainError where the API would refuse. */
export async function operate(
  operation: Operation<FileDeps>,
  { params = {}, body }: Input,
  context: PlanContext,
): Promise<string> {
  const call = {
    params,
    query: {},
    body: operation.body ? validBody(operation, body) : undefined,
    actor: OPERATOR,
    ifMatch: null,
    ip: '',
    deps: depsOf(context),
  }
  const { id } = await execute(operation, call, noting(context))
  return id ?? params.id ?? ''
}

type Known = { id: string; shown: JsonObject }

/**
 * Makes or changes the object of an entry; its id. Objects in it merge with what is stored at every depth, and what is stored already is
 * not sent.
 */
export async function put(
  { create, update }: Record<'create' | 'update', Operation<FileDeps>>,
  entry: JsonObject,
  before: Known | undefined,
  context: PlanContext,
): Promise<string> {
  if (!before) return operate(create, { body: entry }, context)
  const merged = Object.entries(entry).map(([name, value]) => {
    const stored = before.shown[name]
    return [name, isJsonObject(value) && isJsonObject(stored) ? mergeObjects(stored, value) : value]
  })
  const body = membersThatDiffer(Object.fromEntries(merged), before.shown) as JsonObject
  if (Object.keys(body).length > 0) await operate(update, { params: { id: before.id }, body }, context)
  return before.id
}

const isChange = (facts: unknown): facts is ChangeRecord => isJsonObject(facts) && 'change' in facts

const noting = ({ records }: PlanContext): Trail => ({
  source: null,
  context: () => {},
  known: {},
  record(_name, ...[facts]) {
    if (isChange(facts)) records.push(facts)
  },
  refused: () => {},
  settled: () => null,
})

function depsOf(context: PlanContext): FileDeps {
  const { random, now, baseUrl, algorithms, stored } = context
  return {
    random,
    clock: { now: () => now },
    canonicalUrl: baseUrl,
    apis: { find: async (audience) => findApi(audience, context) ?? null },
    clients: {
      async find(id) {
        const row = stored.clients.find(({ clientId }) => clientId === id)
        return row ? toClient(row) : null
      },
    },
    async prepareKeys(more) {
      for (const algorithm of more) algorithms.add(algorithm)
    },
    // The operator holds every scope, so no rank is compared.
    rank: {
      audience: managementAudience(baseUrl),
      guard: (_target, _judge, work) => work(),
      holdingsOf: async () => new Map(),
    },
    ...storesOf(context),
  }
}

const storesOf = (context: PlanContext): FileStores => ({
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
})

function rolesOf(context: PlanContext): RoleStore {
  const { stored, writes } = context
  const rows = rowsIn<RoleResourceRow, RoleRow>(context, {
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
const onlyThese = <Store>(methods: Partial<Store>): Store => methods as Store

function demand(done: unknown): void {
  if (done === false || done === null || done === 'taken')
    throw new Error('The tenant was changed while the file was applied: apply it again')
}
