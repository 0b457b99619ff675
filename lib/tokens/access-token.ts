// Access tokens. For a registered API: a JWT in the format of the API's record (the vendor's, or RFC 9068). Without an API: an opaque
// token for /userinfo only. It is sealed, not stored: issuing it needs no write, and reading it only the look-up of its family, which
// also makes revocation effective (threat-model.md D5).
import type { JWTPayload } from 'jose'
import { type Acceptance, signJwt, verifyJwt } from '../crypto/keys/jwt'
import type { Keyring } from '../crypto/keys/keyring'
import type { Api } from '../data/apis/api'
import type { OrganizationClaims } from '../data/organizations/organization'
import type { CustomClaims } from '../identity/tenant-code/claims/compile'
import type { DelegatedActor } from '../identity/tenant-code/trigger'
import { epochSeconds } from '../kernel/clock'
import { invalidToken } from '../kernel/errors'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { type Authentication, amrOf, secondsLeft } from './family'
import { contextClaims } from './id-token'

export const OPAQUE_SECONDS = 86400
/** Lifetime of a token that /authorize returns in a URL. */
export const OPAQUE_BROWSER_SECONDS = 7200

const PURPOSE = 'access-token'
const PREFIX = 'at1.'

export type AccessTokenSubject = {
  /** Null for a client that acts for itself: such a token is valid until it expires. */
  familyId: string | null
  clientId: string
  subject: string
  scopes: readonly string[]
  permissions?: readonly string[]
  gty?: string | string[]
  authentication?: Authentication | null
  /** The thumbprint of the key that it is bound to (RFC 9449 6). */
  jkt?: string | undefined
  /** Who acts for the subject (RFC 8693 4.1). */
  actor?: DelegatedActor
  /** /authorize returns it in a URL, so it has the shorter lifetime. */
  toBrowser?: boolean
  /** Claims of a JWT, which the custom ones cannot replace. */
  organization?: OrganizationClaims
  /** Extra claims of a JWT; an opaque token carries none. */
  custom?: CustomClaims
}

type Deps = {
  issuer: string
  /** The issuers of the tenant's other addresses, whose tokens are valid here where their audience is. */
  otherIssuers?: readonly string[]
  baseUrl: string
  keyring: Keyring
  vault: Vault
  random: Random
  now: Date
}

export type IssuedAccessToken = { token: string; expiresIn: number }

export const issueAccessToken = (
  about: AccessTokenSubject,
  api: Api | null,
  deps: Deps,
): IssuedAccessToken | Promise<IssuedAccessToken> =>
  api === null ? sealToken(about, deps) : signToken(about, api, deps)

/** The lifetime of the token; without an API it is that of an opaque one. */
export function accessTokenSeconds(about: AccessTokenSubject, api: Api | null, now: Date): number {
  if (api === null)
    return secondsLeft(about.authentication, about.toBrowser ? OPAQUE_BROWSER_SECONDS : OPAQUE_SECONDS, now)
  const { token_lifetime, token_lifetime_for_web } = api.settings
  const ownSeconds =
    about.familyId === null ? token_lifetime : Math.min(token_lifetime, api.personal?.tokenSeconds ?? token_lifetime)
  return secondsLeft(
    about.authentication,
    about.toBrowser ? Math.min(ownSeconds, token_lifetime_for_web) : ownSeconds,
    now,
  )
}

async function signToken(about: AccessTokenSubject, api: Api, deps: Deps): Promise<IssuedAccessToken> {
  const expiresIn = accessTokenSeconds(about, api, deps.now)
  const claims = accessTokenClaims(about, api, expiresIn, deps)
  return {
    token: await signJwt(claims, isRfc9068(api) ? 'at+jwt' : 'JWT', deps.keyring, api.settings.signing_alg),
    expiresIn,
  }
}

const isRfc9068 = (api: Api): boolean => api.settings.token_dialect.startsWith('rfc9068_profile')

/** The payload by format. `jti` starts with the family id, so that our own endpoints can look the family up. */
export function accessTokenClaims(
  about: AccessTokenSubject,
  api: Api,
  lifetime: number,
  deps: Pick<Deps, 'issuer' | 'baseUrl' | 'random' | 'now'>,
): JWTPayload {
  const iat = epochSeconds(deps.now)
  const claims: JWTPayload = {
    ...about.custom,
    iss: deps.issuer,
    sub: about.subject,
    aud: opensUserinfo(about) ? [api.identifier, userinfoAudience(deps.baseUrl)] : api.identifier,
    iat,
    exp: iat + lifetime,
    jti: about.familyId === null ? deps.random.token(18) : `${about.familyId}.${deps.random.token(9)}`,
  }
  Object.assign(claims, about.organization)
  if (about.scopes.length > 0) claims.scope = about.scopes.join(' ')
  if (about.permissions !== undefined) claims.permissions = about.permissions
  if (about.jkt !== undefined) claims.cnf = { jkt: about.jkt }
  if (about.actor) claims.act = about.actor
  if (isRfc9068(api)) return Object.assign(claims, { client_id: about.clientId }, authenticationOf(about))
  claims.azp = about.clientId
  if (about.gty !== undefined) claims.gty = about.gty
  return claims
}

