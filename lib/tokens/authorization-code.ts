// The authorization code (RFC 6749 4.1.2): 256 random bits, 60 seconds, one use, bound to client, redirect URI and
// PKCE challenge. Consuming it creates its token family in the same statement, so a replay always finds what to revoke.
import { addSeconds } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { mint } from '../kernel/secret'
import type { User } from '../users/user'
import type { Authentication, TokenFamily } from './family'

export const CODE_SECONDS = 60

export type AuthorizationCode = {
  digest: Uint8Array
  clientId: string
  userId: string
  familyId: string
  /** As it was sent to /authorize; null where the client's only one was meant (RFC 6749 4.1.3). */
  redirectUri: string | null
  codeChallenge: string | null
  nonce: string | null
  scopes: string[]
  audience: string | null
  sid: string | null
  authentication: Authentication
  createdAt: Date
  expiresAt: Date
  consumedAt: Date | null
}

export type CodePort = {
  insert(code: AuthorizationCode): Promise<void>
  find(digest: Uint8Array): Promise<AuthorizationCode | null>
  /** Exactly one caller gets the user; with the code goes the birth of `family`. */
  consume(digest: Uint8Array, family: TokenFamily, now: Date): Promise<User | null>
}

export type CodeContents = Omit<AuthorizationCode, 'digest' | 'createdAt' | 'expiresAt' | 'consumedAt'>

export function mintCode(
  contents: CodeContents,
  now: Date,
  random: Random,
): { plain: string; code: AuthorizationCode } {
  const { plain, digest } = mint(random)
  const code: AuthorizationCode = {
    ...contents,
    digest,
    createdAt: now,
    expiresAt: addSeconds(now, CODE_SECONDS),
    consumedAt: null,
  }
  return { plain, code }
}
