// GET and POST /samlp/{client_id}: which requests are answered, the address of the response, and its content (threat-model.md
// IP1, IP2).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pemOf } from '../../../crypto/saml/certificate'
import { parseXml } from '../../../crypto/saml/parse'
import { signedAddress } from '../../../crypto/saml/query-signature'
import { signXml } from '../../../crypto/saml/sign'
import { encodeForAddress, encodeForForm } from '../../../crypto/saml/transport'
import { attributeOf, childOf, elementsOf } from '../../../crypto/saml/xml'
import { locationOf, SPA, signIn, submitPassword } from '../../../testing/journey'
import { organizationsOf } from '../../../testing/organizations'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { hasSamlSchemas, hasTool, schemaProblems, xmlsecHolds } from '../../../testing/tools'

const ACS = 'https://sp.test/acs'
const SECOND_ACS = 'https://sp.test/other?x=1'
const URL = 'https://id.test/samlp/sp'
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const PASSWORD_OVER_TLS = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const VENDOR = 'http://schemas.auth0.com'

let server: TestServer
let partner: Partner
let other: Partner
let certificate: string
/** Signed in, so responses come at once. */
let signedIn: Browser

const client = (samlp: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) =>
  server.addClient({
    clientId: 'sp',
    settings: { callbacks: ['https://*.sp.test/x', ACS, SECOND_ACS, 'app.test:/cb'], addons: { samlp }, ...settings },
  })

beforeAll(async () => {
  server = await testServer()
  ;[partner, other] = [await makePartner(), await makePartner()]
  await server.addClient(SPA)
  await server.addUser({
    id: 'kim',
    email: 'kim@mail.test',
    data: {
      name: 'Kim <&"\' Ö',
      givenName: 'Kim',
      emailVerified: true,
      userMetadata: { team: 'blue' },
      appMetadata: { plan: 'gold' },
    },
  })
  certificate = pemOf((await server.runtime()).keyring.current.certificate)
  signedIn = server.browser()
  await signIn(signedIn, 'kim@mail.test')
})
afterAll(() => server.close())
beforeEach(() => client())

type Attributes = Record<string, string | undefined>
const PROTOCOL = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

function authnRequest(attributes: Attributes = {}, content = ''): string {
  const all = {
    ID: '_r1',
    Version: '2.0',
    IssueInstant: '2027-01-15T08:00:00Z',
    Destination: URL,
    AssertionConsumerServiceURL: ACS,
    ...attributes,
  }
  const written = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]))
  return `<samlp:AuthnRequest ${PROTOCOL} ${written.join(' ')}><saml:Issuer>urn:sp</saml:Issuer>${content}</samlp:AuthnRequest>`
}

const byRedirect = (browser: Browser, xml: string, extra: Record<string, string> = {}) =>
  browser.get('/samlp/sp', { query: { SAMLRequest: encodeForAddress(xml), RelayState: 'r/ö+&=<>"', ...extra } })
const byPost = (browser: Browser, xml: string, extra: Record<string, string> = {}) =>
  browser.post('/samlp/sp', { form: { SAMLRequest: encodeForForm(xml), RelayState: 'r', ...extra } })

type Read = { action: string; relayState: string | undefined; xml: string; response: Element }
function read(answer: TestResponse): Read {
  expect(answer.status).toBe(200)
  const { action, fields } = formOf(answer.text)
  const xml = Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()
  return { action, relayState: fields.RelayState, xml, response: parseXml(xml) }
}

const all = (root: Element, name: string): Element[] => elementsOf(root).filter(({ localName }) => localName === name)
const one = (root: Element, name: string): Element => {
  const [found, ...more] = all(root, name)
  if (!found || more.length > 0) throw new Error(`${name}: ${more.length}`)
  return found
}
const textOf = (root: Element, name: string): string | null => one(root, name).textContent
const statusOf = ({ response }: Read): string[] =>
  all(response, 'StatusCode').map((code) => attributeOf(code, 'Value')?.split(':').at(-1) ?? '')
const attributesIn = (root: Element): Record<string, string[]> =>
  Object.fromEntries(
    all(root, 'Attribute').map((attribute) => [
      attributeOf(attribute, 'Name') ?? '',
      all(attribute, 'AttributeValue').map(({ textContent }) => textContent ?? ''),
    ]),
  )
