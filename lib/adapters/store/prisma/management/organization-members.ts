// The members of organizations and their roles, on PostgreSQL. What a row refers to is locked against deletion before the row is
// written, so a user, role or organization that goes at the same moment leaves nothing behind.
import type { OrganizationMemberStore } from '../../../../management/resources/organization-members'
import type { HolderRow } from '../../../../management/resources/roles'
import type { Database } from '../../database'
import { holdOrganization } from './organizations'
import { behind, type Db, inTransaction, skipOf, totalOf } from './transaction'

export function managedOrganizationMembers(db: Database, tenantId: string): OrganizationMemberStore {
  const holdMember = async (tx: Db, organizationId: string, userId: string): Promise<boolean> => {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM organization_member
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND tenant_id = ${tenantId} FOR KEY SHARE`
    return rows.length > 0
  }
  return {
    async list(organizationId, window, withRoles) {
      const prisma = await db.prisma()
      const where = { organizationId, tenantId }
      const total = await totalOf(window, () => prisma.organizationMember.count({ where }))
      // Compared as a pair, the place in the list is one of the key, and never of the index of users.
      const users = await prisma.$queryRaw<HolderRow[]>`
        WITH page AS MATERIALIZED (
          SELECT user_id FROM organization_member
          WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}
            AND (organization_id, user_id) > (${organizationId}, ${behind(window)})
          ORDER BY user_id LIMIT ${window.limit} OFFSET ${skipOf(window)}
        )
        SELECT id, email, name, picture FROM page JOIN "user" ON tenant_id = ${tenantId} AND id = user_id ORDER BY id`
      const held = withRoles
        ? await prisma.organizationMemberRole.findMany({
            where: { ...where, userId: { in: users.map(({ id }) => id) } },
            select: { userId: true, role: { select: { id: true, name: true } } },
          })
        : []
      const ordered = held.sort((a, b) => (a.role.id < b.role.id ? -1 : 1))
      const rolesOf = (userId: string) => ordered.filter((each) => each.userId === userId).map(({ role }) => role)
      return { total, rows: users.map((user) => ({ ...user, roles: rolesOf(user.id) })) }
    },
    async areMembers(organizationId, userIds) {
      const where = { tenantId, organizationId, userId: { in: [...userIds] } }
      return (await (await db.prisma()).organizationMember.count({ where })) === userIds.length
    },
    add: (organizationId, userIds) =>
      inTransaction(db, async (tx) => {
        if (!(await holdOrganization(tx, tenantId, organizationId))) return null
        const found = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM "user" WHERE tenant_id = ${tenantId} AND id = ANY(${userIds}) ORDER BY id FOR KEY SHARE`
        const unknown = missing(userIds, found)
        if (unknown !== undefined) return { unknown }
        const data = userIds.map((userId) => ({ organizationId, userId, tenantId }))
        await tx.organizationMember.createMany({ data, skipDuplicates: true })
        return 'done'
      }),
    async remove(organizationId, userIds) {
      const rows = await (await db.prisma()).$queryRaw<{ id: string }[]>`
        DELETE FROM organization_member
        WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND user_id = ANY(${userIds})
        RETURNING user_id AS id`
      return rows.map(({ id }) => id)
    },
    async roles(organizationId, userId, window) {
      const prisma = await db.prisma()
      const member = { organizationId, userId, tenantId }
      const total = await totalOf(window, () => prisma.organizationMemberRole.count({ where: member }))
      const rows = await prisma.organizationMemberRole.findMany({
        where: member,
        orderBy: { roleId: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: { role: { select: { id: true, name: true, description: true } } },
      })
      const isMember =
        rows.length > 0 ||
        (await prisma.organizationMember.findUnique({
          where: { organizationId_userId_tenantId: member },
          select: { userId: true },
        }))
      return isMember ? { rows: rows.map(({ role }) => role), total } : null
    },
    addRoles: (organizationId, userId, roleIds) =>
      inTransaction(db, async (tx) => {
        if (!(await holdMember(tx, organizationId, userId))) return null
        const found = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM role WHERE tenant_id = ${tenantId} AND id = ANY(${roleIds}) ORDER BY id FOR KEY SHARE`
        const unknown = missing(roleIds, found)
        if (unknown !== undefined) return { unknown }
        const data = roleIds.map((roleId) => ({ organizationId, userId, roleId, tenantId }))
        await tx.organizationMemberRole.createMany({ data, skipDuplicates: true })
        return 'done'
      }),
    removeRoles: (organizationId, userId, roleIds) =>
      inTransaction(db, async (tx) => {
        if (!(await holdMember(tx, organizationId, userId))) return null
        const rows = await tx.$queryRaw<{ id: string }[]>`
          DELETE FROM organization_member_role
          WHERE organization_id = ${organizationId} AND user_id = ${userId} AND tenant_id = ${tenantId}
            AND role_id = ANY(${roleIds})
          RETURNING role_id AS id`
        return rows.map(({ id }) => id)
      }),
  }
}

const missing = (wanted: readonly string[], found: readonly { id: string }[]): string | undefined => {
  const known = new Set(found.map(({ id }) => id))
  return wanted.find((id) => !known.has(id))
}
