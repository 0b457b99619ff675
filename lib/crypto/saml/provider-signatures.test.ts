// Signatures in the forms that providers write them, made by xmlsec1, and those that are not accepted (threat-model.md SP1, SP2).
import { type BinaryLike, constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type SignatureAlgorithm, SignedXml } from 'xml-crypto'
import { hasTool, xmlsecSigned } from '../../testing/tools'
import { verifiedElement } from './verify'
import { attributeOf, childOf, UNFIT_PAGE } from './xml'

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#'
const OLD = 'http://www.w3.org/2000/09/xmldsig#'
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const [p256, p384, p521] = [ec('P-256'), ec('P-384'), ec('P-521')]

type Form = {
  method?: string
  digest?: string
  info?: string
  /** The second transform; none without it. */
  reference?: string | null
  prefixes?: string
}

const algorithm = (name: string, uri: string, content = ''): string =>
  `<ds:${name} Algorithm="${uri}">${content}</ds:${name}>`

/** A response in the style of Okta: namespaces are declared around the assertion, and the prefix `xs` is in values alone. */
const template = ({
  method = `${MORE}rsa-sha256`,
  digest = `${XMLENC}sha256`,
  info = EXCLUSIVE,
  reference = EXCLUSIVE,
  prefixes,
}: Form): string => {
  const inclusive =
    prefixes === undefined ? '' : `<ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE}" PrefixList="${prefixes}"/>`
  const transforms = `${algorithm('Transform', `${OLD}enveloped-signature`)}${reference === null ? '' : algorithm('Transform', reference, inclusive)}`
  const signature = `<ds:Signature xmlns:ds="${OLD}"><ds:SignedInfo>${algorithm('CanonicalizationMethod', info, inclusive)}${algorithm('SignatureMethod', method)}<ds:Reference URI="#_a1"><ds:Transforms>${transforms}</ds:Transforms>${algorithm('DigestMethod', digest)}<ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/></ds:Signature>`
  return `<p:Response xmlns:p="urn:p" xmlns:xs="urn:xs" xmlns:unused="urn:unused" ID="_r1"><a:Assertion xmlns:a="urn:a" ID="_a1" Version="2.0"><a:Issuer>idp</a:Issuer>${signature}<a:NameID Format="x">kim &amp; co</a:NameID><a:Value xmlns:xsi="urn:xsi" xsi:type="xs:string">Zoë</a:Value></a:Assertion></p:Response>`
}

const assertionIn = (root: Element): Element => childOf(root, 'urn:a', 'Assertion') ?? root

