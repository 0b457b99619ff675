// Organizations of the Management API, on PostgreSQL.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import type {
  OrganizationFilter,
  OrganizationRow,
  OrganizationStore,
} from '../../../../management/resources/organizations'
import type { Database } from '../../database'
import { inOrder, ORGANIZATIONS, searchObjects } from '../../sql/management/object-search'
import { rowStore } from './row-store'
import { type Db, idAfter, orderOf, skipOf, totalOf } from './transaction'

export const ORGANIZATION_FIELDS = { id: true, name: true, settings: true, kept: true } as const

type Order = Prisma.OrganizationOrderByWithRelationInput

const BY_SORT: Record<NonNullable<OrganizationFilter['sort']>, Order[]> = {
  'name:1': [{ name: 'asc' }],
  'name:-1': [{ name: 'desc' }],
  'created_at:1': [{ createdAt: 'asc' }, { id: 'asc' }],
  'created_at:-1': [{ createdAt: 'desc' }, { id: 'asc' }],
}

export function managedOrganizations(db: Database, tenantId: string): OrganizationStore {
  const key = (id: string) => ({ id_tenantId: { id, tenantId } })
  return {
    ...rowStore<OrganizationRow, OrganizationFilter>(db, {
      async find(tx, id) {
        const row = await tx.organization.findUnique({ where: key(id), select: ORGANIZATION_FIELDS })
        return row && toOrganizationRow(row)
      },
      lock: (tx, id) =>
        tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${id} AND tenant_id = ${tenantId} FOR UPDATE`,
      async list(tx, { sort = 'created_at:1' }, window) {
        const total = await totalOf(window, () => tx.organization.count({ where: { tenantId } }))
        const rows = await tx.organization.findMany({
          where: { tenantId, id: idAfter(window) },
          orderBy: orderOf<Order>(window, BY_SORT[sort], { id: 'asc' }),
          skip: skipOf(window),
          take: window.limit,
          select: ORGANIZATION_FIELDS,
        })
        return { rows: rows.map(toOrganizationRow), total }
      },
      async insert(tx, { connections = [], ...row }, at) {
        await tx.organization.create({ data: { tenantId, ...row, createdAt: at, updatedAt: at } })
        const present = await lockConnections(
          tx,
          tenantId,
          connections.map(({ connectionId }) => connectionId),
        )
        const data = connections
          .filter(({ connectionId }) => present.has(connectionId))
          .map((each) => ({ tenantId, organizationId: row.id, ...each }))
        await tx.organizationConnection.createMany({ data })
      },
      update: (tx, { id, name, settings, kept }, _before, at) =>
        tx.organization.update({ where: key(id), data: { name, settings, kept, updatedAt: at } }),
      remove: (tx, { id }) => tx.organization.delete({ where: key(id) }),
    }),
    async search(request) {
      const cursors = await searchObjects(db, tenantId, ORGANIZATIONS, request)
      const where = { tenantId, id: { in: cursors.map(({ id }) => id) } }
      const found = await (await db.prisma()).organization.findMany({ where, select: ORGANIZATION_FIELDS })
      return inOrder(cursors, found.map(toOrganizationRow), ({ id }) => id)
    },
    async findByName(name) {
      const prisma = await db.prisma()
      const row = await prisma.organization.findUnique({
        where: { name_tenantId: { name, tenantId } },
        select: ORGANIZATION_FIELDS,
      })
      return row && toOrganizationRow(row)
    },
    async ofUser(userId, window) {
      const prisma = await db.prisma()
      const where = { userId, tenantId }
      const total = await totalOf(window, () => prisma.organizationMember.count({ where }))
      const rows = await prisma.organizationMember.findMany({
        where,
        orderBy: { organizationId: 'asc' },
        skip: skipOf(window),
        take: window.limit,
        select: { organization: { select: ORGANIZATION_FIELDS } },
      })
      if (
        rows.length === 0 &&
        !(await prisma.user.findUnique({ where: { tenantId_id: { tenantId, id: userId } }, select: { id: true } }))
      )
        return null
      return { rows: rows.map(({ organization }) => toOrganizationRow(organization)), total }
    },
  }
}

/** The connections that exist; they are not deleted before the transaction ends. */
async function lockConnections(tx: Db, tenantId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM connection WHERE tenant_id = ${tenantId} AND id = ANY(${ids}) ORDER BY id FOR KEY SHARE`
  return new Set(rows.map(({ id }) => id))
}

/** Whether the organization exists; it is not deleted before the transaction ends. */
export async function holdOrganization(tx: Db, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM organization WHERE id = ${id} AND tenant_id = ${tenantId} FOR KEY SHARE`
  return rows.length > 0
}

/** The same, and no other transaction holds it so. */
export async function holdOrganizationAlone(tx: Db, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM organization WHERE id = ${id} AND tenant_id = ${tenantId} FOR NO KEY UPDATE`
  return rows.length > 0
}

export const toOrganizationRow = (row: {
  id: string
  name: string
  settings: unknown
  kept: unknown
}): OrganizationRow => ({
  ...row,
  settings: row.settings as JsonObject,
  kept: row.kept as JsonObject,
})
