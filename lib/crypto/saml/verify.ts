// Verifies signatures inside XML (threat-model.md IP1, SP1, SP2). The result is the element parsed again from the exact bytes
// that were signed; the caller must read nothing else of a signed message.
// - There is one Signature, a child of the element that it signs (the root, or the element that the caller chose), with one
//   SignedInfo and one Reference: to that element, by an ID that is unique in the document.
// - Algorithms and transforms are from a list. The keys are the caller's; keys in the message are ignored.
import { type BinaryLike, createHash, type KeyLike, type KeyObject } from 'node:crypto'
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto'
import { DIGESTS, type SignatureVerifier, verifierOf } from './algorithms'
import { ANSWER, type XmlLimits } from './limits'
import { ENVELOPED, EXCLUSIVE_C14N, INCLUSIVE_C14N, NS } from './names'
import { parseXml } from './parse'
import { attributeOf, childOf, childrenOf, elementsOf, isNamed, malformed, quoted, textOf, unfit } from './xml'

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

const broken = (why = ''): Error => malformed(`its signature does not hold${why}`, 'signature_invalid')

/** In a form that cannot be accepted, by any key. */
const notAccepted = (what: string, name: string): Error =>
  unfit(`${what} of its signature, ${quoted(name)}, is not accepted`, 'signature_algorithm')

type Method = { name: string; verify: SignatureVerifier }

function signedBytes(source: string, signature: Element, { name, verify }: Method, keys: readonly KeyObject[]): string {
  const check = new SignedXml({
    publicCert: KEYS_ARE_OURS,
    getCertFromKeyInfo: () => null,
    idAttribute: 'AssertionID',
  })
  let isOfKeys = true
  const verifySigned = (text: string, value: Buffer): boolean => {
    isOfKeys = verify(text, value, keys)
    return isOfKeys
  }
  check.SignatureAlgorithms = { [name]: verifierWith(name, verifySigned) }
  check.HashAlgorithms = Object.fromEntries(Array.from(DIGESTS, ([uri, hash]) => [uri, digestWith(uri, hash)]))
  let contents: string[]
  try {
    check.loadSignature(signature)
    contents = check.checkSignature(source) ? check.getSignedReferences() : []
  } catch {
    throw isOfKeys ? broken() : broken(`: none of the certificates that are known here made it${namedIn(signature)}`)
  }
  const [content, ...more] = contents
  if (content === undefined || more.length > 0) throw broken(': the content is not what was signed')
  return content
}

/** The certificate that the signature says it is of, for who compares it with the known ones: nothing is proven by it. */
function namedIn(signature: Element): string {
  const [certificate] = ['KeyInfo', 'X509Data', 'X509Certificate'].reduce<Element[]>(
    (found, name) => found.flatMap((each) => childrenOf(each, NS.signature, name)),
    [signature],
  )
  if (!certificate) return ''
  const digest = createHash('sha256')
    .update(Buffer.from(textOf(certificate), 'base64'))
    .digest('hex')
  return `; it names one with the SHA-256 fingerprint ${digest.toUpperCase().match(/../g)?.join(':')}`
}

/** xml-crypto requires a key of its own; the verifier uses the caller's keys only. */
const KEYS_ARE_OURS = 'none'

/**
 * With comments or without is the same, because documents with comments are refused. SAML Core 5.4.3 recommends the exclusive one;
 * providers on Java use the inclusive one, too.
 */
const CANONICALIZATIONS = [EXCLUSIVE_C14N, INCLUSIVE_C14N].flatMap((name) => [
  name,
  `${name}${name.endsWith('#') ? '' : '#'}WithComments`,
])

/** Accepts a signature of the supported shape only; returns its method. */
function checkShape(element: Element, signature: Element, root: Element): Method {
  const info = only(signature, 'SignedInfo')
  const reference = only(info, 'Reference')
  const isOne = elementsOf(signature).filter((each) => isNamed(each, NS.signature, 'SignedInfo')).length === 1
  if (!isOne || !refersTo(element, reference, root)) throw broken()
  checkCanonical(only(info, 'CanonicalizationMethod'))
  checkTransforms(childrenOf(only(reference, 'Transforms'), NS.signature, 'Transform'))
  const digest = algorithmOf(only(reference, 'DigestMethod'))
  if (!DIGESTS.has(digest)) throw notAccepted('the digest', digest)
  const name = algorithmOf(only(info, 'SignatureMethod'))
  const verify = verifierOf(name)
  if (!verify) throw notAccepted('the algorithm', name)
  return { name, verify }
}

function checkCanonical(element: Element): void {
  const name = algorithmOf(element)
  if (!CANONICALIZATIONS.includes(name)) throw notAccepted('the canonicalization', name)
}

/** SAML Core 5.4.4: the enveloped signature, then a canonicalization. */
function checkTransforms([enveloped, canonical, ...more]: Element[]): void {
  if (!enveloped || !canonical || more.length > 0) throw broken()
  if (algorithmOf(enveloped) !== ENVELOPED) throw notAccepted('a transform', algorithmOf(enveloped))
  checkCanonical(canonical)
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

const digestWith = (uri: string, hash: string) =>
  class implements HashAlgorithm {
    getHash = (xml: string): string => createHash(hash).update(xml, 'utf8').digest('base64')
    getAlgorithmName = (): string => uri
  }

const verifierWith = (name: string, verifySigned: (text: string, value: Buffer) => boolean) =>
  class implements SignatureAlgorithm {
    getSignature(): string {
      throw new Error('this verifies')
    }
    verifySignature(material: string, key: KeyLike, value: string): boolean
    verifySignature(material: string, key: KeyLike, value: string): void
    verifySignature(material: BinaryLike, _key: KeyLike, value: string): boolean {
      return verifySigned(String(material), Buffer.from(value, 'base64'))
    }
    getAlgorithmName = (): string => name
  }