type Pair = { publicKey: KeyObject; privateKey: KeyObject }
const signed = (form: Form, { privateKey }: Pair = rsa): string =>
  xmlsecSigned(template(form), 'Assertion', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
const read = (xml: string, { publicKey }: Pair = rsa) => verifiedElement(xml, assertionIn, [publicKey])

describe.runIf(hasTool('xmlsec1'))('a signature of a provider', () => {
  it.each<[string, Form, Pair?]>([
    ['as most write it', {}],
    ['with prefixes that canonicalization keeps, as Okta', { prefixes: 'xs' }],
    [
      'with comments, which there are none of',
      { info: `${EXCLUSIVE}WithComments`, reference: `${EXCLUSIVE}WithComments` },
    ],
    ['with inclusive canonicalization, as the default of Java', { info: INCLUSIVE }],
    ['with inclusive canonicalization of the assertion, too', { info: INCLUSIVE, reference: INCLUSIVE }],
    ['the same, with comments', { info: `${INCLUSIVE}#WithComments`, reference: `${INCLUSIVE}#WithComments` }],
    ['by RSA with SHA-384', { method: `${MORE}rsa-sha384`, digest: `${MORE}sha384` }],
    ['by RSA with SHA-512', { method: `${MORE}rsa-sha512`, digest: `${XMLENC}sha512` }],
    ['by ECDSA with SHA-256', { method: `${MORE}ecdsa-sha256` }, p256],
    ['by ECDSA with SHA-384', { method: `${MORE}ecdsa-sha384` }, p384],
    ['by ECDSA with SHA-512', { method: `${MORE}ecdsa-sha512` }, p521],
  ])('holds: %s', (_, form, pair = rsa) => {
    const assertion = read(signed(form, pair), pair)
    expect(assertion && attributeOf(assertion, 'ID')).toBe('_a1')
    expect(assertion?.textContent).toBe('idpkim & coZoë')
  })

  it.each<[string, Form, Pair?]>([
    ['as most write it', {}],
    ['inclusive', { info: INCLUSIVE, reference: INCLUSIVE }],
    ['ECDSA', { method: `${MORE}ecdsa-sha256` }, p256],
  ])('is refused by another key, and over other content: %s', (_, form, pair = rsa) => {
    const xml = signed(form, pair)
    const stranger = pair === rsa ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : ec('P-256')
    expect(() => read(xml, stranger)).toThrow(/none of the certificates/)
    expect(() => read(xml, pair === rsa ? p256 : rsa)).toThrow(/none of the certificates/)
    expect(() => read(xml.replace('kim', 'eve'), pair)).toThrow(/not what was signed/)
    const moved = xml.replace('xmlns:xs="urn:xs"', 'xmlns:xs="urn:evil"')
    expect(moved).not.toBe(xml)
    if (form.reference === INCLUSIVE) expect(() => read(moved, pair)).toThrow(/not what was signed/)
  })

  it.each<[string, string]>([
    ['SHA-1', `${OLD}rsa-sha1`],
    ['HMAC', `${MORE}hmac-sha256`],
    ['MD5', `${MORE}rsa-md5`],
    ['DSA', `${OLD}dsa-sha1`],
    ['ECDSA with SHA-1', `${MORE}ecdsa-sha1`],
    ['nothing', ''],
  ])('is refused by name: %s', (_, method) => {
    const xml = signed({}).replace(`${MORE}rsa-sha256`, method)
    expect(refusal(() => read(xml))).toMatchObject({
      description: `Invalid SAML message: the algorithm of its signature, "${method}", is not accepted`,
      page: { code: UNFIT_PAGE },
    })
  })

  it.each<[string, Form, RegExp]>([
    ['a digest by SHA-1', { digest: `${OLD}sha1` }, /the digest of its signature, "[^"]*sha1", is not accepted/],
    ['canonicalization 1.1', { info: 'http://www.w3.org/2006/12/xml-c14n11' }, /the canonicalization .*c14n11/],
    [
      'the same of the assertion',
      { reference: 'http://www.w3.org/2006/12/xml-c14n11' },
      /the canonicalization .*c14n11/,
    ],
    ['no canonicalization of the assertion', { reference: null }, /does not hold/],
  ])('is refused by name: %s', (_, form, description) => {
    expect(() => read(signed(form))).toThrow(description)
  })
})

/** xmlsec1 of Debian has no RSA-PSS. */
describe.each(['sha256', 'sha384', 'sha512'])('a signature by RSA-PSS with %s', (hash) => {
  const name = `${PSS}${hash}-rsa-MGF1`

  function written(saltLength: number): string {
    const writer = new SignedXml({ privateKey: 'ours', signatureAlgorithm: name, canonicalizationAlgorithm: EXCLUSIVE })
    writer.SignatureAlgorithms = {
      [name]: class implements SignatureAlgorithm {
        getSignature = (info: BinaryLike): string =>
          sign(hash, Buffer.from(String(info)), {
            key: rsa.privateKey,
            padding: constants.RSA_PKCS1_PSS_PADDING,
            saltLength,
          }).toString('base64')
        verifySignature = (): boolean => false
        getAlgorithmName = (): string => name
      },
    }
    const xpath = "//*[local-name(.)='Assertion']"
    const transforms = [`${OLD}enveloped-signature`, EXCLUSIVE]
    writer.addReference({ xpath, transforms, digestAlgorithm: `${XMLENC}sha256` })
    const unsigned = template({}).replace(/<ds:Signature .*<\/ds:Signature>/, '')
    writer.computeSignature(unsigned, { prefix: 'ds', location: { reference: xpath, action: 'append' } })
    return writer.getSignedXml()
  }

  it('holds with a salt as long as the hash, and with no other', () => {
    const length = Number(hash.slice('sha'.length)) / 8
    expect(read(written(length))?.textContent).toContain('kim & co')
    expect(() => read(written(length - 1))).toThrow(/none of the certificates/)
    expect(() => read(written(length).replace('kim', 'eve'))).toThrow(/not what was signed/)
  })
})

function refusal(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