const assert = async (attributes?: Attributes, content?: string) =>
  read(await byRedirect(signedIn, authnRequest(attributes, content)))

async function refused(answer: Promise<TestResponse>, status = 400): Promise<void> {
  const { status: given, text } = await answer
  expect(given).toBe(status)
  expect(text).not.toContain('SAMLResponse')
}

describe('an answer', () => {
  it('goes to the application, about this request, RelayState as it came', async () => {
    const answer = await assert()
    const { action, relayState, response } = answer
    expect([action, relayState]).toEqual([ACS, 'r/ö+&=<>"'])
    expect(statusOf(answer)).toEqual(['Success'])
    expect([attributeOf(response, 'Destination'), attributeOf(response, 'InResponseTo')]).toEqual([ACS, '_r1'])
    expect(all(response, 'Issuer').map(({ textContent }) => textContent)).toEqual(['urn:id.test', 'urn:id.test'])
    const confirmed = one(response, 'SubjectConfirmationData')
    expect(attributeOf(confirmed, 'Recipient')).toBe(ACS)
    expect(attributeOf(confirmed, 'InResponseTo')).toBe('_r1')
    expect(textOf(response, 'Audience')).toBe('urn:sp')
    expect(textOf(response, 'NameID')).toBe('auth0|kim')
    expect(attributeOf(one(response, 'NameID'), 'Format')).toBe(UNSPECIFIED)
    expect(textOf(response, 'AuthnContextClassRef')).toMatch(/unspecified$/)
    expect(attributeOf(one(response, 'AuthnStatement'), 'SessionIndex')).toMatch(/^.{20,}$/)
  })

  it('lives as long as the setting says', async () => {
    const life = async () => {
      const { response } = await assert()
      const conditions = one(response, 'Conditions')
      const [from, to] = ['NotBefore', 'NotOnOrAfter'].map((name) => new Date(attributeOf(conditions, name) ?? ''))
      expect(attributeOf(one(response, 'SubjectConfirmationData'), 'NotOnOrAfter')).toBe(to?.toISOString())
      expect(from).toEqual(server.clock.now())
      return (Number(to) - Number(from)) / 1000
    }
    expect(await life()).toBe(3600)
    await client({ lifetimeInSeconds: 60 })
    expect(await life()).toBe(60)
  })

  it.skipIf(!hasSamlSchemas())('is valid by the published schema', async () => {
    await client({ mappings: { name: ['a', 'urn:b'], 'app_metadata.plan': 'plan' }, includeAttributeNameFormat: false })
    expect(schemaProblems((await assert()).xml, 'protocol')).toBe('')
    expect(schemaProblems((await assert({ IsPassive: 'true', ForceAuthn: 'true' })).xml, 'protocol')).toBe('')
  })

  it('comes after a login, once', async () => {
    const browser = server.browser()
    const page = locationOf(await byPost(browser, authnRequest()))
    expect(page.pathname).toBe('/u/login')
    const answer = await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test')
    expect(textOf(read(answer).response, 'NameID')).toBe('auth0|kim')
    expect(statusOf(read(await byPost(browser, authnRequest({ IsPassive: '1' }))))).toEqual(['Success'])
  })

  it.each([
    [
      'deflated in a form',
      () => signedIn.post('/samlp/sp', { form: { SAMLRequest: encodeForAddress(authnRequest()) } }),
    ],
    ['plain in an address', () => signedIn.get('/samlp/sp', { query: { SAMLRequest: encodeForForm(authnRequest()) } })],
  ])('comes for a request %s', async (_, ask) => {
    expect(statusOf(read(await ask()))).toEqual(['Success'])
  })

  it('needs no add-on for a first-party application, and one for a third-party application', async () => {
    await server.addClient({ clientId: 'sp', settings: { callbacks: [ACS] } })
    expect(statusOf(await assert())).toEqual(['Success'])
    await server.addClient({ clientId: 'sp', settings: { callbacks: [ACS], is_first_party: false } })
    await refused(byRedirect(signedIn, authnRequest()), 403)
  })

  it('without a request goes to the first callback URL', async () => {
    const answer = read(await signedIn.get('/samlp/sp', { query: { RelayState: 'deep' } }))
    expect([answer.action, answer.relayState]).toEqual([ACS, 'deep'])
    expect(attributeOf(answer.response, 'InResponseTo')).toBeUndefined()
    expect(attributeOf(one(answer.response, 'SubjectConfirmationData'), 'InResponseTo')).toBeUndefined()
    expect(textOf(answer.response, 'Audience')).toBe(ACS)
  })

  it('from another site is repeated by the browser, so that the session cookie is sent', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const form = { SAMLRequest: encodeForForm(authnRequest()), RelayState: 'r' }
    const again = await server.browser().post('/samlp/sp', { form, headers })
    expect([again.status, locationOf(again).pathname]).toEqual([303, '/samlp/sp'])
    expect(statusOf(read(await signedIn.get(again.header('location') ?? '')))).toEqual(['Success'])
    const long = { ...form, RelayState: 'r'.repeat(8000) }
    const page = formOf((await server.browser().post('/samlp/sp', { form: long, headers })).text)
    expect(page).toEqual({ action: URL, fields: long })
    expect(read(await signedIn.post('/samlp/sp', { form: page.fields })).relayState).toBe(long.RelayState)
  })
})

