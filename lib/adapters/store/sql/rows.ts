// Columns shared by several statements, and their mapping to domain values.
import type { User } from '../../../data/users/user'
import type { KindsOf } from '../columns'

export type UserColumns = { [K in keyof User as `u.${K}`]: User[K] }

/** The user's columns of an outer join. */
export type NullableUserColumns = { [K in keyof UserColumns]: UserColumns[K] | null }

/** The prefix separates the user's columns from those of other tables. */
export const USER = {
  'u.id': 'text',
  'u.email': 'text?',
  'u.emailVerified': 'boolean',
  'u.username': 'text?',
  'u.phoneNumber': 'text?',
  'u.phoneVerified': 'boolean',
  'u.name': 'text?',
  'u.givenName': 'text?',
  'u.familyName': 'text?',
  'u.nickname': 'text?',
  'u.picture': 'text?',
  'u.profile': 'json',
  'u.userMetadata': 'json',
  'u.appMetadata': 'json',
  'u.blocked': 'boolean',
  'u.factorWantedAt': 'date?',
  'u.updatedAt': 'date',
  'u.recoveryEpoch': 'int8',
} satisfies KindsOf<UserColumns>

const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same columns in SQL, of "user" aliased `u`. */
export const USER_COLUMNS = Object.keys(USER)
  .map((name) => `${columnOf(name)} AS "${name}"`)
  .join(', ')

/**
 * The user of an id, aliased `u`, for a join. The planner does not merge a subquery that has an OFFSET. So it finds the row by
 * the whole key, also in a plan that was made while the tables were nearly empty: such a plan of a plain join reads all users.
 */
export const userBy = (id: string): string =>
  `LATERAL (SELECT * FROM "user" WHERE tenant_id = $1 AND id = ${id} OFFSET 0) u`

/** Null if the join found no user. */
export const userOf = (row: NullableUserColumns): User | null =>
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
  factorWantedAt: row['u.factorWantedAt'],
  updatedAt: row['u.updatedAt'],
  recoveryEpoch: row['u.recoveryEpoch'],
})

/**
 * For the FROM clause: the commit of the statement does not wait for the disk. Only for data that may be lost in the last moment
 * before a crash of the database: a new login is started again, and a failure deleted too late counts as one failure more.
 */
export const SOON = "(SELECT set_config('synchronous_commit', 'off', true)) AS soon"
