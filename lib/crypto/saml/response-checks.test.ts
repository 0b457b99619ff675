// Each forgery is a valid response with one change, and is refused (threat-model.md SP1 to SP4).
import { createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { addSeconds } from '../../kernel/clock'
import { makePartner, type Partner } from '../../testing/saml'
import { encoded, IDP, type SamlAnswerOptions, samlAnswer } from '../../testing/saml-idp'
import { publicKeyOf } from './certificate'
import { NS, STATUS } from './names'
import { type ExpectedResponse, judgeResponse } from './response-checks'
import { StatusError } from './status-error'

const NOW = new Date('2027-01-15T08:00:00Z')
const ACS = 'https://id.test/login/callback?connection=corp'
const US = 'urn:id.test:corp'
const later = (seconds: number) => addSeconds(NOW, seconds)

let idp: Partner
let stranger: Partner
let us: Partner
let good: string
let goodResponse: string

const keysOf = ({ certificate }: Partner) => [publicKeyOf(certificate)].filter((key) => key !== null)
const answer = (over: Partial<SamlAnswerOptions> = {}, by = idp) =>
  samlAnswer(by, { now: NOW, recipient: ACS, audience: US, inResponseTo: '_q', ...over })
const judge = (xml: string, over: Partial<ExpectedResponse> = {}) =>
  judgeResponse(encoded(xml), {
    now: NOW,
    keys: keysOf(idp),
    decryptionKeys: [us.privateKey],
    issuer: IDP,
    audience: US,
    addresses: ['https://id.test/login/callback', ACS],
    inResponseTo: '_q',
    ...over,
  })

beforeAll(async () => {
  ;[idp, stranger, us] = [await makePartner(), await makePartner(), await makePartner()]
  good = await answer()
  goodResponse = await answer({ sign: 'response' })
})

describe('a good answer', () => {
  it.each<[string, Partial<SamlAnswerOptions>]>([
    ['its assertion signed', {}],
    ['the response signed', { sign: 'response' }],
    ['both signed', { sign: 'both' }],
    ['with SHA-512', { options: { signature: 'sha512', digest: 'sha512' } }],
    ['its assertion signed and encrypted', { encryptTo: 'us' }],
    ['encrypted, the response signed around it', { encryptTo: 'us', sign: 'response' }],
    ['encrypted, both signed', { encryptTo: 'us', sign: 'both' }],
  ])('identifies the user: %s', async (_, over) => {
    const attributes = { mail: ['kim@mail.test'], group: ['a', 'b'], empty: [''] }
    const given = { ...over, attributes, ...(over.encryptTo ? { encryptTo: us.certificate } : {}) }
    const verdict = judge(await answer(given))
    expect(verdict).toMatchObject({ issuer: IDP, nameId: { value: 'kim' }, sessionIndex: 's1', until: later(480) })
    expect(Object.fromEntries(verdict.attributes)).toEqual({ mail: ['kim@mail.test'], group: ['a', 'b'], empty: [] })
  })

  it('counts by either key while the provider changes it, and for clocks that differ by three minutes', () => {
    expect(judge(good, { keys: [...keysOf(stranger), ...keysOf(idp)] }).nameId?.value).toBe('kim')
    expect(judge(good, { now: later(-179) }).nameId?.value).toBe('kim')
    expect(judge(good, { now: later(479) }).nameId?.value).toBe('kim')
  })

  it('unsolicited is accepted where no request was sent', async () => {
    expect(judge(await answer({ inResponseTo: null }), { inResponseTo: null }).nameId?.value).toBe('kim')
  })
})

const NAME_ID_ELEMENT = /<saml:NameID .*<\/saml:NameID>/

/** XML Encryption of an element: AES-256-GCM under a key for the certificate. */
function encryptedTo(to: Partner, xml: string): string {
  const [key, iv] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([iv, cipher.update(xml), cipher.final(), cipher.getAuthTag()])
  const sealedKey = publicEncrypt({ key: to.certificatePem, oaepHash: 'sha1' }, key)
  const data = (bytes: Buffer): string =>
    `<e:CipherData><e:CipherValue>${bytes.toString('base64')}</e:CipherValue></e:CipherData>`
  return `<e:EncryptedData xmlns:e="${NS.encryption}"><e:EncryptionMethod Algorithm="${NS.encryption11}aes256-gcm"/><d:KeyInfo xmlns:d="${NS.signature}"><e:EncryptedKey><e:EncryptionMethod Algorithm="${NS.encryption}rsa-oaep-mgf1p"/>${data(sealedKey)}</e:EncryptedKey></d:KeyInfo>${data(body)}</e:EncryptedData>`
}

describe('the name of the user', () => {
  const named = async (bend: (xml: string) => string, over: Partial<SamlAnswerOptions> = {}) =>
    judge(await answer({ bend, ...over })).nameId

  it('may be missing: attributes may name the user', async () => {
    expect(await named((xml) => xml.replace(NAME_ID_ELEMENT, ''))).toBeNull()
  })

  it('may be encrypted to us alone', async () => {
    const encrypted = (to: Partner, text: string) => (xml: string) =>
      xml.replace(NAME_ID_ELEMENT, `<saml:EncryptedID>${encryptedTo(to, text)}</saml:EncryptedID>`)
    const name = `<saml:NameID xmlns:saml="${NS.assertion}" Format="urn:f">k-9</saml:NameID>`
    expect(await named(encrypted(us, name))).toMatchObject({ value: 'k-9', format: 'urn:f' })
    await expect(named(encrypted(stranger, name))).rejects.toThrow(/cannot be decrypted/)
    await expect(named(encrypted(us, `<!DOCTYPE a>${name}`))).rejects.toThrow(/Invalid SAML message/)
    expect(await named(encrypted(us, name.replaceAll('NameID', 'BaseID')))).toBeNull()
  })

  it.each<[string, string, RegExp | null]>([
    [`NameQualifier="${IDP}" SPNameQualifier="${US}"`, 'persistent', null],
    ['NameQualifier="" SPNameQualifier=""', 'transient', null],
    ['NameQualifier="https://other.test"', 'emailAddress', null],
    ['NameQualifier="https://other.test"', 'persistent', /NameQualifier of its NameID is "https:\/\/other.test"/],
    ['SPNameQualifier="urn:other"', 'persistent', /SPNameQualifier of its NameID is "urn:other", .*"urn:id.test:corp"/],
    ['SPNameQualifier="urn:other"', 'transient', /SPNameQualifier/],
  ])('a name identifier with %s is judged as %s', async (qualifiers, format, problem) => {
    const bend = (xml: string): string =>
      xml.replace(
        /<saml:NameID Format="[^"]*"/,
        `<saml:NameID ${qualifiers} Format="urn:oasis:names:tc:SAML:2.0:nameid-format:${format}"`,
      )
    if (problem) await expect(named(bend)).rejects.toThrow(problem)
    else expect((await named(bend))?.value).toBe('kim')
  })

  it('may be in an attribute (eduPersonTargetedID)', async () => {
    const bend = (xml: string): string =>
      xml.replace(
        '</saml:Assertion>',
        '<saml:AttributeStatement><saml:Attribute Name="urn:oid:1.3.6.1.4.1.5923.1.1.1.10"><saml:AttributeValue><saml:NameID>t-1</saml:NameID></saml:AttributeValue><saml:AttributeValue><saml:Other/></saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>',
      )
    const { attributes } = judge(await answer({ bend }))
    expect(attributes.get('urn:oid:1.3.6.1.4.1.5923.1.1.1.10')).toEqual(['t-1'])
  })
})

