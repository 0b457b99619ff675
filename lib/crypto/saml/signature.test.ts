// Other implementations accept these signatures, and tampered messages are refused (threat-model.md IP1, SP1, SP2). Each forgery
// is a valid message with one change.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { makePartner, type Partner } from '../../testing/saml'
import { hasTool, xmlsecHolds } from '../../testing/tools'
import { publicKeyOf } from './certificate'
import { isSignedQuery, signedAddress } from './query-signature'
import { encryptAssertion } from './samlify'
import { type SigningOptions, signXml } from './sign'
import { verifiedRoot } from './verify'
import { attributeOf, elementsOf, textOf } from './xml'

const refused = /Invalid SAML message/
const SHA256: SigningOptions = { signature: 'sha256', digest: 'sha256' }
const REQUEST =
  '<p:LogoutRequest xmlns:p="urn:p" xmlns:a="urn:a" ID="_1" Note="&lt;&quot;é&#10;"><a:Issuer>sp</a:Issuer><a:NameID>kim &amp; co</a:NameID></p:LogoutRequest>'

let partner: Partner
let other: Partner
let folder: string
let good: string

const keysOf = ({ certificate }: Partner) => [publicKeyOf(certificate)].filter((key) => key !== null)
const sign = (xml: string, options = SHA256, by = partner) => signXml(xml, by, options)
const read = (xml: string, by = partner) => verifiedRoot(xml, keysOf(by))
const nameOf = (root: Element | null) => root && elementsOf(root).map(textOf0).join('|')
const textOf0 = (element: Element) => (element.localName === 'NameID' ? textOf(element) : element.localName)

beforeAll(async () => {
  ;[partner, other] = [await makePartner(), await makePartner()]
  folder = mkdtempSync(join(tmpdir(), 'latchkey-saml-'))
  good = await sign(REQUEST)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a signature inside', () => {
  it('holds, and shows what was signed', () => {
    const root = read(good)
    expect(nameOf(root)).toBe('LogoutRequest|Issuer|kim & co')
    expect(root && attributeOf(root, 'Note')).toBe('<"é\n')
  })

  it.each([
    { signature: 'sha512', digest: 'sha512' },
    { signature: 'sha256', digest: 'sha512' },
  ] as SigningOptions[])('holds with $signature over $digest', async (options) => {
    expect(nameOf(read(await sign(REQUEST, options)))).toContain('kim')
  })

  it
    .skipIf(!hasTool('xmlsec1'))
    .each([
      SHA256,
      { signature: 'sha256', digest: 'sha1' },
      { signature: 'sha512', digest: 'sha512' },
    ] as SigningOptions[])('holds for xmlsec1: $signature over $digest', async (options) => {
    expect(xmlsecHolds(await sign(REQUEST, options), 'LogoutRequest', partner.certificatePem)).toBe(true)
  })

  it('is not needed where none is: the caller decides', () => {
    expect(read(REQUEST)).toBeNull()
  })

  it('counts with any of several keys', () => {
    expect(verifiedRoot(good, [...keysOf(other), ...keysOf(partner)])).not.toBeNull()
  })
})

const signatureOf = (xml: string): string => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
const contentOf = (xml: string): string => xml.replace(signatureOf(xml), '')
const evil =
  '<p:LogoutRequest xmlns:p="urn:p" xmlns:a="urn:a" ID="_2"><a:Issuer>sp</a:Issuer><a:NameID>eve</a:NameID></p:LogoutRequest>'

it('of an unknown key says which certificate it names', () => {
  const { fingerprint256 } = new X509Certificate(partner.certificatePem)
  expect(() => read(good, other)).toThrow(
    `none of the certificates that are known here made it; it names one with the SHA-256 fingerprint ${fingerprint256}`,
  )
})

