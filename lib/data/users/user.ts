// A user as the rest of the server sees it.
export type User = {
  id: string
  email: string | null
  emailVerified: boolean
  username: string | null
  phoneNumber: string | null
  phoneVerified: boolean
  name: string | null
  givenName: string | null
  familyName: string | null
  nickname: string | null
  picture: string | null
  /** The less common OpenID claims under their wire names. */
  profile: Readonly<Record<string, unknown>>
  userMetadata: Readonly<Record<string, unknown>>
  appMetadata: Readonly<Record<string, unknown>>
  blocked: boolean
  /** When the owner turned on a second factor in the account portal (lib/identity/mfa/policy.ts). */
  factorWantedAt: Date | null
  updatedAt: Date
  /** Another one after a recovery of the account: what was requested before attaches nothing any more. */
  recoveryEpoch: string
}

/** What is said of a person of whom nothing is known. */
export const BLANK_PERSON = {
  email: null,
  emailVerified: false,
  username: null,
  phoneNumber: null,
  phoneVerified: false,
  name: null,
  givenName: null,
  familyName: null,
  nickname: null,
  picture: null,
  profile: {},
  userMetadata: {},
  appMetadata: {},
  blocked: false,
} as const satisfies Omit<User, 'id' | 'factorWantedAt' | 'updatedAt' | 'recoveryEpoch'>

/** A database account, and the data to authenticate it. */
export type DatabaseAccount = {
  user: User
  connectionId: string
  providerUserId: string
  /** The login address of this account; for a linked account it differs from the user's own. */
  email: string | null
  passwordHash: string | null
  passwordChangedAt: Date | null
}

export type UserPort = {
  find(userId: string): Promise<User | null>
  /** By canonical address or username at one database connection. */
  findAccount(connectionId: string, key: string): Promise<DatabaseAccount | null>
  replacePasswordHash(account: DatabaseAccount, hash: string): Promise<void>
}

/**
 * The subject on which wrong guesses are counted. It includes the current password's time of change, so a new password starts
 * without a block.
 */
export const guessedOf = ({
  providerUserId,
  passwordChangedAt,
}: Pick<DatabaseAccount, 'providerUserId' | 'passwordChangedAt'>): string =>
  passwordChangedAt ? `${providerUserId} ${passwordChangedAt.getTime()}` : providerUserId

export { canonical } from '../../kernel/mail-address'

/** The user's name on pages and in mails. */
export const displayNameOf = (user: User): string =>
  user.name ?? user.nickname ?? user.email ?? user.username ?? user.id
