// Users of the Management API on PostgreSQL. A change locks the user first, as everything does that starts or ends logins, and is
// one transaction with all of its effects: ended logins, the first proof of an address, the mail.

import type { Pool, PoolClient } from 'pg'
import {
  blocks,
  changesSignIn,
  type ManagedAccount,
  type ManagedUser,
  type NewManagedUser,
  type UserChange,
  type UserFields,
} from '../../../../data/users/managed-user'
import type { MetadataChange } from '../../../../data/users/profile'
import { canonical } from '../../../../kernel/mail-address'
import type { ManagedUserStore } from '../../../../management/resources/user-list'
import { columns } from '../../columns'
import { type Database, IN_TIME, isUniqueViolation, run, runChange } from '../../database'
import { inTransaction } from '../../transaction'
import { writeLink } from '../accounts'
import { endLogins, RECOVERED } from '../end-logins'
import { beginProof, IS_UNPROVEN } from '../first-proof'
import { writeChangeMail, writeMail } from '../outbox'
import { IDENTITIES, PROFILE } from '../profiles'
import { presentUser, USER_COLUMNS, type UserColumns } from '../rows'
import { consumeTicketRow } from '../tickets'
import { writeUndo } from '../undo-address'
import { REMOVE_PICTURE } from '../user-pictures'
import { listUsers } from './user-list'
import { LAST_PASSWORD_RESET } from './user-search'

type Row = UserColumns & Omit<ManagedUser, 'user'>

/** Of EXISTS, the planner may make a set of all users with a factor. */
const SELECT_USERS = `SELECT ${USER_COLUMNS}, ${IDENTITIES} AS identities, u.created_at AS "createdAt",
  u.last_login_at AS "lastLoginAt", u.last_ip AS "lastIp", u.logins_count AS "loginsCount",
  ${LAST_PASSWORD_RESET} AS "lastPasswordReset",
  0 < (SELECT count(*) FROM authenticator a WHERE a.user_id = u.id AND a.tenant_id = u.tenant_id AND a.active) AS "hasFactor"
FROM "user" u WHERE u.tenant_id = $1`

const USER_ROW = columns<Row>({ ...PROFILE, lastPasswordReset: 'date?', hasFactor: 'boolean' })

/** PostgreSQL plans a search by a list anew each time, which costs more than to find one user. */
const FIND = { name: 'managed-user-find', text: `${SELECT_USERS} AND u.id = $2`, row: USER_ROW }

const FIND_MANY = { name: 'managed-users-find', text: `${SELECT_USERS} AND u.id = ANY($2)`, row: USER_ROW }

const ACCOUNTS = {
  name: 'managed-users-accounts',
  text: `SELECT connection_id AS "connectionId", provider_user_id AS "providerUserId", provider,
  email_key AS "emailKey", username_key AS "usernameKey", password_hash IS NOT NULL AS "hasPassword", sealed_tokens AS "sealedTokens"
FROM identity WHERE tenant_id = $1 AND user_id = $2`,
  row: columns<ManagedAccount>({
    connectionId: 'text',
    providerUserId: 'text',
    provider: 'text',
    emailKey: 'text?',
    usernameKey: 'text?',
    hasPassword: 'boolean',
    sealedTokens: 'bytes?',
  }),
}

/** Without MATERIALIZED, a planner that believes the address frequent walks through all users in the order of ids. */
const BY_EMAIL = {
  name: 'managed-users-by-email',
  text: `WITH found AS MATERIALIZED (SELECT id FROM "user" WHERE lower(email) = $2 AND tenant_id = $1)
SELECT id FROM found ORDER BY id LIMIT 100`,
  row: columns<{ id: string }>({ id: 'text' }),
}

const LOCK = {
  name: 'managed-user-lock',
  text: `SELECT ${IS_UNPROVEN} AS "isUnproven" FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2 FOR UPDATE`,
  row: columns<{ isUnproven: boolean }>({ isUnproven: 'boolean' }),
}

/** Creates no account if the address is another account's username, which may come from an import. */
const INSERT = {
  name: 'managed-user-insert',
  text: `WITH u AS (
  INSERT INTO "user" (tenant_id, id, email, email_verified, username, phone_number, phone_verified, name, given_name,
    family_name, nickname, picture, user_metadata, app_metadata, blocked, created_at, updated_at)
  SELECT $1, $2, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::jsonb, $18::jsonb, $19, $20, $20
  WHERE NOT EXISTS (SELECT 1 FROM identity WHERE tenant_id = $1 AND connection_id = $3 AND username_key = $21)
  RETURNING *
)
INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, email_key, username_key, password_hash,
  password_changed_at)
SELECT tenant_id, $3, $4, $5, id, $21, $22, $6, CASE WHEN $6::text IS NOT NULL THEN $20::timestamptz END FROM u RETURNING 1`,
}