describe('the target', () => {
  it.each<[string, Attributes]>([
    ['unknown', { AssertionConsumerServiceURL: 'https://evil.test/acs' }],
    ['longer than registered', { AssertionConsumerServiceURL: `${ACS}/x` }],
    ['in other letters', { AssertionConsumerServiceURL: 'https://sp.test/ACS' }],
    ['of another scheme', { AssertionConsumerServiceURL: 'app.test:/cb' }],
    ['a pattern', { AssertionConsumerServiceURL: 'https://*.sp.test/x' }],
    ['empty', { AssertionConsumerServiceURL: '' }],
    ['script', { AssertionConsumerServiceURL: 'javascript:alert(1)' }],
    ['named twice', { AssertionConsumerServiceIndex: '1' }],
    ['a pattern by its place', { AssertionConsumerServiceURL: undefined, AssertionConsumerServiceIndex: '0' }],
    ['of another scheme by its place', { AssertionConsumerServiceURL: undefined, AssertionConsumerServiceIndex: '3' }],
    ['beyond the last', { AssertionConsumerServiceURL: undefined, AssertionConsumerServiceIndex: '9' }],
    ['no place', { AssertionConsumerServiceURL: undefined, AssertionConsumerServiceIndex: '-1' }],
  ])('is refused: %s', async (_, attributes) => {
    await refused(byRedirect(signedIn, authnRequest(attributes)))
  })

  it.each<[string, Attributes, string]>([
    ['by URL', { AssertionConsumerServiceURL: SECOND_ACS }, SECOND_ACS],
    ['by pattern', { AssertionConsumerServiceURL: 'https://eu.sp.test/x' }, 'https://eu.sp.test/x'],
    ['by place', { AssertionConsumerServiceURL: undefined, AssertionConsumerServiceIndex: '2' }, SECOND_ACS],
    ['by default', { AssertionConsumerServiceURL: undefined }, ACS],
  ])('is taken %s', async (_, attributes, expected) => {
    const { action, response } = await assert(attributes)
    expect([action, attributeOf(response, 'Destination')]).toEqual([expected, expected])
  })

  it('does not exist for an unknown client, or one without a callback URL', async () => {
    await refused(signedIn.get('/samlp/nobody', { query: { SAMLRequest: encodeForAddress(authnRequest()) } }))
    await client({}, { callbacks: [] })
    await refused(signedIn.get('/samlp/sp'))
  })
})

