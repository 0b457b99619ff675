// Derives the vault from LATCHKEY_SECRET. All data is sealed and keyed with a root secret, which the database stores wrapped by
// LATCHKEY_SECRET. LATCHKEY_SECRET can therefore change without re-encrypting any data.
// - Several secrets may wrap the root at once: during a rotation, instances with the old and the new secret work on the same data
//   (docs/runbook.md "LATCHKEY_SECRET", ADR 18).
// - A database from before this scheme has no root: there the first LATCHKEY_SECRET becomes the root.
// - White space and quotes around a secret are not part of it (lib/settings/delivered.ts). A root that was stored under a secret with them opens
//   as before.
// - A secret that unwraps nothing is refused. A second root is never created.
import type { Pool, PoolClient } from 'pg'
import { OtherSecretError } from '../../crypto/keys/keyring'
import type { Random } from '../../kernel/random'
import { createVault, type Vault } from '../../kernel/secret'
import { bareValue } from '../../settings/delivered'
import { inTransaction } from './transaction'

type Wrap = { mark: Buffer; sealed: Buffer }

const PURPOSE = 'root-secret'
const ROOT_BYTES = 32
const IN_TURN = 'LOCK TABLE root_secret IN SHARE ROW EXCLUSIVE MODE'

export async function openVault(pool: Pool, secret: string, random: Random): Promise<Vault> {
  const known = await findRoot(pool, secret)
  return createVault(known ?? (await makeRoot(pool, secret, random)))
}

/** Wraps the root with another secret too; both open it from then on. Returns false if the secret opened it already. */
export async function addSecret(pool: Pool, present: string, added: string, random: Random): Promise<boolean> {
  const root = (await findRoot(pool, present)) ?? (await makeRoot(pool, present, random))
  return (await keep(pool, root, added, random)) > 0
}

/**
 * Keeps only the given secret as a wrapper of the root, and returns the number of secrets removed. Refused if the given secret
 * opens nothing, also if a concurrent call has just removed it: two calls that remove each other's secret would leave no root.
 */
export const retireOthers = (pool: Pool, present: string): Promise<number> =>
  inTransaction(pool, async (client) => {
    await client.query(IN_TURN)
    await findRoot(client, present)
    return (await client.query('DELETE FROM root_secret WHERE mark <> ALL ($1)', [marksOf(present)])).rowCount ?? 0
  })

/** The time each secret was added, and whether it is the given secret. */
export async function listSecrets(pool: Pool, present: string): Promise<{ addedAt: Date; present: boolean }[]> {
  const { rows } = await pool.query<{ mark: Buffer; addedAt: Date }>(
    'SELECT mark, created_at AS "addedAt" FROM root_secret ORDER BY created_at',
  )
  const marks = marksOf(present)
  return rows.map(({ mark, addedAt }) => ({ addedAt, present: marks.some((own) => own.equals(mark)) }))
}

/** Null if no root is stored yet. */
async function findRoot(db: Pool | PoolClient, secret: string): Promise<Buffer | null> {
  const { rows } = await db.query<Wrap>('SELECT mark, sealed FROM root_secret')
  if (rows.length === 0) return null
  for (const form of formsOf(secret)) {
    const mark = markOf(form)
    const wrap = rows.find((row) => mark.equals(row.mark))
    const root = wrap && createVault(form).open(PURPOSE, wrap.sealed)
    if (root) return root
  }
  throw new OtherSecretError()
}

/** Instances that start concurrently agree on one root. */
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
  const bare = bareValue(secret)
  const sealed = createVault(bare).seal(PURPOSE, root, random)
  const { rowCount } = await db.query(
    'INSERT INTO root_secret (mark, sealed) VALUES ($1, $2) ON CONFLICT (mark) DO NOTHING',
    [markOf(bare), sealed],
  )
  return rowCount ?? 0
}

const formsOf = (secret: string): string[] => [...new Set([bareValue(secret), secret])]

const marksOf = (secret: string): Buffer[] => formsOf(secret).map(markOf)

/** Identifies a secret without revealing it. */
const markOf = (secret: string): Buffer => createVault(secret).mac('root-secret-mark', '').subarray(0, 16)
