// Changes to database accounts by sign-up and mailed links, on PostgreSQL: one transaction each. Races are decided by the unique
// keys (sign-up) and by the statement that redeems the ticket, which runs once the user is locked (links).
import type { PoolClient } from 'pg'
import type { OutboxRow } from '../../../data/outbox/outbox'
import type { AccountKey, AccountPort, MailedLinkRow, NewAccount, OwnAccount } from '../../../data/users/account'
import type { User } from '../../../data/users/user'
import { type Columns, columns } from '../columns'
import { type Database, run } from '../database'
import type { Statement } from '../prepared'
import { inTransaction } from '../transaction'
import { endLogins, RECOVERED, replaceLogins } from './end-logins'
import { beginProof, IS_UNPROVEN } from './first-proof'
import { outboxWriter, writeChangeMail, writeMail } from './outbox'
import { insertPasskey } from './passkeys'
import { presentUser, USER, USER_COLUMNS, type UserColumns } from './rows'
import { consumeTicketRow, insertTicket } from './tickets'

/** Creates no account if the address is another account's username, which may come from an import. */
const CREATE = {
  name: 'account-create',
  text: `WITH u AS (
  INSERT INTO "user" (tenant_id, id, email, username, name, given_name, family_name, nickname, picture, user_metadata,
    app_metadata, created_at, updated_at)
  SELECT $1, $2, $5, $6, $8, $9, $10, $11, $12, $13, $15::jsonb, $14, $14
  WHERE NOT EXISTS (SELECT 1 FROM identity WHERE tenant_id = $1 AND connection_id = $3 AND username_key = $5)
  RETURNING *
), i AS (
  INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key, username_key,
    password_hash, password_changed_at)
  SELECT tenant_id, $3, $4, 'auth0', id, $5, $6, $7, CASE WHEN $7::text IS NOT NULL THEN $14::timestamptz END FROM u
)
SELECT ${USER_COLUMNS} FROM u`,
  row: columns<UserColumns>(USER),
}

/** Locks the user that a link belongs to, before the account. Every operation that moves accounts uses the same order. */
const LOCK_OWNER = {
  name: 'account-lock-owner',
  text: `SELECT u.id, u.logins_count AS "loginsCount", u.email_verified AS "emailVerified" FROM identity i JOIN "user" u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND i.provider_user_id = $3 AND i.email_key = $4 FOR UPDATE OF u`,
  row: columns<Owner>({ id: 'text', loginsCount: 'number', emailVerified: 'boolean' }),
}

