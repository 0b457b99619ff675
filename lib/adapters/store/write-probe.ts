// Checks whether the database accepts writes. It may answer reads and refuse writes: a standby, `default_transaction_read_only`, a
// full disk, an unavailable synchronous standby.
import type { Pool } from 'pg'
import { IN_TIME } from './database'

/**
 * Commits one record of the write-ahead log and spills a few hundred kilobytes to a temporary file, which allocates disk space.
 * Neither leaves a row behind, so no table grows.
 */
const PROBE = `WITH small AS MATERIALIZED (SELECT set_config('work_mem', '64kB', true) AS memory)
SELECT current_setting('transaction_read_only') = 'on' AS "readOnly",
  (SELECT count(*) FROM small, generate_series(1, 8192 + 0 * length(memory))) AS spilled,
  pg_logical_emit_message(true, 'latchkey', '') AS logged`

class ReadOnlyDatabaseError extends Error {
  readonly code = '25006'
}

/** Throws the error that a write would meet now. */
export async function probeWrite(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ readOnly: boolean }>({ text: PROBE, ...IN_TIME })
  if (rows[0]?.readOnly) throw new ReadOnlyDatabaseError('the database takes no writes: it is read-only or a standby')
}