const SET_KEYS = {
  name: 'managed-user-keys',
  text: `UPDATE identity SET email_key = $5, username_key = $6
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND user_id = $4
  AND NOT EXISTS (SELECT 1 FROM identity o WHERE o.tenant_id = $1 AND o.connection_id = $2 AND o.username_key = $5
    AND o.provider_user_id <> $3)`,
}

const SET_PASSWORD = {
  name: 'managed-user-password',
  text: `UPDATE identity SET password_hash = $5, password_changed_at = $7,
  password_history = (array_remove(ARRAY[password_hash], NULL) || password_history)[1:$6]
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND user_id = $4`,
}

const MERGE_USER_METADATA = {
  name: 'managed-user-metadata',
  text: `UPDATE "user" SET user_metadata = CASE WHEN $5 THEN '{}' ELSE (user_metadata - $4::text[]) || $3::jsonb END
WHERE tenant_id = $1 AND id = $2`,
}

const MERGE_APP_METADATA = {
  name: 'managed-user-app-metadata',
  text: `UPDATE "user" SET app_metadata = CASE WHEN $5 THEN '{}' ELSE (app_metadata - $4::text[]) || $3::jsonb END
WHERE tenant_id = $1 AND id = $2`,
}

const REMOVE = { name: 'managed-user-remove', text: 'DELETE FROM "user" WHERE tenant_id = $1 AND id = $2' }

/** The columns that a change sets, by the names of the domain. */
const COLUMNS: Readonly<Record<keyof UserFields, string>> = {
  email: 'email',
  emailVerified: 'email_verified',
  username: 'username',
  phoneNumber: 'phone_number',
  phoneVerified: 'phone_verified',
  name: 'name',
  givenName: 'given_name',
  familyName: 'family_name',
  nickname: 'nickname',
  picture: 'picture',
  blocked: 'blocked',
}

