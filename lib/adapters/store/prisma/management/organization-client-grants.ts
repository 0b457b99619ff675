// The client grants of organizations, on PostgreSQL.
import type { OrganizationClientGrantDeps } from '../../../../management/resources/organization-client-grants'
import type { Database } from '../../database'
import { GRANT_FIELDS, toGrantRow } from './client-grants'
import { holdOrganization, ORGANIZATION_FIELDS, toOrganizationRow } from './organizations'
import { idAfter, inTransaction, skipOf, totalOf } from './transaction'

export function managedOrganizationClientGrants(
  db: Database,
  tenantId: string,
): OrganizationClientGrantDeps['organizationClientGrants'] {
  return {
    async list(organizationId, { clientId, audience, ids }, window) {
      const prisma = await db.prisma()
      const grant = {
        ...(clientId === undefined ? {} : { clientId }),
        ...(audience === undefined ? {} : { audience }),
        ...(ids === undefined ? {} : { id: { in: ids } }),
      }
      const where = { organizationId, tenantId, grant }
      const total = await totalOf(window, () => prisma.organizationClientGrant.count({ where }))
      const rows = await prisma.organizationClientGrant.findMany({
        where,
        orderBy: { clientGrantId: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: { grant: { select: GRANT_FIELDS } },
      })
      return { rows: rows.map(({ grant }) => toGrantRow(grant)), total }
    },
    insert: (organizationId, grantId) =>
      inTransaction(db, async (tx) => {
        if (!(await holdOrganization(tx, tenantId, organizationId))) return null
        await tx.$queryRaw`SELECT 1 FROM client_grant WHERE id = ${grantId} AND tenant_id = ${tenantId} FOR KEY SHARE`
        const grant = await tx.clientGrant.findFirst({ where: { id: grantId, tenantId }, select: GRANT_FIELDS })
        if (!grant) return null
        const data = [{ organizationId, tenantId, clientGrantId: grantId }]
        const { count } = await tx.organizationClientGrant.createMany({ data, skipDuplicates: true })
        return count === 1 ? toGrantRow(grant) : 'taken'
      }),
    async organizations(clientGrantId, window) {
      const prisma = await db.prisma()
      const where = { clientGrantId, tenantId }
      const total = await totalOf(window, () => prisma.organizationClientGrant.count({ where }))
      const rows = await prisma.organizationClientGrant.findMany({
        where: { ...where, organizationId: idAfter(window) },
        orderBy: { organizationId: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: { organization: { select: ORGANIZATION_FIELDS } },
      })
      if (rows.length === 0 && !(await prisma.clientGrant.findFirst({ where: { id: clientGrantId, tenantId } })))
        return null
      return { rows: rows.map(({ organization }) => toOrganizationRow(organization)), total }
    },
    async remove(organizationId, clientGrantId) {
      const where = { organizationId, clientGrantId, tenantId }
      return (await (await db.prisma()).organizationClientGrant.deleteMany({ where })).count > 0
    },
  }
}
