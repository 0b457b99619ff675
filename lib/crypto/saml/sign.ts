// Writes signatures inside XML (XML Signature 1.0, SAML Core 5.4): enveloped, exclusive canonicalization, RSA over the element
// by its ID, at the position that the schema requires, with the certificate. The RSA operation runs off the event loop.
import { type BinaryLike, type KeyLike, type KeyObject, sign } from 'node:crypto'
import type { ErrorFirstCallback, SignatureAlgorithm } from 'xml-crypto'
import { lazy } from '../../kernel/lazy'
import { DIGEST_METHOD, SIGNATURE_METHOD, type SignatureHash } from './algorithms'
import { ENVELOPED, EXCLUSIVE_C14N } from './names'

export type XmlSigningKey = {
  privateKey: KeyObject
  /** Base64 of the DER. */
  certificate: string
}

export type SigningOptions = { signature: SignatureHash; digest: SignatureHash }

/** SAML 2.0 has the signature after the Issuer, SAML 1.1 at the end. */
const PLACES = {
  'after-issuer': { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
  last: { reference: '/*', action: 'append' },
} as const

const writer = lazy(() => import('./signed-xml'))

export async function signXml(
  xml: string,
  { privateKey, certificate }: XmlSigningKey,
  options: SigningOptions,
  place: keyof typeof PLACES = 'after-issuer',
): Promise<string> {
  const { SignedXml } = await writer()
  const method = SIGNATURE_METHOD[options.signature]
  const signed = new SignedXml({
    privateKey,
    // The ID attribute of SAML 1.1, which xml-crypto looks for before those of 2.0.
    idAttribute: 'AssertionID',
    signatureAlgorithm: method,
    canonicalizationAlgorithm: EXCLUSIVE_C14N,
    getKeyInfoContent: () => `<ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>`,
  })
  signed.SignatureAlgorithms = { [method]: signerWith(options.signature, privateKey) }
  const transforms = [ENVELOPED, EXCLUSIVE_C14N]
  signed.addReference({ xpath: '/*', transforms, digestAlgorithm: DIGEST_METHOD[options.digest] })
  return new Promise((resolve, reject) => {
    signed.computeSignature(xml, { prefix: 'ds', location: PLACES[place] }, (error) => {
      if (error) reject(error)
      else resolve(signed.getSignedXml())
    })
  })
}

/** RSASSA-PKCS1-v1_5 is the default padding of `sign` for RSA keys. */
const signerWith = (hash: SignatureHash, key: KeyObject) =>
  class implements SignatureAlgorithm {
    getSignature(info: BinaryLike, key: KeyLike): string
    getSignature(info: BinaryLike, key: KeyLike, done?: ErrorFirstCallback<string>): void
    getSignature(info: BinaryLike, _key: KeyLike, done?: ErrorFirstCallback<string>): string | undefined {
      if (!done) throw new Error('signing must not wait')
      sign(hash, Buffer.from(String(info)), key, (error, value) => done(error, value?.toString('base64')))
      return undefined
    }
    verifySignature(): boolean {
      return false
    }
    getAlgorithmName = (): string => SIGNATURE_METHOD[hash]
  }
