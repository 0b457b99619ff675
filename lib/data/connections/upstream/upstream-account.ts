// The account of a user whom another provider signs in: created at the first login, updated at later ones.
// - It is found only by the connection and the provider's own id. An address, verified or not, never opens another user's account
//   (threat-model.md UP2, PW5).
import type { Session } from '../../sessions/session'
import type { User } from '../../users/user'

/** The purpose under which a provider's tokens are sealed. */
export const UPSTREAM_TOKENS = 'upstream tokens'

export type UpstreamPerson = {
  email: string | null
  /** Null if the provider failed to say which address it is or whether it is verified: then a known address stays as it is. */
  emailVerified: boolean | null
  name: string | null
  givenName: string | null
  familyName: string | null
  nickname: string | null
  picture: string | null
  /** The less common claims, under their names. */
  rest: Readonly<Record<string, string>>
}

export type UpstreamLogin = {
  connectionId: string
  provider: string
  providerUserId: string
  isSocial: boolean
  person: UpstreamPerson
  /** When names and picture are taken from the provider: at every login, only at creation, or never. */
  follows: 'each' | 'first' | 'never'
  /** Null keeps the stored tokens. */
  sealedTokens: Uint8Array | null
  /** Null if new users are not allowed. */
  newUserId: string | null
  at: Date
}

export type UpstreamAccountPort = {
  /**
   * The user of the account. `unknown` if there is none and new users are not allowed. `taken` if a user with that id exists
   * without this account: the account is linked to no user, or belongs to a connection of another server.
   */
  signIn(login: UpstreamLogin): Promise<User | 'unknown' | 'taken'>
  /** Active sessions of the account's user. */
  sessionsOf(connectionId: string, providerUserId: string, now: Date): Promise<SessionSeen[]>
  /** Ends a session at the provider's request. True if applications must be notified: wake the dispatcher then. */
  endSession(idDigest: Uint8Array, at: Date): Promise<boolean>
}

export type SessionSeen = Pick<Session, 'idDigest' | 'sid' | 'evidence'>
