// Records of action runs: buffered for one second and written in one statement, so that no login waits for the write.
// - The buffer is bounded: records beyond the limit are dropped and counted.
// - A failed run is logged at once as a warning with ids only. Its output is in the database, where the clean-up removes it after
//   some days, and in the log at level debug (threat-model.md AC6).
import type { Pool } from 'pg'
import type { RunLog, RunRecord } from '../../identity/tenant-code/actions/runs'
import { columns, type KindsOf } from './columns'
import { run } from './database'

export type RunLogStore = RunLog & {
  /** Writes the buffered records. */
  close(): Promise<void>
}

type Log = Record<'debug' | 'warn', (fields: Record<string, unknown>, sentence: string) => void>

const EVERY_MS = 1000
const MAX_BUFFERED = 1000

const INSERT = {
  name: 'action-run-insert',
  text: `INSERT INTO action_run (tenant_id, at, trigger, action, outcome, reason, user_id, client_id, milliseconds, lines)
SELECT tenant_id, at, trigger, action, outcome, reason, user_id, client_id, milliseconds, lines
FROM jsonb_to_recordset($1::jsonb) AS r (tenant_id text, at timestamptz, trigger text, action text, outcome text, reason text,
  user_id text, client_id text, milliseconds float8, lines json)`,
}

/** The columns of a run, in SQL and with their kinds. */
export const RUN_COLUMNS =
  'at, trigger, action, outcome, reason, user_id AS "userId", client_id AS "clientId", milliseconds, lines'
export const RUN = {
  at: 'date',
  trigger: 'text',
  action: 'text',
  outcome: 'text',
  reason: 'text?',
  userId: 'text?',
  clientId: 'text?',
  milliseconds: 'number',
  lines: 'json',
} satisfies KindsOf<Omit<RunRecord, 'tenantId'>>

const LATEST = {
  name: 'action-run-latest',
  text: `SELECT ${RUN_COLUMNS}
FROM action_run WHERE tenant_id = $1 AND ($2::text IS NULL OR action = $2) ORDER BY id DESC LIMIT $3`,
  row: columns<Omit<RunRecord, 'tenantId'>>(RUN),
}

export function createRunLog(pool: Pool, log: Log): RunLogStore {
  let buffered: RunRecord[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const [rows, lost] = [buffered, dropped]
    buffered = []
    dropped = 0
    if (lost > 0) log.warn({ dropped: lost }, 'Runs of actions were not recorded, because there were too many.')
    await run(pool, INSERT, [JSON.stringify(rows.map(rowOf))]).catch((error: unknown) =>
      log.warn({ err: error, dropped: rows.length }, 'Runs of actions could not be recorded.'),
    )
  }

  return {
    note(record) {
      logRun(record, log)
      if (buffered.length >= MAX_BUFFERED) dropped += 1
      else buffered.push(record)
      timer ??= setTimeout(flush, EVERY_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      if (buffered.length > 0) await flush()
    },
  }
}

/** PostgreSQL's text and JSON types store every character except NUL. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()

const rowOf = ({ tenantId, userId, clientId, reason, lines, ...rest }: RunRecord) => ({
  ...rest,
  tenant_id: tenantId,
  user_id: userId,
  client_id: clientId,
  reason: reason === null ? null : storable(reason),
  lines: lines.map(({ level, text }) => ({ level, text: storable(text) })),
})

function logRun(
  { tenantId, trigger, action, outcome, reason, userId, clientId, milliseconds, lines }: RunRecord,
  log: Log,
) {
  const fields = { tenant: tenantId, trigger, action, outcome, user: userId, client: clientId, milliseconds }
  if (outcome === 'ok' || outcome === 'denied') log.debug({ ...fields, lines }, 'An action ran.')
  else {
    log.warn(fields, 'An action failed.')
    log.debug({ ...fields, reason, lines }, 'Reason and console output of the failed action.')
  }
}

export const latestRuns = (
  pool: Pool,
  tenantId: string,
  { action, limit }: { action: string | null; limit: number },
): Promise<Omit<RunRecord, 'tenantId'>[]> => run(pool, LATEST, [tenantId, action, limit])
