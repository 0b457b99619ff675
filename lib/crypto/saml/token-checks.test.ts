// Tokens of WS-Federation. Each forgery is a valid answer with one change, and is refused (threat-model.md SP1 to SP4, SP7).
import { beforeAll, describe, expect, it } from 'vitest'
import { addSeconds } from '../../kernel/clock'
import { makePartner, type Partner } from '../../testing/saml'
import { samlAnswer } from '../../testing/saml-idp'
import { ADFS_IDP, answerAround, type IssuedToken, tokenAnswer } from '../../testing/wsfed-idp'
import { publicKeyOf } from './certificate'
import { type ExpectedToken, judgeToken } from './response-checks'
import { StatusError } from './status-error'

const NOW = new Date('2027-01-15T08:00:00Z')
const US = 'urn:id.test:corp'
const later = (seconds: number) => addSeconds(NOW, seconds)

let idp: Partner
let stranger: Partner
let us: Partner

const keysOf = ({ certificate }: Partner) => [publicKeyOf(certificate)].filter((key) => key !== null)
const answer = (over: Partial<IssuedToken> = {}, by = idp) => tokenAnswer(by, { now: NOW, audience: US, ...over })
const judge = (xml: string, over: Partial<ExpectedToken> = {}) =>
  judgeToken(xml, {
    now: NOW,
    keys: keysOf(idp),
    decryptionKeys: [us.privateKey],
    issuer: ADFS_IDP,
    audience: US,
    addresses: ['https://id.test/login/callback'],
    ...over,
  })

const good: Record<string, string> = {}
beforeAll(async () => {
  ;[idp, stranger, us] = [await makePartner(), await makePartner(), await makePartner()]
  for (const version of ['1.1', '2.0'] as const) good[version] = await answer({ version })
})

const VERSIONS = [['1.1'], ['2.0']] as const

describe.each(VERSIONS)('a good token of SAML %s', (version) => {
  it('identifies the user', async () => {
    const attributes = { 'https://x.test/mail': ['kim@mail.test'], plain: ['a', 'b'] }
    const verdict = judge(await answer({ version, attributes }))
    expect(verdict).toMatchObject({ issuer: ADFS_IDP, nameId: { value: 'kim' }, until: later(3780) })
    expect(Object.fromEntries(verdict.attributes)).toEqual(attributes)
  })

  it('counts with SHA-512, by either key, for clocks that differ by three minutes, and in every frame', async () => {
    const options = { signature: 'sha512', digest: 'sha512' } as const
    expect(judge(await answer({ version, options })).nameId?.value).toBe('kim')
    const xml = good[version] ?? ''
    expect(judge(xml, { keys: [...keysOf(stranger), ...keysOf(idp)] }).nameId?.value).toBe('kim')
    for (const now of [later(-179), later(3779)]) expect(judge(xml, { now }).nameId?.value).toBe('kim')
    const later13 = answerAround(tokenOf(xml), 'http://docs.oasis-open.org/ws-sx/ws-trust/200512')
    const collected = `<t:RequestSecurityTokenResponseCollection xmlns:t="http://docs.oasis-open.org/ws-sx/ws-trust/200512">${later13}</t:RequestSecurityTokenResponseCollection>`
    for (const framed of [later13, collected]) expect(judge(framed).nameId?.value).toBe('kim')
  })
})

describe('a token of SAML 2.0', () => {
  it('is read when it is encrypted to us, by the key of now or the one before', async () => {
    const xml = await answer({ version: '2.0', encryptTo: us.certificate })
    // The brackets matter: three letters can occur in base64 by chance.
    expect(await answer({ version: '2.0' })).toContain('>kim<')
    expect(xml).not.toContain('>kim<')
    expect(judge(xml).nameId?.value).toBe('kim')
    expect(judge(xml, { decryptionKeys: [stranger.privateKey, us.privateKey] }).nameId?.value).toBe('kim')
    expect(() => judge(xml, { decryptionKeys: [stranger.privateKey] })).toThrow(/Invalid/)
  })

  it('need not say where it is for, but not that it is for elsewhere', async () => {
    const bare = (xml: string) =>
      xml.replace(/<saml:SubjectConfirmationData [^>]*><\/saml:SubjectConfirmationData>/, '')
    expect(judge(await answer({ version: '2.0', bend: bare })).nameId?.value).toBe('kim')
    for (const assertion of [{ recipient: 'https://evil.test/' }, { inResponseTo: '_q' }]) {
      const xml = await answer({ version: '2.0', assertion })
      expect(() => judge(xml)).toThrow(/Invalid/)
    }
  })
})

