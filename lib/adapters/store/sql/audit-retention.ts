// Retention and erasure in the audit log: drops days older than the configured age, and removes the personal data of a user.
// - Each tenant's chain keeps the last number and hash of the dropped days, so that the rest can still be verified.
// - While days are dropped no process writes, neither under the tenant's lock nor without it (audit.ts).
// - Erasing a user removes the content and salt of the personal part. The digest remains and reveals nothing without them, so
//   the chain stays valid.
import type { Pool, PoolClient } from 'pg'
import { type ChainEnd, macOf } from '../../../data/audit/chain'
import { addSeconds } from '../../../kernel/clock'
import type { Vault } from '../../../kernel/secret'
import { columns } from '../columns'
import { run } from '../database'
import { inTransaction } from '../transaction'
import { findEnd, isProven, lockChain, saveAnchor } from './audit'
import { daysBefore, dropDays, startOfDay } from './audit-days'

const DAY_SECONDS = 86_400

const TRY = `SELECT pg_try_advisory_xact_lock(hashtextextended('audit retention', 0)) AS mine,
  least($1::timestamptz, now()) AS now`

const LAST_BEFORE = {
  name: 'audit-last-before',
  text: `SELECT seq, hash FROM audit_record WHERE tenant_id = $1 AND stored_at < $2 ORDER BY seq DESC LIMIT 1`,
  row: columns<{ seq: string; hash: Buffer }>({ seq: 'int8', hash: 'bytes' }),
}

/**
 * Drops whole days that ended more than `days` ago by both this clock and the database's: a clock that runs ahead drops nothing
 * early (threat-model.md RE7). Of concurrent servers one does the work.
 */
export const dropOldRecords = (pool: Pool, vault: Vault, days: number, now: Date): Promise<string[]> =>
  inTransaction(pool, async (client) => {
    const [lock] = (await client.query<{ mine: boolean; now: Date }>(TRY, [now])).rows
    if (!lock?.mine) return []
    const cutoff = startOfDay(addSeconds(lock.now, -days * DAY_SECONDS))
    const over = await daysBefore(client, cutoff)
    if (over === null) return []
    const chains = await client.query<{ id: string }>('SELECT tenant_id AS id FROM audit_chain ORDER BY 1')
    for (const { id } of chains.rows) await lockChain(client, id)
    await client.query('LOCK TABLE audit_record')
    for (const { id } of chains.rows) await moveAnchor(client, id, cutoff, vault)
    await dropDays(client, over, cutoff)
    return over
  })

/** Keeps the end of what is dropped, so that the rest of the chain can be verified. */
export async function moveAnchor(client: PoolClient, tenantId: string, cutoff: Date, vault: Vault): Promise<void> {
  const end = await findEnd(client, tenantId)
  const [last] = await run(client, LAST_BEFORE, [tenantId, cutoff])
  if (!end || !last) return
  const moved: ChainEnd = { ...end, anchorSeq: Number(last.seq), anchorHash: last.hash }
  // A chain end with an invalid MAC must not get a valid one.
  const mac = isProven(tenantId, end, vault) ? macOf(tenantId, moved, vault) : end.mac
  await saveAnchor(client, tenantId, moved, mac)
}

const ERASE = {
  name: 'audit-erase',
  text: `WITH names AS (
  SELECT DISTINCT personal::json ->> 'user_name' AS name FROM audit_record
  WHERE tenant_id = $1 AND user_id = $2 AND personal IS NOT NULL
)
UPDATE audit_record SET personal = NULL, salt = NULL, user_id = NULL
WHERE tenant_id = $1 AND personal IS NOT NULL
  AND (user_id = $2 OR (user_id IS NULL AND personal::json ->> 'user_name' IN (SELECT name FROM names)))`,
}

/**
 * Erases the identity and the origin in every record about the user, and in records without a user id that contain an address
 * from the user's own records. Returns the number of changed records.
 */
export const eraseUser = async (pool: Pool, tenantId: string, userId: string): Promise<number> =>
  (await pool.query({ ...ERASE, values: [tenantId, userId] })).rowCount ?? 0
