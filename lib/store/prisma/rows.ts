// What several statements share: rows, and how they become domain values.
import type { User } from '../../users/user'

/** Columns of "user" aliased `u`; every name carries the prefix, so they travel beside another table's. */
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

/** Null where the join found nobody. */
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
 * In FROM: the statement's commit does not wait for the disk. Only for what may be lost in the last moment before the
 * database crashes: a login just begun is begun anew, a failure forgotten too late is one failure more.
 */
export const SOON = "(SELECT set_config('synchronous_commit', 'off', true)) AS soon"
