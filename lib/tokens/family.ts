// A token family: all tokens of one authorization, so that revoking it revokes all of them (RFC 9700 4.14).
// Each write of the port is one atomic statement, which decides races.

import type { Evidence, RecordedMethod } from '../data/sessions/session'
import type { RefreshChanges } from '../data/sessions/session-changes'
import type { User } from '../data/users/user'
import type { CustomClaims } from '../identity/tenant-code/claims/compile'
import { epochSeconds } from '../kernel/clock'
import type { Entries } from '../kernel/entries'

/** Claims requested by name, beyond those of the scopes (OIDC Core 5.5). */
export type NamedClaims = { idToken: string[]; userinfo: string[] }

/** How and when the person authenticated, carried from the login into every token of the family. */
export type Authentication = {
  /** The id of the login, for the log; missing where an older version stored it. */
  login?: string
  /** Epoch seconds. */
  time: number
  methods: Evidence['method'][]
  /** The vendor's types of the factors behind `mfa`; missing where they are unknown. */
  factors?: string[]
  /** Methods that the tenant's actions recorded; no `amr`. */
  recorded?: RecordedMethod[]
  /** Whether the request asked for `auth_time` (`max_age`, `prompt=login`). Stored under this name. */
  tell: boolean
  /** The id of the organization that the login was for. */
  organization?: string
  claims?: NamedClaims
  /** The `acr` of its tokens, where the request asked for one. */
  acr?: string
  /** Custom claims that the tenant's actions set. */
  custom?: { idToken?: CustomClaims; accessToken?: CustomClaims }
  /** Until the family is created, which then has these values. */
  refresh?: RefreshChanges
  /** When the family ends with the person's session at their provider, in epoch seconds. */
  ends?: number
}

/** What the proofs of a login say about tokens with these scopes. */
export function proofOf(
  evidence: readonly Evidence[],
  scopes: readonly string[],
): Pick<Authentication, 'methods' | 'factors' | 'recorded' | 'ends'> {
  const factors = evidence.flatMap(({ factor }) => factor ?? [])
  const recorded = evidence.flatMap((proof) => proof.recorded ?? [])
  const isOffline = scopes.includes('offline_access')
  const ends = evidence.flatMap(({ ends: end, endsOffline }) =>
    end === undefined || (isOffline && !endsOffline) ? [] : [epochSeconds(new Date(end))],
  )
  return {
    methods: evidence.map(({ method }) => method),
    ...(factors.length > 0 ? { factors } : {}),
    ...(recorded.length > 0 ? { recorded } : {}),
    ...(ends.length > 0 ? { ends: Math.min(...ends) } : {}),
  }
}

/** The seconds that a token of the authentication lives, of those that it may live otherwise. */
export const secondsLeft = (authentication: Authentication | null | undefined, seconds: number, now: Date): number =>
  authentication?.ends === undefined ? seconds : Math.max(0, Math.min(seconds, authentication.ends - epochSeconds(now)))

/** The `amr` values (RFC 8176): an authenticator answers for a passkey only if the user is present. */
export const amrOf = (methods: readonly Evidence['method'][]): string[] => [
  ...new Set(methods.flatMap((method) => (method === 'hwk' || method === 'swk' ? [method, 'user'] : [method]))),
]

export type TokenFamily = {
  id: string
  clientId: string
  userId: string | null
  scopes: string[]
  audience: string | null
  sid: string | null
  authentication: Authentication | null
  /** The grant that created it, if its access tokens name it. */
  gty: string | null
  /** Number of the current refresh token; null if the family has none. */
  generation: number | null
  /** When the previous token was rotated; if the client's tokens do not rotate, when the current one was last used. */
  rotatedAt: Date | null
  /** When the tokens before it were rotated, newest first. */
  earlierRotations: readonly Date[]
  idleExpiresAt: Date | null
  expiresAt: Date
  revokedAt: Date | null
  createdAt: Date
  metadata: Entries | null
}

/** What the tokens of a refresh are made from. */
export type RotatedFamily = Pick<TokenFamily, 'id' | 'scopes' | 'audience' | 'sid' | 'authentication' | 'gty'>

export type Rotation = {
  familyId: string
  clientId: string
  /** The presented generation; only the current one rotates. */
  from: number
  /** Equal to `from` if tokens do not rotate. */
  to: number
  /** Requested scopes; a family without all of them does not rotate. */
  scopes: readonly string[]
  now: Date
  idleExpiresAt: Date | null
  changes?: Pick<RefreshChanges, 'expiresAt' | 'metadata'>
}

export type FamilyUser = {
  user: User
  claims: NamedClaims | null
  custom: Authentication['custom'] | null
  /** The id of the login's organization. */
  organization: string | null
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
  /** Rotates from one generation to the next, exactly once; null if the family does not qualify. */
  rotate(rotation: Rotation): Promise<{ family: RotatedFamily; user: User } | null>
  /**
   * Whom a live family belongs to, with the claims that were named and those of actions; null when it has ended or its user
   * is blocked or gone.
   */
  findUser(familyId: string, now: Date): Promise<FamilyUser | null>
  /** Corrects the times of rotations that lie ahead. */
  redate(familyId: string, at: Date): Promise<void>
  find(familyId: string): Promise<{ family: TokenFamily; user: User | null } | null>
  /** Ends a family; true for the one caller that ended it. */
  revoke(familyId: string, at: Date): Promise<boolean>
  /** Ends every family of the same user, client and audience, as revoking a refresh token does (RFC 7009 2.1). */
  revokeAlike(family: TokenFamily, at: Date): Promise<void>
}

/** The expiry of a family without one: 100 years after its creation. */
export const ENDLESS_SECONDS = 100 * 365 * 86400

export const isLive = (family: TokenFamily, now: Date): boolean => family.revokedAt === null && family.expiresAt > now
