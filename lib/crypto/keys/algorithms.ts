// The algorithms of JWTs (RFC 7518 3.1): ours with the keys of each, and those that clients sign by.
// - RS256 signs wherever nothing else is configured, and SAML and WS-Federation always use its keys.
// - EdDSA is not offered for our tokens: OpenID Connect Core does not define the hash of `at_hash` and `c_hash` for it.
import { constants, generateKeyPair, type KeyObject, type SignKeyObjectInput } from 'node:crypto'
import { promisify } from 'node:util'
import * as z from 'zod'

export const SIGNING_ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

/** Those of clients: their assertions and request objects. */
export const CLIENT_JWT_ALGORITHMS = ['RS256', 'RS384', 'PS256'] as const

/** Those of identity providers: asymmetric ones only, because their keys are public. */
export const PROVIDER_JWT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

/** Those of DPoP proofs (RFC 9449): asymmetric ones only. */
export const DPOP_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'PS256', 'RS256'] as const

/** Of keys of others, in bits: larger ones take too long to verify a signature with. */
export const LARGEST_MODULUS = 8192

export const DEFAULT_ALGORITHM = 'RS256' satisfies SigningAlgorithm

export const signingAlgorithm = z.enum(SIGNING_ALGORITHMS, `must be ${SIGNING_ALGORITHMS.join(', ')}`)

type KeyPair = { publicKey: KeyObject; privateKey: KeyObject }
type Algorithm = {
  generate(): Promise<KeyPair>
  /** How node:crypto signs with SHA-256. */
  signing: Omit<SignKeyObjectInput, 'key'>
  /** The Web Crypto algorithm of a public key. jose refuses a key whose algorithm is not that of the token's header. */
  verifying: RsaHashedImportParams | EcKeyImportParams
  /** What signs the certificate of the key. */
  certificate: RsaHashedImportParams | (EcKeyImportParams & EcdsaParams)
}

/** threat-model.md TK3. */
const rsa = (): Promise<KeyPair> => promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
const ec = (): Promise<KeyPair> => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })

const RSASSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' }

export const ALGORITHMS: Readonly<Record<SigningAlgorithm, Algorithm>> = {
  RS256: { generate: rsa, signing: {}, verifying: RSASSA, certificate: RSASSA },
  // The salt is as long as the hash (RFC 7518 3.5).
  PS256: {
    generate: rsa,
    signing: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    verifying: { name: 'RSA-PSS', hash: 'SHA-256' },
    certificate: RSASSA,
  },
  // Two numbers of 32 bytes (RFC 7518 3.4).
  ES256: {
    generate: ec,
    signing: { dsaEncoding: 'ieee-p1363' },
    verifying: ECDSA,
    certificate: { ...ECDSA, hash: 'SHA-256' },
  },
}