/** In the order of the ids. */
export async function findUsers(pool: Pool, tenantId: string, ids: readonly string[]): Promise<ManagedUser[]> {
  if (ids.length === 0) return []
  const rows = await (ids.length === 1 ? run(pool, FIND, [tenantId, ids[0]]) : run(pool, FIND_MANY, [tenantId, ids]))
  const byId = new Map(rows.map((row) => [row['u.id'], presentRow(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function managedUsers(db: Database, tenantId: string): ManagedUserStore {
  const { pool } = db
  return {
    async find(id) {
      return (await findUsers(pool, tenantId, [id]))[0] ?? null
    },
    accounts: (userId) => run(pool, ACCOUNTS, [tenantId, userId]),
    async byEmail(email) {
      const rows = await run(pool, BY_EMAIL, [tenantId, canonical(email)])
      return findUsers(
        pool,
        tenantId,
        rows.map(({ id }) => id),
      )
    },
    async list(filter, window) {
      const { ids, total } = await listUsers(db, tenantId, filter, window)
      return { rows: await findUsers(pool, tenantId, ids), total }
    },
    insert: (user, at) =>
      orTaken(inTransaction(pool, async (client) => ((await insert(client, tenantId, user, at)) ? 'done' : 'taken'))),
    change: (id, change, at, check) =>
      orTaken(
        inTransaction(pool, async (client) => {
          const [locked] = await run(client, LOCK, [tenantId, id])
          if (!locked) return null
          const [row] = await run(client, FIND, [tenantId, id])
          if (!row) return null
          const before = presentRow(row)
          const step = change.byOwner?.step
          if (step && (await consumeTicketRow(client, tenantId, step, at)) === undefined) return 'spent'
          await check(before)
          return (await alter(client, tenantId, { before, isUnproven: locked.isUnproven, change, at }))
            ? 'done'
            : 'taken'
        }),
      ),
    remove: (id, check, at) =>
      inTransaction(pool, async (client) => {
        if ((await run(client, LOCK, [tenantId, id])).length === 0) return null
        const [row] = await run(client, FIND, [tenantId, id])
        if (!row) return null
        const user = presentRow(row)
        await check(user)
        await endLogins(client, tenantId, id, at, 'session-revoked')
        await run(client, REMOVE, [tenantId, id])
        return user
      }),
  }
}

function presentRow(row: Row): ManagedUser {
  const { identities, createdAt, lastLoginAt, lastIp, loginsCount, lastPasswordReset, hasFactor } = row
  return {
    user: presentUser(row),
    identities,
    createdAt,
    lastLoginAt,
    lastIp,
    loginsCount,
    lastPasswordReset,
    hasFactor,
  }
}

async function orTaken<T>(work: Promise<T>): Promise<T | 'taken'> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

async function insert(client: PoolClient, tenantId: string, user: NewManagedUser, at: Date): Promise<boolean> {
  const { userId, connectionId, providerUserId, provider, fields, passwordHash, keys, link, welcome } = user
  const inserted = await run(client, INSERT, [
    tenantId,
    userId,
    connectionId,
    providerUserId,
    provider,
    passwordHash,
    fields.email,
    fields.emailVerified,
    fields.username,
    fields.phoneNumber,
    fields.phoneVerified,
    fields.name,
    fields.givenName,
    fields.familyName,
    fields.nickname,
    fields.picture,
    JSON.stringify(user.userMetadata),
    JSON.stringify(user.appMetadata),
    fields.blocked,
    at,
    keys.email,
    keys.username,
  ])
  if (inserted.length === 0) return false
  if (link) await writeLink(client, tenantId, link)
  await writeMail(client, welcome)
  return true
}

type Alteration = { before: ManagedUser; isUnproven: boolean; change: UserChange; at: Date }

/** False if another account has the new address or name. */
async function alter(client: PoolClient, tenantId: string, alteration: Alteration): Promise<boolean> {
  const { before, change, at, isUnproven } = alteration
  const { id } = before.user
  const { account, password, keys, fields } = change
  if (account && isUnproven && proves(change) && before.loginsCount > 0)
    await beginProof(client, tenantId, { userId: id, address: null, identity: account, at })
  const undo = change.byOwner?.undo
  const isFirst = undo ? await writeUndo(client, tenantId, undo, at) : true
  if (account && keys) {
    const own = [tenantId, account.connectionId, account.providerUserId, id]
    if ((await runChange(client, SET_KEYS, [...own, keys.email, keys.username])) === 0) return false
  }
  if (account && password) {
    const own = [tenantId, account.connectionId, account.providerUserId, id]
    await run(client, SET_PASSWORD, [...own, password.hash, password.keep, at])
  }
  await setFields(client, tenantId, id, fields, at)
  if (fields.picture !== undefined) await run(client, REMOVE_PICTURE, [tenantId, id])
  if (change.userMetadata) await merge(client, MERGE_USER_METADATA, tenantId, id, change.userMetadata)
  if (change.appMetadata) await merge(client, MERGE_APP_METADATA, tenantId, id, change.appMetadata)
  if (password) await endLogins(client, tenantId, id, at, change.byOwner?.forgetsPassword && 'session-revoked')
  else if (blocks(before.user, fields)) await endLogins(client, tenantId, id, at, 'session-revoked')
  if (!change.byOwner && (password || changesSignIn(before.user, fields))) await run(client, RECOVERED, [tenantId, id])
  if (change.link) await writeLink(client, tenantId, change.link)
  for (const notice of change.notices ?? []) await writeChangeMail(client, tenantId, notice)
  if (!isFirst) await writeChangeMail(client, tenantId, change.byOwner?.inChain ?? null)
  await writeMail(client, change.byOwner?.text ?? null)
  return true
}

const proves = ({ fields }: UserChange): boolean => fields.emailVerified === true || fields.phoneVerified === true

async function setFields(
  client: PoolClient,
  tenantId: string,
  userId: string,
  fields: Partial<UserFields>,
  at: Date,
): Promise<void> {
  const values: unknown[] = [tenantId, userId, at]
  const sets = Object.entries(fields).map(
    ([name, value]) => `${COLUMNS[name as keyof UserFields]} = $${values.push(value)}`,
  )
  const text = `UPDATE "user" SET ${['updated_at = $3', ...sets].join(', ')} WHERE tenant_id = $1 AND id = $2`
  await client.query({ text, values, ...IN_TIME })
}

const merge = (
  client: PoolClient,
  statement: typeof MERGE_USER_METADATA,
  tenantId: string,
  userId: string,
  { set, remove, clear }: MetadataChange,
): Promise<unknown> => run(client, statement, [tenantId, userId, JSON.stringify(set), remove, clear])
