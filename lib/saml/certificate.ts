// Keys and certificates in the forms that partners and operators provide: PEM of a certificate or of a public key, or the base64
// of a certificate, as in metadata.
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

/** Null for text that is neither, and for a key that is not RSA. */
export function publicKeyOf(text: string): KeyObject | null {
  try {
    const key = createPublicKey(text.includes('-----BEGIN PUBLIC KEY') ? text : pemOf(text))
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

/** Base64 of the DER; null for text that is not a certificate with an RSA key. */
export function certificateOf(text: string): string | null {
  try {
    const certificate = new X509Certificate(pemOf(text))
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate.raw.toString('base64') : null
  } catch {
    return null
  }
}

/** The certificates in PEM, in base64 of PEM, or in base64 of DER, each as base64 of its DER. */
export function certificatesOf(text: string): string[] {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1')
  const found = plain.includes('-----BEGIN') ? plain.split(/(?=-----BEGIN CERTIFICATE)/) : [text]
  return found.map(certificateOf).filter((certificate) => certificate !== null)
}

/** Normalizes to lines of 64 characters: some exports have a single line. */
export function pemOf(text: string): string {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\\n|\s/g, '')
  const lines = base64.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
