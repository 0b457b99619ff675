// Accounts of people whom a script of a custom database named, on PostgreSQL. The keys of the two tables decide races: of parallel calls one
// makes the account and the others find it.
// - A password that is moved here is not changed: the proof of this login stays one.
// - An account is found by the id at its own connection only. An id, an address or a user name of another account is refused.
import { isDeepStrictEqual } from 'node:util'
import type { Pool, PoolClient } from 'pg'
import type { DatabaseAccount } from '../../../data/users/user'
import type { ScriptedPerson } from '../../../identity/custom-databases/person'
import type { Keeping, ScriptedAccountPort } from '../../../identity/custom-databases/port'
import { columns } from '../columns'
import { type Database, isUniqueViolation, run, runChange } from '../database'
import { inTransaction } from '../transaction'
import { beginProof } from './first-proof'
import { userBy } from './rows'
import { ACCOUNT, ACCOUNT_COLUMNS, type AccountColumns, accountOf } from './users'

const FIND = {
  name: 'scripted-account-find',
  text: `SELECT ${ACCOUNT_COLUMNS} FROM (
  SELECT * FROM identity WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3
) i JOIN ${userBy('i.user_id')} ON true`,
  row: columns<AccountColumns>(ACCOUNT),
}

/** The subject may be that of an account at another connection, which linking has made an identity of another user. */
const IS_NEW = `NOT EXISTS (
  SELECT 1 FROM connection c JOIN identity o ON o.tenant_id = c.tenant_id AND o.connection_id = c.id AND o.provider_user_id = $3
  WHERE c.tenant_id = $1 AND o.provider = 'auth0'
)`

/** No account if the address is another account's user name, or the reverse. */
const isFree = (email: string, username: string, but = ''): string => `NOT EXISTS (
  SELECT 1 FROM identity o WHERE o.tenant_id = $1 AND o.connection_id = $2 AND (o.username_key = ${email} OR o.email_key = ${username})${but}
)`

const MAKE = {
  name: 'scripted-account-make',
  text: `WITH u AS (
  INSERT INTO "user" (tenant_id, id, email, email_verified, username, phone_number, phone_verified, name, given_name,
    family_name, nickname, picture, user_metadata, app_metadata, created_at, updated_at)
  SELECT $1, 'auth0|' || $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb, $15::jsonb, $16, $16
  WHERE ${IS_NEW} AND ${isFree('$4', '$6')} ON CONFLICT DO NOTHING RETURNING tenant_id, id
)
INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key, username_key, password_hash)
SELECT tenant_id, $2, $3, 'auth0', id, $4, $6, $17 FROM u`,
}

const SET_PASSWORD = {
  name: 'scripted-account-password',
  text: `UPDATE identity SET password_hash = $4
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND password_hash IS NULL`,
}

