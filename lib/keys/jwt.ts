// The only signer and verifier of JWTs (RFC 7519, RFC 8725).
// - RS256 by our own keys and nothing else: the header's `alg`, `jwk`, `jku`, `x5u` never choose a key, `kid` only
//   picks among ours.
// - Callers name the token type, issuer and audience they accept; a token of another kind is not a token.
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { invalidToken } from '../kernel/errors'
import type { Keyring } from './keyring'

/** `JWT` for ID tokens and the vendor's access tokens, `at+jwt` for RFC 9068, `logout+jwt` for logout tokens. */
export type TokenType = 'JWT' | 'at+jwt' | 'logout+jwt'

export const signJwt = (claims: JWTPayload, type: TokenType, keyring: Keyring): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: type, kid: keyring.current.kid })
    .sign(keyring.current.privateKey)

export type Acceptance = {
  issuer: string
  types: TokenType[]
  audience?: string
  now: Date
  /** An `id_token_hint` may have expired (OIDC Core 3.1.2.1). */
  ignoreExpiry?: boolean
}

/** The claims of a token of ours; throws `invalid_token`. */
export async function verifyJwt(token: string, accept: Acceptance, keyring: Keyring): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => keyFor(header.kid, keyring), {
      algorithms: ['RS256'],
      issuer: accept.issuer,
      ...(accept.audience === undefined ? {} : { audience: accept.audience }),
      currentDate: accept.ignoreExpiry ? new Date(0) : accept.now,
      requiredClaims: ['exp', 'iat'],
    })
    if (!accept.types.includes(protectedHeader.typ as TokenType)) throw invalidToken('The token is of another kind')
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidToken('The token has expired')
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw invalidToken('Invalid token', error.message)
    throw error
  }
}

function keyFor(kid: string | undefined, keyring: Keyring): CryptoKey {
  const key = keyring.verifying.get(kid ?? '')
  if (!key) throw invalidToken('Invalid token', 'unknown kid')
  return key
}