describe('the end of the session at the provider', () => {
  const ending =
    (...ends: number[]) =>
    (xml: string) => {
      const statement = /<saml:AuthnStatement .*<\/saml:AuthnStatement>/.exec(xml)?.[0] ?? ''
      const statements = ends.map((seconds) =>
        statement.replace('SessionIndex=', `SessionNotOnOrAfter="${later(seconds).toISOString()}" SessionIndex=`),
      )
      return xml.replace(statement, statements.join(''))
    }
  const endOf = async (...ends: number[]) => judge(await answer({ bend: ending(...ends) })).sessionEnd

  it('the session ends at the earliest time that the provider names, and has no end without one', async () => {
    expect(judge(good).sessionEnd).toBeNull()
    expect(await endOf(600)).toEqual(later(600))
    expect(await endOf(600, 300)).toEqual(later(300))
  })

  it('counts by the clock of the provider where it has come by ours alone', async () => {
    expect(await endOf(-60)).toEqual(later(120))
    expect(await endOf(0)).toEqual(later(180))
    await expect(endOf(-180)).rejects.toThrow(/session at the provider ended at/)
    await expect(endOf(600, -180)).rejects.toThrow(/session at the provider ended at/)
  })
})

describe('an answer that is not for us, now, from them', () => {
  it.each<[string, Partial<SamlAnswerOptions>, Partial<ExpectedResponse>?]>([
    ['another audience', { audience: 'urn:other' }],
    ['another recipient', { assertion: { recipient: 'https://evil.test/acs' } }],
    [
      'another connection of this server',
      { assertion: { recipient: 'https://id.test/login/callback?connection=other' } },
    ],
    ['another destination', { answer: { destination: 'https://evil.test/acs' } }],
    ['another issuer', { assertion: { issuer: 'https://other.test' }, answer: { issuer: 'https://other.test' } }],
    ['issuers that differ', { answer: { issuer: 'https://other.test' } }],
    ['issuers that differ, the name not known', { answer: { issuer: 'https://other.test' } }, { issuer: null }],
    ['another request', { inResponseTo: '_other' }],
    ['another request outside', { answer: { inResponseTo: '_other' } }],
    ['another request inside', { assertion: { inResponseTo: '_other' } }],
    ['no request where one was made', { inResponseTo: null }],
    ['a request where none was made', {}, { inResponseTo: null }],
    ['its end', {}, { now: later(480) }],
    ['its beginning', {}, { now: later(-181) }],
    ['an end inside alone', { assertion: { expiresAt: later(-181) } }],
    ['no key', {}, { keys: [] }],
    ['no signature', { sign: 'neither' }],
    ['SHA-1', { options: { signature: 'sha1', digest: 'sha256' } }],
    ['a digest by SHA-1', { options: { signature: 'sha256', digest: 'sha1' } }],
    ['another confirmation', { bend: (xml) => xml.replace('cm:bearer', 'cm:holder-of-key') }],
    ['no confirmation', { bend: (xml) => xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '') }],
    ['a confirmation without end', { bend: (xml) => xml.replace(/(ConfirmationData) NotOnOrAfter="[^"]*"/, '$1') }],
    ['no audience', { bend: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }],
    [
      'a second restriction to others',
      {
        bend: (xml) =>
          xml.replace(
            '</saml:Conditions>',
            '<saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
          ),
      },
    ],
    [
      'an unknown condition',
      { bend: (xml) => xml.replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>') },
    ],
    ['no conditions', { bend: (xml) => xml.replace(/<saml:Conditions .*<\/saml:Conditions>/, '') }],
    ['no user signed in', { bend: (xml) => xml.replace(/<saml:AuthnStatement .*<\/saml:AuthnStatement>/, '') }],
    [
      'a session that is over',
      { bend: (xml) => xml.replace('SessionIndex=', 'SessionNotOnOrAfter="2027-01-15T07:00:00Z" SessionIndex=') },
    ],
    ['no subject', { bend: (xml) => xml.replace(/<saml:Subject>.*<\/saml:Subject>/, '') }],
    ['a broken date', { bend: (xml) => xml.replace(/NotBefore="[^"]*"/, 'NotBefore="soon"') }],
    ['an assertion in an assertion', { bend: (xml) => xml.replace('</saml:Assertion>', `${xml}</saml:Assertion>`) }],
  ])('is refused: %s', async (_, over, expected = {}) => {
    const xml = await answer(over)
    expect(() => judge(xml, expected)).toThrow(/Invalid SAML message/)
  })

  it('is refused where its response is signed and says not where it goes', async () => {
    const bare = goodResponse.replace(/ Destination="[^"]*"/, '')
    expect(() => judge(bare)).toThrow(/Invalid/)
  })

  it('is refused if another key signed it, whatever certificate it contains', async () => {
    for (const sign of ['assertion', 'response', 'both'] as const) {
      const xml = await answer({ sign }, stranger)
      expect(xml).toContain('X509Certificate')
      expect(() => judge(xml)).toThrow(/Invalid/)
    }
  })

  it('is distinguished as a refusal of the provider', async () => {
    const xml = await answer({ status: { code: STATUS.responder, detail: STATUS.authnFailed } })
    expect(() => judge(xml)).toThrow(new StatusError('Responder AuthnFailed'))
    expect(() => judge(good.replace(STATUS.success, STATUS.requester))).toThrow(StatusError)
    expect(() => judge(good.replace(/<samlp:Status>.*<\/samlp:Status>/, ''))).toThrow(StatusError)
  })
})

const signatureOf = (xml: string): string => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
const assertionOf = (xml: string): string => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const unsigned = (xml: string): string => xml.replace(signatureOf(xml), '')
const idOf = (xml: string): string => / ID="([^"]*)"/.exec(xml)?.[1] ?? ''
const evilOf = (xml: string): string =>
  unsigned(xml)
    .replaceAll('>kim<', '>eve<')
    .replace(` ID="${idOf(xml)}"`, ' ID="_evil"')
/** An assertion with `more` after its issuer. */
const within = (assertion: string, more: string): string => assertion.replace('</saml:Issuer>', `</saml:Issuer>${more}`)
const objectIn = (signature: string, content: string): string =>
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)
const replaceAssertion = (by: (assertion: string) => string): string => {
  const assertion = assertionOf(good)
  return good.replace(assertion, () => by(assertion))
}
const extensions = (content: string): string => `<samlp:Extensions>${content}</samlp:Extensions>`

describe('a signature around something else (XSW)', () => {
  it.each<[string, () => string]>([
    [
      '1: the signed response in the signature of an evil one',
      () => within(evilOf(goodResponse), objectIn(signatureOf(goodResponse), unsigned(goodResponse))),
    ],
    [
      '2: the signed response beside the signature',
      () => within(evilOf(goodResponse), `${unsigned(goodResponse)}${signatureOf(goodResponse)}`),
    ],
    ['3: an evil assertion before the signed one', () => replaceAssertion((signed) => `${evilOf(signed)}${signed}`)],
    ['3b: an evil assertion after it', () => replaceAssertion((signed) => `${signed}${evilOf(signed)}`)],
    [
      '4: the signed one inside the evil one',
      () => replaceAssertion((signed) => evilOf(signed).replace('</saml:Assertion>', `${signed}</saml:Assertion>`)),
    ],
    [
      '5: the evil one holds the signature, the signed one is at the end',
      () => replaceAssertion((signed) => `${within(evilOf(signed), signatureOf(signed))}${unsigned(signed)}`),
    ],
    [
      '6: the signed one inside the signature of the evil one, without Object',
      () =>
        replaceAssertion((signed) =>
          within(evilOf(signed), signatureOf(signed).replace('</ds:Signature>', `${unsigned(signed)}</ds:Signature>`)),
        ),
    ],
    [
      '7: the evil one in Extensions',
      () => good.replace('<samlp:Status>', `${extensions(evilOf(assertionOf(good)))}<samlp:Status>`),
    ],
    ['7b: the signed one in Extensions', () => replaceAssertion((signed) => `${extensions(signed)}${evilOf(signed)}`)],
    [
      '8: the signed one in an Object of the evil one',
      () => replaceAssertion((signed) => within(evilOf(signed), objectIn(signatureOf(signed), unsigned(signed)))),
    ],
    [
      'the same id for both',
      () =>
        replaceAssertion((signed) =>
          within(evilOf(signed).replace('_evil', idOf(signed)), objectIn(signatureOf(signed), unsigned(signed))),
        ),
    ],
    [
      'the signature of the response on the assertion',
      () =>
        unsigned(goodResponse).replace(
          '</saml:Issuer><saml:Subject>',
          `</saml:Issuer>${signatureOf(goodResponse)}<saml:Subject>`,
        ),
    ],
  ])('a wrapped signature is refused: %s', (_, forge) => {
    const forged = forge()
    expect(forged).toContain('kim')
    expect([good, goodResponse]).not.toContain(forged)
    expect(() => judge(forged)).toThrow(/Invalid SAML message/)
  })
})

describe('a changed answer', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['a changed name', () => good.replace('>kim<', '>eve<')],
    ['a changed name in a signed response', () => goodResponse.replace('>kim<', '>eve<')],
    ['a name cut by a comment', () => good.replace('>kim<', '>ki<!-- -->m<')],
    [
      'a name with a processing instruction, which the digest does not see',
      () => good.replace('>kim<', '>ki<?x y?>m<'),
    ],
    ['a name with CDATA', () => good.replace('>kim<', '><![CDATA[kim]]><')],
    [
      'an external entity',
      () => good.replace(/^/, '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>').replace('>kim<', '>&x;<'),
    ],
    ['an entity bomb', () => good.replace(/^/, `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "${'&a;'.repeat(999)}">]>`)],
    ['the signature taken away', () => unsigned(good)],
    ['the signature of the response taken away', () => unsigned(goodResponse)],
    ['an empty signature', () => good.replace(/(<ds:Signature [^>]*>).*(<\/ds:Signature>)/s, '$1$2')],
    ['no value', () => good.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>')],
    ['another algorithm', () => good.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256')],
    ['an inner canonicalization with comments', () => good.replaceAll('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"')],
    ['HMAC with the public key', () => withHmac()],
    ['no assertion', () => good.replace(assertionOf(good), '')],
    ['the assertion alone', () => assertionOf(good)],
    ['a request', () => good.replaceAll('samlp:Response', 'samlp:AuthnRequest')],
    ['another version', () => good.replace('Version="2.0"', 'Version="1.1"')],
    ['no XML', () => 'hello'],
    ['too much', () => good.replace('>kim<', `>${'k'.repeat(200_001)}<`)],
    ['somebody else’s encryption', () => answer({ encryptTo: stranger.certificate })],
    ['encrypted by anyone, and unsigned', () => answer({ encryptTo: us.certificate, sign: 'neither' })],
    [
      'a changed ciphertext',
      async () => (await answer({ encryptTo: us.certificate })).replace(/(CipherValue>)[^<]{8}/, '$1AAAAAAAA'),
    ],
    [
      'the key under PKCS#1 v1.5',
      async () => (await answer({ encryptTo: us.certificate })).replace('xmlenc#rsa-oaep-mgf1p', 'xmlenc#rsa-1_5'),
    ],
  ])('is refused: %s', async (_, forge) => {
    const forged = await forge()
    expect([good, goodResponse]).not.toContain(forged)
    expect(() => judge(forged)).toThrow(/Invalid SAML message/)
  })
})

/** A forgery for a verifier that takes the algorithm from the message and uses the certificate as the HMAC secret. */
function withHmac(): string {
  const plain = unsigned(good)
  const signing = new SignedXml({
    privateKey: idp.certificatePem,
    signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signing.enableHMAC()
  signing.addReference({
    xpath: "//*[local-name(.)='Assertion']",
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  })
  const location = { reference: "//*[local-name(.)='Assertion']/*[local-name(.)='Issuer']", action: 'after' as const }
  signing.computeSignature(plain, { prefix: 'ds', location })
  return signing.getSignedXml()
}
