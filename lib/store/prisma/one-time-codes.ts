// One-time codes on PostgreSQL. One statement judges a try and counts it; with it, in one transaction, the address's user
// is found or made, so a code that fits signs in once, whoever else tries.
import type { Pool, PoolClient } from 'pg'
import type { NewcomerAtAddress, OneTimeCodePort, Redeemed, StoredCode, Tried, Try } from '../../one-time-code'
import type { User } from '../../users/user'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { outboxWriter } from './outbox'
import { presentUser, USER_COLUMNS, type UserColumns } from './rows'

const PUT = {
  name: 'code-put',
  text: `INSERT INTO one_time_code (tenant_id, connection_id, address, client_id, digest, request, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, connection_id, address) DO UPDATE
SET client_id = excluded.client_id, digest = excluded.digest, request = excluded.request, guesses = 0,
  created_at = excluded.created_at, expires_at = excluded.expires_at, consumed_at = NULL`,
}

/** A row that another try has just changed is judged as it is then; what it was before only words the refusal. */
const TRY = {
  name: 'code-try',
  text: `WITH tried AS (
  UPDATE one_time_code SET
    guesses = guesses + CASE WHEN digest = $4 AND client_id = coalesce($5, client_id) OR $6::int IS NULL THEN 0 ELSE 1 END,
    consumed_at = CASE WHEN $8::boolean AND digest = $4 AND client_id = coalesce($5, client_id) THEN $7::timestamptz END
  WHERE tenant_id = $1 AND connection_id = $2 AND address = $3 AND consumed_at IS NULL AND expires_at > $7
    AND ($6::int IS NULL OR guesses < $6)
  RETURNING digest = $4 AND client_id = coalesce($5, client_id) AS fits
)
SELECT (SELECT fits FROM tried) AS fits, client_id AS "clientId", request, expires_at AS "expiresAt",
  consumed_at IS NOT NULL AS used, coalesce(guesses >= $6, false) AS exhausted, expires_at <= $7 AS expired
FROM one_time_code WHERE tenant_id = $1 AND connection_id = $2 AND address = $3`,
}

const FIND_USER = {
  name: 'code-user-find',
  text: `SELECT ${USER_COLUMNS} FROM identity i JOIN "user" u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND (i.email_key = $3 OR i.username_key = $3)`,
}

/** The address is proven: of the user who has it, also where an import did not say so. */
const VERIFY = {
  name: 'code-user-verify',
  text: `UPDATE "user" u SET email_verified = email_verified OR lower(coalesce(email, '')) = $3,
  phone_verified = phone_verified OR coalesce(phone_number, '') = $3, updated_at = $4
WHERE u.tenant_id = $1 AND u.id = $2 RETURNING ${USER_COLUMNS}`,
}

/** A number is the name of whoever has no other; an address is one already (lib/claims/claims.ts). */
const MAKE_USER = {
  name: 'code-user-make',
  text: `WITH u AS (
  INSERT INTO "user" (tenant_id, id, email, email_verified, phone_number, phone_verified, name, created_at, updated_at)
  VALUES ($1, $2, CASE WHEN $5::text = 'email' THEN $4::text END, $5::text = 'email', CASE WHEN $5::text = 'sms' THEN $4::text END, $5::text = 'sms',
    CASE WHEN $5::text = 'sms' THEN $4::text END, $6, $6)
  RETURNING *
), i AS (
  INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key, username_key)
  SELECT tenant_id, $3, $7, $5::text, id, CASE WHEN $5::text = 'email' THEN $4::text END, CASE WHEN $5::text = 'sms' THEN $4::text END FROM u
)
SELECT ${USER_COLUMNS} FROM u`,
}

type TriedRow = Extract<Tried, { outcome: 'fits' }> & {
  fits: boolean | null
  used: boolean
  exhausted: boolean
  expired: boolean
}

export const oneTimeCodeStore = ({ pool }: Database, tenantId: string): OneTimeCodePort => ({
  put: (code, message) =>
    inTransaction(pool, async (client) => {
      await run(client, PUT, valuesOf(tenantId, code))
      await outboxWriter(client).insert(message)
    }),
  look: (attempt) => judge(pool, tenantId, attempt, false),
  redeem: (attempt, newcomer) =>
    inTransaction(pool, async (client): Promise<Redeemed> => {
      const tried = await judge(client, tenantId, attempt, true)
      if (tried.outcome !== 'fits') return tried
      return { outcome: 'fits', user: await userAt(client, tenantId, attempt, newcomer) }
    }),
})

const valuesOf = (tenantId: string, code: StoredCode): unknown[] => [
  tenantId,
  code.connectionId,
  code.address,
  code.clientId,
  code.digest,
  code.request === null ? null : JSON.stringify(code.request),
  code.createdAt,
  code.expiresAt,
]

async function judge(db: Pool | PoolClient, tenantId: string, attempt: Try, use: boolean): Promise<Tried> {
  const { connectionId, address, digest, clientId, most, now } = attempt
  const values = [tenantId, connectionId, address, digest, clientId, most, now, use]
  const [row] = await run<TriedRow>(db, TRY, values)
  if (row?.fits) {
    return { outcome: 'fits', clientId: row.clientId, request: row.request, expiresAt: row.expiresAt }
  }
  if (!row || row.fits === false || row.used) return { outcome: 'wrong' }
  if (row.exhausted) return { outcome: 'exhausted' }
  return { outcome: row.expired ? 'expired' : 'wrong' }
}

async function userAt(
  client: PoolClient,
  tenantId: string,
  { connectionId, address, now }: Try,
  newcomer: NewcomerAtAddress | null,
): Promise<User | null> {
  const [known] = await run<UserColumns>(client, FIND_USER, [tenantId, connectionId, address])
  if (known) return verified(client, tenantId, presentUser(known), address, now)
  if (!newcomer) return null
  const { userId, provider, providerUserId } = newcomer
  const [made] = await run<UserColumns>(client, MAKE_USER, [
    tenantId,
    userId,
    connectionId,
    address,
    provider,
    now,
    providerUserId,
  ])
  return made ? presentUser(made) : null
}

async function verified(client: PoolClient, tenantId: string, user: User, address: string, now: Date): Promise<User> {
  const unproven =
    (user.email?.toLowerCase() === address && !user.emailVerified) ||
    (user.phoneNumber === address && !user.phoneVerified)
  if (!unproven) return user
  const [row] = await run<UserColumns>(client, VERIFY, [tenantId, user.id, address, now])
  return row ? presentUser(row) : user
}
