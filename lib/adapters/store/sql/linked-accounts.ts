// Account linking and unlinking on PostgreSQL. The users are locked first, in a fixed order, as by every operation that starts
// or ends their logins. A caller that waited for the lock sees the users' new state.
import type { PoolClient } from 'pg'
import type { ChangeMail } from '../../../data/outbox/outbox'
import {
  type LinkedAccountPort,
  type Linking,
  type LinkRefusal,
  MAX_IDENTITIES,
  type ManagedLinkPort,
  type ProvenAccount,
  type Unlinking,
  type UnlinkRefusal,
} from '../../../data/users/linked-accounts'
import type { LinkedIdentity } from '../../../data/users/profile'
import type { User } from '../../../data/users/user'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { endLogins, endOtherLogins } from './end-logins'
import { IS_UNPROVEN } from './first-proof'
import { wasProvenSince } from './moments'
import { writeChangeMail } from './outbox'
import { IDENTITIES } from './profiles'

type Held = Pick<User, 'id' | 'blocked' | 'email' | 'emailVerified'> & {
  notBefore: Date | null
  createdAt: Date
  addressUnproven: boolean
}

const HOLD = {
  name: 'users-hold',
  text: `SELECT id, blocked, not_before AS "notBefore", email, email_verified AS "emailVerified", created_at AS "createdAt",
  ${IS_UNPROVEN} AS "addressUnproven"
FROM "user" u WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE`,
  row: columns<Held>({
    id: 'text',
    blocked: 'boolean',
    notBefore: 'date?',
    email: 'text?',
    emailVerified: 'boolean',
    createdAt: 'date',
    addressUnproven: 'boolean',
  }),
}

export const STANDS = {
  name: 'family-stands',
  text: `SELECT 1 FROM token_family WHERE tenant_id = $1 AND id = $2 AND user_id = $3 AND revoked_at IS NULL
AND expires_at > $4`,
}

const SESSION_STANDS = {
  name: 'session-stands',
  text: `SELECT 1 FROM session WHERE tenant_id = $1 AND sid = $2 AND user_id = $3 AND ended_at IS NULL
AND idle_expires_at > $4 AND expires_at > $4`,
}

/** A verified email address counts as a factor without enrolment (lib/identity/mfa/factors/email.ts). */
const HAS_FACTOR = {
  name: 'user-has-factor',
  text: `SELECT 1 FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2 AND (
  (u.email_verified AND u.email IS NOT NULL AND 'email' = ANY($3)) OR EXISTS (
    SELECT 1 FROM authenticator a WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.active
      AND coalesce(a.channel, a.type) = ANY($3)
  )
)`,
}

const COUNT = {
  name: 'identities-count',
  text: 'SELECT count(*)::integer AS count FROM identity WHERE tenant_id = $1 AND user_id = ANY($2)',
  row: columns<{ count: number }>({ count: 'number' }),
}

/** The identity that the other user's id names keeps the other user's profile. */
const MOVE = {
  name: 'identities-move',
  text: `UPDATE identity i SET user_id = $2,
  profile = CASE WHEN i.provider || '|' || i.provider_user_id <> u.id THEN i.profile ELSE
    i.profile || jsonb_strip_nulls(jsonb_build_object('email', u.email, 'email_verified', u.email_verified,
      'username', u.username, 'phone_number', u.phone_number, 'phone_verified', u.phone_verified, 'name', u.name,
      'given_name', u.given_name, 'family_name', u.family_name, 'nickname', u.nickname, 'picture', u.picture)) END
FROM "user" u WHERE i.tenant_id = $1 AND i.user_id = $3 AND u.tenant_id = i.tenant_id AND u.id = i.user_id`,
}

/** Ended like all logins of the other user, and marked: an action that linked the accounts in one goes on there (account-joins.ts). */
const END_TRANSACTIONS = {
  name: 'transactions-end-linked',
  text: `UPDATE login_transaction SET consumed_at = $4, user_id = $2
WHERE tenant_id = $1 AND user_id = $3 AND consumed_at IS NULL`,
}

