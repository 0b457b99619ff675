// Custom domains of the Management API, on PostgreSQL. Unique indexes decide which tenant has a verified domain, and which domain
// is a tenant's default.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import { conflict } from '../../../../management/operations/errors'
import type { CustomDomainRow, CustomDomainStore } from '../../../../management/resources/custom-domains'
import type { Database } from '../../database'
import { rowStore } from './row-store'
import { type Db, idAfter, inTransaction, orderOf, skipOf } from './transaction'

const FIELDS = {
  id: true,
  domain: true,
  type: true,
  challenge: true,
  verifiedAt: true,
  checkedAt: true,
  lastError: true,
  isDefault: true,
  relyingPartyId: true,
  clientIpHeader: true,
  proxyKeyDigest: true,
  metadata: true,
  kept: true,
} as const

/** A list without paging shows all of them. */
const MAX_DOMAINS = 50

type Fields = Prisma.CustomDomainGetPayload<{ select: typeof FIELDS }>

export function managedCustomDomains(db: Database, tenantId: string): CustomDomainStore {
  const lockTenant = (tx: Db) => tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR NO KEY UPDATE`
  const findWhere = async (tx: Db, where: Prisma.CustomDomainWhereInput): Promise<CustomDomainRow | null> => {
    const row = await tx.customDomain.findFirst({ where: { tenantId, ...where }, select: FIELDS })
    return row && toRow(row)
  }
  return {
    ...rowStore<CustomDomainRow, unknown>(db, {
      find: (tx, id) => findWhere(tx, { id }),
      lock: (tx, id) =>
        tx.$queryRaw`SELECT 1 FROM custom_domain WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`,
      async list(tx, _filter, window) {
        const total = await tx.customDomain.count({ where: { tenantId } })
        const rows = await tx.customDomain.findMany({
          where: { tenantId, id: idAfter(window) },
          orderBy: orderOf<Prisma.CustomDomainOrderByWithRelationInput>(window, [{ domain: 'asc' }], { id: 'asc' }),
          skip: skipOf(window),
          take: window.limit,
          select: FIELDS,
        })
        return { rows: rows.map(toRow), total }
      },
      async insert(tx, row, at) {
        await lockTenant(tx)
        if ((await tx.customDomain.count({ where: { tenantId } })) >= MAX_DOMAINS)
          throw conflict(`A tenant has at most ${MAX_DOMAINS} custom domains.`, 'too_many_custom_domains')
        await tx.customDomain.create({ data: { tenantId, ...dataOf(row), createdAt: at, updatedAt: at } })
      },
      update: (tx, row, _before, at) =>
        tx.customDomain.update({ where: { id: row.id }, data: { ...dataOf(row), updatedAt: at } }),
      remove: (tx, { id }) => tx.customDomain.delete({ where: { id } }),
    }),
    findDefault: async () => findWhere(await db.prisma(), { isDefault: true }),
    async setDefault(domain, at) {
      return inTransaction(db, async (tx) => {
        await lockTenant(tx)
        const before = await findWhere(tx, { isDefault: true })
        const chosen = domain === null ? null : await findWhere(tx, { domain, verifiedAt: { not: null } })
        if (domain !== null && !chosen) return null
        const change = (id: string, isDefault: boolean) =>
          tx.customDomain.updateMany({ where: { id }, data: { isDefault, updatedAt: at } })
        if (before) await change(before.id, false)
        if (chosen) await change(chosen.id, true)
        return { before, after: chosen && { ...chosen, isDefault: true } }
      })
    },
  }
}

const toRow = ({ type, metadata, kept, ...row }: Fields): CustomDomainRow => ({
  ...row,
  type: type as CustomDomainRow['type'],
  metadata: metadata as JsonObject,
  kept: kept as JsonObject,
})

const dataOf = ({ proxyKeyDigest, ...row }: CustomDomainRow) => ({
  ...row,
  proxyKeyDigest: proxyKeyDigest && new Uint8Array(proxyKeyDigest),
})
