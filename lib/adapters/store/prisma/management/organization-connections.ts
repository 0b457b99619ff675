// The connections of organizations, on PostgreSQL.
import type { JsonObject } from '../../../../kernel/json'
import type { EnabledConnectionRow } from '../../../../management/resources/enabled-connection'
import type { OrganizationConnectionStore } from '../../../../management/resources/organization-connections'
import type { Database } from '../../database'
import { holdOrganization } from './organizations'
import { type Db, inTransaction, skipOf, totalOf } from './transaction'

export const ENABLED_CONNECTION_FIELDS = {
  connectionId: true,
  assignMembership: true,
  showAsButton: true,
  signupEnabled: true,
  enabled: true,
  kept: true,
} as const

export function managedOrganizationConnections(db: Database, tenantId: string): OrganizationConnectionStore {
  const key = (organizationId: string, connectionId: string) => ({
    organizationId_connectionId_tenantId: { organizationId, connectionId, tenantId },
  })
  const find = async (tx: Db, organizationId: string, connectionId: string): Promise<EnabledConnectionRow | null> => {
    const row = await tx.organizationConnection.findUnique({
      where: key(organizationId, connectionId),
      select: ENABLED_CONNECTION_FIELDS,
    })
    return row && toEnabledConnectionRow(row)
  }
  const findLocked = async (tx: Db, organizationId: string, connectionId: string) => {
    await tx.$queryRaw`
      SELECT 1 FROM organization_connection
      WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND tenant_id = ${tenantId} FOR UPDATE`
    return find(tx, organizationId, connectionId)
  }
  return {
    find: async (organizationId, connectionId) => find(await db.prisma(), organizationId, connectionId),
    async list(organizationId, { enabled }, window) {
      const prisma = await db.prisma()
      const where = { organizationId, tenantId, ...(enabled === undefined ? {} : { enabled }) }
      const total = await totalOf(window, () => prisma.organizationConnection.count({ where }))
      const rows = await prisma.organizationConnection.findMany({
        where,
        orderBy: { connectionId: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: ENABLED_CONNECTION_FIELDS,
      })
      return { rows: rows.map(toEnabledConnectionRow), total }
    },
    insert: (organizationId, row) =>
      inTransaction(db, async (tx) => {
        if (!(await holdOrganization(tx, tenantId, organizationId))) return null
        const connection = await tx.$queryRaw<unknown[]>`
          SELECT 1 FROM connection WHERE tenant_id = ${tenantId} AND id = ${row.connectionId} FOR KEY SHARE`
        if (connection.length === 0) return null
        const { connectionId, ...columns } = row
        const { count } = await tx.organizationConnection.createMany({
          data: [{ organizationId, tenantId, connectionId, ...columns }],
          skipDuplicates: true,
        })
        if (count === 1) return 'done'
        // One that is switched off is not in the list of those that are enabled, so adding it there enables it.
        if (!row.enabled) return 'taken'
        const where = { organizationId, tenantId, connectionId, enabled: false }
        const changed = await tx.organizationConnection.updateMany({ where, data: columns })
        return changed.count === 1 ? 'done' : 'taken'
      }),
    change: (organizationId, connectionId, alter) =>
      inTransaction(db, async (tx) => {
        const before = await findLocked(tx, organizationId, connectionId)
        if (!before) return null
        const { connectionId: _id, ...data } = await alter(before)
        await tx.organizationConnection.update({ where: key(organizationId, connectionId), data })
        return { before, after: { connectionId, ...data } }
      }),
    remove: (organizationId, connectionId) =>
      inTransaction(db, async (tx) => {
        const row = await findLocked(tx, organizationId, connectionId)
        if (row) await tx.organizationConnection.delete({ where: key(organizationId, connectionId) })
        return row
      }),
  }
}

export const toEnabledConnectionRow = (
  row: Omit<EnabledConnectionRow, 'kept'> & { kept: unknown },
): EnabledConnectionRow => ({
  ...row,
  kept: row.kept as JsonObject,
})
