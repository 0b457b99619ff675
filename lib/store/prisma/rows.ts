// Columns shared by several statements, and their mapping to domain values.
import type { User } from '../../users/user'

/** The columns of "user" aliased `u`. The prefix of every name separates them from the columns of other tables. */
export const USER_COLUMNS = [
  ['id', 'id'],
  ['email', 'email'],
  ['email_verified', 'emailVerified'],
  ['username', 'username'],
  ['phone_number', 'phoneNumber'],
  ['phone_verified', 'phoneVerified'],
  ['name', 'name'],
  ['given_name', 'givenName'],
  ['family_name', 'familyName'],
  ['nickname', 'nickname'],
  ['picture', 'picture'],
  ['profile', 'profile'],
  ['user_metadata', 'userMetadata'],
  ['app_metadata', 'appMetadata'],
  ['blocked', 'blocked'],
  ['updated_at', 'updatedAt'],
]
  .map(([column, name]) => `u.${column} AS "u.${name}"`)
  .join(', ')

export type UserColumns = { [K in keyof User as `u.${K}`]: User[K] }

/** Null if the join found no user. */
export const userOf = (row: { [K in keyof UserColumns]: UserColumns[K] | null }): User | null =>
  row['u.id'] === null ? null : presentUser(row as UserColumns)

export const presentUser = (row: UserColumns): User => ({
  id: row['u.id'],
  email: row['u.email'],
  emailVerified: row['u.emailVerified'],
  username: row['u.username'],
  phoneNumber: row['u.phoneNumber'],
  phoneVerified: row['u.phoneVerified'],
  name: row['u.name'],
  givenName: row['u.givenName'],
  familyName: row['u.familyName'],
  nickname: row['u.nickname'],
  picture: row['u.picture'],
  profile: row['u.profile'],
  userMetadata: row['u.userMetadata'],
  appMetadata: row['u.appMetadata'],
  blocked: row['u.blocked'],
  updatedAt: row['u.updatedAt'],
})

/**
 * For the FROM clause: the commit of the statement does not wait for the disk. Only for data that may be lost in the last moment
 * before a crash of the database: a new login is started again, and a failure deleted too late counts as one failure more.
 */
export const SOON = "(SELECT set_config('synchronous_commit', 'off', true)) AS soon"