const opensUserinfo = ({ familyId, scopes }: AccessTokenSubject): boolean =>
  familyId !== null && scopes.includes('openid')

/** RFC 9068 2.2.1: authentication time and methods. */
function authenticationOf({ authentication }: AccessTokenSubject): JWTPayload {
  if (!authentication) return {}
  const { time, methods } = authentication
  return { auth_time: time, amr: amrOf(methods), ...contextClaims(authentication) }
}

export const userinfoAudience = (baseUrl: string): string => `${baseUrl}/userinfo`

type Sealed = [familyId: string | null, clientId: string, subject: string, scope: string, exp: number, jkt?: string]

function sealToken(about: AccessTokenSubject, deps: Deps): IssuedAccessToken {
  const expiresIn = accessTokenSeconds(about, null, deps.now)
  const sealed: Sealed = [
    about.familyId,
    about.clientId,
    about.subject,
    about.scopes.join(' '),
    epochSeconds(deps.now) + expiresIn,
  ]
  if (about.jkt !== undefined) sealed.push(about.jkt)
  const token = PREFIX + deps.vault.sealText(PURPOSE, JSON.stringify(sealed), deps.random)
  return { token, expiresIn }
}

export type PresentedToken = { familyId: string; clientId: string; subject: string; scopes: string[] }

/** A token of a request, and the thumbprint of the key that the request proves. */
export type Presentation = { token: string; jkt: string | undefined }

/**
 * Reads a token for our own endpoint with that audience; throws `invalid_token`. `anyAddress` is for an audience that all addresses of the
 * tenant share. Any other belongs to one address: at another, an API may have been registered under its name (threat-model.md CD4).
 */
export async function readAccessToken(
  presented: Presentation,
  { audience, anyAddress = false }: { audience: string; anyAddress?: boolean | undefined },
  deps: Deps,
): Promise<PresentedToken> {
  const { familyId, clientId, subject, scopes, claims } = await openAccessToken(
    presented,
    anyAddress ? deps : { ...deps, otherIssuers: [] },
  )
  if (familyId === null || !audiencesOf(claims).includes(audience))
    throw invalidToken('Invalid token', { reason: 'token_of_another_kind' })
  return { familyId, clientId, subject, scopes }
}

export type InspectedToken = Omit<PresentedToken, 'familyId'> & {
  familyId: string | null
  /** The payload of a JWT, or its equivalent for an opaque token. */
  claims: JWTPayload
}

/**
 * Reads a token for any audience, as its sender may use it: a bound token with a proof by its key, any other without proof. Throws
 * `invalid_token`.
 */
export async function openAccessToken({ token, jkt }: Presentation, deps: Deps): Promise<InspectedToken> {
  const inspected = await inspectAccessToken(token, deps)
  const bound = boundKey(inspected.claims)
  if (bound !== jkt)
    throw invalidToken(bound === undefined ? 'The token is not bound to a key' : UNPROVEN, { reason: 'key_unproven' })
  return inspected
}

const UNPROVEN = 'The token is bound to a key that the request does not prove'

/** The thumbprint of the key that a token is bound to (RFC 9449 6.1). */
export const boundKey = ({ cnf }: JWTPayload): string | undefined => (cnf as { jkt?: string } | undefined)?.jkt

/** Reads a token without using it, so a bound token needs no proof. Throws `invalid_token`. */
export const inspectAccessToken = async (token: string, deps: Deps): Promise<InspectedToken> =>
  token.startsWith(PREFIX) ? openToken(token, deps) : verifyToken(token, deps)

export const audiencesOf = ({ aud }: JWTPayload): string[] => [aud ?? []].flat()

function openToken(token: string, deps: Deps): InspectedToken {
  const plain = deps.vault.openText(PURPOSE, token.slice(PREFIX.length))
  if (!plain) throw invalidToken('Invalid token')
  const [familyId, clientId, subject, scope, exp, jkt] = JSON.parse(plain) as Sealed
  if (exp <= epochSeconds(deps.now)) throw invalidToken('The token has expired', { reason: 'token_expired' })
  const claims: JWTPayload = { iss: deps.issuer, sub: subject, aud: userinfoAudience(deps.baseUrl), exp }
  if (jkt !== undefined) claims.cnf = { jkt }
  return { familyId, clientId, subject, scopes: words(scope), claims }
}

/** Tells access tokens from ID tokens, which have neither `client_id` nor `jti`. */
async function verifyToken(token: string, deps: Deps): Promise<InspectedToken> {
  const issuer = [deps.issuer, ...(deps.otherIssuers ?? [])]
  const accept: Acceptance = { issuer, types: ['JWT', 'at+jwt'], now: deps.now }
  const claims = await verifyJwt(token, accept, deps.keyring)
  const clientId = claims.azp ?? claims.client_id
  if (typeof clientId !== 'string' || claims.jti === undefined || claims.sub === undefined) {
    throw invalidToken('Invalid token', { reason: 'token_of_another_kind' })
  }
  const [familyId = ''] = claims.jti.split('.')
  const scopes = words(typeof claims.scope === 'string' ? claims.scope : '')
  return { familyId: UUID.test(familyId) ? familyId : null, clientId, subject: claims.sub, scopes, claims }
}

const words = (scope: string): string[] => scope.split(' ').filter((word) => word !== '')

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
