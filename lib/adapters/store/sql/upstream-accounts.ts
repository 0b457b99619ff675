// Accounts at upstream providers, on PostgreSQL. Of two concurrent first logins one creates the user and the other finds it; the
// keys of the two tables decide.
import type { Pool, PoolClient } from 'pg'
import type {
  SessionSeen,
  UpstreamAccountPort,
  UpstreamLogin,
  UpstreamPerson,
} from '../../../data/connections/upstream/upstream-account'
import type { User } from '../../../data/users/user'
import { columns } from '../columns'
import { type Database, isUniqueViolation, run } from '../database'
import { inTransaction } from '../transaction'
import { beginProof } from './first-proof'
import { notifyParticipants, RETURNING_ENDED } from './logout-notices'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'

/**
 * Claims about the user's own identity are stored with the user; claims about a linked identity are stored with that identity. Claims
 * that the provider omits stay unchanged.
 */
const SEEN = {
  name: 'upstream-account-seen',
  text: `UPDATE identity i SET
  profile = CASE WHEN u.id = i.provider || '|' || i.provider_user_id THEN i.profile ELSE $6::jsonb || i.profile || $4::jsonb END,
  sealed_tokens = coalesce($5, i.sealed_tokens) FROM "user" u
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND i.provider_user_id = $3
  AND u.tenant_id = i.tenant_id AND u.id = i.user_id RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

/**
 * Claims that the provider omits stay unchanged. An address is stored together with its own verification; without one ($4 is null) it
 * only fills a gap.
 */
const FOLLOW = {
  name: 'upstream-user-follow',
  text: `UPDATE "user" u SET
  email = CASE WHEN $4::boolean IS NULL THEN coalesce(u.email, $3) ELSE coalesce($3, u.email) END,
  email_verified = CASE WHEN $3::text IS NULL OR ($4 IS NULL AND u.email IS NOT NULL) THEN u.email_verified
    ELSE coalesce($4, false) END,
  name = coalesce($5, u.name), given_name = coalesce($6, u.given_name), family_name = coalesce($7, u.family_name),
  nickname = coalesce($8, u.nickname), picture = coalesce($9, u.picture), profile = u.profile || $10::jsonb,
  updated_at = $11
WHERE u.tenant_id = $1 AND u.id = $2 RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

const MAKE = {
  name: 'upstream-user-make',
  text: `WITH u AS (
  INSERT INTO "user" (tenant_id, id, email, email_verified, name, given_name, family_name, nickname, picture, profile,
    created_at, updated_at)
  VALUES ($1, $2, $3, coalesce($4, false), $5, $6, $7, $8, $9, $10, $11, $11) ON CONFLICT DO NOTHING RETURNING *
), i AS (
  INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, is_social, sealed_tokens)
  SELECT tenant_id, $12, $13, $14, id, $15, $16 FROM u
)
SELECT ${USER_COLUMNS} FROM u`,
  row: columns<UserColumns>(USER),
}

const SESSIONS = {
  name: 'upstream-account-sessions',
  text: `SELECT s.id_digest AS "idDigest", s.sid, s.evidence FROM identity i
JOIN session s ON s.tenant_id = i.tenant_id AND s.user_id = i.user_id
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND i.provider_user_id = $3
  AND s.ended_at IS NULL AND s.idle_expires_at > $4 AND s.expires_at > $4`,
  row: columns<SessionSeen>({ idDigest: 'bytes', sid: 'text', evidence: 'json' }),
}

const END_SESSION = {
  name: 'upstream-session-end',
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE id_digest = $2 AND tenant_id = $1 AND ended_at IS NULL ${RETURNING_ENDED}
)${notifyParticipants('ended', 'idp-logout')} RETURNING 1`,
}

export const upstreamAccountStore = ({ pool }: Database, tenantId: string): UpstreamAccountPort => ({
  async signIn(login) {
    const known = await seen(pool, tenantId, login)
    if (known) return known
    if (login.newUserId === null) return 'unknown'
    const made = await make(pool, tenantId, login.newUserId, login)
    return made ?? (await seen(pool, tenantId, login)) ?? 'taken'
  },
  sessionsOf: (connectionId, providerUserId, now) => run(pool, SESSIONS, [tenantId, connectionId, providerUserId, now]),
  async endSession(idDigest, at) {
    return (await run(pool, END_SESSION, [tenantId, idDigest, at])).length > 0
  },
})

async function seen(pool: Pool, tenantId: string, login: UpstreamLogin): Promise<User | null> {
  const { connectionId, provider, providerUserId, sealedTokens } = login
  const { certain, unsure } = profilePatchOf(login.person)
  const profile = [JSON.stringify(certain), sealedTokens, JSON.stringify(unsure)]
  const values = [tenantId, connectionId, providerUserId, ...profile]
  const [row] = await run(pool, SEEN, values)
  if (!row) return null
  const user = presentUser(row)
  const leads = user.id === `${provider}|${providerUserId}`
  const person = taken(login, 'later')
  if (!leads || !differs(user, person)) return user
  const followed = provesAddress(user, person)
    ? await inTransaction(pool, async (client) => {
        const identity = { connectionId, providerUserId }
        await beginProof(client, tenantId, { userId: user.id, address: null, identity, at: login.at })
        return follow(client, tenantId, user, person, login.at)
      })
    : await follow(pool, tenantId, user, person, login.at)
  return followed ?? user
}

const provesAddress = ({ emailVerified }: User, person: UpstreamPerson): boolean =>
  !emailVerified && person.email !== null && person.emailVerified === true

async function follow(
  db: Pool | PoolClient,
  tenantId: string,
  { id }: User,
  person: UpstreamPerson,
  at: Date,
): Promise<User | null> {
  const [row] = await run(db, FOLLOW, [tenantId, id, ...record(person, at)])
  return row ? presentUser(row) : null
}

async function make(pool: Pool, tenantId: string, userId: string, login: UpstreamLogin): Promise<User | null> {
  const { connectionId, providerUserId, provider, isSocial, sealedTokens } = login
  const account = [connectionId, providerUserId, provider, isSocial, sealedTokens]
  try {
    const [row] = await run(pool, MAKE, [tenantId, userId, ...record(taken(login, 'first'), login.at), ...account])
    return row ? presentUser(row) : null
  } catch (error) {
    // Another user connected the account at the same moment (connected-accounts.ts).
    if (isUniqueViolation(error)) return null
    throw error
  }
}

const NO_ATTRIBUTES = { name: null, givenName: null, familyName: null, nickname: null, picture: null }

/** What this login may store with the user: the connection's setting governs names and picture, never the address. */
const taken = ({ person, follows }: UpstreamLogin, login: 'first' | 'later'): UpstreamPerson =>
  follows === 'each' || (follows === 'first' && login === 'first') ? person : { ...person, ...NO_ATTRIBUTES }

const record = (person: UpstreamPerson, at: Date): unknown[] => {
  const { email, emailVerified, name, givenName, familyName, nickname, picture, rest } = person
  return [email, emailVerified, name, givenName, familyName, nickname, picture, JSON.stringify(rest), at]
}

type Profile = Readonly<Record<string, unknown>>

/** The profile with the member names of the management API. `unsure` only fills a gap. */
export function profilePatchOf(person: UpstreamPerson): { certain: Profile; unsure: Profile } {
  const { email, emailVerified, name, givenName, familyName, nickname, picture, rest } = person
  const all = { ...rest, name, given_name: givenName, family_name: familyName, nickname, picture }
  const known = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  const address = email === null ? {} : { email, email_verified: emailVerified ?? false }
  return emailVerified === null
    ? { certain: known, unsure: address }
    : { certain: { ...known, ...address }, unsure: {} }
}

function differs(user: User, person: UpstreamPerson): boolean {
  const { rest, email, emailVerified, ...names } = person
  return (
    (email !== null && isNews(user, email, emailVerified)) ||
    Object.entries(names).some(([name, value]) => value !== null && value !== user[name as keyof typeof names]) ||
    Object.entries(rest).some(([name, value]) => user.profile[name] !== value)
  )
}

const isNews = (user: User, email: string, verified: boolean | null): boolean =>
  verified === null ? user.email === null : email !== user.email || verified !== user.emailVerified
