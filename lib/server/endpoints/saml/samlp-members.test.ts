// Every member of an AuthnRequest (SAML Core 3.4.1) is honoured, or answered by the status that the specification names for it, or without
// effect as docs/compat.md says.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseXml } from '../../../crypto/saml/parse'
import { encodeForAddress } from '../../../crypto/saml/transport'
import { attributeOf, elementsOf } from '../../../crypto/saml/xml'
import { SPA, signIn } from '../../../testing/journey'
import { formOf } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { hasSamlSchemas, schemaProblems } from '../../../testing/tools'

const ACS = 'https://sp.test/acs'
const URL = 'https://id.test/samlp/sp'
const FORMAT = 'urn:oasis:names:tc:SAML:'
const EMAIL = `${FORMAT}1.1:nameid-format:emailAddress`
const PROTOCOL = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

let server: TestServer
let signedIn: Browser

const client = (samlp: Record<string, unknown> = {}) =>
  server.addClient({ clientId: 'sp', settings: { callbacks: [ACS], addons: { samlp } } })

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim', emailVerified: true } })
  await server.addUser({ id: 'lee', email: 'lee@mail.test', data: { name: 'Lee', emailVerified: false } })
  signedIn = server.browser()
  await signIn(signedIn, 'kim@mail.test')
})
afterAll(() => server.close())
beforeEach(() => client())

