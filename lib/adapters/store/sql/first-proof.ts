// The first proof of an account's address, on PostgreSQL (lib/data/users/first-proof.ts). Every statement that marks an address as
// verified is preceded by `beginProof` in the same transaction.
import type { PoolClient } from 'pg'
import type { AccountKey } from '../../../data/users/account'
import { run } from '../database'
import { identityKey, removeAttached } from './attached'
import { endLogins } from './end-logins'

/** Whether the user aliased `u` can be found by an unverified address, and has no verified address. */
export const IS_UNPROVEN = `NOT u.email_verified AND NOT u.phone_verified AND EXISTS (
  SELECT 1 FROM identity k WHERE k.tenant_id = u.tenant_id AND k.user_id = u.id
    AND (k.email_key = lower(u.email) OR k.username_key = u.phone_number)
)`

/** Locks the user before the user's other rows, as linking and confirming a factor do. */
const LOCK = {
  name: 'first-proof-lock',
  text: `SELECT 1 FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2
  AND ($3::text IS NULL OR lower(u.email) = $3 OR u.phone_number = $3) AND ${IS_UNPROVEN} FOR UPDATE`,
}

const FORGET_METADATA = {
  name: 'first-proof-metadata',
  text: `UPDATE "user" SET user_metadata = '{}' WHERE tenant_id = $1 AND id = $2`,
}

export type AddressProof = {
  userId: string
  /** The canonical address; null if a provider states that the user's address, whichever it is, is verified. */
  address: string | null
  /** The identity that the proof came from. */
  identity: AccountKey
  at: Date
}

/** Removes everything attached before the first proof of the user's address. Does nothing if the proof is not the first. */
export async function beginProof(client: PoolClient, tenantId: string, proof: AddressProof): Promise<void> {
  const { userId, address, identity, at } = proof
  const first = await run(client, LOCK, [tenantId, userId, address])
  if (first.length === 0) return
  await removeAttached(client, tenantId, userId, { identities: [identityKey(identity)] })
  await run(client, FORGET_METADATA, [tenantId, userId])
  await endLogins(client, tenantId, userId, at, 'session-revoked')
}
