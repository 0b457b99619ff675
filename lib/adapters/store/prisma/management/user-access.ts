// Roles and permissions of users, on PostgreSQL.
import { windowOf } from '../../../../management/operations/list'
import { permissionId } from '../../../../management/operations/permission-body'
import type { HeldPermission, UserAccessStore } from '../../../../management/resources/user-access'
import type { Database } from '../../database'
import { type Db, idAfter, inTransaction, skipOf, totalOf } from './transaction'

export function userAccessStore(db: Database, tenantId: string): UserAccessStore {
  const lock = async (tx: Db, userId: string): Promise<boolean> => {
    const rows = await tx.$queryRaw<
      unknown[]
    >`SELECT 1 FROM "user" WHERE tenant_id = ${tenantId} AND id = ${userId} FOR KEY SHARE`
    return rows.length > 0
  }
  return {
    async exists(id) {
      const where = { tenantId_id: { tenantId, id } }
      return (await (await db.prisma()).user.findUnique({ where, select: { id: true } })) !== null
    },
    async roles(userId, window) {
      const prisma = await db.prisma()
      const where = { tenantId, userId }
      const rows = await prisma.userRole.findMany({
        where: { ...where, roleId: idAfter(window) },
        orderBy: { roleId: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: { role: { select: { id: true, name: true, description: true } } },
      })
      return {
        rows: rows.map(({ role }) => role),
        total: await totalOf(window, () => prisma.userRole.count({ where })),
      }
    },
    addRoles: (userId, roleIds) =>
      inTransaction(db, async (tx) => {
        if (!(await lock(tx, userId))) return null
        const found = await tx.role.findMany({ where: { tenantId, id: { in: [...roleIds] } }, select: { id: true } })
        const known = new Set(found.map(({ id }) => id))
        const unknown = roleIds.filter((id) => !known.has(id))
        if (unknown.length > 0) return unknown
        const data = roleIds.map((roleId) => ({ tenantId, userId, roleId }))
        await tx.userRole.createMany({ data, skipDuplicates: true })
        return []
      }),
    async removeRoles(userId, roleIds) {
      await (await db.prisma()).userRole.deleteMany({ where: { tenantId, userId, roleId: { in: [...roleIds] } } })
    },
    async permissions(userId, window) {
      const prisma = await db.prisma()
      const select = { audience: true, permission: true } as const
      const own = await prisma.userPermission.findMany({ where: { tenantId, userId }, select })
      const held = await prisma.userRole.findMany({
        where: { tenantId, userId },
        orderBy: { roleId: 'asc' },
        select: { role: { select: { id: true, name: true, permissions: { select } } } },
      })
      const all = new Map<string, HeldPermission>()
      for (const row of own) all.set(permissionId(row), { ...row, direct: true, roles: [] })
      for (const { role } of held) {
        for (const row of role.permissions) {
          const before = all.get(permissionId(row)) ?? { ...row, direct: false, roles: [] }
          all.set(permissionId(row), { ...before, roles: [...before.roles, { id: role.id, name: role.name }] })
        }
      }
      const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      return windowOf(sorted, window, permissionId)
    },
    addPermissions: (userId, permissions) =>
      inTransaction(db, async (tx) => {
        if (!(await lock(tx, userId))) return false
        const data = permissions.map((each) => ({ tenantId, userId, ...each }))
        await tx.userPermission.createMany({ data, skipDuplicates: true })
        return true
      }),
    async removePermissions(userId, permissions) {
      await (await db.prisma()).userPermission.deleteMany({ where: { tenantId, userId, OR: [...permissions] } })
    },
  }
}
