// Actions of the Management API with their versions, and the bindings among the tenant's settings, on PostgreSQL.

import type { Prisma } from '../../../../../prisma/generated/client'
import { bindingsIn } from '../../../../data/tenants/triggers'
import { MAX_VERSIONS } from '../../../../identity/tenant-code/actions/action'
import type { JsonObject } from '../../../../kernel/json'
import type {
  ActionBody,
  ActionFilter,
  ActionResourceRow,
  ActionResourceStore,
  ActionVersionRow,
} from '../../../../management/resources/actions'
import { liveOf } from '../../../../management/resources/deployed-action'
import type { Database } from '../../database'
import { jsonOrNull, settingIs } from './json-null'
import { rowStore } from './row-store'
import { type Db, inTransaction, skipOf } from './transaction'

export const ACTION_FIELDS = {
  ...{ id: true, name: true, settings: true, draft: true, buildDueAt: true, createdAt: true, updatedAt: true },
} as const
const VERSION = { id: true, number: true, body: true, createdAt: true } as const

export function managedActions(db: Database, tenantId: string, forget: (name: string) => void): ActionResourceStore {
  const find = async (tx: Db, id: string): Promise<ActionResourceRow | null> => {
    const row = await tx.action.findFirst({ where: { tenantId, id }, select: ACTION_FIELDS })
    return row && toActionRow(row)
  }
  const lock = (tx: Db, id: string) =>
    tx.$queryRaw<unknown[]>`SELECT 1 FROM action WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`
  const store = rowStore<ActionResourceRow, ActionFilter>(db, {
    find,
    lock,
    async list(tx, { triggerId, actionName, deployed, installed, moduleId }, window) {
      if (installed) return { rows: [], total: 0 }
      const conditions: Prisma.ActionWhereInput[] = [
        ...(triggerId === undefined ? [] : [{ settings: { path: ['trigger'], equals: triggerId } }]),
        ...(moduleId === undefined
          ? []
          : [{ settings: { path: ['modules'], array_contains: [{ module_id: moduleId }] } }]),
        ...(deployed === undefined ? [] : [await settingIs('deployed', deployed, true)]),
      ]
      const where = { tenantId, ...(actionName === undefined ? {} : { name: actionName }), AND: conditions }
      const total = await tx.action.count({ where })
      const rows = await tx.action.findMany({
        where,
        select: ACTION_FIELDS,
        orderBy: [{ createdAt: 'asc' }, { name: 'asc' }],
        skip: skipOf(window),
        take: window.limit,
      })
      return { rows: rows.map(toActionRow), total }
    },
    async insert(tx, { id, name, live, draft, buildDueAt, createdAt }) {
      const data = { tenantId, id, name, settings: live, draft: await draftValue(draft), buildDueAt, createdAt }
      await tx.action.create({ data })
    },
    async update(tx, { id, name, draft, buildDueAt }, before, at) {
      if (name !== before.name) await changeBindings(tx, tenantId, (bound) => (bound === before.name ? name : bound))
      const build = { buildDueAt, buildAttempt: 0 }
      await tx.action.update({ where: { id }, data: { name, draft: await draftValue(draft), ...build, updatedAt: at } })
    },
    remove: (tx, { id }) => tx.action.delete({ where: { id } }),
    forget: ({ name }) => forget(name),
  })
  return {
    ...store,
    async deploy(id, body, versionId, at) {
      const done = await inTransaction(db, async (tx) => {
        await lock(tx, id)
        const row = await find(tx, id)
        return row && deployLocked(tx, tenantId, row, body(row), versionId, at)
      })
      if (done) forget(done.row.name)
      return done
    },
    async versions(id, window) {
      const prisma = await db.prisma()
      const where = { tenantId, actionId: id }
      const total = await prisma.actionVersion.count({ where })
      const rows = await prisma.actionVersion.findMany({
        where,
        select: VERSION,
        orderBy: { number: 'desc' },
        skip: skipOf(window),
        take: window.limit,
      })
      return { rows: rows.map(toVersion), total }
    },
    async version(id, versionId) {
      const row = await (await db.prisma()).actionVersion.findFirst({
        where: { tenantId, actionId: id, id: versionId },
        select: VERSION,
      })
      return row && toVersion(row)
    },
    async isBound(name) {
      const tenant = await (await db.prisma()).tenant.findUnique({
        where: { id: tenantId },
        select: { settings: true },
      })
      const bindings = bindingsIn(tenant?.settings)
      return Object.values(bindings).some((list) => list?.some(({ action_name }) => action_name === name))
    },
    unbind: (name) =>
      inTransaction(db, (tx) => changeBindings(tx, tenantId, (bound) => (bound === name ? null : bound))),
  }
}

/** Makes the body run. The row is locked. */
export async function deployLocked(
  tx: Db,
  tenantId: string,
  row: ActionResourceRow,
  { deploy_when_built: _, ...body }: ActionBody,
  versionId: string,
  at: Date,
): Promise<{ row: ActionResourceRow; version: ActionVersionRow }> {
  const { id } = row
  const last = await tx.actionVersion.findFirst({
    where: { actionId: id },
    orderBy: { number: 'desc' },
    select: { number: true },
  })
  const number = (last?.number ?? 0) + 1
  await tx.actionVersion.create({
    data: { id: versionId, tenantId, actionId: id, number, body: body as JsonObject, createdAt: at },
  })
  await tx.actionVersion.deleteMany({ where: { actionId: id, number: { lte: number - MAX_VERSIONS } } })
  const live = liveOf(body, row.live)
  const none = { draft: await draftValue(null), buildDueAt: null }
  await tx.action.update({ where: { id }, data: { settings: live, ...none, updatedAt: at } })
  const version: ActionVersionRow = { id: versionId, number, body, createdAt: at }
  return { row: { ...row, live, draft: null, buildDueAt: null, updatedAt: at }, version }
}

async function lockedSettings(tx: Db, tenantId: string): Promise<JsonObject> {
  const [row] = await tx.$queryRaw<
    { settings: JsonObject }[]
  >`SELECT settings FROM tenant WHERE id = ${tenantId} FOR UPDATE`
  return row?.settings ?? {}
}

/** Renames or removes (null) bound actions at every trigger. */
async function changeBindings(tx: Db, tenantId: string, renamed: (name: string) => string | null): Promise<void> {
  const settings = await lockedSettings(tx, tenantId)
  const triggers = Object.entries(bindingsIn(settings)).map(([trigger, list]) => [
    trigger,
    (list ?? []).flatMap((binding) => {
      const action_name = renamed(binding.action_name)
      return action_name === null ? [] : [{ ...binding, action_name }]
    }),
  ])
  await tx.tenant.update({
    where: { id: tenantId },
    data: { settings: { ...settings, triggers: Object.fromEntries(triggers) } },
  })
}

export const draftValue = (draft: ActionBody | null) => jsonOrNull(draft as JsonObject | null)

type StoredAction = Pick<ActionResourceRow, 'id' | 'name' | 'buildDueAt' | 'createdAt' | 'updatedAt'> & {
  settings: unknown
  draft: unknown
}

export const toActionRow = ({ settings, draft, ...row }: StoredAction): ActionResourceRow => ({
  ...row,
  live: settings as JsonObject,
  draft: draft as ActionBody | null,
})

const toVersion = (row: { id: string; number: number; body: unknown; createdAt: Date }): ActionVersionRow => ({
  ...row,
  body: row.body as ActionBody,
})
