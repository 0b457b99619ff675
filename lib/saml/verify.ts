// Verifies signatures inside XML (threat-model.md IP1, SP1, SP2). The result is the element parsed again from the exact bytes
// that were signed; the caller must read nothing else of a signed message.
// - There is one Signature, a child of the element that it signs (the root, or the element that the caller chose), with one
//   SignedInfo and one Reference: to that element, by an ID that is unique in the document.
// - Algorithms and transforms are from a list. The keys are the caller's; keys in the message are ignored.
import { type BinaryLike, type KeyLike, type KeyObject, verify } from 'node:crypto'
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto'
import { believedDigest, believedSignature, SIGNATURE_METHOD, type SignatureHash } from './algorithms'
import { ANSWER, type XmlLimits } from './limits'
import { ENVELOPED, EXCLUSIVE_C14N, NS } from './names'
import { parseXml } from './parse'
import { attributeOf, childOf, childrenOf, elementsOf, isNamed, malformed } from './xml'

/** The root, verified with one of `keys`; null where it has no signature. Throws for a signature that does not verify. */
export const verifiedRoot = (source: string, keys: readonly KeyObject[], limits: XmlLimits = ANSWER): Element | null =>
  verifiedElement(source, (root) => root, keys, limits)

/** The same for another element of the document, such as the assertion of a response. */
export function verifiedElement(
  source: string,
  choose: (root: Element) => Element,
  keys: readonly KeyObject[],
  limits: XmlLimits = ANSWER,
): Element | null {
  const root = parseXml(source, limits)
  const element = choose(root)
  const signature = childOf(element, NS.signature, 'Signature')
  return signature ? parseXml(signedBytes(source, signature, checkShape(element, signature, root), keys)) : null
}

const broken = (): Error => malformed('its signature does not hold')

function signedBytes(source: string, signature: Element, hash: SignatureHash, keys: readonly KeyObject[]): string {
  const check = new SignedXml({
    publicCert: KEYS_ARE_OURS,
    getCertFromKeyInfo: () => null,
    idAttribute: 'AssertionID',
  })
  check.SignatureAlgorithms = { [SIGNATURE_METHOD[hash]]: verifierWith(hash, keys) }
  let contents: string[]
  try {
    check.loadSignature(signature)
    contents = check.checkSignature(source) ? check.getSignedReferences() : []
  } catch {
    throw broken()
  }
  const [content, ...more] = contents
  if (content === undefined || more.length > 0) throw broken()
  return content
}

/** xml-crypto requires a key of its own; the verifier uses the caller's keys only. */
const KEYS_ARE_OURS = 'none'

/** Accepts a signature of the single supported shape only; returns its hash algorithm. */
function checkShape(element: Element, signature: Element, root: Element): SignatureHash {
  const info = only(signature, 'SignedInfo')
  const reference = only(info, 'Reference')
  const hash = believedSignature(algorithmOf(only(info, 'SignatureMethod')))
  const transforms = childrenOf(only(reference, 'Transforms'), NS.signature, 'Transform').map(algorithmOf)
  const holds =
    algorithmOf(only(info, 'CanonicalizationMethod')) === EXCLUSIVE_C14N &&
    believedDigest(algorithmOf(only(reference, 'DigestMethod'))) !== undefined &&
    transforms.join(' ') === `${ENVELOPED} ${EXCLUSIVE_C14N}` &&
    elementsOf(signature).filter((each) => isNamed(each, NS.signature, 'SignedInfo')).length === 1 &&
    refersTo(element, reference, root)
  if (!hash || !holds) throw broken()
  return hash
}

function refersTo(element: Element, reference: Element, root: Element): boolean {
  const id = attributeOf(element, 'ID') ?? attributeOf(element, 'AssertionID')
  return (
    id !== undefined &&
    /^[\w.-]+$/.test(id) &&
    attributeOf(reference, 'URI') === `#${id}` &&
    elementsOf(root).filter((each) => hasId(each, id)).length === 1
  )
}

/** The ID attribute of a SAML 1.1 assertion is AssertionID. */
const IS_ID = /^(?:assertion)?id$/i

const hasId = (element: Element, id: string): boolean =>
  Array.from(element.attributes).some(({ localName, value }) => IS_ID.test(localName ?? '') && value === id)

function only(parent: Element, name: string): Element {
  const child = childOf(parent, NS.signature, name)
  if (!child) throw broken()
  return child
}

const algorithmOf = (element: Element): string => attributeOf(element, 'Algorithm') ?? ''

const verifierWith = (hash: SignatureHash, keys: readonly KeyObject[]) =>
  class implements SignatureAlgorithm {
    getSignature(): string {
      throw new Error('this verifies')
    }
    verifySignature(material: string, key: KeyLike, value: string): boolean
    verifySignature(material: string, key: KeyLike, value: string): void
    verifySignature(material: BinaryLike, _key: KeyLike, value: string): boolean {
      const signed = Buffer.from(String(material))
      const signature = Buffer.from(value, 'base64')
      return keys.some((key) => key.asymmetricKeyType === 'rsa' && verify(hash, signed, key, signature))
    }
    getAlgorithmName = (): string => SIGNATURE_METHOD[hash]
  }
