// The algorithms of XML signatures that are written and believed; everything else, HMAC first, is refused (SP2).
// SHA-1 is written where an operator's setting says so, for partners that know nothing else, and never believed.
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
