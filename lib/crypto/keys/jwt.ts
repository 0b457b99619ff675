// The only signer and verifier of our JWTs (RFC 7519, RFC 8725).
// - With our own keys only: `jwk`, `jku` and `x5u` in a header never choose a key, `kid` selects among our keys, and the algorithm is
//   that of the key. A header with another `alg` is refused (RFC 8725 3.1).
// - node:crypto signs, off the event loop; jose verifies, because that input is untrusted.
// - Callers name the token type, issuer and audience they accept; a token of another kind is invalid.
import { sign } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { invalidToken } from '../../kernel/errors'
import { ALGORITHMS, DEFAULT_ALGORITHM, SIGNING_ALGORITHMS, type SigningAlgorithm } from './algorithms'
import type { Keyring, SigningKey } from './keyring'

/** `JWT` for ID tokens and the vendor's access tokens, `at+jwt` for RFC 9068, `logout+jwt` for logout tokens. */
export type TokenType = 'JWT' | 'at+jwt' | 'logout+jwt'

/** The first signature of a tenant by an algorithm makes its keys, and takes about a second. */
export async function signJwt(
  claims: JWTPayload,
  type: TokenType,
  keyring: Pick<Keyring, 'signing' | 'begin'>,
  algorithm: SigningAlgorithm = DEFAULT_ALGORITHM,
): Promise<string> {
  const key = keyring.signing[algorithm] ?? (await keyring.begin(algorithm))
  const input = `${headerOf(type, key)}.${encode(claims)}`
  return `${input}.${await signature(input, key)}`
}

const headers = new WeakMap<SigningKey, Map<TokenType, string>>()

/** Computed once per key. */
function headerOf(type: TokenType, key: SigningKey): string {
  const known = headers.get(key) ?? new Map<TokenType, string>()
  headers.set(key, known)
  const header = known.get(type) ?? encode({ alg: key.algorithm, typ: type, kid: key.kid })
  known.set(type, header)
  return header
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signature = (input: string, { algorithm, privateKey: key }: SigningKey): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(input), { key, ...ALGORITHMS[algorithm].signing }, (error, made) => {
      if (error) reject(error)
      else resolve(made.toString('base64url'))
    })
  })

export type Acceptance = {
  /** One of several where a list. */
  issuer: string | string[]
  types: TokenType[]
  audience?: string
  now: Date
  /** An `id_token_hint` may have expired (OIDC Core 3.1.2.1). */
  ignoreExpiry?: boolean
}

/** The claims of one of our tokens; throws `invalid_token`. */
export async function verifyJwt(token: string, accept: Acceptance, keyring: Keyring): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => keyFor(header.kid, keyring), {
      algorithms: [...SIGNING_ALGORITHMS],
      issuer: accept.issuer,
      ...(accept.audience === undefined ? {} : { audience: accept.audience }),
      currentDate: accept.ignoreExpiry ? new Date(0) : accept.now,
      requiredClaims: ['exp', 'iat'],
    })
    if (!accept.types.includes(protectedHeader.typ as TokenType))
      throw invalidToken('The token is of another kind', { reason: 'token_of_another_kind' })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidToken('The token has expired', { reason: 'token_expired' })
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw invalidToken('Invalid token', { detail: error.message })
    throw error
  }
}

function keyFor(kid: string | undefined, keyring: Keyring): CryptoKey {
  const key = keyring.verifying.get(kid ?? '')
  if (!key) throw invalidToken('Invalid token', { detail: 'unknown kid' })
  return key
}
