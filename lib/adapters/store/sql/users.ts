// Users and database accounts on PostgreSQL.
import type { DatabaseAccount, UserPort } from '../../../data/users/user'
import { columns, type KindsOf } from '../columns'
import { type Database, run } from '../database'
import { presentUser, USER, USER_COLUMNS, type UserColumns, userBy } from './rows'

export const FIND_USER = {
  name: 'user-find',
  text: `SELECT ${USER_COLUMNS} FROM "user" u WHERE u.tenant_id = $1 AND u.id = $2`,
  row: columns<UserColumns>(USER),
}

export const ACCOUNT_COLUMNS = `i.provider_user_id AS "providerUserId", i.email_key AS email,
  i.password_hash AS "passwordHash", i.password_changed_at AS "passwordChangedAt", ${USER_COLUMNS}`

export type AccountColumns = UserColumns &
  Pick<DatabaseAccount, 'providerUserId' | 'email' | 'passwordHash' | 'passwordChangedAt'>

export const ACCOUNT = {
  ...USER,
  providerUserId: 'text',
  email: 'text?',
  passwordHash: 'text?',
  passwordChangedAt: 'date?',
} satisfies KindsOf<AccountColumns>

/**
 * The account of tenant $1 at connection $2 with name $3, by either key. The address has priority, so an account whose username
 * looks like another account's address cannot be taken for that account.
 */
export const ACCOUNT_BY_NAME = `(
  SELECT 1 AS rank, * FROM identity WHERE tenant_id = $1 AND connection_id = $2 AND email_key = $3
  UNION ALL
  SELECT 2 AS rank, * FROM identity WHERE tenant_id = $1 AND connection_id = $2 AND username_key = $3
  ORDER BY rank LIMIT 1
) i JOIN ${userBy('i.user_id')} ON true`

const FIND_ACCOUNT = {
  name: 'account-find',
  text: `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNT_BY_NAME}`,
  row: columns<AccountColumns>(ACCOUNT),
}

const REPLACE_HASH = {
  name: 'password-replace',
  text: `UPDATE identity SET password_hash = $5
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND password_hash = $4`,
}

export const accountOf = (row: AccountColumns, connectionId: string): DatabaseAccount => {
  const { providerUserId, email, passwordHash, passwordChangedAt } = row
  return { user: presentUser(row), connectionId, providerUserId, email, passwordHash, passwordChangedAt }
}

export const userStore = ({ pool }: Database, tenantId: string): UserPort => ({
  async find(userId) {
    const [row] = await run(pool, FIND_USER, [tenantId, userId])
    return row ? presentUser(row) : null
  },
  async findAccount(connectionId, key) {
    const [row] = await run(pool, FIND_ACCOUNT, [tenantId, connectionId, key])
    return row ? accountOf(row, connectionId) : null
  },
  async replacePasswordHash({ connectionId, providerUserId, passwordHash }, hash) {
    await run(pool, REPLACE_HASH, [tenantId, connectionId, providerUserId, passwordHash, hash])
  },
})
