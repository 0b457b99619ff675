// Keys and certificates in the forms that partners and operators provide: PEM of a certificate or of a public key, or the base64
// of a certificate, as in metadata.
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

/** Of keys that sign: what algorithms.ts accepts. */
const SIGNING = ['rsa', 'ec']

/** Null for text that is neither, and for a key that is neither RSA nor of an elliptic curve. */
export function publicKeyOf(text: string): KeyObject | null {
  try {
    const key = createPublicKey(text.includes('-----BEGIN PUBLIC KEY') ? text : pemOf(text))
    return SIGNING.includes(key.asymmetricKeyType ?? '') ? key : null
  } catch {
    return null
  }
}

/** Base64 of the DER; null for text that is not a certificate with an RSA key, which can encrypt. */
export const certificateOf = (text: string): string | null => derOf(text, ['rsa'])

/** The same for a key that signs. */
export const signingCertificateOf = (text: string): string | null => derOf(text, SIGNING)

function derOf(text: string, types: readonly string[]): string | null {
  try {
    const { publicKey, raw } = new X509Certificate(pemOf(text))
    return types.includes(publicKey.asymmetricKeyType ?? '') ? raw.toString('base64') : null
  } catch {
    return null
  }
}

/** The certificates of signing keys in PEM, in base64 of PEM, or in base64 of DER, each as base64 of its DER. */
export function certificatesOf(text: string): string[] {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1')
  const found = plain.includes('-----BEGIN') ? plain.split(/(?=-----BEGIN CERTIFICATE)/) : [text]
  return found.map(signingCertificateOf).filter((certificate) => certificate !== null)
}

/** Normalizes to lines of 64 characters: some exports have a single line. */
export function pemOf(text: string): string {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\\n|\s/g, '')
  const lines = base64.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