const REMOVE_USER = { name: 'user-remove', text: 'DELETE FROM "user" WHERE tenant_id = $1 AND id = $2' }

export const TOUCH = {
  name: 'user-updated',
  text: 'UPDATE "user" SET updated_at = $3 WHERE tenant_id = $1 AND id = $2',
}

/** Never splits off the identity that the user's id names: a user keeps at least one. */
const SPLIT = {
  name: 'identity-split',
  text: `WITH i AS (
  SELECT * FROM identity WHERE tenant_id = $1 AND user_id = $2 AND provider = $3 AND provider_user_id = $4
    AND provider || '|' || provider_user_id <> user_id
  ORDER BY connection_id LIMIT 1
), born AS (
  INSERT INTO "user" (tenant_id, id, email, email_verified, username, phone_number, phone_verified, name, given_name,
    family_name, nickname, picture, created_at, updated_at, not_before)
  SELECT tenant_id, provider || '|' || provider_user_id, profile->>'email',
    coalesce((profile->>'email_verified')::boolean, false), profile->>'username', profile->>'phone_number',
    coalesce((profile->>'phone_verified')::boolean, false), profile->>'name', profile->>'given_name',
    profile->>'family_name', profile->>'nickname', profile->>'picture', $5, $5, $5
  FROM i ON CONFLICT DO NOTHING RETURNING id
)
UPDATE identity SET user_id = born.id, profile = '{}', connected_at = NULL FROM i, born
WHERE identity.tenant_id = $1 AND identity.connection_id = i.connection_id
  AND identity.provider_user_id = i.provider_user_id
RETURNING 1`,
}

const LIST = {
  name: 'identities-list',
  text: `SELECT ${IDENTITIES} AS identities FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2`,
  row: columns<{ identities: LinkedIdentity[] }>({ identities: 'json' }),
}

export const linkedAccountStore = ({ pool }: Database, tenantId: string): LinkedAccountPort => ({
  link: (linking) => inTransaction(pool, (client) => link(client, tenantId, linking)),
  unlink: (unlinking) => inTransaction(pool, (client) => unlink(client, tenantId, unlinking)),
})

async function link(client: PoolClient, tenantId: string, linking: Linking): Promise<LinkRefusal | LinkedIdentity[]> {
  const { userId, otherId, at } = linking
  const held = await hold(client, tenantId, [userId, otherId])
  if (!(await stillStands(client, tenantId, linking))) return 'ended'
  const other = { ...linking, userId: otherId }
  if (!(await isProven(client, tenantId, held, other, at))) return 'unproven'
  if (held.some(({ addressUnproven }) => addressUnproven)) return 'address_unproven'
  if (await wouldBeTooMany(client, tenantId, [userId, otherId])) return 'too_many'
  await absorb(client, tenantId, { userId, otherId, at })
  await writeMails(client, tenantId, linking.mails)
  return identitiesOf(client, tenantId, userId)
}

export async function writeMails(
  client: PoolClient,
  tenantId: string,
  mails: readonly (ChangeMail | null)[],
): Promise<void> {
  for (const mail of mails) await writeChangeMail(client, tenantId, mail)
}

