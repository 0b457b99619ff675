// The audit log on PostgreSQL. A batch is one statement that extends the chain from the end that the writer knows, or does
// nothing if the chain has moved on (optimistic locking). Any number of servers can therefore write one chain. A complete read
// is one snapshot.
// - A server that wrote last and is the only writer knows the end without a query. Other servers write under the tenant's lock,
//   so that no server loses a race twice. Lock order, for retention: advisory lock, `audit_record`, the row of `audit_chain`.
// - `audit_chain` stores the end of the chain. If its MAC is invalid, the chain continues from it with a record that says so: the
//   evidence remains in the chain (threat-model.md AU2).
// - Only records that a response depends on (`kept`) wait for the disk. The others may be lost in a crash of the machine, as in
//   a crash of the process (docs/audit-log.md).
import type { Pool, PoolClient } from 'pg'
import { type ActivityRow, activityOf, type KnownKeys } from '../../../data/audit/activity'
import { type ChainEnd, emptyChain, linkRecords, macOf } from '../../../data/audit/chain'
import type { AuditStore } from '../../../data/audit/log'
import { createLogIds } from '../../../data/audit/log-id'
import { type AuditRecord, composeRecord } from '../../../data/audit/record'
import { SKETCH_BYTES } from '../../../data/audit/sketch'
import type { ChainReader, StoredRecord } from '../../../data/audit/verify'
import type { Clock } from '../../../kernel/clock'
import { temporarilyUnavailable } from '../../../kernel/errors'
import type { Random } from '../../../kernel/random'
import { equalsConstantTime, type Vault } from '../../../kernel/secret'
import { columns } from '../columns'
import { run, runChange } from '../database'
import { inTransaction } from '../transaction'
import { ensureDay } from './audit-days'

export type AuditStoreDeps = { pool: Pool; vault: Vault; clock: Clock; random: Random }

const LOCK = { name: 'audit-lock', text: "SELECT pg_advisory_xact_lock(hashtextextended('audit ' || $1, 0))" }

type StoredEnd = ChainEnd & { mac: Uint8Array }

/** The driver returns 64-bit integers as text. */
type EndRow = Omit<StoredEnd, 'seq' | 'anchorSeq'> & { seq: string; anchorSeq: string }

const END = {
  name: 'audit-end',
  text: `SELECT seq, hash, stored_at AS "storedAt", anchor_seq AS "anchorSeq", anchor_hash AS "anchorHash", mac
FROM audit_chain WHERE tenant_id = $1`,
  row: columns<EndRow>({
    seq: 'int8',
    hash: 'bytes',
    storedAt: 'date',
    anchorSeq: 'int8',
    anchorHash: 'bytes',
    mac: 'bytes',
  }),
}

const BEGIN = {
  name: 'audit-begin',
  text: `INSERT INTO audit_chain (tenant_id, seq, hash, stored_at, anchor_seq, anchor_hash, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7)`,
}

const MOVE_ANCHOR = {
  name: 'audit-anchor',
  text: 'UPDATE audit_chain SET anchor_seq = $2, anchor_hash = $3, mac = $4 WHERE tenant_id = $1',
}

/** Texts are joined by newlines and digests are concatenated: the cheapest encoding to write and read on both sides. */
const APPEND = {
  name: 'audit-append',
  text: `WITH ended AS (
  UPDATE audit_chain SET seq = $5, hash = $6, stored_at = $7, mac = $8
  WHERE tenant_id = $1 AND seq = $2 AND hash = $3 AND mac = $4
  RETURNING CASE WHEN $9::boolean THEN '' ELSE set_config('synchronous_commit', 'off', true) END
)
INSERT INTO audit_record
  (tenant_id, stored_at, seq, log_id, type, at, content, personal, salt, personal_digest, hash, user_id)
SELECT $1, $7, $2 + n, log_id, type, at::timestamptz, content, personal,
  substring($15::bytea FROM (16 * n - 15)::int FOR 16), substring($16::bytea FROM (32 * n - 31)::int FOR 32),
  substring($17::bytea FROM (32 * n - 31)::int FOR 32), user_id
FROM ended, ROWS FROM (string_to_table($10, E'\\n'), string_to_table($11, E'\\n'), string_to_table($12, E'\\n'),
  string_to_table($13, E'\\n'), string_to_table($14, E'\\n'), unnest($18::text[]))
  WITH ORDINALITY AS r (log_id, type, at, content, personal, user_id, n)`,
}

