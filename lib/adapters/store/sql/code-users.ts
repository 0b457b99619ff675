// Finds the user of a proven address, or creates one in the transaction of the proof.

import type { PoolClient } from 'pg'
import type { User } from '../../../data/users/user'
import type { CodeAddress, NewcomerAtAddress } from '../../../identity/one-time-codes/one-time-code'
import { canonical } from '../../../kernel/mail-address'
import { columns } from '../columns'
import { run } from '../database'
import { beginProof } from './first-proof'
import { presentUser, USER, USER_COLUMNS, type UserColumns, userBy } from './rows'

const FIND_USER = {
  name: 'code-user-find',
  text: `SELECT ${USER_COLUMNS}, i.provider_user_id AS "providerUserId" FROM identity i JOIN ${userBy('i.user_id')} ON true
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND (i.email_key = $3 OR i.username_key = $3)`,
  row: columns<FoundRow>({ ...USER, providerUserId: 'text' }),
}

/** Marks the address as verified for its user, also if an import left it unverified. */
const VERIFY = {
  name: 'code-user-verify',
  text: `UPDATE "user" u SET email_verified = email_verified OR lower(coalesce(email, '')) = $3,
  phone_verified = phone_verified OR coalesce(phone_number, '') = $3, updated_at = $4
WHERE u.tenant_id = $1 AND u.id = $2 RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

/** A user without another name is named by the phone number. An email address serves as the name anyway (lib/data/claims/claims.ts). */
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
  row: columns<UserColumns>(USER),
}

type FoundRow = UserColumns & { providerUserId: string }

export async function userAt(
  client: PoolClient,
  tenantId: string,
  { connectionId, address }: CodeAddress,
  newcomer: NewcomerAtAddress | null,
  now: Date,
): Promise<User | null> {
  const [known] = await run(client, FIND_USER, [tenantId, connectionId, address])
  if (known) return verified(client, tenantId, known, { connectionId, address }, now)
  if (!newcomer) return null
  const { userId, provider, providerUserId } = newcomer
  const [made] = await run(client, MAKE_USER, [tenantId, userId, connectionId, address, provider, now, providerUserId])
  return made ? presentUser(made) : null
}

async function verified(
  client: PoolClient,
  tenantId: string,
  row: FoundRow,
  { connectionId, address }: CodeAddress,
  at: Date,
): Promise<User> {
  const user = presentUser(row)
  const unproven =
    (canonical(user.email ?? '') === address && !user.emailVerified) ||
    (user.phoneNumber === address && !user.phoneVerified)
  if (!unproven) return user
  const identity = { connectionId, providerUserId: row.providerUserId }
  await beginProof(client, tenantId, { userId: user.id, address, identity, at })
  const [proven] = await run(client, VERIFY, [tenantId, user.id, address, at])
  return proven ? presentUser(proven) : user
}
