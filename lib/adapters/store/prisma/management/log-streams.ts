// Log streams of the Management API, on PostgreSQL. A change of an active stream makes it due at once, and ends the lease of the
// process that sends it with the settings from before.

import type { Prisma } from '../../../../../prisma/generated/client'
import type { Category } from '../../../../data/audit/events'
import type { JsonObject } from '../../../../kernel/json'
import type { StreamType } from '../../../../management/log-streams/sinks'
import { conflict } from '../../../../management/operations/errors'
import {
  type LogStreamRow,
  type LogStreamStore,
  MAX_STREAMS,
  type StreamStatus,
} from '../../../../management/resources/log-streams'
import type { Database } from '../../database'
import { rowStore } from './row-store'
import { type Db, idAfter, orderOf, skipOf, totalOf } from './transaction'

const FIELDS = { id: true, name: true, type: true, status: true, filters: true, sealedSink: true, kept: true } as const

type Fields = Prisma.LogStreamGetPayload<{ select: typeof FIELDS }>

export function managedLogStreams(db: Database, tenantId: string): LogStreamStore {
  return {
    ...rowStore(db, {
      async find(tx, id) {
        const row = await tx.logStream.findFirst({ where: { tenantId, id }, select: FIELDS })
        return row && toRow(row)
      },
      lock: (tx, id) => tx.$queryRaw`SELECT 1 FROM log_stream WHERE tenant_id = ${tenantId} AND id = ${id} FOR UPDATE`,
      async list(tx, _filter, window) {
        const total = await totalOf(window, () => tx.logStream.count({ where: { tenantId } }))
        const rows = await tx.logStream.findMany({
          where: { tenantId, id: idAfter(window) },
          orderBy: orderOf<Prisma.LogStreamOrderByWithRelationInput>(window, [{ name: 'asc' }], { id: 'asc' }),
          skip: skipOf(window),
          take: window.limit,
          select: FIELDS,
        })
        return { rows: rows.map(toRow), total }
      },
      insert: (tx, row, at) => insertStream(tx, tenantId, row, at),
      update: (tx, row, _before, at) => updateStream(tx, row, at),
      remove: (tx, { id }) => tx.logStream.delete({ where: { id } }),
    }),
    async health(id) {
      const prisma = await db.prisma()
      const row = await prisma.logStream.findFirst({ where: { tenantId, id } })
      if (!row) return null
      const chain = await prisma.auditChain.findUnique({ where: { tenantId }, select: { seq: true } })
      const { lastError, failingSince, failures, deliveredAt, dropped, seq } = row
      const pending = Math.max(0, Number((chain?.seq ?? seq) - seq))
      return { status: row.status as StreamStatus, lastError, failingSince, failures, deliveredAt, dropped, pending }
    },
  }
}

async function insertStream(tx: Db, tenantId: string, { startFrom, ...row }: LogStreamRow, at: Date): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM tenant WHERE id = ${tenantId} FOR NO KEY UPDATE`
  if ((await tx.logStream.count({ where: { tenantId } })) >= MAX_STREAMS)
    throw conflict(`A tenant has at most ${MAX_STREAMS} log streams.`, 'too_many_log_streams')
  const position = await (startFrom ? positionAt(tx, tenantId, startFrom) : endOf(tx, tenantId, at))
  const dueAt = row.status === 'active' ? at : null
  await tx.logStream.create({
    data: { tenantId, ...dataOf(row), ...position, dueAt, createdAt: at, updatedAt: at },
  })
}

const updateStream = (tx: Db, { startFrom: _, ...row }: LogStreamRow, at: Date) =>
  tx.logStream.update({
    where: { id: row.id },
    data: {
      ...dataOf(row),
      updatedAt: at,
      attempt: { increment: 1 },
      ...(row.status === 'active' ? { dueAt: at, failures: 0, failingSince: null } : { dueAt: null }),
    },
  })

const toRow = ({ sealedSink, ...row }: Fields): LogStreamRow => ({
  ...row,
  sealedSink,
  type: row.type as StreamType,
  status: row.status as StreamStatus,
  filters: row.filters as Category[],
  kept: row.kept as JsonObject,
})

const dataOf = ({ sealedSink, ...row }: LogStreamRow) => ({ ...row, sealedSink: new Uint8Array(sealedSink) })

async function endOf(tx: Db, tenantId: string, at: Date) {
  const chain = await tx.auditChain.findUnique({ where: { tenantId }, select: { seq: true, storedAt: true } })
  return chain ?? { seq: 0n, storedAt: at }
}

/** Before the first record that was stored at this time or later. */
async function positionAt(tx: Db, tenantId: string, startFrom: Date) {
  const first = await tx.auditRecord.findFirst({
    where: { tenantId, storedAt: { gte: startFrom } },
    orderBy: { seq: 'asc' },
    select: { seq: true },
  })
  return first ? { seq: first.seq - 1n, storedAt: startFrom } : endOf(tx, tenantId, startFrom)
}
