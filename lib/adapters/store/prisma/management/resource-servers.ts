// Registered APIs of the Management API, on PostgreSQL; by id or identifier.
import type { JsonObject } from '../../../../kernel/json'
import { windowOf } from '../../../../management/operations/list'
import type { ApiResourceRow, ResourceServerDeps } from '../../../../management/resources/resource-servers'
import type { Database } from '../../database'
import { rowStore } from './row-store'
import type { Db } from './transaction'

const FIELDS = { id: true, identifier: true, name: true, settings: true, kept: true } as const

export function managedApis(
  db: Database,
  tenantId: string,
  forget: (identifier: string) => void,
): ResourceServerDeps['resourceServers'] {
  const find = async (tx: Db, id: string): Promise<ApiResourceRow | null> => {
    const row = await tx.api.findFirst({ where: { tenantId, OR: [{ id }, { identifier: id }] }, select: FIELDS })
    return row && toRow(row)
  }
  const key = ({ identifier }: ApiResourceRow) => ({ tenantId_identifier: { tenantId, identifier } })
  return rowStore(db, {
    find,
    lock: (tx, id) =>
      tx.$queryRaw`SELECT 1 FROM api WHERE tenant_id = ${tenantId} AND (id = ${id} OR identifier = ${id}) FOR UPDATE`,
    async list(tx, { identifiers }, window) {
      const where = { tenantId, ...(identifiers === undefined ? {} : { identifier: { in: identifiers } }) }
      const rows = await tx.api.findMany({ where, select: FIELDS, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
      return windowOf(rows.map(toRow), window, ({ id }) => id)
    },
    insert: (tx, row) => tx.api.create({ data: { tenantId, ...row } }),
    update: (tx, { name, settings, kept, ...row }, before) =>
      tx.api.update({ where: key({ ...before, ...row }), data: { name, settings, kept } }),
    async remove(tx, row) {
      const granted = { tenantId, audience: row.identifier }
      await tx.clientGrant.deleteMany({ where: granted })
      await tx.rolePermission.deleteMany({ where: granted })
      await tx.userPermission.deleteMany({ where: granted })
      await tx.api.delete({ where: key(row) })
    },
    forget: ({ identifier }) => forget(identifier),
  })
}

const toRow = (row: {
  id: string
  identifier: string
  name: string
  settings: unknown
  kept: unknown
}): ApiResourceRow => ({
  ...row,
  settings: row.settings as JsonObject,
  kept: row.kept as JsonObject,
})
