// The audit log and its numbers for the Management API, on PostgreSQL.
// - Records are numbered without a gap, so positions and checkpoints are ranges of numbers. The id of a record states its time,
//   which selects the day's partition.
import type { Prisma } from '../../../../prisma/generated/client'
import { codeOf } from '../../../audit/events'
import { presentRecord } from '../../../audit/record'
import type { LogFilter, LogStore } from '../../../management/resources/logs'
import type { DayCount, StatsDeps } from '../../../management/resources/stats'
import { columns } from '../../columns'
import { type Database, run } from '../../database'
import type { ListedRecord } from '../audit-read'

const FIELDS = { logId: true, type: true, at: true, content: true, personal: true } as const
const MAX_COUNT = 1000
/** A record is stored within seconds of its event; after a failure of the database, later. */
const STORED_WITHIN_MS = 3_600_000

/**
 * No index has ids, because every event would pay for it. Numbers and times of storing grow together, so the numbers of the hour
 * after the event are found by halves, each a look-up by the primary key.
 */
export const FIND_BY_ID = {
  name: 'managed-log-find',
  text: `WITH RECURSIVE probe (is_end, at, low, high) AS (
  SELECT is_end, bound.at, anchor_seq + 1, seq + 1
  FROM audit_chain, (VALUES (false, $3::timestamptz), (true, $4::timestamptz)) AS bound (is_end, at) WHERE tenant_id = $1
  UNION ALL
  SELECT is_end, at, CASE WHEN found.stored_at >= at THEN low ELSE (low + high) / 2 + 1 END,
    CASE WHEN found.stored_at >= at THEN (low + high) / 2 ELSE high END
  FROM probe LEFT JOIN LATERAL (
    SELECT stored_at FROM audit_record WHERE tenant_id = $1 AND seq = (low + high) / 2 LIMIT 1
  ) found ON true
  WHERE low < high
)
SELECT log_id AS "logId", type, at, content, personal, seq::text FROM audit_record
WHERE tenant_id = $1 AND log_id = $2 AND stored_at >= $3 AND stored_at < $4
  AND seq >= (SELECT max(low) FROM probe WHERE NOT is_end) AND seq < (SELECT max(low) FROM probe WHERE is_end)
ORDER BY seq DESC LIMIT 1`,
  row: columns<ListedRecord & { seq: string }>({
    logId: 'text',
    type: 'text',
    at: 'date',
    content: 'text',
    personal: 'text?',
    seq: 'text',
  }),
}

/** What happened to users. */
const OF_USERS: Prisma.AuditRecordWhereInput = {
  userId: { not: null },
  type: { notIn: [codeOf('changed'), codeOf('change_refused')] },
}

export function logStore(db: Database, tenantId: string): LogStore {
  const where = ({ type, userId, since, until, reach = 'all' }: LogFilter): Prisma.AuditRecordWhereInput => ({
    tenantId,
    ...(reach === 'users' ? { AND: OF_USERS } : {}),
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
    const until = new Date(at.getTime() + STORED_WITHIN_MS)
    return (await run(db.pool, FIND_BY_ID, [tenantId, logId, at, until]))[0] ?? null
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
    async find(logId, reach = 'all') {
      const row = await findRow(logId)
      if (!row) return null
      const isReached =
        reach === 'all' ||
        (await (await db.prisma()).auditRecord.count({ where: { tenantId, seq: BigInt(row.seq), AND: OF_USERS } })) > 0
      return isReached ? presentRecord(row) : null
    },
    async after(logId, limit, reach = 'all') {
      const start = logId === null ? null : await findRow(logId)
      if (logId !== null && !start) return null
      const rows = await (await db.prisma()).auditRecord.findMany({
        where: { ...where({ reach }), ...(start && { seq: { gt: BigInt(start.seq) } }) },
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

/** The index has days. */
export const ACTIVE_SINCE = {
  name: 'managed-active-users',
  text: `SELECT count(*)::int AS count FROM "user"
WHERE tenant_id = $1 AND last_login_day >= ($2::timestamptz AT TIME ZONE 'UTC')::date AND last_login_at >= $2`,
  row: columns<{ count: number }>({ count: 'number' }),
}

const LEAKED = ['signup_pwd_leak', 'reset_pwd_leak']

export const DAILY = {
  name: 'managed-stats-daily',
  text: `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*) FILTER (WHERE type = 's')::int AS logins,
  count(*) FILTER (WHERE type = 'ss')::int AS signups, count(*) FILTER (WHERE type = ANY($4))::int AS "leakedPasswords"
FROM audit_record
WHERE tenant_id = $1 AND stored_at >= $2 AND at >= $2 AND at < $3 AND type = ANY($5)
GROUP BY 1 ORDER BY 1`,
  row: columns<DayCount>({ date: 'text', logins: 'number', signups: 'number', leakedPasswords: 'number' }),
}

export function statsStore(db: Database, tenantId: string): StatsDeps['stats'] {
  return {
    daily: (from, until) => run(db.pool, DAILY, [tenantId, from, until, LEAKED, [...LEAKED, 's', 'ss']]),
    async activeSince(since) {
      const [row] = await run(db.pool, ACTIVE_SINCE, [tenantId, since])
      return row?.count ?? 0
    },
  }
}
