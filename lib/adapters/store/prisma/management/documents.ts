// Configuration objects that are one value each, on PostgreSQL. Changes follow each other under a lock of the tenant's row: an
// absent document has no row to lock, and configuration changes rarely.

import type { Prisma } from '../../../../../prisma/generated/client'
import { needsOfDocuments } from '../../../../identity/tenant-code/scripts/needs'
import type { JsonObject } from '../../../../kernel/json'
import type { Document, DocumentKind, DocumentStore } from '../../../../management/operations/documents'
import type { Database } from '../../database'
import { orderBuild } from '../script-builds'
import { type Db, inTransaction } from './transaction'

type DocumentRow = { kind: DocumentKind; id: string; body: JsonObject }

export async function putDocument(tx: Db, tenantId: string, { kind, id, ...row }: DocumentRow, at: Date) {
  const body = row.body as Prisma.InputJsonObject
  await tx.document.upsert({
    where: { tenantId_kind_id: { tenantId, kind, id } },
    create: { tenantId, kind, id, body, createdAt: at, updatedAt: at },
    update: { body, updatedAt: at },
  })
}

export async function lockTenant(tx: Db, tenantId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR NO KEY UPDATE`
}

/** @param order orders the packages that rules and hooks need after a change of one */
export function documentStore(db: Database, tenantId: string, order = orderPackages): DocumentStore {
  const key = (kind: string, id: string) => ({ tenantId_kind_id: { tenantId, kind, id } })
  const bodyOf = (row: { body: unknown } | null): JsonObject | null => row && (row.body as JsonObject)
  return {
    async find(kind, id) {
      return bodyOf(await (await db.prisma()).document.findUnique({ where: key(kind, id), select: { body: true } }))
    },
    list: async (kind) => listOf(await db.prisma(), tenantId, kind),
    change: (kind, id, alter, at) =>
      inTransaction(db, async (tx) => {
        await lockTenant(tx, tenantId)
        const where = key(kind, id)
        const before = bodyOf(await tx.document.findUnique({ where, select: { body: true } }))
        const after = await alter(before, () => listOf(tx, tenantId, kind))
        if (after === before) return { before, after }
        if (after === null) await tx.document.deleteMany({ where: { tenantId, kind, id } })
        else {
          await putDocument(tx, tenantId, { kind, id, body: after }, at)
          if (kind === 'rule' || kind === 'hook') await order(tx, tenantId, at)
        }
        return { before, after }
      }),
  }
}

async function listOf(db: Pick<Db, 'document'>, tenantId: string, kind: DocumentKind): Promise<Document[]> {
  const where = { tenantId, kind }
  const rows = await db.document.findMany({ where, select: { id: true, body: true }, orderBy: { id: 'asc' } })
  return rows.map(({ id, body }) => ({ id, body: body as JsonObject }))
}

/** Of all rules and hooks as they are now: others may have changed since the packages of this change were built. */
export async function orderPackages(tx: Db, tenantId: string, at: Date): Promise<void> {
  for (const kind of ['rule', 'hook'] as const) {
    const documents = await listOf(tx, tenantId, kind)
    for (const { need } of needsOfDocuments(documents.map((each) => ({ ...each, kind }))))
      await orderBuild(tx, tenantId, need, at)
  }
}
