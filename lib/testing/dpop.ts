// Keys of DPoP senders, and proofs by them: valid except for what a test overrides.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose'
import { epochSeconds } from '../kernel/clock'

export type DpopKey = { privateKey: KeyObject; jwk: JWK; jkt: string; alg: string }

export async function makeDpopKey(alg: 'ES256' | 'EdDSA' | 'RS256' = 'ES256'): Promise<DpopKey> {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' }) as JWK
  return { privateKey, jwk, jkt: await calculateJwkThumbprint(jwk), alg }
}

export type ProofOptions = {
  now: Date
  method?: string
  url?: string
  /** The access token beside it. */
  token?: string
  nonce?: string
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
}

let made = 0

/** Members that are undefined in `claims` are omitted. */
export function proofBy(
  { privateKey, jwk, alg }: DpopKey,
  { now, method = 'POST', url = 'https://id.test/oauth/token', token, nonce, claims = {}, header = {} }: ProofOptions,
): Promise<string> {
  made += 1
  const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url')
  const all = { jti: `proof-${made}`, htm: method, htu: url, iat: epochSeconds(now), ath, nonce, ...claims }
  return new SignJWT(JSON.parse(JSON.stringify(all)))
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header })
    .sign(privateKey)
}
