// Creates a signing key with a self-signed certificate for the same key, which JWKS `x5c` and SAML need. The private key leaves this
// file only sealed.
import { createHash, type KeyObject } from 'node:crypto'
import type { Clock } from '../../kernel/clock'
import { addSeconds } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { ALGORITHMS, type SigningAlgorithm } from './algorithms'

const CERTIFICATE_LIFETIME = 5000 * 86400

export type PublicJwk = {
  use: 'sig'
  alg: SigningAlgorithm
  kid: string
  x5t: string
  x5c: [string]
} & ({ kty: 'RSA'; n: string; e: string } | { kty: 'EC'; crv: string; x: string; y: string })

/** A stored key. Its state follows from its dates; there is no state column. */
export type SigningKeyRecord = {
  kid: string
  algorithm: SigningAlgorithm
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
  algorithm: SigningAlgorithm,
  deps: { clock: Clock; random: Random; vault: Vault },
): Promise<SigningKeyRecord> {
  const { publicKey, privateKey } = await ALGORITHMS[algorithm].generate()
  const now = deps.clock.now()
  const kid = deps.random.token(16)
  const certificate = await selfSign(host, algorithm, { publicKey, privateKey }, now, deps.random)
  const x5t = createHash('sha1').update(Buffer.from(certificate.base64, 'base64')).digest('base64url')
  return {
    kid,
    algorithm,
    publicJwk: {
      ...publicKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: algorithm,
      kid,
      x5t,
      x5c: [certificate.base64],
    } as PublicJwk,
    sealedPrivate: deps.vault.seal(SEALED_FOR, privateKey.export({ format: 'der', type: 'pkcs8' }), deps.random),
    certificate: certificate.pem,
    createdAt: now,
    activatedAt: null,
    retiredAt: null,
    revokedAt: null,
  }
}

async function selfSign(
  host: string,
  of: SigningAlgorithm,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  now: Date,
  random: Random,
) {
  // Loaded when a key is created, once in months, so no start pays for it. Its parser needs the metadata polyfill first.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const { certificate: algorithm } = ALGORITHMS[of]
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
