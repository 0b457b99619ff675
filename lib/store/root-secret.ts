// From LATCHKEY_SECRET to the vault. What everything is sealed and keyed with is a root secret of the database's own,
// kept there under LATCHKEY_SECRET, so that LATCHKEY_SECRET can be changed and nothing else has to be.
// - A root may be kept under several secrets at once: while they change, instances with the old one and with the new one
//   are the same server (docs/runbook.md "LATCHKEY_SECRET", ADR 18).
// - A database from before this had no root: there the first LATCHKEY_SECRET is the root, as it was.
// - A secret that opens nothing is refused; no second root is ever made beside one that exists.
import type { Pool, PoolClient } from 'pg'
import type { Random } from '../kernel/random'
import { createVault, type Vault } from '../kernel/secret'
import { OtherSecretError } from '../keys/keyring'
import { inTransaction } from './transaction'

type Wrap = { mark: Buffer; sealed: Buffer }

const PURPOSE = 'root-secret'
const ROOT_BYTES = 32
const IN_TURN = 'LOCK TABLE root_secret IN SHARE ROW EXCLUSIVE MODE'

export async function openVault(pool: Pool, secret: string, random: Random): Promise<Vault> {
  const known = await findRoot(pool, secret)
  return createVault(known ?? (await makeRoot(pool, secret, random)))
}

/** Keeps the root under another secret too; both open it from then on. False where it was so already. */
export async function addSecret(pool: Pool, present: string, added: string, random: Random): Promise<boolean> {
  const root = (await findRoot(pool, present)) ?? (await makeRoot(pool, present, random))
  return (await keep(pool, root, added, random)) > 0
}

/**
 * Leaves the given secret as the only one that opens the root; how many others there were. Refused where it opens nothing,
 * also when that is so since a moment: two that retire each other would leave no root at all.
 */
export const retireOthers = (pool: Pool, present: string): Promise<number> =>
  inTransaction(pool, async (client) => {
    await client.query(IN_TURN)
    await findRoot(client, present)
    return (await client.query('DELETE FROM root_secret WHERE mark <> $1', [markOf(present)])).rowCount ?? 0
  })

/** When each secret was added, and which of them is the given one. */
export async function listSecrets(pool: Pool, present: string): Promise<{ addedAt: Date; present: boolean }[]> {
  const { rows } = await pool.query<{ mark: Buffer; addedAt: Date }>(
    'SELECT mark, created_at AS "addedAt" FROM root_secret ORDER BY created_at',
  )
  return rows.map(({ mark, addedAt }) => ({ addedAt, present: markOf(present).equals(mark) }))
}

/** Null where none is kept yet. */
async function findRoot(db: Pool | PoolClient, secret: string): Promise<Buffer | null> {
  const { rows } = await db.query<Wrap>('SELECT mark, sealed FROM root_secret')
  if (rows.length === 0) return null
  const mark = markOf(secret)
  const wrap = rows.find((row) => mark.equals(row.mark))
  const root = wrap && createVault(secret).open(PURPOSE, wrap.sealed)
  if (!root) throw new OtherSecretError()
  return root
}

/** Instances that start together agree on one. */
const makeRoot = (pool: Pool, secret: string, random: Random): Promise<Buffer> =>
  inTransaction(pool, async (client) => {
    await client.query(IN_TURN)
    const made = await findRoot(client, secret)
    if (made) return made
    const { rows } = await client.query('SELECT 1 FROM signing_key LIMIT 1')
    const root = rows.length > 0 ? Buffer.from(secret) : random.bytes(ROOT_BYTES)
    await keep(client, root, secret, random)
    return root
  })

async function keep(db: Pool | PoolClient, root: Buffer, secret: string, random: Random): Promise<number> {
  const sealed = createVault(secret).seal(PURPOSE, root, random)
  const { rowCount } = await db.query(
    'INSERT INTO root_secret (mark, sealed) VALUES ($1, $2) ON CONFLICT (mark) DO NOTHING',
    [markOf(secret), sealed],
  )
  return rowCount ?? 0
}

/** Tells one secret from another and says nothing of either. */
const markOf = (secret: string): Buffer => createVault(secret).mac('root-secret-mark', '').subarray(0, 16)