const LOCK = { name: 'scripted-account-lock', text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 FOR UPDATE' }

const SET_KEYS = {
  name: 'scripted-account-keys',
  text: `UPDATE identity SET email_key = coalesce($4, email_key), username_key = coalesce($5, username_key)
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3
  AND ${isFree('$4', '$5', ' AND o.provider_user_id <> $3')}`,
}

/** What the script omits stays. A verification of the same address stays as well. */
const FOLLOW = {
  name: 'scripted-account-follow',
  text: `UPDATE "user" SET
  email = coalesce($3, email),
  email_verified = CASE WHEN $3::text IS NULL THEN email_verified ELSE $4 OR (email_verified AND lower(email) = $3) END,
  username = coalesce($5, username),
  phone_number = coalesce($6, phone_number),
  phone_verified = CASE WHEN $6::text IS NULL THEN phone_verified ELSE $7 OR (phone_verified AND phone_number = $6) END,
  name = coalesce($8, name), given_name = coalesce($9, given_name), family_name = coalesce($10, family_name),
  nickname = coalesce($11, nickname), picture = coalesce($12, picture),
  user_metadata = user_metadata || $13::jsonb, app_metadata = app_metadata || $14::jsonb, updated_at = $15
WHERE tenant_id = $1 AND id = $2`,
}

export const scriptedAccountStore = ({ pool }: Database, tenantId: string): ScriptedAccountPort => ({
  async keep(connectionId, person, keeping) {
    const key = [tenantId, connectionId, person.providerUserId]
    const find = async (): Promise<DatabaseAccount | null> => {
      const [row] = await run(pool, FIND, key)
      return row ? accountOf(row, connectionId) : null
    }
    const isMade = (await find()) === null && (await make(pool, key, person, keeping))
    const account = await find()
    if (!account) return 'taken'
    if (isMade) return { account, isNew: true, hadPassword: false }
    const hadPassword = account.passwordHash !== null
    const { passwordHash, follows, at } = keeping
    if (passwordHash !== null && !hadPassword) {
      // Another login may have set one since: the caller compares with it.
      const isSet = (await runChange(pool, SET_PASSWORD, [...key, passwordHash])) === 1
      const changed = await find()
      return changed ? { account: changed, isNew: false, hadPassword: !isSet } : 'taken'
    }
    const confirmed = proven(person, account)
    if (!follows || !leads(account) || !differs(account, confirmed)) return { account, isNew: false, hadPassword }
    if (!(await follow(pool, tenantId, account, confirmed, at))) return 'taken'
    const followed = await find()
    return followed ? { account: followed, isNew: false, hadPassword } : 'taken'
  },
})

/**
 * Without what is unproven where the account has a proven one: an address, a number. A later proof would count as the first, and so remove the
 * factors of the person (ADR 27).
 */
function proven(person: ScriptedPerson, { user }: DatabaseAccount): ScriptedPerson {
  const keepsEmail = user.emailVerified && !person.emailVerified
  const keepsNumber = user.phoneVerified && !person.phoneVerified
  if (!keepsEmail && !keepsNumber) return person
  return { ...person, ...(keepsEmail ? { email: null } : {}), ...(keepsNumber ? { phoneNumber: null } : {}) }
}

/** The user is the account's own; that of a linked account says other things. */
const leads = ({ user, providerUserId }: DatabaseAccount): boolean => user.id === `auth0|${providerUserId}`

/** False if another account has the id or a name. */
async function make(
  pool: Pool,
  key: unknown[],
  person: ScriptedPerson,
  { passwordHash, at }: Keeping,
): Promise<boolean> {
  const metadata = [JSON.stringify(person.userMetadata), JSON.stringify(person.appMetadata)]
  try {
    return (await runChange(pool, MAKE, [...key, ...personValues(person), ...metadata, at, passwordHash])) === 1
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

const personValues = ({
  email,
  emailVerified,
  username,
  phoneNumber,
  phoneVerified,
  profile,
}: ScriptedPerson): unknown[] => {
  const { name, givenName, familyName, nickname, picture } = profile
  return [email, emailVerified, username, phoneNumber, phoneVerified, name, givenName, familyName, nickname, picture]
}

async function follow(
  pool: Pool,
  tenantId: string,
  { user, connectionId, providerUserId }: DatabaseAccount,
  person: ScriptedPerson,
  at: Date,
): Promise<boolean> {
  const identity = { connectionId, providerUserId }
  try {
    return await inTransaction(pool, async (client) => {
      await run(client, LOCK, [tenantId, user.id])
      if ((person.emailVerified && !user.emailVerified) || (person.phoneVerified && !user.phoneVerified))
        await beginProof(client, tenantId, { userId: user.id, address: null, identity, at })
      if (!(await setKeys(client, tenantId, identity, person))) return false
      const metadata = [JSON.stringify(person.userMetadata), JSON.stringify(person.appMetadata)]
      await run(client, FOLLOW, [tenantId, user.id, ...personValues(person), ...metadata, at])
      return true
    })
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

const setKeys = async (
  client: PoolClient,
  tenantId: string,
  { connectionId, providerUserId }: Pick<DatabaseAccount, 'connectionId' | 'providerUserId'>,
  { email, username }: ScriptedPerson,
): Promise<boolean> =>
  (await runChange(client, SET_KEYS, [tenantId, connectionId, providerUserId, email, username])) === 1

function differs({ user, email }: DatabaseAccount, person: ScriptedPerson): boolean {
  const { emailVerified, phoneVerified, userMetadata, appMetadata, profile, ...names } = person
  const isNews = ([name, value]: [string, unknown]) => value !== null && value !== user[name as keyof typeof user]
  const { providerUserId: _, ...keys } = names
  return (
    Object.entries({ ...keys, ...profile }).some(isNews) ||
    (keys.email !== null && keys.email !== email) ||
    (emailVerified && !user.emailVerified) ||
    (phoneVerified && !user.phoneVerified) ||
    !isContained(userMetadata, user.userMetadata) ||
    !isContained(appMetadata, user.appMetadata)
  )
}

type Members = Readonly<Record<string, unknown>>

const isContained = (part: Members, whole: Members): boolean =>
  Object.entries(part).every(([name, value]) => isDeepStrictEqual(whole[name], value))