/** A mailed link proved the account's own address, which is not the user's address if the account is linked to another user. */
const SET_PASSWORD = {
  name: 'password-set',
  text: `WITH i AS (
  UPDATE identity SET password_hash = $5, password_changed_at = $7,
    password_history = (array_remove(ARRAY[password_hash], NULL) || password_history)[1:$6]
  WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND email_key = $4 AND user_id = $8
  RETURNING tenant_id, user_id
)
UPDATE "user" u SET email_verified = u.email_verified OR ($9 AND lower(u.email) = $4), updated_at = $7 FROM i
WHERE u.tenant_id = i.tenant_id AND u.id = i.user_id RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

const VERIFY = {
  name: 'email-verify',
  text: `UPDATE "user" u SET email_verified = u.email_verified OR lower(u.email) = $4, updated_at = $5 FROM identity i
WHERE i.tenant_id = $1 AND i.connection_id = $2 AND i.provider_user_id = $3 AND i.email_key = $4
  AND i.user_id = $6 AND u.tenant_id = i.tenant_id AND u.id = i.user_id RETURNING ${USER_COLUMNS}`,
  row: columns<UserColumns>(USER),
}

const UNPROVEN = {
  name: 'account-unproven',
  text: `SELECT 1 FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2 AND ${IS_UNPROVEN}`,
}

const HISTORY = {
  name: 'password-history',
  text: `SELECT array_remove(ARRAY[password_hash], NULL) || password_history AS hashes FROM identity
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3`,
  row: columns<{ hashes: string[] }>({ hashes: 'text[]' }),
}

const OF_USER = {
  name: 'accounts-of-user',
  text: `SELECT i.connection_id AS "connectionId", i.provider_user_id AS "providerUserId", i.email_key AS email,
  i.password_hash IS NOT NULL AS "hasPassword", i.password_changed_at AS "passwordChangedAt", u.created_at AS "createdAt"
FROM identity i JOIN "user" u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
WHERE i.tenant_id = $1 AND i.user_id = $2 AND i.provider = 'auth0'
ORDER BY i.user_id <> 'auth0|' || i.provider_user_id, i.connection_id, i.provider_user_id`,
  row: columns<OwnAccount>({
    connectionId: 'text',
    providerUserId: 'text',
    email: 'text?',
    hasPassword: 'boolean',
    passwordChangedAt: 'date?',
    createdAt: 'date',
  }),
}

export const accountStore = ({ pool }: Database, tenantId: string): AccountPort => ({
  async create(account, link, welcome) {
    try {
      const user = await inTransaction(pool, (client) => create(client, tenantId, account, link, welcome))
      return user ? { user } : { taken: 'email' }
    } catch (error) {
      const taken = takenBy(error)
      if (taken) return { taken }
      throw error
    }
  },
  ofUser: (userId) => run(pool, OF_USER, [tenantId, userId]),
  requestLink: (link) => inTransaction(pool, (client) => writeLink(client, tenantId, link)),
  notify: (mail) => outboxWriter(pool).insert(mail),
  replacePassword: (
    { userId, ticket, keepsSid, byManager, email, proves, hash, keep, at, ...account },
    mail,
    others,
    welcome,
  ) =>
    inTransaction(pool, async (client) => {
      const key = [...keyOf(tenantId, account), email]
      const owner = await lockOwner(client, key)
      if (owner?.id !== userId) return null
      if ((await consumeTicketRow(client, tenantId, ticket, at)) === undefined) return null
      if (proves) await beginProof(client, tenantId, { userId, address: email, identity: account, at })
      const user = await changed(client, SET_PASSWORD, [...key, hash, keep, at, userId, proves])
      if (!user) return null
      if (keepsSid === null) await endLogins(client, tenantId, user.id, at)
      else await replaceLogins(client, tenantId, user.id, at, keepsSid)
      if (byManager) await run(client, RECOVERED, [tenantId, user.id])
      await outboxWriter(client).insert(mail)
      await writeChangeMail(client, tenantId, others)
      await writeWelcome(client, owner, user, welcome)
      return user
    }),
  verifyEmail: (ticket, { userId, email, ...account }, { knownUserId, at, welcome }) =>
    inTransaction(pool, async (client) => {
      const key = [...keyOf(tenantId, account), email]
      const owner = await lockOwner(client, key)
      if (owner?.id !== userId) return null
      if ((await consumeTicketRow(client, tenantId, ticket, at)) === undefined) return null
      const { loginsCount } = owner
      const confirmsSignUp = userId === knownUserId || loginsCount === 0
      if (!confirmsSignUp) await beginProof(client, tenantId, { userId, address: email, identity: account, at })
      const user = await changed(client, VERIFY, [...key, at, userId])
      await writeWelcome(client, owner, user, welcome)
      return user
    }),
  async isUnproven(userId) {
    return (await run(pool, UNPROVEN, [tenantId, userId])).length === 1
  },
  async passwordHistory(account) {
    return (await run(pool, HISTORY, keyOf(tenantId, account)))[0]?.hashes ?? []
  },
})

const keyOf = (tenantId: string, { connectionId, providerUserId }: AccountKey): unknown[] => [
  tenantId,
  connectionId,
  providerUserId,
]

type Owner = { id: string; loginsCount: number; emailVerified: boolean }

const lockOwner = async (client: PoolClient, key: unknown[]): Promise<Owner | undefined> =>
  (await run(client, LOCK_OWNER, key))[0]

/** Once: the owner is locked, so of several proofs one is the first. */
async function writeWelcome(
  client: PoolClient,
  before: Owner,
  after: User | null,
  mail: OutboxRow | null,
): Promise<void> {
  if (after?.emailVerified && !before.emailVerified) await writeMail(client, mail)
}

async function create(
  client: PoolClient,
  tenantId: string,
  account: NewAccount,
  link: MailedLinkRow | null,
  welcome: OutboxRow | null,
): Promise<User | null> {
  const {
    userId,
    connectionId,
    providerUserId,
    email,
    username,
    passwordHash,
    passkey,
    profile,
    userMetadata,
    appMetadata = {},
    at,
  } = account
  const { name, givenName, familyName, nickname, picture } = profile
  const user = await changed(client, CREATE, [
    tenantId,
    userId,
    connectionId,
    providerUserId,
    email,
    username,
    passwordHash,
    name,
    givenName,
    familyName,
    nickname,
    picture,
    JSON.stringify(userMetadata),
    at,
    JSON.stringify(appMetadata),
  ])
  if (!user) return null
  if (link) await writeLink(client, tenantId, link)
  await writeMail(client, welcome)
  if (passkey && !(await insertPasskey(client, tenantId, { ...passkey, connectionId, providerUserId }, user)))
    throw new PasskeyTaken()
  return user
}

export async function writeLink(
  client: PoolClient,
  tenantId: string,
  { ticket, mail, alive }: MailedLinkRow,
): Promise<void> {
  await insertTicket(client, tenantId, ticket, alive)
  await outboxWriter(client).insert(alive ? mail : { ...mail, sealedContent: null, nextAttemptAt: null })
}

async function changed(
  client: PoolClient,
  statement: Statement & { row: Columns<UserColumns> },
  values: unknown[],
): Promise<User | null> {
  const [row] = await run(client, statement, values)
  return row ? presentUser(row) : null
}

/** Undoes the creation of an account whose passkey another account has. */
class PasskeyTaken extends Error {}

/** The unique key that another account holds. */
function takenBy(error: unknown): 'email' | 'username' | 'passkey' | null {
  if (error instanceof PasskeyTaken) return 'passkey'
  if (!(error instanceof Error) || !('constraint' in error)) return null
  const constraint = String(error.constraint)
  if (constraint.endsWith('_email_key_key')) return 'email'
  return constraint.endsWith('_username_key_key') ? 'username' : null
}
