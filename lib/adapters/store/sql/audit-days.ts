// Partitions of the audit log, one for each day (UTC) on which records are stored. They are created two days ahead, so that no
// batch waits for one. Retention drops whole partitions and keeps what the chain needs of them (audit-retention.ts).
// - A partition that cannot be created (the role may not create tables, or rows of that day exist already) is not required: the
//   default partition stores the records of days without a partition.
import type { Pool, PoolClient } from 'pg'
import { addSeconds } from '../../../kernel/clock'
import { inTransaction } from '../transaction'

const DAY_SECONDS = 86_400
const AHEAD = 2

/** The lock for creating and dropping partitions. */
const PARTITIONS = "SELECT pg_advisory_xact_lock(hashtextextended('audit partitions', 0))"

const PREFIX = 'audit_record_'

const nameOf = (day: Date): string => PREFIX + dateOf(day).replaceAll('-', '')

const dateOf = (at: Date): string => at.toISOString().slice(0, 10)

export const startOfDay = (at: Date): Date => new Date(`${dateOf(at)}T00:00:00.000Z`)

/** Days whose partitions this process has ensured, by pool. */
const made = new WeakMap<Pool, Set<string>>()

export async function ensureDay(pool: Pool, now: Date): Promise<void> {
  const known = made.get(pool) ?? new Set()
  made.set(pool, known)
  const today = dateOf(now)
  if (known.has(today)) return
  for (let ahead = 0; ahead <= AHEAD; ahead += 1) await makeDay(pool, addSeconds(startOfDay(now), ahead * DAY_SECONDS))
  known.clear()
  known.add(today)
}

/**
 * Statistics cover only the columns that queries filter by, at low resolution: statistics of long texts that no query compares
 * would cost a third of the time to store them.
 */
const STATISTICS = [
  ...['tenant_id', 'seq', 'stored_at', 'type', 'user_id'].map((column) => `ALTER ${column} SET STATISTICS 10`),
  ...['log_id', 'at', 'content', 'personal', 'salt', 'personal_digest', 'hash'].map(
    (column) => `ALTER ${column} SET STATISTICS 0`,
  ),
].join(', ')

async function makeDay(pool: Pool, day: Date): Promise<void> {
  const { rows } = await pool.query('SELECT to_regclass($1) IS NOT NULL AS there', [nameOf(day)])
  if (rows[0]?.there) return
  const until = addSeconds(day, DAY_SECONDS)
  await inTransaction(pool, async (client) => {
    await client.query(PARTITIONS)
    await client.query("SET LOCAL lock_timeout = '5s'")
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${nameOf(day)} PARTITION OF audit_record
FOR VALUES FROM ('${day.toISOString()}') TO ('${until.toISOString()}')`,
    )
    await client.query(`ALTER TABLE ${nameOf(day)} ${STATISTICS}`)
  }).catch((error: unknown) => {
    if (!isUnneeded(error)) throw error
  })
}

/** insufficient_privilege, check_violation (rows in the default partition), lock_not_available. */
const isUnneeded = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['42501', '23514', '55P03'].includes(String(error.code))

const OLD_ROWS = `SELECT EXISTS (SELECT FROM ${PREFIX}default WHERE stored_at < $1) AS found`

/** The days that ended by `cutoff`, locked until the end of the transaction; null if no record is older. */
export async function daysBefore(client: PoolClient, cutoff: Date): Promise<string[] | null> {
  await client.query(PARTITIONS)
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'audit_record'::regclass AND c.relname ~ '^${PREFIX}[0-9]{8}$' ORDER BY 1`,
  )
  const days = rows.map(({ name }) => name).filter((name) => name < nameOf(cutoff))
  if (days.length > 0) return days
  const others = await client.query<{ found: boolean }>(OLD_ROWS, [cutoff])
  return others.rows[0]?.found ? days : null
}

/** Drops the days in the caller's transaction, and the rows of the default partition before `cutoff`, the start of a day. */
export async function dropDays(client: PoolClient, days: readonly string[], cutoff: Date): Promise<void> {
  for (const day of days) await client.query(`DROP TABLE ${day}`)
  await client.query(`DELETE FROM ${PREFIX}default WHERE stored_at < $1`, [cutoff])
}
