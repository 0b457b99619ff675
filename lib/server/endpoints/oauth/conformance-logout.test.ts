// The modules of the OpenID Foundation's RP-Initiated Logout plan, those of its Dynamic plan about redirect URIs and client
// metadata shown to the user, and the checks of its logout plans on discovery, under their names. docs/conformance.md lists the
// others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { locationOf } from '../../../testing/journey'
import { isLogin, RP, relyingParty } from '../../../testing/relying-party'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const BYE = 'https://rp.test/bye'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
  const settings = { app_type: 'regular_web', callbacks: [RP.callback], allowed_logout_urls: [BYE] }
  await server.addClient({ clientId: RP.clientId, secret: RP.secret, settings })
  const queried = { ...settings, callbacks: [`${RP.callback}?foo=bar`] }
  await server.addClient({ clientId: 'queried', settings: queried })
  await server.addUser({ email: 'kim@mail.test' })
})
afterAll(() => server.close())

const party = () => relyingParty(server, { type: 'code', mode: 'default' })

describe('RP-Initiated Logout', () => {
  async function login() {
    const browser = server.browser()
    const { idToken } = await party().tokensOf(await party().authorize(browser))
    return { browser, idToken }
  }
  const logout = (browser: Browser, query: Record<string, string>) => browser.get('/oidc/logout', { query })
  const isSignedIn = async (browser: Browser) => !isLogin(await party().send(browser))

  /** The user sees a page of this server without any redirect. */
  const expectPage = (answer: TestResponse): void => {
    expect(answer.header('location')).toBeUndefined()
    expect(answer.header('content-type')).toContain('text/html')
  }

  it('oidcc-rp-initiated-logout', async () => {
    const { browser, idToken } = await login()
    const answer = await logout(browser, { id_token_hint: idToken, post_logout_redirect_uri: BYE, state: 'a state' })
    expect(answer.header('location')).toBe(`${BYE}?state=a%20state`)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('oidcc-rp-initiated-logout-no-state', async () => {
    const { browser, idToken } = await login()
    const answer = await logout(browser, { id_token_hint: idToken, post_logout_redirect_uri: BYE })
    expect(answer.header('location')).toBe(BYE)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const { browser, idToken } = await login()
    expectPage(await logout(browser, { id_token_hint: idToken, state: 'a state' }))
    expect(await isSignedIn(browser)).toBe(false)
  })

  it.each([
    ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', `${BYE}/another`],
    ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', `${BYE}?foo=bar`],
  ])('%s', async (_module, post_logout_redirect_uri) => {
    const { browser, idToken } = await login()
    const answer = await logout(browser, { id_token_hint: idToken, post_logout_redirect_uri, state: 's' })
    expectPage(answer)
    expect(answer.status).toBe(400)
  })

  it.each([
    ['oidcc-rp-initiated-logout-bad-id-token-hint', () => 'not a token'],
    ['oidcc-rp-initiated-logout-modified-id-token-hint', (token: string) => `${token.slice(0, -8)}AAAAAAAA`],
  ])('%s', async (_module, bend) => {
    const { browser, idToken } = await login()
    const id_token_hint = bend(idToken)
    expectPage(await logout(browser, { id_token_hint, post_logout_redirect_uri: BYE, state: 's' }))
    expect(await isSignedIn(browser)).toBe(true)
  })

  it.each<[string, Record<string, string>]>([
    ['oidcc-rp-initiated-logout-no-id-token-hint', { post_logout_redirect_uri: BYE, state: 's' }],
    ['oidcc-rp-initiated-logout-no-params', {}],
    ['oidcc-rp-initiated-logout-only-state', { state: 's' }],
  ])('%s', async (_module, query) => {
    const { browser } = await login()
    expectPage(await logout(browser, query))
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('redirect URIs', () => {
  const ask = (client_id: string, redirect_uri: string) => party().send(server.browser(), { client_id, redirect_uri })

  it('oidcc-redirect-uri-query-OK', async () => {
    expect(isLogin(await ask('queried', `${RP.callback}?foo=bar`))).toBe(true)
  })

  it.each([
    ['oidcc-redirect-uri-query-mismatch', 'queried', `${RP.callback}?foo=other`],
    ['oidcc-redirect-uri-query-added', RP.clientId, `${RP.callback}?foo=bar`],
  ])('%s', async (_module, client, uri) => {
    const answer = await ask(client, uri)
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
  })

  it('keeps the registered query beside the answer', async () => {
    const browser = server.browser()
    await party().authorize(browser)
    const answer = await party().send(browser, { client_id: 'queried', redirect_uri: `${RP.callback}?foo=bar` })
    expect([...locationOf(answer).searchParams.keys()]).toEqual(expect.arrayContaining(['foo', 'code']))
  })
})

it.each(['logo_uri', 'policy_uri', 'tos_uri'])('oidcc-registration-%s', async (name) => {
  const json = { redirect_uris: [RP.callback], [name]: 'https://rp.test/shown' }
  const registered = await server.browser().post('/oidc/register', { json })
  expect([registered.status, registered.json()[name]]).toEqual([201, 'https://rp.test/shown'])
  const browser = server.browser()
  const client_id = String(registered.json().client_id)
  const page = await browser.get(locationOf(await party().send(browser, { client_id })).href)
  expect(page.text).toContain('https://rp.test/shown')
})

it.each([
  ['oidcc-3rd_party-init-login', 'https://rp.test/start', 201],
  ['oidcc-3rd_party-init-login-nohttps', 'http://localhost:4242/start', 400],
])('%s', async (_module, initiate_login_uri, status) => {
  const json = { redirect_uris: [RP.callback], initiate_login_uri }
  expect((await server.browser().post('/oidc/register', { json })).status).toBe(status)
})

it.each([
  ['rp-initiated', { end_session_endpoint: 'https://id.test/oidc/logout' }],
  ['frontchannel', { frontchannel_logout_supported: true, frontchannel_logout_session_supported: true }],
  ['backchannel', { backchannel_logout_supported: true, backchannel_logout_session_supported: true }],
])('oidcc-%s-logout-discovery-endpoint-verification', async (_channel, members) => {
  expect((await server.browser().get('/.well-known/openid-configuration')).json()).toMatchObject(members)
})
