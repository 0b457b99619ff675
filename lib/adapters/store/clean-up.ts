// Removes ended rows: which tables, how long rows are kept, one small batch at a time (threat-model.md GR1).
// - A batch is one statement: it finds its rows by an index, skips rows that a request has locked, and takes milliseconds. A
//   transaction-level advisory lock admits one instance at a time, also behind a pooler.
// - A row is removed only if a request for it is refused with or without the row; `why` gives the reason for each table.
// - Work that a clock ahead has put off is made due again, so that nothing waits for the time of a clock that was wrong.
// - The end of a row is judged by the earlier of this process's clock and the database's: a clock that runs ahead removes nothing
//   early, so it lifts no block (threat-model.md RE7).
import type { Pool } from 'pg'
import { MAX_SKEW_SECONDS } from '../../kernel/clock'
import { columns } from './columns'
import { run, runChange } from './database'

export type ExpiredRows = {
  table: string
  /** Rows whose `since` column is older than the limit are removed. An index begins with this column. */
  since: string
  /** An additional condition on the rows. */
  which?: string
  /** Days after `since`; `kept` is the operator's setting (LATCHKEY_KEEP_DAYS). */
  days: number | 'kept'
  why: string
}

const ONLY_CHARTS = 'charts alone read it, and begin later'
const UNKNOWN_IS_REFUSED = 'unknown is refused as used or expired is'

export const ENDED: readonly ExpiredRows[] = [
  { table: 'login_transaction', since: 'expires_at', days: 1, why: UNKNOWN_IS_REFUSED },
  {
    table: 'one_time_code',
    since: 'expires_at',
    days: 1,
    why: UNKNOWN_IS_REFUSED,
  },
  { table: 'mfa_challenge', since: 'expires_at', days: 1, why: UNKNOWN_IS_REFUSED },
  { table: 'device_authorization', since: 'expires_at', days: 1, why: UNKNOWN_IS_REFUSED },
  {
    table: 'ticket',
    since: 'expires_at',
    days: 1,
    why: 'a used one stands for as long as what it counts is accepted, and is unknown after that',
  },
  {
    table: 'authenticator',
    since: 'created_at',
    which: 'NOT active',
    days: 1,
    why: 'what waited this long can no longer be confirmed',
  },
  {
    table: 'attempt_counter',
    since: 'expires_at',
    days: 1,
    why: 'a count begins anew after it, and a bucket is full',
  },
  {
    table: 'guess_source',
    since: 'expires_at',
    days: 1,
    why: 'its counter begins anew after it',
  },
  { table: 'rate_bucket', since: 'kept_until', days: 0, why: 'a bucket that is not there is a full one' },
  {
    table: 'saml_participant',
    since: 'expires_at',
    days: 1,
    why: 'the session that it would report has ended',
  },
  {
    table: 'known_browser',
    since: 'seen_at',
    days: 90,
    why: 'not seen for so long, it counts as a new one',
  },
  { table: 'session', since: 'expires_at', days: 'kept', why: 'a cookie without a session signs no one in' },
  {
    table: 'token_family',
    since: 'expires_at',
    days: 'kept',
    why: 'its code has long expired; a token of a family that is not there is refused as one of a revoked family is',
  },
  {
    table: 'outbox_message',
    since: 'created_at',
    which: 'next_attempt_at IS NULL',
    days: 'kept',
    why: 'sent or given up',
  },
  {
    table: 'organization_invitation',
    since: 'expires_at',
    days: 'kept',
    why: UNKNOWN_IS_REFUSED,
  },
  {
    table: 'job',
    since: 'created_at',
    which: "status = 'uploading'",
    days: 1,
    why: 'its upload has ended, or who sent the file did not import it within an hour',
  },
  {
    table: 'job',
    since: 'created_at',
    which: 'due_at IS NULL',
    days: 7,
    why: 'finished; its file is personal data that was fetched or is not wanted',
  },
  { table: 'activity', since: 'at', which: "span = 'minute'", days: 1, why: ONLY_CHARTS },
  { table: 'activity', since: 'at', which: "span = 'hour'", days: 3, why: ONLY_CHARTS },
  { table: 'activity', since: 'at', days: 100, why: ONLY_CHARTS },
  {
    table: 'idempotency_key',
    since: 'expires_at',
    days: 0,
    why: 'a request with this key is a new one',
  },
  { table: 'login_part', since: 'expires_at', days: 0, why: 'only an operator reads it' },
  { table: 'login_record', since: 'expires_at', days: 0, why: 'only an operator reads it' },
  { table: 'login_share', since: 'expires_at', days: 0, why: UNKNOWN_IS_REFUSED },
  { table: 'action_run', since: 'at', days: 7, why: 'only an operator reads it' },
  {
    table: 'action_bundle',
    since: 'created_at',
    which: `NOT EXISTS (SELECT 1 FROM action WHERE action.tenant_id = action_bundle.tenant_id
      AND (settings->>'bundle' = digest OR draft->>'bundle' = digest))
    AND NOT EXISTS (SELECT 1 FROM action_version WHERE action_version.tenant_id = action_bundle.tenant_id
      AND body->>'bundle' = digest)
    AND NOT EXISTS (SELECT 1 FROM script_build WHERE script_build.tenant_id = action_bundle.tenant_id AND bundle = digest)`,
    days: 1,
    why: 'no action, no version and no scripts name it',
  },
]

export const BATCH_ROWS = 1000

/** 'LTCH' as a number; the second number identifies the job. */
const LOCK = '1280590664, 1'

/**
 * The rows that were found and locked are deleted where they are: by their keys, the planner may take a scan of the whole table for
 * cheaper.
 */
const batchOf = ({ table, since, which = 'true', days }: ExpiredRows) => ({
  name: `clean-up-${table}-${days}`,
  text: `WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${LOCK}) AS held), gone AS (
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${which} AND (SELECT held FROM mine)
      AND ${since} < least($1::timestamptz, now()) - $2 * interval '1 day'
    ORDER BY ${since} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT held, (SELECT count(*)::int FROM gone) AS removed FROM mine`,
  row: columns<{ held: boolean; removed: number }>({ held: 'boolean', removed: 'number' }),
})

/** Returns the number of removed rows, or null if another instance holds the lock. */
export async function removeBatch(pool: Pool, ended: ExpiredRows, { now, keepDays }: Moment): Promise<number | null> {
  const days = ended.days === 'kept' ? keepDays : ended.days
  const [row] = await run(pool, batchOf(ended), [now, days])
  return row?.held ? row.removed : null
}

export type Due = {
  table: string
  column: string
  /** In seconds: no wait and no lease of the table is longer. */
  most: number
}

/** Work that waits for a moment, each with an index of it. */
export const DUE: readonly Due[] = [
  { table: 'outbox_message', column: 'next_attempt_at', most: 3600 },
  { table: 'job', column: 'due_at', most: 60 },
  { table: 'log_stream', column: 'due_at', most: 300 },
  { table: 'action', column: 'build_due_at', most: 300 },
]

/** Makes due what a clock ahead has put off for longer than anything waits, by both this clock and the database's. */
export async function hasten(pool: Pool, { table, column, most }: Due, now: Date): Promise<number> {
  const statement = {
    name: `clean-up-due-${table}`,
    text: `UPDATE ${table} SET ${column} = $1 WHERE ${column} > greatest($1::timestamptz, now()) + $2 * interval '1 second'`,
  }
  return runChange(pool, statement, [now, most + MAX_SKEW_SECONDS])
}

export type Moment = { now: Date; keepDays: number }