describe('a forgery', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['a changed text', () => good.replace('kim', 'eve')],
    ['a changed attribute', () => good.replace('Note="&lt;', 'Note="&gt;')],
    ['a changed digest', () => good.replace(/DigestValue>./, 'DigestValue>A')],
    ['a changed signature', () => good.replace(/SignatureValue>..../, 'SignatureValue>AAAA')],
    ['an empty signature', () => good.replace(/SignatureValue>[^<]*/, 'SignatureValue>')],
    ['another key, its certificate beside it', () => sign(REQUEST, SHA256, other)],
    ['SHA-1', () => sign(REQUEST, { signature: 'sha1', digest: 'sha256' })],
    ['a digest by SHA-1', () => sign(REQUEST, { signature: 'sha256', digest: 'sha1' })],
    ['the word of another algorithm', () => good.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha512')],
    ['HMAC with the public key', () => withHmac()],
    ['no transform', () => good.replace(/<ds:Transforms>.*<\/ds:Transforms>/s, '')],
    ['a transform that chooses', () => good.replace('xmldsig#enveloped-signature', 'xmldsig#base64')],
    [
      'a further transform',
      () =>
        good.replace(
          '</ds:Transforms>',
          '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/></ds:Transforms>',
        ),
    ],
    ['canonicalization with comments', () => good.replaceAll('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"')],
    ['a reference to the whole document', () => good.replace('URI="#_1"', 'URI=""')],
    ['a reference to nothing', () => good.replace('URI="#_1"', 'URI="#_9"')],
    ['a reference by XPointer', () => good.replace('URI="#_1"', 'URI="#xpointer(/)"')],
    ['a reference outside', () => good.replace('URI="#_1"', 'URI="https://evil.test/"')],
    ['two references', () => good.replace(/(<ds:Reference .*<\/ds:Reference>)/s, '$1$1')],
    ['two SignedInfo', () => good.replace(/(<ds:SignedInfo>.*<\/ds:SignedInfo>)/s, '$1$1')],
    [
      'a second SignedInfo in an Object',
      () =>
        good.replace(
          '</ds:Signature>',
          `<ds:Object>${/<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(good)?.[0]}</ds:Object></ds:Signature>`,
        ),
    ],
    ['two signatures', () => good.replace(signatureOf(good), signatureOf(good).repeat(2))],
    ['the same id twice', () => good.replace('<a:NameID>', '<a:NameID ID="_1">')],
    ['the same id in other letters', () => good.replace('<a:NameID>', '<a:NameID Id="_1">')],
    [
      'XSW: its signature on an evil root',
      () => evil.replace('</a:Issuer>', `</a:Issuer>${signatureOf(good)}`).replace('</p:L', `${contentOf(good)}</p:L`),
    ],
    [
      'XSW: the signed one in an Object',
      () =>
        evil.replace(
          '</a:Issuer>',
          `</a:Issuer>${signatureOf(good).replace('</ds:Signature>', `<ds:Object>${contentOf(good)}</ds:Object></ds:Signature>`)}`,
        ),
    ],
    [
      'XSW: an evil one with its id',
      () =>
        evil
          .replace('_2', '_1')
          .replace('</a:Issuer>', `</a:Issuer>${signatureOf(good)}`)
          .replace('</p:L', `<x>${contentOf(good)}</x></p:L`),
    ],
    [
      'an empty Signature',
      () => good.replace(signatureOf(good), '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>'),
    ],
    ['a comment in a name', () => good.replace('kim', 'ki<!-- -->m')],
  ])('a forgery is refused: %s', async (_, forge) => {
    const forged = await forge()
    expect(forged).not.toBe(good)
    expect(() => read(forged)).toThrow(refused)
  })

  it('a signature that is no child of the root is ignored', () => {
    const moved = contentOf(good).replace('</a:NameID>', `${signatureOf(good)}</a:NameID>`)
    expect(read(moved)).toBeNull()
    expect(read(evil.replace('</p:L', `${good}</p:L`))).toBeNull()
  })
})

