// The signature algorithms for XML that are written and accepted; all others, HMAC first, are refused (SP2). SHA-1 is written
// where an operator's setting requests it, for partners that support nothing else, and never accepted.
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

const BELIEVED: readonly SignatureHash[] = ['sha256', 'sha512']

const believed =
  (methods: Readonly<Record<SignatureHash, string>>) =>
  (uri: string | null): SignatureHash | undefined =>
    BELIEVED.find((hash) => methods[hash] === uri)

export const believedSignature = believed(SIGNATURE_METHOD)
export const believedDigest = believed(DIGEST_METHOD)