describe('a message is refused', () => {
  it.each<[string, string]>([
    ['no AuthnRequest', authnRequest().replaceAll('AuthnRequest', 'LogoutRequest')],
    ['another namespace', authnRequest().replace('SAML:2.0:protocol', 'SAML:1.0:protocol')],
    ['another version', authnRequest({ Version: '1.1' })],
    ['no version', authnRequest({ Version: undefined })],
    ['no id', authnRequest({ ID: undefined })],
    ['an invalid id', authnRequest({ ID: '1' })],
    ['an id with markup', authnRequest({ ID: '_&quot;&gt;&lt;x' })],
    ['an id without end', authnRequest({ ID: `_${'x'.repeat(300)}` })],
    ['no time', authnRequest({ IssueInstant: 'now' })],
    ['an invalid flag', authnRequest({ ForceAuthn: 'yes' })],
    ['two issuers', authnRequest({}, '<saml:Issuer>b</saml:Issuer>')],
    ['an issuer without end', authnRequest().replace('urn:sp', 'x'.repeat(2000))],
    ['a DTD', `<!DOCTYPE x [<!ENTITY a "b">]>${authnRequest()}`],
    ['a comment', authnRequest().replace('urn:sp', 'urn:s<!-- -->p')],
    ['an invalid comparison', authnRequest({}, '<samlp:RequestedAuthnContext Comparison="x"/>')],
  ])('a message is refused: %s', async (_, xml) => {
    await refused(byRedirect(signedIn, xml))
    await refused(byPost(signedIn, xml))
  })

  it('a RelayState without end', () => refused(byPost(signedIn, authnRequest(), { RelayState: 'x'.repeat(9000) })))
  it('a message with a parameter twice is refused', () =>
    refused(signedIn.get('/samlp/sp?SAMLRequest=a&SAMLRequest=b')))
  it('a body without end', () => refused(byPost(signedIn, authnRequest(), { x: 'x'.repeat(400_000) }), 413))
})

describe('a request that must be signed', () => {
  beforeEach(() => client({ signingCert: partner.certificatePem }))
  const address = (xml: string, by = partner, relayState: string | null = 'r') =>
    signedAddress(URL, { name: 'SAMLRequest', xml, relayState }, { key: by.privateKey, hash: 'sha256' })
  const inside = (xml: string, by = partner) => signXml(xml, by, { signature: 'sha256', digest: 'sha256' })

  it('is taken with a signature in the address', async () => {
    expect(statusOf(read(await signedIn.get(await address(authnRequest()))))).toEqual(['Success'])
  })

  it('is taken with a signature inside, by both bindings', async () => {
    const signed = await inside(authnRequest())
    expect(statusOf(read(await byPost(signedIn, signed)))).toEqual(['Success'])
    expect(statusOf(read(await byRedirect(signedIn, signed)))).toEqual(['Success'])
  })

  it('is taken with a public key for a certificate', async () => {
    const { createPublicKey } = await import('node:crypto')
    const signingCert = createPublicKey(partner.certificatePem).export({ format: 'pem', type: 'spki' })
    await client({ signingCert })
    expect(statusOf(read(await signedIn.get(await address(authnRequest()))))).toEqual(['Success'])
  })

  it.each<[string, () => Promise<TestResponse>]>([
    ['without a signature', () => byRedirect(signedIn, authnRequest())],
    ['without a signature in a form', () => byPost(signedIn, authnRequest())],
    ['by another key in the address', async () => signedIn.get(await address(authnRequest(), other))],
    ['by another key inside', async () => byPost(signedIn, await inside(authnRequest(), other))],
    [
      'changed after it was signed',
      async () => byPost(signedIn, (await inside(authnRequest())).replace('urn:sp', 'urn:tv')),
    ],
    [
      'with another RelayState',
      async () => signedIn.get((await address(authnRequest())).replace('RelayState=r', 'RelayState=s')),
    ],
    [
      'with an address signature in a form',
      async () => {
        const form = Object.fromEntries(new globalThis.URL(await address(authnRequest())).searchParams)
        return signedIn.post('/samlp/sp', { form })
      },
    ],
    [
      'with a good signature inside and a bad one in the address',
      async () => byRedirect(signedIn, await inside(authnRequest()), { SigAlg: 'x', Signature: 'y' }),
    ],
    [
      'for another address',
      async () => signedIn.get(await address(authnRequest({ Destination: 'https://other.test/samlp/sp' }))),
    ],
  ])('is refused %s', async (_, ask) => {
    await refused(ask())
  })
})

