// The signature algorithms for XML that are written and accepted; all others, HMAC first, are refused (SP2). SHA-1 is written
// where an operator's setting requests it, for partners that support nothing else, and never accepted.
import { constants, type KeyObject, verify } from 'node:crypto'
import { NS } from './names'

export type SignatureHash = 'sha1' | 'sha256' | 'sha512'

export const SIGNATURE_METHOD: Readonly<Record<SignatureHash, string>> = {
  sha1: `${NS.signature}rsa-sha1`,
  sha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  sha512: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
}

export const DIGEST_METHOD: Readonly<Record<SignatureHash, string>> = {
  sha1: `${NS.signature}sha1`,
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#'

const HASHES = ['sha256', 'sha384', 'sha512'] as const

export type SignatureVerifier = (signed: string, signature: Buffer, keys: readonly KeyObject[]) => boolean

type Kind = { type: 'rsa' | 'ec'; options: { padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' } }

const verifier =
  (hash: string, { type, options }: Kind): SignatureVerifier =>
  (signed, signature, keys) =>
    keys.some(
      (key) => key.asymmetricKeyType === type && verify(hash, Buffer.from(signed), { key, ...options }, signature),
    )

const RSA: Kind = { type: 'rsa', options: { padding: constants.RSA_PKCS1_PADDING } }
/** The salt is as long as the hash (RFC 9231 2.3.10). */
const RSA_PSS: Kind = {
  type: 'rsa',
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
}
/** Two numbers of the same length (RFC 9231 2.3.6). */
const ECDSA: Kind = { type: 'ec', options: { dsaEncoding: 'ieee-p1363' } }

const VERIFIERS: ReadonlyMap<string, SignatureVerifier> = new Map(
  HASHES.flatMap((hash): [string, SignatureVerifier][] => [
    [`${MORE}rsa-${hash}`, verifier(hash, RSA)],
    [`${MORE}ecdsa-${hash}`, verifier(hash, ECDSA)],
    [`${PSS}${hash}-rsa-MGF1`, verifier(hash, RSA_PSS)],
  ]),
)

/** Undefined for an algorithm that is not accepted. */
export const verifierOf = (method: string | null): SignatureVerifier | undefined => VERIFIERS.get(method ?? '')

/** The accepted digests: URI → hash. */
export const DIGESTS: ReadonlyMap<string, string> = new Map([
  [DIGEST_METHOD.sha256, 'sha256'],
  [`${MORE}sha384`, 'sha384'],
  [DIGEST_METHOD.sha512, 'sha512'],
])
