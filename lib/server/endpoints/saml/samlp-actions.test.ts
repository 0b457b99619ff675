// What an action sets for the SAML response of a login: settings of the add-on and new attributes, for this response alone. Who the person
// is and where the response goes stay what the profile and the application's registration say.
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseXml } from '../../../crypto/saml/parse'
import { attributeOf, elementsOf } from '../../../crypto/saml/xml'
import { bindAction, postLogin } from '../../../testing/bind-action'
import { SPA, signIn } from '../../../testing/journey'
import { formOf, makePartner } from '../../../testing/saml'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const ACS = 'https://sp.test/acs'
const SECOND = 'https://sp.test/second'
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const tenant = { default_directory: 'Users' }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'sp', settings: { callbacks: [ACS, SECOND], addons: { samlp: {} } } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim', emailVerified: true } })
  await server.addUser({ id: 'lee', email: 'lee@mail.test', data: { name: 'Lee', emailVerified: false } })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.setTenant({ tenant })
  browser = server.browser()
  await signIn(browser, 'kim@mail.test')
})

const at = (body: string) => bindAction(server, 'post-login', postLogin(body), { tenant })

async function respond(): Promise<{ response: Element; action: string; xml: string }> {
  const answer = await browser.get('/samlp/sp')
  expect(answer.status).toBe(200)
  const { action, fields } = formOf(answer.text)
  const xml = Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()
  return { response: parseXml(xml), action, xml }
}

const all = (root: Element, name: string): Element[] => elementsOf(root).filter(({ localName }) => localName === name)
const textOf = (root: Element, name: string) => all(root, name)[0]?.textContent
const memberOf = (root: Element, name: string, attribute: string) => {
  const [element] = all(root, name)
  return element && attributeOf(element, attribute)
}
const statusOf = (root: Element) => all(root, 'StatusCode').map((code) => attributeOf(code, 'Value')?.split(':').at(-1))
const valuesOf = (root: Element, name: string) =>
  all(root, 'Attribute')
    .filter((attribute) => attributeOf(attribute, 'Name') === name)
    .flatMap((attribute) => all(attribute, 'AttributeValue').map(({ textContent }) => textContent))

describe('an action', () => {
  it('adds attributes under their own names', async () => {
    await at(`api.samlResponse.setAttribute('https://aws.example/Role', ['one', 'two'])
      api.samlResponse.setAttribute('level', 3); api.samlResponse.setAttribute('none', undefined)`)
    const { response } = await respond()
    expect(valuesOf(response, 'https://aws.example/Role')).toEqual(['one', 'two'])
    expect(valuesOf(response, 'level')).toEqual(['3'])
    expect(valuesOf(response, 'none')).toEqual([])
  })

  it('changes settings of the add-on for this response alone', async () => {
    await at(`api.samlResponse.setAudience('urn:other'); api.samlResponse.setIssuer('urn:us')
      api.samlResponse.setNameIdentifierProbes(['${CLAIMS}/emailaddress'])
      api.samlResponse.setNameIdentifierFormat('urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress')
      api.samlResponse.setSignatureAlgorithm('rsa-sha512'); api.samlResponse.setDigestAlgorithm('sha512')
      api.samlResponse.setSignResponse(true); api.samlResponse.setMapIdentities(false)
      api.samlResponse.setAuthnContextClassRef('urn:ours'); api.samlResponse.setRecipient('${SECOND}')
      api.samlResponse.setDestination('${SECOND}'); api.samlResponse.setLifetimeInSeconds(60)`)
    const { response, action } = await respond()
    expect(textOf(response, 'Audience')).toBe('urn:other')
    expect(textOf(response, 'Issuer')).toBe('urn:us')
    expect(textOf(response, 'NameID')).toBe('kim@mail.test')
    expect(textOf(response, 'AuthnContextClassRef')).toBe('urn:ours')
    expect(memberOf(response, 'SignatureMethod', 'Algorithm')).toContain('rsa-sha512')
    expect(memberOf(response, 'DigestMethod', 'Algorithm')).toContain('sha512')
    expect(all(response, 'Signature')[0]?.parentNode?.nodeName).toContain('Response')
    expect(valuesOf(response, 'http://schemas.auth0.com/identities/default/provider')).toEqual([])
    expect(memberOf(response, 'SubjectConfirmationData', 'Recipient')).toBe(SECOND)
    expect(attributeOf(response, 'Destination')).toBe(SECOND)
    expect(action).toBe(ACS)
    await server.setTenant({ tenant })
    expect(textOf((await respond()).response, 'NameID')).toBe('auth0|kim')
  })

  it('encrypts to a certificate, and names its key', async () => {
    const { certificatePem } = await makePartner()
    const key = new X509Certificate(certificatePem).publicKey.export({ format: 'pem', type: 'spki' })
    await at(`api.samlResponse.setEncryptionCert(${JSON.stringify(certificatePem)})
      api.samlResponse.setEncryptionPublicKey(${JSON.stringify(key)})
      api.samlResponse.setEncryptionAlgorithm('aes256-gcm')`)
    const { response } = await respond()
    expect(all(response, 'EncryptedAssertion')).toHaveLength(1)
    expect(all(response, 'Assertion')).toHaveLength(0)
  })
})

describe('a refused answer', () => {
  it.each([
    ['another’s name identifier', `setAttribute('${CLAIMS}/nameidentifier', 'auth0|lee')`],
    ['another’s address', `setAttribute('${CLAIMS}/emailaddress', 'lee@mail.test')`],
    [
      'a new attribute as name identifier',
      "setAttribute('Name', 'auth0|lee').samlResponse.setNameIdentifierProbes(['Name'])",
    ],
    ['a strange recipient', "setRecipient('https://evil.test/acs')"],
    ['a strange destination', "setDestination('https://evil.test/acs')"],
  ])('an answer with %s is refused to the application', async (_what, call) => {
    await at(`api.samlResponse.${call}`)
    const { response, action } = await respond()
    expect([statusOf(response), action]).toEqual([['Responder', 'RequestDenied'], ACS])
    expect(all(response, 'Assertion')).toHaveLength(0)
  })

  it.each([
    "setSignatureAlgorithm('none')",
    'setLifetimeInSeconds(1e9)',
    'setAudience()',
    "setEncryptionCert('no certificate')",
    "setEncryptionPublicKey('alone')",
    "setAttribute('__proto__', 'x')",
    "setEncryptionAlgorithm('aes256-cbc')",
    "setRelayState('x')",
    "setSigningCert('x')",
  ])('a value that no setting of the add-on accepts is refused: %s', async (call) => {
    await at(`api.samlResponse.${call}`)
    const { response } = await respond()
    expect(all(response, 'Assertion')).toHaveLength(0)
    expect(textOf(response, 'StatusMessage')).toBe('An action of this tenant could not be run')
  })

  it('an address that its account has not proven is refused', async () => {
    browser = server.browser()
    await signIn(browser, 'lee@mail.test')
    await at("api.samlResponse.setAttribute('contact', event.user.email)")
    expect(valuesOf((await respond()).response, 'contact')).toEqual([])
  })
})