describe('the parameters of a request', () => {
  it('ForceAuthn shows the login page despite a session', async () => {
    const answer = await byRedirect(signedIn, authnRequest({ ForceAuthn: 'true' }))
    expect(locationOf(answer).pathname).toBe('/u/login')
  })

  it.each<[string, Browser | null, Attributes]>([
    ['no user is signed in', null, { IsPassive: 'true' }],
    ['a new login is wanted too', signedIn ?? null, { IsPassive: 'true', ForceAuthn: 'true' }],
  ])('IsPassive answers NoPassive where %s', async (_, browser, attributes) => {
    const answer = read(await byRedirect(browser ?? server.browser(), authnRequest(attributes)))
    expect(statusOf(answer)).toEqual(['Responder', 'NoPassive'])
    expect([answer.action, answer.relayState]).toEqual([ACS, 'r/ö+&=<>"'])
    expect(all(answer.response, 'Assertion')).toEqual([])
    expect(all(answer.response, 'Signature')).toHaveLength(1)
  })

  it.each<[string, string, string]>([
    ['no format', '', 'auth0|kim'],
    [UNSPECIFIED, UNSPECIFIED, 'auth0|kim'],
    [EMAIL, EMAIL, 'kim@mail.test'],
    [PERSISTENT, PERSISTENT, 'auth0|kim'],
  ])('a NameIDPolicy chooses the name identifier: %s', async (_, format, expected) => {
    const { response } = await assert({}, format && `<samlp:NameIDPolicy Format="${format}" AllowCreate="true"/>`)
    expect(textOf(response, 'NameID')).toBe(expected)
    expect(attributeOf(one(response, 'NameID'), 'Format')).toBe(format || UNSPECIFIED)
  })

  it('an unverified address is not a name identifier', async () => {
    await server.addUser({ id: 'lee', email: 'lee@mail.test' })
    const browser = server.browser()
    await signIn(browser, 'lee@mail.test')
    const policy = `<samlp:NameIDPolicy Format="${EMAIL}"/>`
    const { response } = read(await byRedirect(browser, authnRequest({}, policy)))
    expect([textOf(response, 'NameID'), attributeOf(one(response, 'NameID'), 'Format')]).toEqual([
      'auth0|lee',
      UNSPECIFIED,
    ])
  })

  it('NameIDPolicy transient: another name every time', async () => {
    const policy = `<samlp:NameIDPolicy Format="${TRANSIENT}"/>`
    const names = await Promise.all([1, 2].map(async () => textOf((await assert({}, policy)).response, 'NameID')))
    expect(new Set([...names, 'auth0|kim']).size).toBe(3)
  })

  it.each([
    ['an unknown NameIDPolicy', {}, '<samlp:NameIDPolicy Format="urn:x"/>', ['Requester', 'InvalidNameIDPolicy']],
    [
      'an answer by another binding',
      { ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact' },
      '',
      ['Responder', 'UnsupportedBinding'],
    ],
    ['an unknown context', {}, context('urn:x'), ['Responder', 'NoAuthnContext']],
    ['a better context than there is', {}, context(PASSWORD_OVER_TLS, 'better'), ['Responder', 'NoAuthnContext']],
  ])('%s gets this status', async (_, attributes, content, expected) => {
    const answer = read(await byRedirect(signedIn, authnRequest(attributes, content)))
    expect(statusOf(answer)).toEqual(expected)
    expect(all(answer.response, 'Assertion')).toEqual([])
  })

  it.each([
    ['exact', PASSWORD_OVER_TLS],
    ['minimum', 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password'],
    ['maximum', PASSWORD_OVER_TLS],
  ])('a context by %s is said to be proven', async (comparison, requested) => {
    const { response } = await assert({}, context(requested, comparison))
    expect(textOf(response, 'AuthnContextClassRef')).toBe(PASSWORD_OVER_TLS)
  })

  it('a connection, an organization and a name are what the pipeline wants', async () => {
    const subject = '<saml:Subject><saml:NameID>kim@mail.test</saml:NameID></saml:Subject>'
    const extra = { connection: 'Users', organization: await organizationsOf(server).add('acme') }
    const refused = await byRedirect(server.browser(), authnRequest({}, subject), extra)
    expect(refused.text).toContain('action="')
    const settings = `settings || '{"organization_usage": "allow"}'`
    await server.database.pool.query(`UPDATE client SET settings = ${settings} WHERE client_id = 'sp'`)
    server.clock.advance(2)
    const answer = await byRedirect(server.browser(), authnRequest({}, subject), extra)
    expect(locationOf(answer).pathname).toBe('/u/login')
    const { rows } = await server.database.pool.query(
      'SELECT wants FROM login_transaction ORDER BY created_at DESC LIMIT 1',
    )
    expect(rows[0].wants).toMatchObject({ ...extra, loginHint: 'kim@mail.test', redirectUri: ACS })
  })
})

function context(name: string, comparison = 'exact'): string {
  return `<samlp:RequestedAuthnContext Comparison="${comparison}"><saml:AuthnContextClassRef>${name}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`
}

describe('a request that would take long to read (BF13)', () => {
  const extended = (count: number): string =>
    authnRequest({}, `<samlp:Extensions>${'<x/>'.repeat(count)}</samlp:Extensions>`)
  const signed = (xml: string) => signXml(xml, partner, { signature: 'sha256', digest: 'sha256' })

  it('is refused, signed or not; one with a few extensions is answered', async () => {
    expect(statusOf(read(await byRedirect(signedIn, extended(100))))).toEqual(['Success'])
    await refused(byRedirect(signedIn, extended(310)))
    await refused(byPost(signedIn, extended(310)))
    await client({ signingCert: partner.certificatePem })
    expect(statusOf(read(await byPost(signedIn, await signed(extended(100)))))).toEqual(['Success'])
    await refused(byPost(signedIn, await signed(extended(310))))
  })
})

describe('the settings of the add-on', () => {
  it("the default attributes are the common ones and the vendor's, without the metadata of the user", async () => {
    const attributes = attributesIn((await assert()).response)
    expect(attributes).toMatchObject({
      [`${CLAIMS}/nameidentifier`]: ['auth0|kim'],
      [`${CLAIMS}/emailaddress`]: ['kim@mail.test'],
      [`${CLAIMS}/name`]: ['Kim <&"\' Ö'],
      [`${CLAIMS}/givenname`]: ['Kim'],
      [`${CLAIMS}/upn`]: ['kim@mail.test'],
      [`${VENDOR}/email_verified`]: ['true'],
      [`${VENDOR}/nickname`]: ['kim'],
      [`${VENDOR}/clientID`]: ['sp'],
      [`${VENDOR}/identities/default/connection`]: ['Users'],
      [`${VENDOR}/identities/default/provider`]: ['auth0'],
      [`${VENDOR}/identities/default/isSocial`]: ['false'],
    })
    expect(JSON.stringify(attributes)).not.toMatch(/metadata|blue|gold|last_ip/)
  })

  it('an address that was only typed at sign-up is asserted where the add-on says so, and nowhere else', async () => {
    await server.addUser({ id: 'may', email: 'may@mail.test', data: { name: 'may@mail.test' } })
    const browser = server.browser()
    await signIn(browser, 'may@mail.test')
    const requested = async () => read(await byRedirect(browser, authnRequest()))
    const { xml, response } = await requested()
    expect(xml).not.toContain('may@mail.test')
    expect(attributesIn(response)).toMatchObject({
      [`${CLAIMS}/nameidentifier`]: ['auth0|may'],
      [`${VENDOR}/nickname`]: ['may'],
      [`${VENDOR}/email_verified`]: ['false'],
    })
    await client({ nameIdentifierProbes: [`${CLAIMS}/emailaddress`, `${CLAIMS}/name`] })
    expect(textOf((await requested()).response, 'NameID')).toBe('auth0|may')
    await client({ includeUnverifiedEmail: true })
    expect(attributesIn((await requested()).response)).toMatchObject({
      [`${CLAIMS}/emailaddress`]: ['may@mail.test'],
      [`${CLAIMS}/name`]: ['may@mail.test'],
      [`${CLAIMS}/upn`]: ['may@mail.test'],
    })
    const policy = `<samlp:NameIDPolicy Format="${EMAIL}"/>`
    const named = read(await byRedirect(browser, authnRequest({}, policy)))
    expect(textOf(named.response, 'NameID')).toBe('may@mail.test')
  })

  it('mappings, to one name or several, of metadata too', async () => {
    const mappings = {
      email: ['mail', 'urn:mail'],
      'user_metadata.team': 'team',
      'app_metadata.plan': 'plan',
      nothing: 'none',
    }
    await client({ mappings, passthroughClaimsWithNoMapping: false, mapIdentities: false })
    expect(attributesIn((await assert()).response)).toEqual({
      mail: ['kim@mail.test'],
      'urn:mail': ['kim@mail.test'],
      team: ['blue'],
      plan: ['gold'],
    })
  })

  it('the attributes follow mapUnknownClaimsAsIs, createUpnClaim and mapIdentities', async () => {
    await client({ mapUnknownClaimsAsIs: true, createUpnClaim: false, mapIdentities: false })
    const attributes = attributesIn((await assert()).response)
    expect(attributes.nickname).toEqual(['kim'])
    expect(Object.keys(attributes).join()).not.toMatch(/upn|auth0\.com/)
  })

  it('types and name formats, configured or not', async () => {
    const shape = async () => {
      const [attribute] = all((await assert()).response, 'Attribute').filter((one) =>
        attributeOf(one, 'Name')?.endsWith('email_verified'),
      )
      if (!attribute) throw new Error('no attribute')
      return [
        attributeOf(attribute, 'NameFormat')?.split(':').at(-1),
        attributeOf(one(attribute, 'AttributeValue'), 'xsi:type'),
      ]
    }
    expect(await shape()).toEqual(['uri', 'xs:boolean'])
    await client({ mapUnknownClaimsAsIs: true })
    expect(await shape()).toEqual(['basic', 'xs:boolean'])
    await client({ typedAttributes: false, includeAttributeNameFormat: false })
    expect(await shape()).toEqual([undefined, 'xs:anyType'])
  })

  it('audience, recipient, destination, issuer, NameID, context; the form goes to what is proven', async () => {
    await client({
      audience: 'urn:aud',
      recipient: 'https://r.test/',
      destination: 'https://d.test/',
      issuer: 'urn:me',
      nameIdentifierFormat: EMAIL,
      nameIdentifierProbes: ['urn:none', `${CLAIMS}/emailaddress`],
      authnContextClassRef: 'urn:ctx',
    })
    const { action, response } = await assert()
    expect(action).toBe(ACS)
    expect(textOf(response, 'Audience')).toBe('urn:aud')
    expect(attributeOf(one(response, 'SubjectConfirmationData'), 'Recipient')).toBe('https://r.test/')
    expect(attributeOf(response, 'Destination')).toBe('https://d.test/')
    expect(all(response, 'Issuer').map(({ textContent }) => textContent)).toEqual(['urn:me', 'urn:me'])
    expect([textOf(response, 'NameID'), attributeOf(one(response, 'NameID'), 'Format')]).toEqual([
      'kim@mail.test',
      EMAIL,
    ])
    expect(textOf(response, 'AuthnContextClassRef')).toBe('urn:ctx')
  })

  it.each([
    [{}, ['Assertion']],
    [{ signResponse: true }, ['Response']],
    [{ signResponse: true, signAssertion: true }, ['Response', 'Assertion']],
    [{ signAssertion: false }, ['Response']],
  ])('the settings %j sign %j', async (samlp, signed) => {
    await client(samlp)
    const { response, xml } = await assert()
    const has = (element: Element) => childOf(element, 'http://www.w3.org/2000/09/xmldsig#', 'Signature') !== undefined
    expect([response, one(response, 'Assertion')].filter(has).map(({ localName }) => localName)).toEqual(signed)
    if (hasTool('xmlsec1')) expect(xmlsecHolds(xml, signed[0] ?? '', certificate)).toBe(true)
    if (hasSamlSchemas()) expect(schemaProblems(xml, 'protocol')).toBe('')
  })

  it.each([
    ['rsa-sha1', 'sha1', 'xmldsig#rsa-sha1', 'xmldsig#sha1'],
    ['rsa-sha256', 'sha1', 'xmldsig-more#rsa-sha256', 'xmldsig#sha1'],
    ['rsa-sha512', 'sha512', 'xmldsig-more#rsa-sha512', 'xmlenc#sha512'],
  ])('the signature is by %s over %s', async (signatureAlgorithm, digestAlgorithm, signature, digest) => {
    await client({ signatureAlgorithm, digestAlgorithm })
    const { xml } = await assert()
    expect(xml).toContain(`${signature}"`)
    expect(xml).toContain(`${digest}"`)
  })

  it('encryptionCert hides the assertion', async () => {
    await client({ encryptionCert: partner.certificatePem, signResponse: true, signAssertion: true })
    const { response, xml } = await assert()
    expect(all(response, 'Assertion')).toEqual([])
    expect(all(response, 'EncryptedAssertion')).toHaveLength(1)
    expect(xml).not.toContain('kim@mail.test')
    if (hasTool('xmlsec1')) expect(xmlsecHolds(xml, 'Response', certificate)).toBe(true)
    if (hasSamlSchemas()) expect(schemaProblems(xml, 'protocol')).toBe('')
  })
})
