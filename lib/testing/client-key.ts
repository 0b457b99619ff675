// A client's key pair, and assertions signed with it: valid except for the members that a test overrides.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { epochSeconds } from '../kernel/clock'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export type ClientKey = {
  privateKey: KeyObject
  /** The public key in PEM, as an operator enters it. */
  pem: string
  privatePem: string
  jwk: { kty: 'RSA'; n: string; e: string }
}

export function makeClientKey(modulusLength = 2048): ClientKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  return {
    privateKey,
    pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    jwk: { kty: 'RSA', n, e },
  }
}

export const signAs = (
  { privateKey }: Pick<ClientKey, 'privateKey'>,
  claims: JWTPayload,
  header: Record<string, unknown> = {},
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)

let made = 0

/** Members that are undefined in `over` are omitted. */
export function assertionClaims(clientId: string, now: Date, over: Record<string, unknown> = {}): JWTPayload {
  const iat = epochSeconds(now)
  made += 1
  const claims = { iss: clientId, sub: clientId, aud: 'https://id.test/', iat, exp: iat + 60, jti: `jti-${made}` }
  return JSON.parse(JSON.stringify({ ...claims, ...over })) as JWTPayload
}
