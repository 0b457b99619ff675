// The audit log on PostgreSQL. Appending takes the tenant's lock for the transaction, so any number of servers write one
// chain; what one of them stores is one statement. Reading it whole is one snapshot.
// - `audit_chain` is where the chain ends. One that this secret did not write is gone on from, and says so in a record of
//   its own: the evidence stays in the chain (threat-model.md AU2).
import type { Pool, PoolClient } from 'pg'
import { type ChainEnd, emptyChain, linkRecords, macOf } from '../../audit/chain'
import type { AuditStore } from '../../audit/log'
import { createLogIds } from '../../audit/log-id'
import { type AuditRecord, composeRecord } from '../../audit/record'
import type { ChainReader, StoredRecord } from '../../audit/verify'
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { equalsConstantTime, type Vault } from '../../kernel/secret'
import { run } from '../database'
import { inTransaction } from '../transaction'
import { ensureDay } from './audit-days'

export type AuditStoreDeps = { pool: Pool; vault: Vault; clock: Clock; random: Random }

const LOCK = { name: 'audit-lock', text: "SELECT pg_advisory_xact_lock(hashtextextended('audit ' || $1, 0))" }

const END = {
  name: 'audit-end',
  text: `SELECT seq, hash, stored_at AS "storedAt", anchor_seq AS "anchorSeq", anchor_hash AS "anchorHash", mac
FROM audit_chain WHERE tenant_id = $1`,
}

const SAVE_END = {
  name: 'audit-end-save',
  text: `INSERT INTO audit_chain (tenant_id, seq, hash, stored_at, anchor_seq, anchor_hash, mac)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, stored_at = excluded.stored_at,
  anchor_seq = excluded.anchor_seq, anchor_hash = excluded.anchor_hash, mac = excluded.mac`,
}

const APPEND = {
  name: 'audit-append',
  text: `WITH ended AS (${SAVE_END.text})
INSERT INTO audit_record
  (tenant_id, stored_at, seq, log_id, type, at, content, personal, salt, personal_digest, user_id, hash)
SELECT $1, $4, * FROM unnest($8::bigint[], $9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::text[],
  $14::bytea[], $15::bytea[], $16::text[], $17::bytea[])`,
}

type StoredEnd = ChainEnd & { mac: Buffer }

export function auditStore({ pool, vault, clock, random }: AuditStoreDeps): AuditStore {
  const nextId = createLogIds(random)
  const unproven = (tenantId: string): AuditRecord => {
    const at = clock.now()
    return composeRecord({ name: 'chain_unproven', facts: {}, tenantId, hostname: '', at, source: null }, nextId(at))
  }
  return {
    async append(tenantId, records) {
      await ensureDay(pool, clock.now())
      await inTransaction(pool, async (client) => {
        await lockChain(client, tenantId)
        const end = await findEnd(client, tenantId)
        const proven = end === null || equalsConstantTime(macOf(tenantId, end, vault), end.mac)
        const all = proven ? records : [unproven(tenantId), ...records]
        await append(client, tenantId, end ?? emptyChain(clock.now()), all, { vault, clock, random })
      })
    },
  }
}

async function append(
  client: PoolClient,
  tenantId: string,
  from: ChainEnd,
  records: readonly AuditRecord[],
  { vault, clock, random }: Omit<AuditStoreDeps, 'pool'>,
): Promise<void> {
  const { links, end } = linkRecords(tenantId, from, records, clock.now(), random)
  await run(client, APPEND, [
    ...endValues(tenantId, end, macOf(tenantId, end, vault)),
    links.map(({ seq }) => seq),
    records.map(({ logId }) => logId),
    records.map(({ type }) => type),
    records.map(({ at }) => at),
    records.map(({ content }) => content),
    records.map(({ personal }) => personal),
    links.map(({ salt }) => salt),
    links.map(({ personalDigest }) => personalDigest),
    records.map(({ userId }) => userId),
    links.map(({ hash }) => hash),
  ])
}

const endValues = (tenantId: string, end: ChainEnd, mac: Uint8Array): unknown[] => [
  tenantId,
  end.seq,
  end.hash,
  end.storedAt,
  end.anchorSeq,
  end.anchorHash,
  mac,
]

/** To the end of the transaction, for every server. */
export const lockChain = (client: PoolClient, tenantId: string) => run(client, LOCK, [tenantId])

export async function saveEnd(client: PoolClient, tenantId: string, end: ChainEnd, mac: Uint8Array): Promise<void> {
  await run(client, SAVE_END, endValues(tenantId, end, mac))
}

/** The driver hands 64-bit numbers over as text. */
type EndRow = Omit<StoredEnd, 'seq' | 'anchorSeq'> & { seq: string; anchorSeq: string }

export async function findEnd(db: Pool | PoolClient, tenantId: string): Promise<StoredEnd | null> {
  const [row] = await run<EndRow>(db, END, [tenantId])
  return row ? { ...row, seq: Number(row.seq), anchorSeq: Number(row.anchorSeq) } : null
}

const PAGE = {
  name: 'audit-page',
  text: `SELECT seq, stored_at AS "storedAt", log_id AS "logId", type, at, user_id AS "userId", content, personal, salt,
  personal_digest AS "personalDigest", hash
FROM audit_record WHERE tenant_id = $1 AND (seq, stored_at) > ($2, coalesce($3, 'infinity'::timestamptz))
ORDER BY seq, stored_at LIMIT $4`,
}

export type RecordRow = Omit<StoredRecord, 'seq'> & { seq: string }

export const toStored = (row: RecordRow): StoredRecord => ({ ...row, seq: Number(row.seq) })

/** Reads while others go on writing, and sees the chain as it is at its beginning. */
export const withSnapshot = <T>(pool: Pool, work: (reader: ChainReader) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return work({
      end: (tenantId) => findEnd(client, tenantId),
      async page(tenantId, { seq, storedAt }, limit) {
        return (await run<RecordRow>(client, PAGE, [tenantId, seq, storedAt, limit])).map(toStored)
      },
    })
  })
