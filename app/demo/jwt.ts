// Reads and verifies JSON Web Tokens in the browser. An app reads ID tokens. An access token is for the API only, and is decoded
// here for display.

export type TokenClaims = Record<string, unknown>
export type DecodedToken = {
  header: TokenClaims
  payload: TokenClaims
  parts: [header: string, payload: string, signature: string]
}

/** Null for an opaque token. */
export function decodeToken(token: string): DecodedToken | null {
  const [header, payload, signature, ...rest] = token.split('.')
  if (!header || !payload || !signature || rest.length > 0) return null
  try {
    return { header: readPart(header), payload: readPart(payload), parts: [header, payload, signature] }
  } catch {
    return null
  }
}

/** Whether the token is signed by one of the published keys. */
export async function isSignedBy(keys: JsonWebKey[], { header, parts }: DecodedToken): Promise<boolean> {
  const key = keys.find((candidate) => Reflect.get(candidate, 'kid') === header.kid)
  if (!key || header.alg !== 'RS256') return false
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('jwk', key, algorithm, false, ['verify'])
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`)
  return crypto.subtle.verify(algorithm, imported, bytesOf(parts[2]), signed)
}

export type ExpectedIdToken = { issuer: string; audience: string; nonce?: string | undefined; now: number }

/** The checks of an ID token that an app must make (OpenID Connect Core 3.1.3.7); null when all hold. */
export function problemWith(
  { payload }: DecodedToken,
  { issuer, audience, nonce, now }: ExpectedIdToken,
): string | null {
  const audiences = [payload.aud].flat()
  if (payload.iss !== issuer) return 'it comes from another issuer'
  if (!audiences.includes(audience)) return 'it was made for another app'
  if (nonce !== undefined && payload.nonce !== nonce) return 'it answers another request'
  if (typeof payload.exp !== 'number' || payload.exp < now - LEEWAY_SECONDS) return 'it has expired'
  return null
}

/** Tolerance for clock differences. */
const LEEWAY_SECONDS = 60

function readPart(part: string): TokenClaims {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)))
  if (typeof value !== 'object' || value === null) throw new Error('not a JSON object')
  return value as TokenClaims
}

function bytesOf(part: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}
