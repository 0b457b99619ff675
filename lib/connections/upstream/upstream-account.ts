// The account of somebody whom another provider signs in: made when they come for the first time, kept up to date after.
// - It is found by the connection and the provider's own id alone. An address, verified or not, opens nobody else's
//   account (threat-model.md UP2, PW5).
import type { Session } from '../../sessions/session'
import type { User } from '../../users/user'

export type UpstreamPerson = {
  email: string | null
  emailVerified: boolean
  name: string | null
  givenName: string | null
  familyName: string | null
  nickname: string | null
  picture: string | null
  /** The rarer claims, under their names. */
  rest: Readonly<Record<string, string>>
}

export type UpstreamLogin = {
  connectionId: string
  provider: string
  providerUserId: string
  isSocial: boolean
  person: UpstreamPerson
  /** Whether the user's own record says what the provider says: at every login, only when it is made, or never. */
  follows: 'each' | 'first' | 'never'
  /** Null leaves what is kept. */
  sealedTokens: Uint8Array | null
  /** Null where nobody new may come. */
  newUserId: string | null
  at: Date
}

export type UpstreamAccountPort = {
  /**
   * The user of the account. `unknown` where nobody new may come; `taken` where a user of that id has no such account,
   * because it is linked to nobody, or belongs to a connection of another server.
   */
  signIn(login: UpstreamLogin): Promise<User | 'unknown' | 'taken'>
  /** Sessions of the account's user that have not ended. */
  sessionsOf(connectionId: string, providerUserId: string, now: Date): Promise<SessionSeen[]>
  /** Because the provider says so. Whether an application is to be told of it: wake the dispatcher then. */
  endSession(idDigest: Uint8Array, at: Date): Promise<boolean>
}

export type SessionSeen = Pick<Session, 'idDigest' | 'sid' | 'evidence'>
