// The first proof of an account's address, on PostgreSQL (lib/users/first-proof.ts). Every statement that marks an address as
// verified is preceded by `beginProof` in the same transaction.
import type { PoolClient } from 'pg'
import type { AccountKey } from '../../users/account'
import { run } from '../database'
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

/** Roles and app_metadata belong to the tenant and remain. The identity that the proof came from remains. */
const REMOVE_ATTACHED = {
  name: 'first-proof-remove',
  text: `WITH identities AS (
  DELETE FROM identity WHERE tenant_id = $1 AND user_id = $2 AND (connection_id, provider_user_id) <> ($3, $4)
), passkeys AS (
  DELETE FROM webauthn_credential c USING identity i WHERE c.tenant_id = $1 AND i.tenant_id = $1 AND i.user_id = $2
    AND c.connection_id = i.connection_id AND c.provider_user_id = i.provider_user_id
), authenticators AS (
  DELETE FROM authenticator WHERE tenant_id = $1 AND user_id = $2
), browsers AS (
  DELETE FROM known_browser WHERE tenant_id = $1 AND user_id = $2
), devices AS (
  DELETE FROM device_credential WHERE tenant_id = $1 AND user_id = $2
), consents AS (
  DELETE FROM consent WHERE tenant_id = $1 AND user_id = $2
)
UPDATE "user" SET user_metadata = '{}', link_declined = NULL WHERE tenant_id = $1 AND id = $2`,
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
  await run(client, REMOVE_ATTACHED, [tenantId, userId, identity.connectionId, identity.providerUserId])
  await endLogins(client, tenantId, userId, at, 'session-revoked')
}
