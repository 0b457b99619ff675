// The discovery domains of organizations, on PostgreSQL.
import type { OrganizationDomainStore } from '../../../../management/resources/organization-domains'
import type { Database } from '../../database'
import { holdOrganization } from './organizations'
import { idAfter, inTransaction, skipOf, totalOf } from './transaction'

const FIELDS = { id: true, domain: true, challenge: true, verifiedAt: true, discovers: true } as const

export function managedOrganizationDomains(db: Database, tenantId: string): OrganizationDomainStore {
  return {
    async list(organizationId, window) {
      const prisma = await db.prisma()
      const where = { organizationId, tenantId }
      const total = await totalOf(window, () => prisma.organizationDomain.count({ where }))
      const rows = await prisma.organizationDomain.findMany({
        where: { ...where, id: idAfter(window) },
        orderBy: { id: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: FIELDS,
      })
      return { rows, total }
    },
    async find(organizationId, by) {
      const prisma = await db.prisma()
      return prisma.organizationDomain.findFirst({ where: { ...by, organizationId, tenantId }, select: FIELDS })
    },
    insert: (organizationId, row, at) =>
      inTransaction(db, async (tx) => {
        if (!(await holdOrganization(tx, tenantId, organizationId))) return null
        const data = [{ ...row, organizationId, tenantId, createdAt: at }]
        const { count } = await tx.organizationDomain.createMany({ data, skipDuplicates: true })
        return count === 1 ? 'done' : 'taken'
      }),
    change: (organizationId, id, change) =>
      inTransaction(db, async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM organization_domain WHERE id = ${id} AND tenant_id = ${tenantId} FOR UPDATE`
        const before = await tx.organizationDomain.findFirst({
          where: { id, organizationId, tenantId },
          select: FIELDS,
        })
        if (!before) return null
        return { before, after: await tx.organizationDomain.update({ where: { id }, data: change, select: FIELDS }) }
      }),
    remove: (organizationId, id) =>
      inTransaction(db, async (tx) => {
        const row = await tx.organizationDomain.findFirst({ where: { id, organizationId, tenantId }, select: FIELDS })
        if (row) await tx.organizationDomain.deleteMany({ where: { id } })
        return row
      }),
  }
}
