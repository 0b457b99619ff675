// The tenant's own row for the Management API, on PostgreSQL.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { JsonObject } from '../../../../kernel/json'
import type { TenantRecord, TenantRecordStore } from '../../../../management/operations/singleton'
import type { Database } from '../../database'
import { inTransaction } from './transaction'

export const TENANT_FIELDS = { name: true, settings: true, kept: true } as const

export function tenantRecordStore(db: Database, tenantId: string): TenantRecordStore {
  const where = { id: tenantId }
  return {
    async read() {
      return toRecord(await (await db.prisma()).tenant.findUniqueOrThrow({ where, select: TENANT_FIELDS }))
    },
    change: (alter, at) =>
      inTransaction(db, async (tx) => {
        await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR UPDATE`
        const before = toRecord(await tx.tenant.findUniqueOrThrow({ where, select: TENANT_FIELDS }))
        const after = alter(before)
        const { settings, kept } = after as { settings: Prisma.InputJsonObject; kept: Prisma.InputJsonObject }
        await tx.tenant.update({ where, data: { name: after.name, settings, kept, updatedAt: at } })
        return { before, after }
      }),
  }
}

type Stored = Record<keyof TenantRecord, unknown> & { name: string }

export const toRecord = ({ name, settings, kept }: Stored): TenantRecord => ({
  name,
  settings: settings as JsonObject,
  kept: kept as JsonObject,
})