function withHmac(): string {
  const signed = new SignedXml({
    privateKey: partner.certificatePem,
    signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signed.enableHMAC()
  const transforms = [
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    'http://www.w3.org/2001/10/xml-exc-c14n#',
  ]
  signed.addReference({ xpath: '/*', transforms, digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256' })
  signed.computeSignature(REQUEST)
  return signed.getSignedXml()
}

describe('a signature in an address', () => {
  const message = { name: 'SAMLRequest' as const, xml: REQUEST, relayState: 'a b/ö+&=' }
  const address = (over: Partial<typeof message> = {}, hash: 'sha1' | 'sha256' = 'sha256') =>
    signedAddress('https://id.test/x?y=1', { ...message, ...over }, { key: partner.privateKey, hash })
  const holds = (search: string, by = partner) => isSignedQuery(search, 'SAMLRequest', keysOf(by))
  const searchOf = (url: string) => url.slice('https://id.test/x?y=1&'.length)

  it('holds as it was sent, in any order and with further parameters', async () => {
    const search = searchOf(await address())
    expect(holds(search)).toBe(true)
    expect(holds(`connection=Users&${search.split('&').reverse().join('&')}`)).toBe(true)
  })

  it('holds in the letters of other encoders', async () => {
    const text = `SAMLRequest=abc%2bd%3d&RelayState=a+b&SigAlg=${encodeURIComponent('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256').toLowerCase()}`
    const { sign: signBytes } = await import('node:crypto')
    const signature = signBytes('sha256', Buffer.from(text), partner.privateKey).toString('base64')
    expect(holds(`${text}&Signature=${encodeURIComponent(signature)}`)).toBe(true)
  })

  it('holds where it was encoded once to sign and once to send, as by @node-saml/node-saml', async () => {
    const sent = `?${searchOf(await address())}`
    const again = new URLSearchParams(sent).toString()
    expect(again).toContain('RelayState=a+b')
    expect(holds(again)).toBe(true)
    expect(holds(again.replace('RelayState=a+b', 'RelayState=a%2Bb'))).toBe(false)
  })

  it.each<[string, (search: string) => string | Promise<string>]>([
    ['another message', (search) => search.replace('SAMLRequest=', 'SAMLRequest=A')],
    ['another RelayState', (search) => search.replace('RelayState=', 'RelayState=b')],
    ['no RelayState', (search) => search.replace(/RelayState=[^&]*&/, '')],
    ['no signature', (search) => search.replace(/&Signature=.*/, '')],
    ['an empty signature', (search) => search.replace(/&Signature=.*/, '&Signature=')],
    ['no algorithm', (search) => search.replace(/&SigAlg=[^&]*/, '')],
    ['an algorithm of its own', (search) => search.replace('rsa-sha256', 'hmac-sha256')],
    ['SHA-1', async () => searchOf(await address({}, 'sha1'))],
    ['the name of a response', (search) => search.replace('SAMLRequest', 'SAMLResponse')],
  ])('does not hold with %s', async (_, change) => {
    expect(holds(await change(searchOf(await address())))).toBe(false)
  })

  it('does not hold with the key of another', async () => {
    expect(holds(searchOf(await address()), other)).toBe(false)
  })
})

describe('encryption', () => {
  const response =
    '<p:Response xmlns:p="urn:p"><a:Assertion xmlns:a="urn:a" ID="_1">kim &amp; co é</a:Assertion></p:Response>'

  it('hides the assertion, by AES-GCM and RSA-OAEP', async () => {
    const encrypted = await encryptAssertion(response, partner.certificate)
    // The characters around the name matter: three letters can occur in base64 by chance.
    expect(response).toContain('>kim &amp; co')
    expect(encrypted).not.toContain('>kim')
    expect(encrypted).toContain('aes256-gcm')
    expect(encrypted).toContain('rsa-oaep-mgf1p')
  })

  it.skipIf(!hasTool('xmlsec1'))('is undone by xmlsec1', async () => {
    const [file, key] = [join(folder, 'encrypted.xml'), join(folder, 'partner.key')]
    const encrypted = await encryptAssertion(response, partner.certificate)
    writeFileSync(file, /<xenc:EncryptedData.*<\/xenc:EncryptedData>/s.exec(encrypted)?.[0] ?? encrypted)
    writeFileSync(key, partner.privatePem)
    const plain = execFileSync('xmlsec1', ['--decrypt', '--privkey-pem', key, file], { stdio: 'pipe' }).toString()
    expect(plain).toMatch(/kim &amp; co (é|&#xE9;)<\/a:Assertion>/)
  })
})
