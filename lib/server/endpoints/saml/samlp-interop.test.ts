// Unmodified service provider libraries at our SAML endpoints: @node-saml/node-saml and samlify. Each side reads the other's
// messages: logins by both bindings, signed requests, encrypted assertions, single logout in both directions.
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import samlify from 'samlify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { pemOf } from '../../../crypto/saml/certificate'
import { locationOf, submitPassword } from '../../../testing/journey'
import { formOf, makePartner, type Partner } from '../../../testing/saml'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const ACS = 'https://sp.test/acs'
const SLO = 'https://sp.test/slo'
const SSO_URL = 'https://id.test/samlp/sp'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

let server: TestServer
let partner: Partner
let certificate: string
let browser: Browser

/** The libraries use the machine's clock, which follows the server's clock here. */
async function client(samlp: Record<string, unknown> = {}): Promise<void> {
  await server.addClient({
    clientId: 'sp',
    settings: { callbacks: [ACS], addons: { samlp: { logout: { callback: SLO }, ...samlp } } },
  })
  vi.setSystemTime(server.clock.now())
}

beforeAll(async () => {
  server = await testServer()
  partner = await makePartner()
  certificate = pemOf((await server.runtime()).keyring.current.certificate)
  await server.addUser({ id: 'kim', email: 'kim@mail.test', data: { name: 'Kim & Co <ö>', emailVerified: true } })
})
afterAll(() => server.close())

beforeEach(() => {
  browser = server.browser()
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
  return () => vi.useRealTimers()
})

