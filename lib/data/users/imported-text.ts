// The text forms of other systems' hashes: hex, base64 with either alphabet, RFC 2307 (LDAP) and PHC strings.
// A malformed text gives null, never a best effort: a misread hash locks its user out.
import { type DigestName, digestLength, isDigestName } from './imported-digest'

export const TEXT_ENCODINGS = ['base64', 'hex', 'utf8'] as const
export type TextEncoding = (typeof TEXT_ENCODINGS)[number]

export function decodeText(value: string, encoding: TextEncoding): Buffer | null {
  if (encoding === 'utf8') return Buffer.from(value, 'utf8')
  if (encoding === 'hex') return /^([0-9a-f]{2})+$/i.test(value) ? Buffer.from(value, 'hex') : null
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : null
}

type LdapHash = { scheme: DigestName; digest: Buffer; salt: Buffer }

/** `{SSHA256}base64(digest + salt)`; a scheme without the leading S has no salt. */
export function parseLdap(text: string): LdapHash | null {
  const [, salted = '', name = '', encoded = ''] =
    /^\{(S?)(MD5|SHA(?:-?(?:1|224|256|384|512))?)\}(.+)$/i.exec(text) ?? []
  const scheme = name.toLowerCase().replace('-', '').replace(/^sha$/, 'sha1')
  const bytes = decodeText(encoded, 'base64')
  if (!isDigestName(scheme) || !bytes) return null
  const length = digestLength(scheme)
  if (salted === '' ? bytes.length !== length : bytes.length <= length) return null
  return { scheme, digest: bytes.subarray(0, length), salt: bytes.subarray(length) }
}

type Pbkdf2Hash = { digest: DigestName; iterations: number; salt: string; hash: string }

const PBKDF2 = /^\$pbkdf2-([A-Za-z0-9-]+)\$(?:([a-z]=\d+(?:,[a-z]=\d+)*)\$)?([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** `$pbkdf2-sha512$i=100000,l=64$salt$hash`; `i` and `l` have the vendor's defaults. */
export function parsePbkdf2(text: string): Pbkdf2Hash | null {
  const [, name = '', parameters = '', salt = '', hash = ''] = PBKDF2.exec(text) ?? []
  const digest = plainDigestName(name)
  const given = new Map(
    parameters.split(',').map((pair): [string, number] => [pair.slice(0, 1), Number(pair.slice(2))]),
  )
  if (!digest || Buffer.from(hash, 'base64').length !== (given.get('l') ?? 64)) return null
  return { digest, iterations: given.get('i') ?? 100_000, salt, hash }
}

/** OpenSSL has several names for one digest: `RSA-SHA256`, `sha256WithRSAEncryption`, `ssl3-sha1`, `rmd160`. */
function plainDigestName(name: string): DigestName | null {
  const plain = name
    .toLowerCase()
    .replace(/^(rsa|ssl3)-/, '')
    .replace(/withrsa(encryption)?$/, '')
    .replace(/^sha1-2$/, 'sha1')
    .replace(/^(rmd160|ripemd)$/, 'ripemd160')
  return isDigestName(plain) ? plain : null
}
