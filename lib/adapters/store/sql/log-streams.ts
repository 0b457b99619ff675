// Delivery of log streams on PostgreSQL. Taking one is decided by the database (FOR UPDATE SKIP LOCKED).
import type { DueStream, StreamRecord, StreamStore } from '../../../management/log-streams/stream'
import { columns } from '../columns'
import { type Database, run, runChange } from '../database'

type Numbered<Row> = Omit<Row, 'seq'> & { seq: string }

/** The position is compared with the end of the chain, so a stream without news costs one look. */
const TAKE = {
  name: 'log-stream-take',
  text: `UPDATE log_stream SET attempt = attempt + 1, due_at = $2
WHERE id = (
  SELECT stream.id FROM log_stream stream JOIN audit_chain chain ON chain.tenant_id = stream.tenant_id
  WHERE stream.due_at <= $1 AND chain.seq > stream.seq
  ORDER BY stream.due_at LIMIT 1 FOR UPDATE OF stream SKIP LOCKED
)
RETURNING tenant_id AS "tenantId", id, type, sealed_sink AS "sealedSink", filters, seq, stored_at AS "storedAt", attempt,
  failures, failing_since AS "failingSince"`,
  row: columns<Numbered<DueStream>>({
    tenantId: 'text',
    id: 'text',
    type: 'text',
    sealedSink: 'bytes',
    filters: 'text[]',
    seq: 'int8',
    storedAt: 'date',
    attempt: 'number',
    failures: 'number',
    failingSince: 'date?',
  }),
}

/** Records are stored in the order of their numbers, so the time selects the partitions. */
const RECORDS = {
  name: 'log-stream-records',
  text: `SELECT seq, stored_at AS "storedAt", log_id AS "logId", type, at, content, personal FROM audit_record
WHERE tenant_id = $1 AND seq > $2 AND stored_at >= $3 ORDER BY seq LIMIT $4`,
  row: columns<Numbered<StreamRecord>>({
    seq: 'int8',
    storedAt: 'date',
    logId: 'text',
    type: 'text',
    at: 'date',
    content: 'text',
    personal: 'text?',
  }),
}

const MINE = 'WHERE id = $1 AND attempt = $2 AND due_at IS NOT NULL'

const ADVANCE = {
  name: 'log-stream-advance',
  text: `UPDATE log_stream SET seq = $3, stored_at = $4, due_at = $5, failures = 0, failing_since = NULL, last_error = NULL,
  delivered_at = CASE WHEN $7 THEN $6 ELSE delivered_at END, dropped = dropped + $8
${MINE}`,
}

const RELEASE = { name: 'log-stream-release', text: `UPDATE log_stream SET due_at = $3 ${MINE}` }

const FAIL = {
  name: 'log-stream-fail',
  text: `UPDATE log_stream SET failures = failures + 1, failing_since = coalesce(failing_since, $3), last_error = $5,
  due_at = CASE WHEN NOT $6 THEN $4::timestamptz END, status = CASE WHEN $6 THEN 'suspended' ELSE status END
${MINE}`,
}

const ACTIVE = { name: 'log-streams-active', text: 'SELECT 1 FROM log_stream WHERE due_at IS NOT NULL LIMIT 1' }

export function streamStore({ pool }: Database): StreamStore {
  return {
    async take({ at, leaseUntil }) {
      const [row] = await run(pool, TAKE, [at, leaseUntil])
      return row ? { ...row, seq: Number(row.seq) } : null
    },
    async records(tenantId, { seq, storedAt }, limit) {
      const rows = await run(pool, RECORDS, [tenantId, seq, storedAt, limit])
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
    },
    async advance({ id, attempt }, { seq, storedAt }, { at, leaseUntil, sent, dropped }) {
      return (await runChange(pool, ADVANCE, [id, attempt, seq, storedAt, leaseUntil, at, sent, dropped])) > 0
    },
    async release({ id, attempt }, at) {
      await run(pool, RELEASE, [id, attempt, at])
    },
    async fail({ id, attempt }, { at, dueAt, reason, suspended }) {
      await run(pool, FAIL, [id, attempt, at, dueAt, reason, suspended])
    },
    async areActive() {
      return (await run(pool, ACTIVE, [])).length > 0
    },
  }
}