/** Sends a browser there, signs in if required, and returns what is posted to the client. */
async function arrive(first: TestResponse): Promise<{ action: string; fields: Record<string, string> }> {
  if (first.status === 200) return formOf(first.text)
  const page = locationOf(first)
  expect(page.pathname).toBe('/u/login')
  return formOf((await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test')).text)
}

describe('@node-saml/node-saml', () => {
  const sp = (over: Partial<SamlConfig> = {}) =>
    new SAML({
      callbackUrl: ACS,
      entryPoint: SSO_URL,
      logoutUrl: `${SSO_URL}/logout`,
      logoutCallbackUrl: SLO,
      issuer: 'urn:sp',
      audience: 'urn:sp',
      idpIssuer: 'urn:id.test',
      idpCert: certificate,
      wantAuthnResponseSigned: false,
      wantAssertionsSigned: true,
      validateInResponseTo: ValidateInResponseTo.always,
      ...over,
    })

  const signing = () => ({
    privateKey: partner.privatePem,
    signatureAlgorithm: 'sha256' as const,
    digestAlgorithm: 'sha256',
  })

  it('signs in by redirect, with its own defaults', async () => {
    await client()
    const saml = sp()
    const { action, fields } = await arrive(
      await browser.get(await saml.getAuthorizeUrlAsync('state/1', undefined, {})),
    )
    expect([action, fields.RelayState]).toEqual([ACS, 'state/1'])
    const { profile } = await saml.validatePostResponseAsync(fields)
    expect(profile).toMatchObject({
      issuer: 'urn:id.test',
      nameID: 'kim@mail.test',
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name': 'Kim & Co <ö>',
    })
    await expect(saml.validatePostResponseAsync(fields)).rejects.toThrow(/InResponseTo/)
  })

  it('signs in by a form, everything signed and encrypted', async () => {
    await client({
      signingCert: partner.certificatePem,
      encryptionCert: partner.certificatePem,
      signResponse: true,
      signAssertion: true,
    })
    const saml = sp({ ...signing(), decryptionPvk: partner.privatePem, wantAuthnResponseSigned: true })
    const { fields: form } = formOf(
      (await saml.getAuthorizeFormAsync('r', undefined, {})).replaceAll(
        /<input type="hidden" name="([^"]*)" value="([^"]*)" ?\/>/g,
        '<input type="hidden" name="$1" value="$2">',
      ),
    )
    const { fields } = await arrive(await browser.post('/samlp/sp', { form }))
    expect((await saml.validatePostResponseAsync(fields)).profile?.nameID).toBe('kim@mail.test')
  })

  it('receives the reason of a failed login', async () => {
    await client()
    const saml = sp({ passive: true, validateInResponseTo: ValidateInResponseTo.never, wantAuthnResponseSigned: true })
    const { fields } = formOf((await browser.get(await saml.getAuthorizeUrlAsync('', undefined, {}))).text)
    await expect(saml.validatePostResponseAsync(fields)).resolves.toMatchObject({ profile: null })
  })

  it.each([
    ['a form', undefined],
    ['an address', REDIRECT],
  ])('signs out, and is answered in %s', async (_, binding) => {
    await client({ signingCert: partner.certificatePem, ...(binding ? { binding } : {}) })
    const saml = sp({ ...signing(), validateInResponseTo: ValidateInResponseTo.never })
    const { fields } = await arrive(await browser.get(await saml.getAuthorizeUrlAsync('', undefined, {})))
    const { profile } = await saml.validatePostResponseAsync(fields)
    if (!profile) throw new Error('no user signed in')
    const answer = await browser.get(await saml.getLogoutUrlAsync(profile, 'bye', {}))
    const outcome = binding
      ? await saml.validateRedirectAsync(
          Object.fromEntries(locationOf(answer).searchParams),
          locationOf(answer).search.slice(1),
        )
      : await saml.validatePostResponseAsync(formOf(answer.text).fields)
    expect(outcome).toMatchObject({ loggedOut: true })
    expect((await browser.get(await saml.getAuthorizeUrlAsync('', undefined, {}))).status).toBe(302)
  })

  it('is notified that a session ended elsewhere, and answers', async () => {
    await client({ signingCert: partner.certificatePem })
    const saml = sp({ ...signing(), validateInResponseTo: ValidateInResponseTo.never })
    const { fields } = await arrive(await browser.get(await saml.getAuthorizeUrlAsync('', undefined, {})))
    await saml.validatePostResponseAsync(fields)
    const out = await browser.get('/v2/logout')
    const expected = formOf((await browser.get(out.header('location') ?? '')).text)
    expect(expected.action).toBe(SLO)
    const { profile, loggedOut } = await saml.validatePostRequestAsync(expected.fields)
    expect([loggedOut, profile?.nameID]).toEqual([true, 'kim@mail.test'])
    if (!profile) throw new Error('no user was named')
    const back = await saml.getLogoutResponseUrlAsync(profile, '', {}, true)
    expect((await browser.get(back)).status).toBe(200)
  })
})

describe('samlify', () => {
  const counterpart = async (over: Record<string, unknown> = {}) => ({
    idp: samlify.IdentityProvider({ metadata: (await browser.get('/samlp/metadata/sp')).text, ...over }),
    sp: samlify.ServiceProvider({
      entityID: 'urn:sp',
      wantAssertionsSigned: true,
      wantMessageSigned: false,
      authnRequestsSigned: over.wantAuthnRequestsSigned === true,
      privateKey: partner.privatePem,
      encPrivateKey: partner.privatePem,
      signingCert: partner.certificate,
      assertionConsumerService: [{ Binding: samlify.Constants.namespace.binding.post, Location: ACS }],
      singleLogoutService: [{ Binding: samlify.Constants.namespace.binding.post, Location: SLO }],
    }),
  })

  it('signs in from our metadata alone', async () => {
    await client()
    const { idp, sp } = await counterpart()
    const { context } = sp.createLoginRequest(idp, 'redirect')
    const { action, fields } = await arrive(await browser.get(context))
    expect(action).toBe(ACS)
    const { extract } = await sp.parseLoginResponse(idp, 'post', { body: fields })
    expect(extract.nameID).toBe('kim@mail.test')
    expect(extract.audience).toBe('urn:sp')
  })

  it('signs in with a signed request', async () => {
    await client({ signingCert: partner.certificatePem })
    const { idp, sp } = await counterpart({ wantAuthnRequestsSigned: true })
    const byAddress = await arrive(await browser.get(sp.createLoginRequest(idp, 'redirect').context))
    expect((await sp.parseLoginResponse(idp, 'post', { body: byAddress.fields })).extract.nameID).toBe('kim@mail.test')
    const form = { SAMLRequest: sp.createLoginRequest(idp, 'post').context }
    const byForm = await arrive(await browser.post('/samlp/sp', { form }))
    expect((await sp.parseLoginResponse(idp, 'post', { body: byForm.fields })).extract.nameID).toBe('kim@mail.test')
  })

  it('signs in with an encrypted assertion', async () => {
    await client({ encryptionCert: partner.certificatePem })
    const { idp, sp } = await counterpart({ isAssertionEncrypted: true, messageSigningOrder: 'sign-then-encrypt' })
    const { fields } = await arrive(await browser.get(sp.createLoginRequest(idp, 'redirect').context))
    expect((await sp.parseLoginResponse(idp, 'post', { body: fields })).extract.nameID).toBe('kim@mail.test')
  })
})