function authnRequest(content = '', attributes: Record<string, string> = {}): string {
  const all = { ID: '_r1', Version: '2.0', IssueInstant: '2027-01-15T08:00:00Z', Destination: URL, ...attributes }
  const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`)
  return `<samlp:AuthnRequest ${PROTOCOL} ${written.join(' ')}><saml:Issuer>urn:sp</saml:Issuer>${content}</samlp:AuthnRequest>`
}

const ask = (xml: string, browser = signedIn): Promise<TestResponse> =>
  browser.get('/samlp/sp', { query: { SAMLRequest: encodeForAddress(xml) } })

type Read = { response: Element; xml: string }
function read(answer: TestResponse): Read {
  expect(answer.status).toBe(200)
  const xml = Buffer.from(formOf(answer.text).fields.SAMLResponse ?? '', 'base64').toString()
  return { xml, response: parseXml(xml) }
}

const all = (root: Element, name: string): Element[] => elementsOf(root).filter(({ localName }) => localName === name)
const textIn = ({ response }: Read, name: string): string | undefined =>
  all(response, name)[0]?.textContent ?? undefined
const statusOf = ({ response }: Read): string[] =>
  all(response, 'StatusCode').map((code) => attributeOf(code, 'Value')?.split(':').at(-1) ?? '')
const assert = async (content = '', attributes: Record<string, string> = {}) =>
  read(await ask(authnRequest(content, attributes)))

const policy = (attributes: string): string => `<samlp:NameIDPolicy ${attributes}/>`
const subject = (nameId: string, format?: string, more = ''): string =>
  `<saml:Subject><saml:NameID${format ? ` Format="${format}"` : ''}>${nameId}</saml:NameID>${more}</saml:Subject>`
const confirmation = (method: string): string =>
  `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"/>`
const conditions = (attributes: string, content = ''): string =>
  `<saml:Conditions ${attributes}>${content}</saml:Conditions>`
const audience = (...names: string[]): string =>
  `<saml:AudienceRestriction>${names.map((name) => `<saml:Audience>${name}</saml:Audience>`).join('')}</saml:AudienceRestriction>`
const context = (content: string, comparison = 'exact'): string =>
  `<samlp:RequestedAuthnContext Comparison="${comparison}">${content}</samlp:RequestedAuthnContext>`
const classRef = (name: string): string =>
  `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:${name}</saml:AuthnContextClassRef>`
const scoping = (attributes: string, ...providers: string[]): string =>
  `<samlp:Scoping ${attributes}>${providers.length === 0 ? '' : `<samlp:IDPList>${providers.map((id) => `<samlp:IDPEntry ProviderID="${id}"/>`).join('')}</samlp:IDPList>`}<samlp:RequesterID>urn:x</samlp:RequesterID></samlp:Scoping>`

describe('NameIDPolicy', () => {
  it.each([
    [EMAIL, 'kim@mail.test', EMAIL],
    [`${FORMAT}2.0:nameid-format:emailAddress`, 'kim@mail.test', EMAIL],
    [`${FORMAT}1.0:nameid-format:emailAddress`, 'kim@mail.test', EMAIL],
    [`${FORMAT}1.1:nameid-format:emailaddress`, 'kim@mail.test', EMAIL],
    ['URN:OASIS:NAMES:TC:SAML:1.1:NAMEID-FORMAT:EMAILADDRESS', 'kim@mail.test', EMAIL],
    [`${FORMAT}1.1:nameid-format:persistent`, 'auth0|kim', `${FORMAT}2.0:nameid-format:persistent`],
    [`${FORMAT}2.0:nameid-format:Persistent`, 'auth0|kim', `${FORMAT}2.0:nameid-format:persistent`],
    [`${FORMAT}2.0:nameid-format:unspecified`, 'auth0|kim', `${FORMAT}1.1:nameid-format:unspecified`],
  ])('the format %s is answered', async (format, name, stated) => {
    const answer = await assert(policy(`Format="${format}"`))
    expect([textIn(answer, 'NameID'), attributeOf(all(answer.response, 'NameID')[0] as Element, 'Format')]).toEqual([
      name,
      stated,
    ])
  })

  it('Format of the add-on, in another spelling, is the name of the add-on', async () => {
    await client({
      nameIdentifierFormat: `${FORMAT}2.0:nameid-format:emailAddress`,
      nameIdentifierProbes: ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name'],
    })
    expect(textIn(await assert(policy(`Format="${EMAIL}"`)), 'NameID')).toBe('Kim')
  })

  it.each([
    ['AllowCreate="false"', ['Success']],
    ['AllowCreate="true"', ['Success']],
    [`AllowCreate="false" Format="${FORMAT}2.0:nameid-format:transient"`, ['Success']],
    ['SPNameQualifier="urn:sp"', ['Success']],
    ['SPNameQualifier=""', ['Success']],
    ['SPNameQualifier="urn:other"', ['Requester', 'InvalidNameIDPolicy']],
    [`Format="${FORMAT}2.0:nameid-format:encrypted"`, ['Requester', 'InvalidNameIDPolicy']],
    [`Format="${FORMAT}2.0:nameid-format:kerberos"`, ['Requester', 'InvalidNameIDPolicy']],
    [`Format="${FORMAT}1.1:nameid-format:X509SubjectName"`, ['Requester', 'InvalidNameIDPolicy']],
    ['Format="emailAddresses"', ['Requester', 'InvalidNameIDPolicy']],
  ])('a NameIDPolicy with %s is answered', async (attributes, status) => {
    expect(statusOf(await assert(policy(attributes)))).toEqual(status)
  })

  it('is refused where AllowCreate is neither true nor false', async () => {
    expect((await ask(authnRequest(policy('AllowCreate="maybe"')))).status).toBe(400)
  })
})

describe('Subject', () => {
  it.each<[string, string, string[]]>([
    ['the user id', subject('auth0|kim'), ['Success']],
    ['the user id as persistent', subject('auth0|kim', `${FORMAT}2.0:nameid-format:persistent`), ['Success']],
    ['the address', subject('Kim@mail.test', EMAIL), ['Success']],
    ['the address in another spelling of its format', subject('kim@mail.test', EMAIL.toLowerCase()), ['Success']],
    ['the address without a format', subject('kim@mail.test'), ['Success']],
    ['a bearer', subject('auth0|kim', undefined, confirmation('bearer')), ['Success']],
    [
      'a bearer or a holder of a key',
      subject('auth0|kim', undefined, confirmation('holder-of-key') + confirmation('bearer')),
      ['Success'],
    ],
    ['another person', subject('lee@mail.test'), ['Responder', 'UnknownPrincipal']],
    [
      'the address as persistent',
      subject('kim@mail.test', `${FORMAT}2.0:nameid-format:persistent`),
      ['Responder', 'UnknownPrincipal'],
    ],
    ['a transient name', subject('_abc', `${FORMAT}2.0:nameid-format:transient`), ['Responder', 'UnknownPrincipal']],
    [
      'a holder of a key',
      subject('auth0|kim', undefined, confirmation('holder-of-key')),
      ['Requester', 'RequestUnsupported'],
    ],
    ['a base id', '<saml:Subject><saml:BaseID/></saml:Subject>', ['Requester', 'RequestUnsupported']],
    ['an encrypted id', '<saml:Subject><saml:EncryptedID/></saml:Subject>', ['Requester', 'RequestUnsupported']],
  ])('a Subject with %s is answered', async (_, content, status) => {
    expect(statusOf(await assert(content))).toEqual(status)
  })

  it('a Subject with an unproven address is refused', async () => {
    const browser = server.browser()
    await signIn(browser, 'lee@mail.test')
    expect(statusOf(read(await ask(authnRequest(subject('lee@mail.test', EMAIL)), browser)))).toEqual([
      'Responder',
      'UnknownPrincipal',
    ])
    expect(statusOf(read(await ask(authnRequest(subject('auth0|lee')), browser)))).toEqual(['Success'])
  })
})

describe('Conditions', () => {
  const later = (seconds: number): string => new Date(server.clock.now().getTime() + seconds * 1000).toISOString()
  const windowOf = ({ response }: Read) => {
    const [element] = all(response, 'Conditions')
    return element && ['NotBefore', 'NotOnOrAfter'].map((name) => attributeOf(element, name))
  }

  it('limits the validity of the assertion, and does not extend it', async () => {
    const short = await assert(conditions(`NotBefore="${later(10)}" NotOnOrAfter="${later(60)}"`))
    expect(windowOf(short)).toEqual([later(10), later(60)])
    expect(attributeOf(all(short.response, 'SubjectConfirmationData')[0] as Element, 'NotOnOrAfter')).toBe(later(60))
    expect(windowOf(await assert(conditions(`NotOnOrAfter="${later(99_999)}"`)))).toEqual([later(0), later(3600)])
  })

  it('of one use is stated', async () => {
    const answer = await assert(conditions('', '<saml:OneTimeUse/>'))
    expect(all(answer.response, 'OneTimeUse')).toHaveLength(1)
    expect(all((await assert(conditions(''))).response, 'OneTimeUse')).toEqual([])
    if (hasSamlSchemas()) expect(schemaProblems(answer.xml, 'protocol')).toBe('')
  })

  it.each<[string, () => string, string[]]>([
    ['its own audience', () => conditions('', audience('urn:sp')), ['Success']],
    ['its own among others', () => conditions('', audience('urn:x', 'urn:sp')), ['Success']],
    ['another audience', () => conditions('', audience('urn:x')), ['Requester', 'RequestUnsupported']],
    [
      'another audience, too',
      () => conditions('', audience('urn:sp') + audience('urn:x')),
      ['Requester', 'RequestUnsupported'],
    ],
    ['an unknown condition', () => conditions('', '<saml:ProxyRestriction/>'), ['Requester', 'RequestUnsupported']],
    ['an end that has come', () => conditions(`NotOnOrAfter="${later(0)}"`), ['Requester', 'RequestDenied']],
    [
      'no time',
      () => conditions(`NotBefore="${later(60)}" NotOnOrAfter="${later(60)}"`),
      ['Requester', 'RequestDenied'],
    ],
  ])('Conditions with %s are answered', async (_, content, status) => {
    expect(statusOf(await assert(content()))).toEqual(status)
  })

  it('malformed Conditions are refused', async () => {
    expect((await ask(authnRequest(conditions('NotBefore="soon"')))).status).toBe(400)
    expect((await ask(authnRequest(conditions('', audience(...Array(21).fill('urn:sp')))))).status).toBe(400)
  })
})

describe('RequestedAuthnContext', () => {
  it.each<[string, string, string[]]>([
    ['a class that holds', context(classRef('PasswordProtectedTransport')), ['Success']],
    ['one of several', context(classRef('Kerberos') + classRef('Password')), ['Success']],
    ['a class that does not hold', context(classRef('X509')), ['Responder', 'NoAuthnContext']],
    [
      'a declaration',
      context('<saml:AuthnContextDeclRef>urn:d</saml:AuthnContextDeclRef>'),
      ['Responder', 'NoAuthnContext'],
    ],
    [
      'better than the best',
      context(classRef('PasswordProtectedTransport'), 'better'),
      ['Responder', 'NoAuthnContext'],
    ],
    ['at least a password', context(classRef('Password'), 'minimum'), ['Success']],
    ['at most a password over TLS', context(classRef('PasswordProtectedTransport'), 'maximum'), ['Success']],
  ])('a RequestedAuthnContext with %s is answered', async (_, content, status) => {
    expect(statusOf(await assert(content))).toEqual(status)
  })
})

describe('Scoping', () => {
  it.each<[string, string, string[]]>([
    ['no provider', scoping('ProxyCount="2"'), ['Success']],
    ['this provider', scoping('', 'urn:id.test'), ['Success']],
    ['this provider and others', scoping('', 'urn:x', 'urn:id.test'), ['Success']],
    ['other providers', scoping('', 'urn:x'), ['Responder', 'NoSupportedIDP']],
    ['no proxy, for a login here', scoping('ProxyCount="0"'), ['Success']],
  ])('a Scoping with %s is answered', async (_, content, status) => {
    expect(statusOf(await assert(content))).toEqual(status)
  })

  it('without proxies refuses a login at another provider', async () => {
    const before = await server.database.pool.query<{ evidence: unknown }>(
      `SELECT evidence FROM session WHERE ended_at IS NULL AND user_id = 'auth0|kim'`,
    )
    const set = (evidence: unknown) =>
      server.database.pool.query(`UPDATE session SET evidence = $1 WHERE ended_at IS NULL AND user_id = 'auth0|kim'`, [
        JSON.stringify(evidence),
      ])
    await set([{ method: 'fed', at: server.clock.now().toISOString(), connection: 'Users' }])
    expect(statusOf(await assert(scoping('ProxyCount="0"')))).toEqual(['Responder', 'ProxyCountExceeded'])
    expect(statusOf(await assert(scoping('ProxyCount="1"')))).toEqual(['Success'])
    await set(before.rows[0]?.evidence)
  })

  it('is refused where ProxyCount is no number', async () => {
    expect((await ask(authnRequest(scoping('ProxyCount="-1"')))).status).toBe(400)
  })
})

describe('attributes', () => {
  const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings:'
  it.each<[Record<string, string>, string[]]>([
    [{ ProtocolBinding: `${BINDINGS}HTTP-POST` }, ['Success']],
    [{ ProtocolBinding: `${BINDINGS}HTTP-Redirect` }, ['Responder', 'UnsupportedBinding']],
    [{ ProtocolBinding: `${BINDINGS}PAOS` }, ['Responder', 'UnsupportedBinding']],
    [{ ProviderName: 'Shop' }, ['Success']],
    [{ Consent: 'urn:oasis:names:tc:SAML:2.0:consent:obtained' }, ['Success']],
    [{ AttributeConsumingServiceIndex: '0' }, ['Success']],
    [{ AttributeConsumingServiceIndex: '7' }, ['Success']],
    [{ ForceAuthn: 'false', IsPassive: 'false' }, ['Success']],
    [{ ForceAuthn: 'true', IsPassive: 'true' }, ['Responder', 'NoPassive']],
    [{ IssueInstant: '2020-01-01T00:00:00Z' }, ['Success']],
    [{ Destination: `${URL}?x=1` }, ['Success']],
    [{ Destination: '' }, ['Success']],
    [{ Version: '2.1' }, ['VersionMismatch', 'RequestVersionTooHigh']],
    [{ Version: '3.0' }, ['VersionMismatch', 'RequestVersionTooHigh']],
  ])('the attributes %j are answered', async (attributes, status) => {
    expect(statusOf(await assert('', attributes))).toEqual(status)
  })

  it.each<Record<string, string>>([
    { Destination: 'https://other.test/samlp/sp' },
    { Destination: 'https://id.test/samlp/other' },
    { AttributeConsumingServiceIndex: 'x' },
    { Version: '1.1' },
    { Version: '' },
    { Version: '2' },
    { IssueInstant: 'now' },
    { ForceAuthn: 'yes' },
    { IsPassive: '2' },
  ])('%j are refused on a page', async (attributes) => {
    const { status, text } = await ask(authnRequest('', attributes))
    expect(status).toBe(400)
    expect(text).not.toContain('SAMLResponse')
  })

  it('all members and Extensions are accepted together', async () => {
    const content = `${subject('auth0|kim')}${policy('AllowCreate="true"')}${conditions('')}${context(classRef('Password'))}${scoping('')}`
    const extended = authnRequest(`<samlp:Extensions><x xmlns="urn:x"/></samlp:Extensions>${content}`)
    expect(statusOf(read(await ask(extended)))).toEqual(['Success'])
  })
})
