// Keys and certificates as partners and operators hand them over: PEM of a certificate or of a public key, or the base64 of
// a certificate as metadata carries it.
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

/** Null for what is neither. */
export function publicKeyOf(text: string): KeyObject | null {
  try {
    const key = createPublicKey(text.includes('-----BEGIN PUBLIC KEY') ? text : pemOf(text))
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

/** Base64 of the DER; null for what is no certificate with an RSA key. */
export function certificateOf(text: string): string | null {
  try {
    const certificate = new X509Certificate(pemOf(text))
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate.raw.toString('base64') : null
  } catch {
    return null
  }
}

/** Every certificate in a text of PEM, of base64 of PEM, or of base64 of DER: base64 of each DER. */
export function certificatesOf(text: string): string[] {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1')
  const found = plain.includes('-----BEGIN') ? plain.split(/(?=-----BEGIN CERTIFICATE)/) : [text]
  return found.map(certificateOf).filter((certificate) => certificate !== null)
}

/** Lines of 64 characters, whatever they were: some exports have them in one. */
export function pemOf(text: string): string {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\\n|\s/g, '')
  const lines = base64.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
