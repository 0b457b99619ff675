// A person as the rest of the server sees them, and the one canonical form of what they type to be found
// (threat-model.md DB3): trimmed and lower-case; look-alikes stay different accounts.
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
  /** The rarer OpenID claims under their wire names. */
  profile: Readonly<Record<string, unknown>>
  userMetadata: Readonly<Record<string, unknown>>
  appMetadata: Readonly<Record<string, unknown>>
  blocked: boolean
  updatedAt: Date
}

/** A database account: whom a typed name belongs to and what proves it. */
export type Account = {
  user: User
  connectionId: string
  providerUserId: string
  /** The address that logs in there; of a linked account another than the user's own. */
  email: string | null
  passwordHash: string | null
  passwordChangedAt: Date | null
}

export type UserPort = {
  find(userId: string): Promise<User | null>
  /** By canonical address or username at one database connection. */
  findAccount(connectionId: string, key: string): Promise<Account | null>
  replacePasswordHash(account: Account, hash: string): Promise<void>
}

/** What wrong guesses are counted against: the password there is, so that a new one begins without a block. */
export const guessedOf = ({
  providerUserId,
  passwordChangedAt,
}: Pick<Account, 'providerUserId' | 'passwordChangedAt'>): string =>
  passwordChangedAt ? `${providerUserId} ${passwordChangedAt.getTime()}` : providerUserId

export const canonical = (identifier: string): string => identifier.trim().toLowerCase()

/** What a page or a mail calls the person. */
export const displayNameOf = (user: User): string =>
  user.name ?? user.nickname ?? user.email ?? user.username ?? user.id
