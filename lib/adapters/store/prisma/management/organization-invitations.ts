// Invitations to organizations, on PostgreSQL.
import type { JsonObject } from '../../../../kernel/json'
import type { InvitationRow, InvitationStore } from '../../../../management/resources/organization-invitations'
import type { Database } from '../../database'
import { holdOrganization, holdOrganizationAlone } from './organizations'
import { inTransaction, skipOf, totalOf } from './transaction'

export function managedInvitations(db: Database, tenantId: string): InvitationStore {
  return {
    async find(organizationId, id) {
      const row = await (await db.prisma()).organizationInvitation.findFirst({
        where: { id, organizationId, tenantId },
      })
      return row && toRow(row)
    },
    async list(organizationId, newestFirst, window) {
      const prisma = await db.prisma()
      const where = { organizationId, tenantId }
      const total = await totalOf(window, () => prisma.organizationInvitation.count({ where }))
      const rows = await prisma.organizationInvitation.findMany({
        where,
        orderBy: [{ createdAt: newestFirst ? 'desc' : 'asc' }, { id: 'asc' }],
        skip: skipOf(window),
        take: window.limit,
      })
      return { rows: rows.map(toRow), total }
    },
    insert: (row, mail, mostOpen) =>
      inTransaction(db, async (tx) => {
        // A count needs the lock that excludes other counts of the organization.
        const hold = mostOpen === null ? holdOrganization : holdOrganizationAlone
        if (!(await hold(tx, tenantId, row.organizationId))) return null
        if (mostOpen !== null) {
          const { organizationId, createdAt: now } = row
          const where = { organizationId, tenantId, expiresAt: { gt: now } }
          if ((await tx.organizationInvitation.count({ where })) >= mostOpen) return 'full'
        }
        const found = await tx.role.findMany({ where: { tenantId, id: { in: row.roles } }, select: { id: true } })
        const known = new Set(found.map(({ id }) => id))
        const unknown = row.roles.filter((id) => !known.has(id))
        if (unknown.length > 0) return { unknown }
        const { ticketDigest, sealedLink, maker } = row
        await tx.organizationInvitation.create({
          data: {
            ...row,
            tenantId,
            maker: maker ?? undefined,
            ticketDigest: bytes(ticketDigest),
            sealedLink: bytes(sealedLink),
          },
        })
        if (mail) await tx.outboxMessage.create({ data: { ...mail, sealedContent: bytes(mail.sealedContent) } })
        return 'done'
      }),
    async remove(organizationId, id) {
      return inTransaction(db, async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM organization_invitation WHERE id = ${id} AND tenant_id = ${tenantId} FOR UPDATE`
        const row = await tx.organizationInvitation.findFirst({ where: { id, organizationId, tenantId } })
        if (!row) return null
        await tx.organizationInvitation.delete({ where: { id } })
        return toRow(row)
      })
    },
  }
}

const bytes = (value: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(value)

const toRow = ({
  tenantId: _tenantId,
  userMetadata,
  appMetadata,
  maker,
  ...row
}: Omit<InvitationRow, 'userMetadata' | 'appMetadata' | 'maker'> & {
  tenantId: string
  maker: unknown
  userMetadata: unknown
  appMetadata: unknown
}): InvitationRow => ({
  ...row,
  userMetadata: userMetadata as JsonObject,
  appMetadata: appMetadata as JsonObject,
  maker: maker as InvitationRow['maker'],
})
