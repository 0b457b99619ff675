// Roles of the Management API, on PostgreSQL.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import { windowOf } from '../../../../management/operations/list'
import { type PermissionRow, permissionId } from '../../../../management/operations/permission-body'
import type { HolderRow, RoleFilter, RoleResourceRow, RoleStore } from '../../../../management/resources/roles'
import type { Database } from '../../database'
import { rowStore } from './row-store'
import { behind, type Db, idAfter, inTransaction, orderOf, skipOf, totalOf } from './transaction'

const ROLE_FIELDS = {
  id: true,
  name: true,
  description: true,
  administersOrganization: true,
  assignableByOrganization: true,
  kept: true,
} as const

/** As many as a page offers. */
const MAX_ASSIGNABLE = 100

export function managedRoles(db: Database, tenantId: string): RoleStore {
  const key = (id: string) => ({ tenantId_id: { tenantId, id } })
  const lock = (tx: Db, id: string) =>
    tx.$queryRaw<unknown[]>`SELECT 1 FROM role WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`
  return {
    ...rowStore<RoleResourceRow, RoleFilter>(db, {
      lock,
      async find(tx, id) {
        const row = await tx.role.findUnique({ where: key(id), select: ROLE_FIELDS })
        return row && toRoleRow(row)
      },
      async list(tx, { name_filter }, window) {
        const named = name_filter === undefined ? {} : { name: { contains: name_filter, mode: 'insensitive' as const } }
        const where = { tenantId, ...named }
        const total = await totalOf(window, () => tx.role.count({ where }))
        const rows = await tx.role.findMany({
          where: { ...where, id: idAfter(window) },
          orderBy: orderOf<Prisma.RoleOrderByWithRelationInput>(window, [{ name: 'asc' }], { id: 'asc' }),
          skip: skipOf(window),
          take: window.limit,
          select: ROLE_FIELDS,
        })
        return { rows: rows.map(toRoleRow), total }
      },
      insert: (tx, row) => tx.role.create({ data: { tenantId, ...row } }),
      update: (tx, { id, ...data }) => tx.role.update({ where: key(id), data }),
      remove: (tx, { id }) => tx.role.delete({ where: key(id) }),
    }),
    async assignable() {
      const where = { tenantId, assignableByOrganization: true }
      const rows = await (await db.prisma()).role.findMany({
        where,
        orderBy: { name: 'asc' },
        take: MAX_ASSIGNABLE,
        select: ROLE_FIELDS,
      })
      return rows.map(toRoleRow)
    },
    async permissions(roleId, window) {
      const rows = await (await db.prisma()).rolePermission.findMany({
        where: { tenantId, roleId },
        select: { audience: true, permission: true },
        orderBy: [{ audience: 'asc' }, { permission: 'asc' }],
      })
      return windowOf(rows, window, permissionId)
    },
    addPermissions: (roleId, permissions) =>
      inTransaction(db, async (tx) => {
        if ((await lock(tx, roleId)).length === 0) return false
        const data = permissions.map((each) => ({ tenantId, roleId, ...each }))
        await tx.rolePermission.createMany({ data, skipDuplicates: true })
        return true
      }),
    async removePermissions(roleId, permissions) {
      await (await db.prisma()).rolePermission.deleteMany({ where: { tenantId, roleId, OR: [...permissions] } })
    },
    async holders(roleId, window) {
      const prisma = await db.prisma()
      const where = { tenantId, roleId }
      const total = await totalOf(window, () => prisma.userRole.count({ where }))
      // As in organization-members.ts.
      const rows = await prisma.$queryRaw<HolderRow[]>`
        WITH page AS MATERIALIZED (
          SELECT user_id FROM user_role
          WHERE role_id = ${roleId} AND tenant_id = ${tenantId}
            AND (role_id, tenant_id, user_id) > (${roleId}, ${tenantId}, ${behind(window)})
          ORDER BY user_id LIMIT ${window.limit} OFFSET ${skipOf(window)}
        )
        SELECT id, email, name, picture FROM page JOIN "user" ON tenant_id = ${tenantId} AND id = user_id ORDER BY id`
      return { rows, total }
    },
    async isHeldBy(roleId, userIds) {
      const ids = [...new Set(userIds)]
      const where = { tenantId, roleId, userId: { in: ids } }
      return (await (await db.prisma()).userRole.count({ where })) === ids.length
    },
    addHolders: (roleId, userIds) =>
      inTransaction(db, async (tx) => {
        if ((await lock(tx, roleId)).length === 0) return null
        const found = await tx.user.findMany({ where: { tenantId, id: { in: [...userIds] } }, select: { id: true } })
        const known = new Set(found.map(({ id }) => id))
        const unknown = userIds.filter((id) => !known.has(id))
        if (unknown.length > 0) return unknown
        const data = userIds.map((userId) => ({ tenantId, userId, roleId }))
        await tx.userRole.createMany({ data, skipDuplicates: true })
        return []
      }),
  }
}

const toRoleRow = (row: Omit<RoleResourceRow, 'kept'> & { kept: unknown }): RoleResourceRow => ({
  ...row,
  kept: row.kept as JsonObject,
})

/** All of a tenant, by name. */
export async function rolesWithPermissions(
  db: Db,
  tenantId: string,
): Promise<(RoleResourceRow & { permissions: PermissionRow[] })[]> {
  const order = [{ audience: 'asc' as const }, { permission: 'asc' as const }]
  const rows = await db.role.findMany({
    where: { tenantId },
    orderBy: { name: 'asc' },
    select: { ...ROLE_FIELDS, permissions: { orderBy: order, select: { audience: true, permission: true } } },
  })
  return rows.map((row) => ({ ...toRoleRow(row), permissions: row.permissions }))
}
