// The ID token (OIDC Core 2): who signed in, for which client, how and when.
import type { JWTPayload } from 'jose'
import { claimsFor, type UpdatedAtFormat } from '../claims/claims'
import type { Client } from '../clients/client'
import { epochSeconds } from '../kernel/clock'
import { leftHalfHash } from '../kernel/secret'
import { MULTI_FACTOR_ACR } from '../mfa/policy'
import type { CustomClaims } from '../rules/claims/compile'
import type { User } from '../users/user'
import type { Authentication } from './family'

export type IdTokenSubject = {
  client: Client
  user: User
  scopes: readonly string[]
  authentication: Authentication | null
  sid: string | null
  nonce: string | null
  /** What leaves beside it, each bound to it by a hash (OIDC Core 3.3.2.11; FAPI 1.0 part 2, 5.1 for `state`). */
  accessToken: string | null
  code?: string | null
  state?: string | null
  custom?: CustomClaims
}

export function idTokenClaims(
  about: IdTokenSubject,
  context: { issuer: string; now: Date; updatedAt: UpdatedAtFormat },
): JWTPayload {
  const iat = epochSeconds(context.now)
  return {
    ...about.custom,
    ...claimsFor(about.user, about.scopes, context.updatedAt, about.authentication?.claims?.idToken),
    iss: context.issuer,
    aud: about.client.clientId,
    sub: about.user.id,
    iat,
    exp: iat + about.client.settings.jwt_configuration.lifetime_in_seconds,
    ...hashOf('at_hash', about.accessToken),
    ...hashOf('c_hash', about.code),
    ...hashOf('s_hash', about.state),
    ...(about.sid === null ? {} : { sid: about.sid }),
    ...(about.nonce === null ? {} : { nonce: about.nonce }),
    ...authenticationClaims(about.authentication),
  }
}

const hashOf = (name: string, value: string | null | undefined): JWTPayload =>
  value === null || value === undefined ? {} : { [name]: leftHalfHash(value) }

function authenticationClaims(authentication: Authentication | null): JWTPayload {
  if (!authentication) return {}
  return {
    ...(authentication.tell ? { auth_time: authentication.time } : {}),
    ...multiFactorClaims(authentication),
  }
}

/** Told whenever it was so: applications look for it before what needs it (RFC 8176; the contract's step-up). */
export const multiFactorClaims = ({ methods }: Pick<Authentication, 'methods'>): JWTPayload =>
  methods.includes('mfa') ? { amr: [...new Set(methods)], acr: MULTI_FACTOR_ACR } : {}
