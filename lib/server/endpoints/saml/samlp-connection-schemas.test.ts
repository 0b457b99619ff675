// Messages that we write as a service provider, checked by independent tools: the published schemas by xmllint, signatures by
// xmlsec1 (both from Debian). The tests of the identity provider endpoints check those messages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pemOf } from '../../../crypto/saml/certificate'
import { writeLogoutRequest } from '../../../crypto/saml/messages'
import { parseXml } from '../../../crypto/saml/parse'
import { readAuthnRequest } from '../../../crypto/saml/read'
import { signXml } from '../../../crypto/saml/sign'
import { decodeMessage, encodeForForm } from '../../../crypto/saml/transport'
import { authorizeQuery, locationOf, SPA } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { encoded, IDP, samlAnswer } from '../../../testing/saml-idp'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'
import { hasSamlSchemas, hasTool, schemaProblems, xmlsecHolds } from '../../../testing/tools'

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings'

let server: TestServer
let idp: Partner
let certificate: string

const metadataOf = (binding: string): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${idp.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleLogoutService Binding="${BINDINGS}:${binding}" Location="https://idp.test/slo"/><md:SingleSignOnService Binding="${BINDINGS}:${binding}" Location="https://idp.test/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`

beforeAll(async () => {
  idp = await makePartner()
  server = await testServer()
  certificate = pemOf((await server.runtime()).keyring.current.certificate)
  await server.addClient(SPA)
  for (const [name, binding] of [
    ['address', 'HTTP-Redirect'],
    ['form', 'HTTP-POST'],
  ] as const) {
    await server.addConnection(name, { options: { metadataXml: metadataOf(binding) } }, `con_${name}`, 'samlp')
  }
})
afterAll(() => server.close())

type Sent = { fields: Record<string, string>; xml: string }

function sentIn(answer: TestResponse): Sent {
  const fields =
    answer.status === 302 ? Object.fromEntries(locationOf(answer).searchParams) : formOf(answer.text).fields
  return { fields, xml: decodeMessage(fields.SAMLRequest ?? fields.SAMLResponse ?? '') }
}

const leave = async (browser: Browser, connection: string, extra = {}): Promise<Sent> =>
  sentIn(await browser.get('/authorize', { query: authorizeQuery({ connection, ...extra }) }))

async function signedIn(connection: string): Promise<Browser> {
  const browser = server.browser()
  const { fields, xml } = await leave(browser, connection)
  const answer = await samlAnswer(idp, {
    now: server.clock.now(),
    recipient: `https://id.test/login/callback?connection=${connection}`,
    audience: `urn:id.test:${connection}`,
    inResponseTo: readAuthnRequest(parseXml(xml)).id,
  })
  const form = { SAMLResponse: encoded(answer), RelayState: fields.RelayState ?? '' }
  const posted = await browser.post('/login/callback', { query: { connection }, form })
  await browser.get(posted.header('location') ?? '')
  return browser
}

/** Follows our own redirects to the first external one. */
async function onward(browser: Browser, answer: TestResponse): Promise<TestResponse> {
  const to = answer.header('location')
  return to?.startsWith('https://id.test/') ? onward(browser, await browser.get(to)) : answer
}

/** Our response to the provider's LogoutRequest, in a form. */
async function answerToLogout(): Promise<Sent> {
  const browser = await signedIn('form')
  const now = server.clock.now()
  const request = writeLogoutRequest({
    id: `_${server.random.hex(16)}`,
    issuer: IDP,
    at: now,
    destination: 'https://id.test/logout/callback',
    expiresAt: new Date(now.getTime() + 60_000),
    nameId: { value: 'kim', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
    sessionIndex: 's1',
  })
  const signed = await signXml(request, idp, { signature: 'sha256', digest: 'sha256' })
  const sent = { query: { connection: 'form' }, form: { SAMLRequest: encodeForForm(signed) } }
  return sentIn(await onward(browser, await browser.post('/logout/callback', sent)))
}

const logoutRequest = async (): Promise<Sent> =>
  sentIn(await (await signedIn('address')).get('/v2/logout', { query: { federated: '' } }))

describe.runIf(hasSamlSchemas())('the published schemas have nothing against', () => {
  it.each<[string, () => Promise<Sent>]>([
    ['an AuthnRequest in an address', () => leave(server.browser(), 'address')],
    ['an AuthnRequest in a form, signed inside', () => leave(server.browser(), 'form')],
    ['an AuthnRequest that asks anew', () => leave(server.browser(), 'address', { prompt: 'login' })],
    ['a LogoutRequest', logoutRequest],
    ['a LogoutResponse', answerToLogout],
  ])('the schemas accept %s', async (_, make) => {
    const { xml } = await make()
    expect(xml).toMatch(/^<samlp:(?:AuthnRequest|Logout)/)
    expect(schemaProblems(xml, 'protocol')).toBe('')
  })

  it('the schemas accept our metadata of a connection', async () => {
    const { text } = await server.browser().get('/samlp/metadata', { query: { connection: 'form' } })
    expect(schemaProblems(text, 'metadata')).toBe('')
  })
})

describe.runIf(hasTool('xmlsec1'))('xmlsec1 finds signed', () => {
  it.each<[string, string, () => Promise<Sent>]>([
    ['an AuthnRequest', 'AuthnRequest', () => leave(server.browser(), 'form')],
    ['a LogoutResponse', 'LogoutResponse', answerToLogout],
  ])('the signature of %s is valid, and invalid after a change', async (_, element, make) => {
    const { xml } = await make()
    expect(xmlsecHolds(xml, element, certificate)).toBe(true)
    expect(xmlsecHolds(xml.replace('urn:id.test:form', 'urn:id.test:another'), element, certificate)).toBe(false)
  })
})
