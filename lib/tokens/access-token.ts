// Access tokens. For a registered API: a JWT in the dialect that the API's record names (the vendor's, or RFC 9068).
// Without one: opaque, for /userinfo alone; sealed rather than stored, so issuing it costs no write and reading it no
// look-up beyond its family, which is where revocation bites (threat-model.md D5).
import type { JWTPayload } from 'jose'
import type { Api } from '../apis/api'
import { epochSeconds } from '../kernel/clock'
import { invalidToken } from '../kernel/errors'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { signJwt, verifyJwt } from '../keys/jwt'
import type { Keyring } from '../keys/keyring'

export const OPAQUE_SECONDS = 86400

const PURPOSE = 'access-token'
const PREFIX = 'at1.'

export type AccessTokenSubject = {
  familyId: string
  clientId: string
  subject: string
  scopes: readonly string[]
  gty?: string | string[]
}

type Deps = { issuer: string; baseUrl: string; keyring: Keyring; vault: Vault; random: Random; now: Date }

export type IssuedAccessToken = { token: string; expiresIn: number }

export const issueAccessToken = (about: AccessTokenSubject, api: Api | null, deps: Deps): Promise<IssuedAccessToken> =>
  api === null ? Promise.resolve(sealToken(about, deps)) : signToken(about, api, deps)

async function signToken(about: AccessTokenSubject, api: Api, deps: Deps): Promise<IssuedAccessToken> {
  const expiresIn = api.settings.token_lifetime
  const rfc = api.settings.token_dialect === 'rfc9068_profile'
  const claims = accessTokenClaims(about, api, expiresIn, deps)
  return { token: await signJwt(claims, rfc ? 'at+jwt' : 'JWT', deps.keyring), expiresIn }
}

/** The payload, by dialect. `jti` begins with the family, so that our own endpoints can look it up. */
export function accessTokenClaims(about: AccessTokenSubject, api: Api, lifetime: number, deps: Deps): JWTPayload {
  const iat = epochSeconds(deps.now)
  const common = {
    iss: deps.issuer,
    sub: about.subject,
    aud: about.scopes.includes('openid') ? [api.identifier, userinfoAudience(deps.baseUrl)] : api.identifier,
    iat,
    exp: iat + lifetime,
    jti: `${about.familyId}.${deps.random.token(9)}`,
    ...(about.scopes.length > 0 ? { scope: about.scopes.join(' ') } : {}),
  }
  if (api.settings.token_dialect === 'rfc9068_profile') return { ...common, client_id: about.clientId }
  return { ...common, azp: about.clientId, ...(about.gty === undefined ? {} : { gty: about.gty }) }
}

export const userinfoAudience = (baseUrl: string): string => `${baseUrl}/userinfo`

type Sealed = [familyId: string, clientId: string, subject: string, scope: string, exp: number]

function sealToken(about: AccessTokenSubject, deps: Deps): IssuedAccessToken {
  const sealed: Sealed = [
    about.familyId,
    about.clientId,
    about.subject,
    about.scopes.join(' '),
    epochSeconds(deps.now) + OPAQUE_SECONDS,
  ]
  const token = PREFIX + deps.vault.seal(PURPOSE, JSON.stringify(sealed), deps.random).toString('base64url')
  return { token, expiresIn: OPAQUE_SECONDS }
}

export type PresentedToken = { familyId: string; clientId: string; subject: string; scopes: string[] }

/** Reads a token presented at one of our own endpoints whose audience is `audience`; throws `invalid_token`. */
export async function readAccessToken(token: string, audience: string, deps: Deps): Promise<PresentedToken> {
  return token.startsWith(PREFIX) ? openToken(token, audience, deps) : verifyToken(token, audience, deps)
}

function openToken(token: string, audience: string, deps: Deps): PresentedToken {
  const plain = deps.vault.open(PURPOSE, Buffer.from(token.slice(PREFIX.length), 'base64url'))
  if (!plain || audience !== userinfoAudience(deps.baseUrl)) throw invalidToken('Invalid token')
  const [familyId, clientId, subject, scope, exp] = JSON.parse(plain.toString()) as Sealed
  if (exp <= epochSeconds(deps.now)) throw invalidToken('The token has expired')
  return { familyId, clientId, subject, scopes: scope.split(' ') }
}

async function verifyToken(token: string, audience: string, deps: Deps): Promise<PresentedToken> {
  const claims = await verifyJwt(
    token,
    { issuer: deps.issuer, types: ['JWT', 'at+jwt'], audience, now: deps.now },
    deps.keyring,
  )
  const familyId = claims.jti?.split('.')[0]
  const clientId = claims.azp ?? claims.client_id
  if (!familyId || !UUID.test(familyId) || typeof clientId !== 'string' || typeof claims.scope !== 'string') {
    throw invalidToken('Invalid token')
  }
  return { familyId, clientId, subject: claims.sub ?? '', scopes: claims.scope.split(' ') }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
