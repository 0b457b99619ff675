// The ID token (OIDC Core 2): who signed in, for which client, how and when. Claims of the tenant's code come first, then those of the
// user by scope (lib/data/claims/claims.ts), then those of the protocol: a later one replaces an earlier one.
import type { JWTPayload } from 'jose'
import { claimsFor, type UpdatedAtFormat } from '../data/claims/claims'
import type { Client } from '../data/clients/client'
import type { OrganizationClaims } from '../data/organizations/organization'
import type { User } from '../data/users/user'
import { MULTI_FACTOR_ACR } from '../identity/mfa/acr'
import type { CustomClaims } from '../identity/tenant-code/claims/compile'
import type { DelegatedActor } from '../identity/tenant-code/trigger'
import { epochSeconds } from '../kernel/clock'
import { leftHalfHash } from '../kernel/secret'
import { EXCHANGED } from './exchanged'
import { type Authentication, amrOf, secondsLeft } from './family'

/** Whether ID tokens contain the claims of scopes: always, or only where no access token is issued (OIDC Core 5.4). */
export type ScopeClaims = 'contract' | 'core'

export type IdTokenSubject = {
  client: Client
  user: User
  scopes: readonly string[]
  authentication: Authentication | null
  sid: string | null
  nonce: string | null
  /** Values returned with it, each bound by a hash (OIDC Core 3.3.2.11; FAPI 1.0 part 2, 5.1 for `state`). */
  accessToken: string | null
  code?: string | null
  state?: string | null
  organization?: OrganizationClaims
  custom?: CustomClaims
  /** Of a refresh: its sender has not authenticated for it. */
  refreshed?: boolean
  /** Of a token exchange: its person has not signed in here. */
  exchanged?: boolean
  /** Who acts for the person (RFC 8693 4.1). */
  actor?: DelegatedActor
}

export function idTokenClaims(
  about: IdTokenSubject,
  context: { issuer: string; now: Date; updatedAt: UpdatedAtFormat; scopeClaims: ScopeClaims },
): JWTPayload {
  const iat = epochSeconds(context.now)
  const hasUserinfo = isPresent(about.accessToken) || isPresent(about.code)
  const scopes = context.scopeClaims === 'core' && hasUserinfo ? [] : about.scopes
  const claims: JWTPayload = {
    ...about.custom,
    ...claimsFor(about.user, scopes, context.updatedAt, about.authentication?.claims?.idToken),
    iss: context.issuer,
    aud: about.client.clientId,
    sub: about.user.id,
    iat,
    exp:
      iat + secondsLeft(about.authentication, about.client.settings.jwt_configuration.lifetime_in_seconds, context.now),
  }
  Object.assign(claims, about.organization)
  if (isPresent(about.accessToken)) claims.at_hash = leftHalfHash(about.accessToken)
  if (isPresent(about.code)) claims.c_hash = leftHalfHash(about.code)
  if (isPresent(about.state)) claims.s_hash = leftHalfHash(about.state)
  if (about.sid !== null) claims.sid = about.sid
  if (about.nonce !== null) claims.nonce = about.nonce
  if (about.refreshed) claims.gty = 'refresh_token'
  if (about.exchanged) claims.gty = EXCHANGED
  if (about.actor) claims.act = about.actor
  if (about.authentication?.tell) claims.auth_time = about.authentication.time
  return about.authentication ? Object.assign(claims, contextClaims(about.authentication)) : claims
}

const isPresent = (value: string | null | undefined): value is string => value !== null && value !== undefined

/**
 * Present whenever MFA took place: applications check it before sensitive operations (RFC 8176; the contract's step-up). A request for
 * `acr` gets it after any login.
 */
export const contextClaims = ({ methods, acr }: Pick<Authentication, 'methods' | 'acr'>): JWTPayload => {
  if (methods.includes('mfa')) return { amr: amrOf(methods), acr: acr ?? MULTI_FACTOR_ACR }
  return acr === undefined ? {} : { acr }
}
