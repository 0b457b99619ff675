// Connections of the Management API, on PostgreSQL.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import type {
  ConnectionDeps,
  ConnectionFilter,
  ConnectionResourceRow,
} from '../../../../management/resources/connections'
import type { Database } from '../../database'
import { END_LOGINS_OF_ALL } from '../../sql/end-logins'
import { buildScripts } from '../script-builds'
import { rowStore } from './row-store'
import { type Db, idAfter, inTransaction, orderOf, skipOf, totalOf } from './transaction'

const FIELDS = { id: true, name: true, strategy: true, settings: true, kept: true } as const

export function managedConnections(
  db: Database,
  tenantId: string,
  forget: () => void,
): ConnectionDeps['managedConnections'] {
  const key = (id: string) => ({ tenantId_id: { tenantId, id } })
  return {
    ...rowStore<ConnectionResourceRow, ConnectionFilter>(db, {
      async find(tx, id) {
        const row = await tx.connection.findUnique({ where: key(id), select: FIELDS })
        return row && toRow(row)
      },
      lock: (tx, id) => tx.$queryRaw`SELECT 1 FROM connection WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`,
      async list(tx, { name, strategy }, window) {
        const where = {
          tenantId,
          ...(name === undefined ? {} : { name }),
          ...(strategy === undefined ? {} : { strategy: { in: strategy } }),
        }
        const total = await totalOf(window, () => tx.connection.count({ where }))
        const rows = await tx.connection.findMany({
          where: { ...where, id: idAfter(window) },
          orderBy: orderOf<Prisma.ConnectionOrderByWithRelationInput>(window, [{ createdAt: 'asc' }, { id: 'asc' }], {
            id: 'asc',
          }),
          skip: skipOf(window),
          take: window.limit,
          select: FIELDS,
        })
        return { rows: rows.map(toRow), total }
      },
      async insert(tx, row, at) {
        await tx.connection.create({ data: { tenantId, ...row, createdAt: await afterOthers(tx, tenantId, at) } })
        await buildScripts(tx, tenantId, row.settings, at)
      },
      async update(tx, { id, settings, kept }, _before, at) {
        await tx.connection.update({ where: key(id), data: { settings, kept } })
        await buildScripts(tx, tenantId, settings, at)
      },
      async remove(tx, { id }) {
        await removeUsersOf(tx, tenantId, { connectionId: id })
        await tx.connection.delete({ where: key(id) })
      },
      forget,
    }),
    async clientIds() {
      const where = { tenantId, registrationDigest: null }
      const rows = await (await db.prisma()).client.findMany({
        where,
        select: { clientId: true },
        orderBy: { clientId: 'asc' },
      })
      return rows.map(({ clientId }) => clientId)
    },
    removeUser: (connectionId, emailKey) =>
      inTransaction(db, async (tx) => (await removeUsersOf(tx, tenantId, { connectionId, emailKey })) > 0),
  }
}

/** Connections are listed, on the login page too, in the order of their creation, also where one transaction makes several. */
async function afterOthers(tx: Db, tenantId: string, at: Date): Promise<Date> {
  const { _max: newest } = await tx.connection.aggregate({ where: { tenantId }, _max: { createdAt: true } })
  return new Date(Math.max(at.getTime(), (newest.createdAt?.getTime() ?? 0) + 1))
}

/**
 * Users whose first account is there go; a user who linked such an account keeps the others. The logins of both end: one may be by that
 * account, and a user who is made again with the same id must not find them.
 */
async function removeUsersOf(
  tx: Db,
  tenantId: string,
  accounts: { connectionId: string; emailKey?: string },
): Promise<number> {
  const theirs = await tx.identity.findMany({
    where: { tenantId, ...accounts },
    select: { userId: true, provider: true, providerUserId: true, connectionId: true },
  })
  const owners = theirs.filter(({ userId, provider, providerUserId }) => userId === `${provider}|${providerUserId}`)
  const affected = [...new Set(theirs.map(({ userId }) => userId))].toSorted()
  for (const text of END_LOGINS_OF_ALL) await tx.$executeRawUnsafe(text, tenantId, affected)
  await tx.identity.deleteMany({ where: { tenantId, ...accounts } })
  await tx.user.deleteMany({ where: { tenantId, id: { in: owners.map(({ userId }) => userId) } } })
  return theirs.length
}

const toRow = (
  row: Omit<ConnectionResourceRow, 'settings' | 'kept'> & { settings: unknown; kept: unknown },
): ConnectionResourceRow => ({
  ...row,
  settings: row.settings as JsonObject,
  kept: row.kept as JsonObject,
})