/**
 * The same with what the charts count (lib/data/audit/activity.ts): no statement more. Each row of a tenant is written under the tenant's end of
 * the chain, so writers of one tenant follow each other.
 */
export const APPEND_COUNTED = {
  name: 'audit-append-counted',
  text: APPEND.text.replace(
    ')\nINSERT INTO audit_record',
    `), counted AS (
  INSERT INTO activity AS a (dimension, span, tenant_id, at, key, logins, signups, failures, people)
  SELECT dimension, span, $1, begins, key, logins, signups, failures, people
  FROM ended, unnest($19::text[], $20::text[], $21::timestamptz[], $22::text[], $23::int[], $24::int[], $25::int[], $26::bytea[])
    AS c (dimension, span, begins, key, logins, signups, failures, people)
  ON CONFLICT (dimension, span, tenant_id, at, key) DO UPDATE SET logins = a.logins + excluded.logins,
    signups = a.signups + excluded.signups, failures = a.failures + excluded.failures,
    people = CASE WHEN excluded.people IS NULL THEN a.people WHEN a.people IS NULL THEN excluded.people ELSE (
      SELECT decode(string_agg(lpad(to_hex(greatest(get_byte(a.people, i), get_byte(excluded.people, i))), 2, '0'), '' ORDER BY i), 'hex')
      FROM generate_series(0, ${SKETCH_BYTES - 1}) AS i) END
)
INSERT INTO audit_record`,
  ),
}

/** A writer that believes to be the only one wins at most one race. */
const ROUNDS = 10

export function auditStore(deps: AuditStoreDeps): AuditStore {
  const { pool, vault, clock, random } = deps
  const nextId = createLogIds(random)
  /** By tenant: the end that this process wrote last; `alone`: this process also wrote the batch before. */
  const known = new Map<string, { end: StoredEnd; alone: boolean }>()
  const names = new Map<string, KnownKeys>()

  function countsOf(tenantId: string, records: readonly AuditRecord[]): readonly ActivityRow[] {
    const apart = names.get(tenantId) ?? { day: 0, names: new Set() }
    const rows = activityOf(records, apart)
    if (rows.length > 0) names.set(tenantId, apart)
    return rows
  }

  const unproven = (tenantId: string): AuditRecord => {
    const at = clock.now()
    return composeRecord({ name: 'chain_unproven', facts: {}, tenantId, hostname: '', at, source: null }, nextId(at))
  }

  /** Appends under the tenant's lock. Retries if another instance wrote concurrently without the lock. */
  async function takeTurn(
    tenantId: string,
    records: readonly AuditRecord[],
    counts: readonly ActivityRow[],
  ): Promise<void> {
    const before = known.get(tenantId)
    known.delete(tenantId)
    const written = await inTransaction(pool, async (client) => {
      await lockChain(client, tenantId)
      for (let round = 0; round < ROUNDS; round += 1) {
        const end = (await findEnd(client, tenantId)) ?? (await begin(client, tenantId, deps))
        const all = isProven(tenantId, end, vault) ? records : [unproven(tenantId), ...records]
        const ended = await extend(client, tenantId, end, all, counts, deps)
        if (ended) return { end: ended, alone: before !== undefined && equalsConstantTime(before.end.mac, end.mac) }
      }
      throw temporarilyUnavailable('The end of the audit log is taken by others time and again')
    })
    known.set(tenantId, written)
  }

  return {
    async append(tenantId, records) {
      await ensureDay(pool, clock.now())
      const last = known.get(tenantId)
      const counts = countsOf(tenantId, records)
      const end = last?.alone ? await extend(pool, tenantId, last.end, records, counts, deps) : null
      if (end) known.set(tenantId, { end, alone: true })
      else await takeTurn(tenantId, records, counts)
    },
  }
}

export const isProven = (tenantId: string, end: StoredEnd, vault: Vault): boolean =>
  equalsConstantTime(macOf(tenantId, end, vault), end.mac)

