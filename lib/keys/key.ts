// Creates a signing key: RSA-2048 (TK3) with a self-signed certificate for the same key, which JWKS `x5c` and SAML need.
// The private key leaves this file only sealed.
import { createHash, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Clock } from '../kernel/clock'
import { addSeconds } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'

const CERTIFICATE_LIFETIME = 5000 * 86400

export type PublicJwk = {
  kty: 'RSA'
  use: 'sig'
  alg: 'RS256'
  kid: string
  n: string
  e: string
  x5t: string
  x5c: [string]
}

/** A stored key. Its state follows from its dates; there is no state column. */
export type SigningKeyRecord = {
  kid: string
  publicJwk: PublicJwk
  sealedPrivate: Uint8Array
  /** PEM. */
  certificate: string
  createdAt: Date
  activatedAt: Date | null
  retiredAt: Date | null
  revokedAt: Date | null
}

export const SEALED_FOR = 'signing-key'

export async function makeSigningKey(
  host: string,
  deps: { clock: Clock; random: Random; vault: Vault },
): Promise<SigningKeyRecord> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const now = deps.clock.now()
  const kid = deps.random.token(16)
  const certificate = await selfSign(host, publicKey, privateKey, now, deps.random)
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const x5t = createHash('sha1').update(Buffer.from(certificate.base64, 'base64')).digest('base64url')
  return {
    kid,
    publicJwk: { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e, x5t, x5c: [certificate.base64] },
    sealedPrivate: deps.vault.seal(SEALED_FOR, privateKey.export({ format: 'der', type: 'pkcs8' }), deps.random),
    certificate: certificate.pem,
    createdAt: now,
    activatedAt: null,
    retiredAt: null,
    revokedAt: null,
  }
}

async function selfSign(host: string, publicKey: KeyObject, privateKey: KeyObject, now: Date, random: Random) {
  // Loaded when a key is created, once in months, so no start pays for it. Its parser needs the metadata polyfill first.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The first bit stays clear: a serial number is a positive integer (RFC 5280 4.1.2.2).
    serialNumber: `0${random.hex(31)}`,
    name: [{ CN: [host] }],
    notBefore: now,
    notAfter: addSeconds(now, CERTIFICATE_LIFETIME),
    signingAlgorithm: algorithm,
    keys: {
      publicKey: await crypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
      privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
    },
  })
  return { pem: certificate.toString('pem'), base64: Buffer.from(certificate.rawData).toString('base64') }
}
