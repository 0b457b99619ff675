// The audit log and its numbers for the Management API, on PostgreSQL.
// - Records are numbered without a gap, so positions and checkpoints are ranges of numbers. The id of a record states its time,
//   which selects the day's partition.
import type { Prisma } from '../../../../prisma/generated/client'
import { presentRecord } from '../../../audit/record'
import type { LogFilter, LogStore } from '../../../management/resources/logs'
import type { DayCount, StatsDeps } from '../../../management/resources/stats'
import type { Database } from '../../database'

const FIELDS = { logId: true, type: true, at: true, content: true, personal: true } as const
const MAX_COUNT = 1000
/** A record is stored within seconds of its event; after a failure of the database, later. */
const STORED_WITHIN_MS = 3_600_000

export function logStore(db: Database, tenantId: string): LogStore {
  const where = ({ type, userId, since, until }: LogFilter): Prisma.AuditRecordWhereInput => ({
    tenantId,
    ...(type === undefined ? {} : { type }),
    ...(userId === undefined ? {} : { userId }),
    ...(since === undefined && until === undefined
      ? {}
      : { at: { ...(since && { gte: since }), ...(until && { lte: until }) } }),
    ...(since && { storedAt: { gte: since } }),
  })
  const findRow = async (logId: string) => {
    const at = timeOf(logId)
    if (!at) return null
    return (await db.prisma()).auditRecord.findFirst({
      where: { tenantId, logId, storedAt: { gte: at, lte: new Date(at.getTime() + STORED_WITHIN_MS) } },
      orderBy: { seq: 'desc' },
      select: { ...FIELDS, seq: true },
    })
  }
  return {
    async page(filter, { offset, limit, oldestFirst }) {
      const rows = await (await db.prisma()).auditRecord.findMany({
        where: where(filter),
        orderBy: { seq: oldestFirst ? 'asc' : 'desc' },
        skip: offset,
        take: limit,
        select: FIELDS,
      })
      return rows.map(presentRecord)
    },
    async count(filter) {
      return (await db.prisma()).auditRecord.count({ where: where(filter), take: MAX_COUNT })
    },
    async find(logId) {
      const row = await findRow(logId)
      return row && presentRecord(row)
    },
    async after(logId, limit) {
      const start = logId === null ? null : await findRow(logId)
      if (logId !== null && !start) return null
      const rows = await (await db.prisma()).auditRecord.findMany({
        where: { tenantId, ...(start && { seq: { gt: start.seq } }) },
        orderBy: { seq: 'asc' },
        take: limit,
        select: FIELDS,
      })
      return rows.map(presentRecord)
    },
  }
}

/** `900`, then the time in milliseconds (lib/audit/log-id.ts). */
function timeOf(logId: string): Date | null {
  const [, year, month, day, hour, minute, second, ms] =
    /^900(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})\d{27}$/.exec(logId) ?? []
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}

const LEAKED = ['signup_pwd_leak', 'reset_pwd_leak']

export function statsStore(db: Database, tenantId: string): StatsDeps['stats'] {
  return {
    async daily(from, until) {
      const rows = await (await db.prisma()).$queryRaw<DayCount[]>`
SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*) FILTER (WHERE type = 's')::int AS logins,
  count(*) FILTER (WHERE type = 'ss')::int AS signups, count(*) FILTER (WHERE type = ANY(${LEAKED}))::int AS "leakedPasswords"
FROM audit_record
WHERE tenant_id = ${tenantId} AND stored_at >= ${from} AND at >= ${from} AND at < ${until} AND type = ANY(${['s', 'ss', ...LEAKED]})
GROUP BY 1 ORDER BY 1`
      return rows
    },
    async activeSince(since) {
      return (await db.prisma()).user.count({ where: { tenantId, lastLoginAt: { gte: since } } })
    },
  }
}
