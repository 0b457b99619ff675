// A token family: everything issued from one authorization, so that revoking it revokes all of it (RFC 9700 4.14).
// The port's writes are each ONE atomic statement; who wins a race is decided there and nowhere else.
import type { CustomClaims } from '../rules/claims/compile'
import type { Evidence } from '../sessions/session'
import type { User } from '../users/user'

/** Claims asked for by name, beyond what the scopes give (OIDC Core 5.5). */
export type NamedClaims = { idToken: string[]; userinfo: string[] }

/** How and when the person authenticated and what of it is told, carried from the login into every token of the family. */
export type Authentication = {
  /** Epoch seconds. */
  time: number
  methods: Evidence['method'][]
  /** Whether the request asked to be told (`max_age`, `prompt=login`). */
  tell: boolean
  claims?: NamedClaims
  /** What the tenant's actions had its tokens say besides. */
  custom?: { idToken?: CustomClaims; accessToken?: CustomClaims }
}

export type TokenFamily = {
  id: string
  clientId: string
  userId: string | null
  scopes: string[]
  audience: string | null
  sid: string | null
  authentication: Authentication | null
  /** The grant it began with, where its access tokens name it. */
  gty: string | null
  /** Number of the current refresh token; null when the family has none. */
  generation: number | null
  rotatedAt: Date | null
  idleExpiresAt: Date | null
  expiresAt: Date
  revokedAt: Date | null
}

/** What the tokens of a refresh are made from. */
export type RotatedFamily = Pick<TokenFamily, 'id' | 'scopes' | 'audience' | 'sid' | 'authentication' | 'gty'>

export type Rotation = {
  familyId: string
  clientId: string
  /** The generation presented; only the current one rotates. */
  from: number
  /** Equal to `from` where tokens do not rotate. */
  to: number
  /** Scopes asked for; a family that does not hold them all does not rotate. */
  scopes: readonly string[]
  now: Date
  idleExpiresAt: Date | null
}

export type FamilyUser = {
  user: User
  claims: NamedClaims | null
  custom: Authentication['custom'] | null
}

export type FamilyPort = {
  /**
   * Stores the family of a login without a browser, and records that login; false for a user who is blocked, gone, or
   * was signed out everywhere after the proof of it began.
   */
  begin(family: TokenFamily, login: { at: Date; ip: string; provenAt: Date }): Promise<boolean>
  /**
   * Stores the family of tokens that leave /authorize before any code is redeemed; false when the session that they come
   * from ended meanwhile.
   */
  insert(family: TokenFamily, at: Date): Promise<boolean>
  /**
   * The birth of a family, or of a code's part in one whose access token left beside the code; exactly once. Null when it
   * is not the first time, or the code was issued before its user was signed out everywhere.
   */
  redeem(family: TokenFamily, code: { issuedAt: Date; at: Date }): Promise<User | null>
  /** Takes the family from one generation to the next, exactly once; null when it is not there to take. */
  rotate(rotation: Rotation): Promise<{ family: RotatedFamily; user: User } | null>
  /**
   * Whom a live family belongs to, with the claims that were named and those of actions; null when it has ended or its user
   * is blocked or gone.
   */
  findUser(familyId: string, now: Date): Promise<FamilyUser | null>
  find(familyId: string): Promise<{ family: TokenFamily; user: User | null } | null>
  /** Whether it was alive: of any number of callers that end one, one hears so. */
  revoke(familyId: string, at: Date): Promise<boolean>
  /** Every family of the same user, client and audience: what revoking a refresh token ends (RFC 7009 2.1). */
  revokeAlike(family: TokenFamily, at: Date): Promise<void>
}

/** A family without an end of its own is kept this long after its creation: 100 years. */
export const ENDLESS_SECONDS = 100 * 365 * 86400

export const isLive = (family: TokenFamily, now: Date): boolean => family.revokedAt === null && family.expiresAt > now