/** What a manager does: it needs no login of the user, and ends those of the users it changes. */
export const managedLinkStore = ({ pool }: Database, tenantId: string): ManagedLinkPort => ({
  link: (userId, otherId, at, mails) =>
    inTransaction(pool, async (client) => {
      const held = await hold(client, tenantId, [userId, otherId])
      if (held.length < 2) return 'unknown'
      if (held.some(({ addressUnproven }) => addressUnproven)) return 'address_unproven'
      if (await wouldBeTooMany(client, tenantId, [userId, otherId])) return 'too_many'
      await absorb(client, tenantId, { userId, otherId, at })
      await writeMails(client, tenantId, mails)
      return identitiesOf(client, tenantId, userId)
    }),
  unlink: ({ userId, provider, providerUserId, at, mails }, login) =>
    inTransaction(pool, async (client) => {
      const held = await hold(client, tenantId, [userId])
      if (
        login &&
        !(isActive(held, userId, login.provenAt, at) && (await sessionStands(client, tenantId, login.sid, userId, at)))
      )
        return 'ended'
      const split = await run(client, SPLIT, [tenantId, userId, provider, providerUserId, at])
      if (split.length === 0) return 'unknown'
      await endLogins(client, tenantId, userId, at, 'session-revoked')
      await run(client, TOUCH, [tenantId, userId, at])
      await writeMails(client, tenantId, mails)
      return identitiesOf(client, tenantId, userId)
    }),
})

export async function sessionStands(
  client: PoolClient,
  tenantId: string,
  sid: string,
  userId: string,
  at: Date,
): Promise<boolean> {
  return (await run(client, SESSION_STANDS, [tenantId, sid, userId, at])).length === 1
}

/** The locks are held until the end of the transaction. */
export const hold = (client: PoolClient, tenantId: string, userIds: readonly string[]): Promise<Held[]> =>
  run(client, HOLD, [tenantId, userIds])

/** Neither deleted nor blocked, nor signed out everywhere after the proof. */
export function isActive(held: readonly Held[], userId: string, provenAt: Date, at: Date): boolean {
  const user = held.find(({ id }) => id === userId)
  return user !== undefined && !user.blocked && wasProvenSince(user.notBefore, provenAt, at)
}

export async function isProven(
  client: PoolClient,
  tenantId: string,
  held: readonly Held[],
  { userId, provenAt, needsFactor }: ProvenAccount,
  at: Date,
): Promise<boolean> {
  if (!isActive(held, userId, provenAt, at)) return false
  return (await run(client, HAS_FACTOR, [tenantId, userId, needsFactor])).length === 0
}

export async function wouldBeTooMany(client: PoolClient, tenantId: string, userIds: string[]): Promise<boolean> {
  const [{ count } = { count: 0 }] = await run(client, COUNT, [tenantId, userIds])
  return count > MAX_IDENTITIES
}

/** Moves the identities of the other user to the user, ends the other user's logins and deletes the other user. */
export async function absorb(
  client: PoolClient,
  tenantId: string,
  { userId, otherId, at }: Pick<Linking, 'userId' | 'otherId' | 'at'>,
): Promise<void> {
  await run(client, MOVE, [tenantId, userId, otherId])
  await run(client, END_TRANSACTIONS, [tenantId, userId, otherId, at])
  await endLogins(client, tenantId, otherId, at, 'session-revoked')
  await run(client, REMOVE_USER, [tenantId, otherId])
  await run(client, TOUCH, [tenantId, userId, at])
}

async function unlink(
  client: PoolClient,
  tenantId: string,
  unlinking: Unlinking,
): Promise<UnlinkRefusal | LinkedIdentity[]> {
  const { userId, provider, providerUserId, family, at } = unlinking
  await run(client, HOLD, [tenantId, [userId]])
  if (!(await stillStands(client, tenantId, unlinking))) return 'ended'
  const split = await run(client, SPLIT, [tenantId, userId, provider, providerUserId, at])
  if (split.length === 0) return 'unknown'
  await endOtherLogins(client, tenantId, userId, at, family)
  await run(client, TOUCH, [tenantId, userId, at])
  await writeMails(client, tenantId, unlinking.mails)
  return identitiesOf(client, tenantId, userId)
}

const stillStands = async (
  client: PoolClient,
  tenantId: string,
  { family, userId, at }: Linking | Unlinking,
): Promise<boolean> => (await run(client, STANDS, [tenantId, family.id, userId, at])).length === 1

const identitiesOf = async (client: PoolClient, tenantId: string, userId: string): Promise<LinkedIdentity[]> =>
  (await run(client, LIST, [tenantId, userId]))[0]?.identities ?? []