/** Returns the new end of the chain with the records; null if the chain did not end at `from`. */
async function extend(
  db: Pool | PoolClient,
  tenantId: string,
  from: StoredEnd,
  records: readonly AuditRecord[],
  counts: readonly ActivityRow[],
  { vault, clock, random }: Omit<AuditStoreDeps, 'pool'>,
): Promise<StoredEnd | null> {
  const { links, end } = linkRecords(tenantId, from, records, clock.now(), random)
  const mac = macOf(tenantId, end, vault)
  const values = [tenantId, from.seq, from.hash, from.mac, end.seq, end.hash, end.storedAt, mac]
  const added = await runChange(db, counts.length > 0 ? APPEND_COUNTED : APPEND, [
    ...values,
    records.some(({ kept }) => kept),
    linesOf(records, ({ logId }) => logId),
    linesOf(records, ({ type }) => type),
    linesOf(records, ({ at }) => at.toISOString()),
    linesOf(records, ({ content }) => content),
    linesOf(records, ({ personal }) => personal),
    links.salts,
    links.personalDigests,
    links.hashes,
    records.map(({ userId }) => userId),
    ...(counts.length > 0 ? columnsOf(counts) : []),
  ])
  return added > 0 ? { ...end, mac } : null
}

const columnsOf = (counts: readonly ActivityRow[]): unknown[] => [
  ...COUNT_COLUMNS.map((column) => counts.map((row) => row[column])),
  counts.map(({ people }) => people && Buffer.from(people)),
]

const COUNT_COLUMNS = ['dimension', 'span', 'at', 'key', 'logins', 'signups', 'failures'] as const

const linesOf = (records: readonly AuditRecord[], field: (record: AuditRecord) => string): string =>
  records.map(field).join('\n')

async function begin(client: PoolClient, tenantId: string, { vault, clock }: AuditStoreDeps): Promise<StoredEnd> {
  const end = emptyChain(clock.now())
  const mac = macOf(tenantId, end, vault)
  await run(client, BEGIN, [tenantId, end.seq, end.hash, end.storedAt, end.anchorSeq, end.anchorHash, mac])
  return { ...end, mac }
}

/** Held until the end of the transaction by every server that is not the only writer. */
export const lockChain = (client: PoolClient, tenantId: string) => run(client, LOCK, [tenantId])

export async function saveAnchor(
  client: PoolClient,
  tenantId: string,
  { anchorSeq, anchorHash }: ChainEnd,
  mac: Uint8Array,
): Promise<void> {
  await run(client, MOVE_ANCHOR, [tenantId, anchorSeq, anchorHash, mac])
}

export async function findEnd(db: Pool | PoolClient, tenantId: string): Promise<StoredEnd | null> {
  const [row] = await run(db, END, [tenantId])
  return row ? { ...row, seq: Number(row.seq), anchorSeq: Number(row.anchorSeq) } : null
}

export type RecordRow = Omit<StoredRecord, 'seq'> & { seq: string }

const PAGE = {
  name: 'audit-page',
  text: `SELECT seq, stored_at AS "storedAt", log_id AS "logId", type, at, user_id AS "userId", content, personal, salt,
  personal_digest AS "personalDigest", hash
FROM audit_record WHERE tenant_id = $1 AND (seq, stored_at) > ($2, coalesce($3, 'infinity'::timestamptz))
ORDER BY seq, stored_at LIMIT $4`,
  row: columns<RecordRow>({
    seq: 'int8',
    storedAt: 'date',
    logId: 'text',
    type: 'text',
    at: 'date',
    userId: 'text?',
    content: 'text',
    personal: 'text?',
    salt: 'bytes?',
    personalDigest: 'bytes',
    hash: 'bytes',
  }),
}

export const toStored = (row: RecordRow): StoredRecord => ({ ...row, seq: Number(row.seq) })

/** Reads a snapshot of the chain as of the first statement, without blocking writers. */
export const withSnapshot = <T>(pool: Pool, work: (reader: ChainReader) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return work({
      end: (tenantId) => findEnd(client, tenantId),
      async page(tenantId, { seq, storedAt }, limit) {
        return (await run(client, PAGE, [tenantId, seq, storedAt, limit])).map(toStored)
      },
    })
  })