describe('a token of SAML 1.1', () => {
  it('may name its subject in attributes only, and never two subjects', async () => {
    const unnamed = (xml: string) => xml.replaceAll(/<saml:NameIdentifier .*?<\/saml:NameIdentifier>/g, '')
    const attributes = { upn: ['kim@corp.test'] }
    expect(judge(await answer({ bend: unnamed, attributes })).nameId).toBeNull()
    const two = (xml: string) => xml.replace('>kim<', '>eve<')
    const xml = await answer({ bend: two, attributes })
    expect(xml).toContain('>kim<')
    expect(() => judge(xml)).toThrow(/two people/)
  })
})

const restriction = /<saml:AudienceRestriction(?:Condition)?>.*<\/saml:AudienceRestriction(?:Condition)?>/

describe.each(VERSIONS)('a token of SAML %s that is not for us, now, from them', (version) => {
  it.each<[string, Partial<IssuedToken>, Partial<ExpectedToken>?]>([
    ['another audience', { audience: 'urn:other' }],
    ['another issuer', { assertion: { issuer: 'https://other.test' } }],
    ['its end', {}, { now: later(3780) }],
    ['its beginning', {}, { now: later(-181) }],
    ['no end', { bend: (xml) => xml.replace(/(<saml:Conditions [^>]*?) NotOnOrAfter="[^"]*"/, '$1') }],
    ['no key', {}, { keys: [] }],
    ['no signature', { sign: false }],
    ['SHA-1', { options: { signature: 'sha1', digest: 'sha256' } }],
    ['a digest by SHA-1', { options: { signature: 'sha256', digest: 'sha1' } }],
    ['another confirmation', { bend: (xml) => xml.replace('cm:bearer', 'cm:holder-of-key') }],
    [
      'no confirmation',
      { bend: (xml) => xml.replace(/<saml:SubjectConfirmation[ >].*?<\/saml:SubjectConfirmation>/, '') },
    ],
    ['no audience', { bend: (xml) => xml.replace(restriction, '') }],
    [
      'a second restriction to others',
      { bend: (xml) => xml.replace(restriction, (own) => own + own.replace(US, 'urn:x')) },
    ],
    [
      'an unknown condition',
      { bend: (xml) => xml.replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>') },
    ],
    ['no conditions', { bend: (xml) => xml.replace(/<saml:Conditions .*<\/saml:Conditions>/, '') }],
    [
      'no user signed in',
      { bend: (xml) => xml.replace(/<saml:(Authn|Authentication)Statement .*<\/saml:\1Statement>/, '') },
    ],
    ['a broken date', { bend: (xml) => xml.replace(/NotBefore="[^"]*"/, 'NotBefore="soon"') }],
    ['an assertion in an assertion', { bend: (xml) => xml.replace('</saml:Assertion>', `${xml}</saml:Assertion>`) }],
  ])('is refused: %s', async (_, over, expected = {}) => {
    const xml = await answer({ version, attributes: { a: ['b'] }, ...over })
    expect(() => judge(xml, expected)).toThrow(/Invalid SAML message/)
  })

  it('is refused if another key signed it, whatever certificate it contains', async () => {
    const xml = await answer({ version }, stranger)
    expect(xml).toContain('X509Certificate')
    expect(() => judge(xml)).toThrow(/Invalid/)
  })
})

const tokenOf = (xml: string): string => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const signatureOf = (xml: string): string => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
const unsigned = (xml: string): string => xml.replace(signatureOf(xml), '')
const idOf = (xml: string): string => / (?:Assertion)?ID="([^"]*)"/.exec(xml)?.[1] ?? ''
const evilOf = (xml: string): string =>
  unsigned(xml)
    .replaceAll('>kim<', '>eve<')
    .replace(`ID="${idOf(xml)}"`, 'ID="_evil"')
const ended = (assertion: string, more: string): string =>
  assertion.replace(/<\/saml:Assertion>$/, `${more}</saml:Assertion>`)
const objectIn = (signature: string, content: string): string =>
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)

describe.each(VERSIONS)('a signature around something else than a token of SAML %s (XSW)', (version) => {
  const forgeries: [string, (signed: string, xml: string) => string][] = [
    ['an evil token before the signed one', (signed, xml) => xml.replace(signed, evilOf(signed) + signed)],
    ['an evil token after it', (signed, xml) => xml.replace(signed, signed + evilOf(signed))],
    ['the signed one inside the evil one', (signed, xml) => xml.replace(signed, ended(evilOf(signed), signed))],
    [
      'the evil one has the signature, the signed one beside it',
      (signed, xml) => xml.replace(signed, ended(evilOf(signed), signatureOf(signed)) + unsigned(signed)),
    ],
    [
      'the signed one in an Object of the signature of the evil one',
      (signed, xml) => xml.replace(signed, ended(evilOf(signed), objectIn(signatureOf(signed), unsigned(signed)))),
    ],
    [
      'the same id for both',
      (signed, xml) =>
        xml.replace(
          signed,
          ended(evilOf(signed).replace('_evil', idOf(signed)), objectIn(signatureOf(signed), unsigned(signed))),
        ),
    ],
    [
      'the id under another name',
      (signed, xml) =>
        xml.replace(
          signed,
          ended(
            evilOf(signed).replace('<saml:Assertion ', `<saml:Assertion Id="${idOf(signed)}" `),
            objectIn(signatureOf(signed), unsigned(signed)),
          ),
        ),
    ],
    [
      'a second answer with the signed one',
      (signed, xml) => `<r xmlns="urn:r">${answerAround(evilOf(signed))}${xml}</r>`,
    ],
    [
      'the evil one asked for, the signed one outside',
      (signed) => answerAround(evilOf(signed)).replace('<t:TokenType>', `${signed}<t:TokenType>`),
    ],
  ]
  it.each(forgeries)('a wrapped signature is refused: %s', (_, forge) => {
    const xml = good[version] ?? ''
    const forged = forge(tokenOf(xml), xml)
    expect(forged).toContain('eve')
    expect(() => judge(forged)).toThrow(/Invalid SAML message/)
  })

  it.each<[string, (xml: string) => string]>([
    ['a changed name', (xml) => xml.replaceAll('>kim<', '>eve<')],
    ['a name cut by a comment', (xml) => xml.replaceAll('>kim<', '>ki<!-- -->m<')],
    ['a name with a processing instruction', (xml) => xml.replaceAll('>kim<', '>ki<?x y?>m<')],
    ['a name with CDATA', (xml) => xml.replaceAll('>kim<', '><![CDATA[kim]]><')],
    ['an entity', (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.replaceAll('>kim<', '>&x;<')}`],
    ['an entity bomb', (xml) => `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "${'&a;'.repeat(999)}">]>${xml}`],
    ['the signature taken away', unsigned],
    ['an empty signature', (xml) => xml.replace(/(<ds:Signature [^>]*>).*(<\/ds:Signature>)/s, '$1$2')],
    ['another algorithm', (xml) => xml.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256')],
    ['the token alone', tokenOf],
    ['no token', (xml) => xml.replace(tokenOf(xml), '')],
    ['two answers', (xml) => xml + xml],
    ['another version', (xml) => xml.replace(/ (MinorVersion|Version)="\d[.\d]*"/, ' $1="3"')],
    ['no XML', () => 'hello'],
    ['nothing', () => ''],
    ['too much', (xml) => xml.replace('>kim<', `>${'k'.repeat(200_001)}<`)],
  ])('is refused: %s', (_, forge) => {
    const forged = forge(good[version] ?? '')
    expect(Object.values(good)).not.toContain(forged)
    expect(() => judge(forged)).toThrow(/Invalid SAML message/)
  })
})

describe('an answer of another kind', () => {
  it('is distinguished as a refusal of the provider', () => {
    const fault = `<s:Fault xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>t:FailedAuthentication</s:Value></s:Subcode></s:Code></s:Fault>`
    expect(() => judge(fault)).toThrow(new StatusError('Fault Sender FailedAuthentication'))
    const older = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Server</faultcode></s:Fault></s:Body></s:Envelope>`
    expect(() => judge(older)).toThrow(new StatusError('Fault Server'))
  })

  it('is refused: a response of SAML, and one with a token around it', async () => {
    const given = { now: NOW, recipient: 'https://id.test/login/callback', audience: US, inResponseTo: null }
    const response = await samlAnswer(idp, given)
    expect(() => judge(response)).toThrow(/Invalid/)
    expect(() => judge(answerAround(response))).toThrow(/Invalid/)
  })
})
