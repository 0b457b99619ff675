// The audit log and its numbers for the Management API, on PostgreSQL.
// - Records are numbered without a gap, so positions and checkpoints are ranges of numbers. The id of a record states its time,
//   which selects the day's partition.
import type { QueryResultRow } from 'pg'
import type { Prisma } from '../../../../../prisma/generated/client'
import { codeOf } from '../../../../data/audit/events'
import { presentRecord } from '../../../../data/audit/record'
import type { LogFilter, LogReach, LogStore } from '../../../../management/resources/logs'
import type { ActivityCount, DayCount, StatsDeps } from '../../../../management/resources/stats'
import type { SearchExpression } from '../../../../management/search/query'
import { columns } from '../../columns'
import { type Database, run } from '../../database'
import type { ListedRecord } from '../../sql/audit-read'
import { LOG_FIELDS, storedBy, timeOfLog } from '../../sql/management/log-search'
import { conditionOf, newParameters, type StatementParameters, search } from '../../sql/management/search-conditions'

const FIELDS = { logId: true, type: true, at: true, content: true, personal: true } as const
const MAX_COUNT = 1000

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

/** What did not happen to users. */
const OF_MANAGERS = [codeOf('changed'), codeOf('change_refused')]
const OF_USERS: Prisma.AuditRecordWhereInput = { userId: { not: null }, type: { notIn: OF_MANAGERS } }
const REACHED: Readonly<Record<LogReach, Prisma.AuditRecordWhereInput>> = { all: {}, users: OF_USERS }

type Selected = { filter: LogFilter; columns: string; take: number; direction: 'ASC' | 'DESC' }

/** The first records in the order of their numbers. Each of alternatives that have an index is read by its own. */
function selection(
  { filter: { query, userId, reach }, columns, take, direction }: Selected,
  parameters: StatementParameters,
): string {
  const conditions = [
    'r.tenant_id = $1',
    ...(userId === undefined ? [] : [`r.user_id = ${parameters.add(userId)}`]),
    ...(reach === 'users' ? [`r.user_id IS NOT NULL AND r.type <> ALL(${parameters.add(OF_MANAGERS)})`] : []),
  ]
  const limit = parameters.add(take)
  const arms = (query === undefined ? [undefined] : alternativesOf(query)).map((arm) => {
    const own = arm === undefined ? [] : [conditionOf(arm, LOG_FIELDS, parameters)]
    return `SELECT ${columns} FROM audit_record r WHERE ${[...conditions, ...own].join(' AND ')}
ORDER BY r.seq ${direction} LIMIT ${limit}`
  })
  return arms.length === 1
    ? (arms[0] as string)
    : `SELECT DISTINCT ON (seq) * FROM (${arms.map((arm) => `(${arm})`).join(' UNION ALL ')}) r ORDER BY seq ${direction}`
}

const INDEXED = ['type', 'user_id']
const MAX_ARMS = 20

/** The alternatives of a query if each has an index; else the query. */
function alternativesOf(query: SearchExpression): readonly SearchExpression[] {
  const all = query.kind === 'or' ? query.of.flatMap(alternativesOf) : [query]
  const isIndexed = (each: SearchExpression): boolean =>
    each.kind === 'match' && each.term.kind === 'text' && INDEXED.includes(each.field ?? '')
  return all.length <= MAX_ARMS && all.every(isIndexed) ? all : [query]
}

const COLUMNS = 'r.seq, r.log_id AS "logId", r.type, r.at, r.content, r.personal'

export function logStore(db: Database, tenantId: string): LogStore {
  const query = <Row extends QueryResultRow>(text: string, { values }: StatementParameters): Promise<Row[]> =>
    search<Row>(db, { text, values }, 'Name a type, a user or a time, which the log finds without reading the rest.')
  const findRow = async (logId: string) => {
    const at = timeOfLog(logId)
    return at ? ((await run(db.pool, FIND_BY_ID, [tenantId, logId, at, storedBy(at)]))[0] ?? null) : null
  }
  return {
    async page(filter, { offset, limit, oldestFirst }) {
      const parameters = newParameters(tenantId)
      const direction = oldestFirst ? 'ASC' : 'DESC'
      const selected = selection({ filter, columns: COLUMNS, take: offset + limit, direction }, parameters)
      const window = `LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(offset)}`
      const rows = await query<ListedRecord>(
        `SELECT * FROM (${selected}) r ORDER BY r.seq ${direction} ${window}`,
        parameters,
      )
      return rows.map(presentRecord)
    },
    async count(filter) {
      const parameters = newParameters(tenantId)
      const selected = selection({ filter, columns: 'r.seq', take: MAX_COUNT, direction: 'DESC' }, parameters)
      const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM (${selected}) r`, parameters)
      return Math.min(row?.count ?? 0, MAX_COUNT)
    },
    async find(logId, reach = 'all') {
      const row = await findRow(logId)
      if (!row) return null
      const where = { tenantId, seq: BigInt(row.seq), AND: REACHED[reach] }
      const isReached = reach === 'all' || (await (await db.prisma()).auditRecord.count({ where })) > 0
      return isReached ? presentRecord(row) : null
    },
    async after(logId, limit, reach = 'all') {
      const start = logId === null ? null : await findRow(logId)
      if (logId !== null && !start) return null
      const rows = await (await db.prisma()).auditRecord.findMany({
        where: { tenantId, AND: REACHED[reach], ...(start && { seq: { gt: BigInt(start.seq) } }) },
        orderBy: { seq: 'asc' },
        take: limit,
        select: FIELDS,
      })
      return rows.map(presentRecord)
    },
  }
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

/** By the primary key. */
export const ACTIVITY = {
  name: 'managed-stats-activity',
  text: `SELECT at, key, logins, signups, failures, people FROM activity
WHERE dimension = $2 AND span = $3 AND tenant_id = $1 AND at >= $4 ORDER BY at`,
  row: columns<ActivityCount>({
    at: 'date',
    key: 'text',
    logins: 'number',
    signups: 'number',
    failures: 'number',
    people: 'bytes?',
  }),
}

export function statsStore(db: Database, tenantId: string): StatsDeps['stats'] {
  return {
    daily: (from, until) => run(db.pool, DAILY, [tenantId, from, until, LEAKED, [...LEAKED, 's', 'ss']]),
    activity: (dimension, span, since) => run(db.pool, ACTIVITY, [tenantId, dimension, span, since]),
    async activeSince(since) {
      const [row] = await run(db.pool, ACTIVE_SINCE, [tenantId, since])
      return row?.count ?? 0
    },
  }
}
