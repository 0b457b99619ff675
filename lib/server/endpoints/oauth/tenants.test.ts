import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  submitPassword,
  userinfo,
  WEB,
} from '../../../testing/journey'
import { ticketTo } from '../../../testing/mail'
import type { Seed } from '../../../testing/seed'
import { type Browser, type TestServer, testServer } from '../../../testing/server'
import { readRefreshToken } from '../../../tokens/refresh-token'

const SESSION = '__Host-latchkey_session'
const BINDING = '__Host-latchkey_browser'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const TV = { clientId: 'tv', settings: { app_type: 'native', grant_types: [DEVICE_GRANT] } }
const OPEN = { tenant: { flags: { enable_dynamic_client_registration: true } } }

let server: TestServer
let other: Seed

/** Two tenants with equal names: the same client, address, password and connection. */
beforeAll(async () => {
  server = await testServer()
  other = await server.addTenant('other', 'https://other.test')
  for (const tenant of [server, other]) {
    for (const client of [SPA, WEB, TV]) await tenant.addClient(client)
    await tenant.addApi('https://api.test', { scopes: [] })
  }
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await other.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addClient({ clientId: 'only-here', settings: SPA.settings })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await server.addApi('https://only-here.test', { scopes: [] })
})
afterAll(() => server.close())

const here = (): Browser => server.browser()
const there = (): Browser => server.browser({ host: 'other.test' })

describe('a tenant is chosen by host', () => {
  it.each([
    ['id.test', 'https://id.test/'],
    ['other.test', 'https://other.test/'],
    ['OTHER.test', 'https://other.test/'],
    ['nobody.test', 'https://id.test/'],
    ['other.test.evil.test', 'https://id.test/'],
    ['', 'https://id.test/'],
  ])('the host %j is the tenant %s', async (host, issuer) => {
    expect((await server.runtime(host)).issuer).toBe(issuer)
  })

  it('has its own issuer, keys and URLs', async () => {
    const [a, b] = [await here().get('/.well-known/jwks.json'), await there().get('/.well-known/jwks.json')]
    const kids = [a, b].flatMap((answer) => (answer.json().keys as { kid: string }[]).map(({ kid }) => kid))
    expect(new Set(kids).size).toBe(4)
    const tokens = (await redeem(there(), (await signIn(there(), 'kim@mail.test')).get('code') ?? '')).json()
    expect(payloadOf(tokens.id_token).iss).toBe('https://other.test/')
    const page = locationOf(await there().get('/authorize', { query: authorizeQuery() }))
    expect(page.origin).toBe('https://other.test')
  })
})

describe('what belongs to one tenant', () => {
  it('a client is unknown in another tenant', async () => {
    const answer = await there().get('/authorize', { query: authorizeQuery({ client_id: 'only-here' }) })
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
    expect((await refresh(there(), 'x', { client_id: 'only-here' })).status).toBe(401)
  })

  it('a user is unknown in another tenant', async () => {
    const browser = there()
    const answer = await submitPassword(browser, await beginLogin(browser), 'lee@mail.test')
    expect(locationOf(answer).searchParams.get('notice')).toBe('wrong_credentials')
  })

  it('an API is unknown in another tenant', async () => {
    const answer = await there().get('/authorize', { query: authorizeQuery({ audience: 'https://only-here.test' }) })
    expect(locationOf(answer).searchParams.get('error')).toBe('access_denied')
  })

  it('a session is worthless in another tenant', async () => {
    const browser = here()
    await signIn(browser, 'kim@mail.test')
    const foreign = there()
    foreign.cookies.set(SESSION, browser.cookies.get(SESSION) ?? '')
    const answer = await foreign.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(answer).searchParams.get('error')).toBe('login_required')
  })

  it('a started login is worthless in another tenant', async () => {
    const browser = here()
    const state = await beginLogin(browser)
    const foreign = there()
    foreign.cookies.set(BINDING, browser.cookies.get(BINDING) ?? '')
    const answer = await submitPassword(foreign, state, 'kim@mail.test')
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
    expect(locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.has('code')).toBe(true)
  })

  it('a code is worthless in another tenant', async () => {
    const code = (await signIn(here(), 'kim@mail.test')).get('code') ?? ''
    expect((await redeem(there(), code)).json().error_description).toBe('Invalid authorization code')
    expect((await redeem(here(), code)).status).toBe(200)
  })

  it('a refresh token, which the other can neither use nor end', async () => {
    const tokens = (await redeem(here(), (await signIn(here(), 'kim@mail.test')).get('code') ?? '')).json()
    expect((await refresh(there(), tokens.refresh_token)).json().error_description).toBe(
      'Unknown or invalid refresh token.',
    )
    await there().post('/oauth/revoke', { form: { client_id: 'spa', token: String(tokens.refresh_token) } })
    expect((await refresh(here(), tokens.refresh_token)).status).toBe(200)
  })

  it.each([{}, { audience: 'https://api.test' }])(
    'an access token is worthless in another tenant: %o',
    async (extra) => {
      const tokens = (await redeem(here(), (await signIn(here(), 'kim@mail.test', extra)).get('code') ?? '')).json()
      expect((await userinfo(there(), tokens.access_token)).status).toBe(401)
      expect((await userinfo(here(), tokens.access_token)).status).toBe(200)
    },
  )

  it('a pushed request is worthless in another tenant', async () => {
    const form = {
      ...authorizeQuery({ client_id: 'web', redirect_uri: 'https://web.test/cb' }),
      client_secret: WEB.secret,
    }
    const { request_uri } = (await here().post('/oauth/par', { form })).json()
    const query = { client_id: 'web', request_uri: String(request_uri) }
    expect((await there().get('/authorize', { query })).status).toBe(400)
    expect((await here().get('/authorize', { query })).status).toBe(302)
  })

  it('a device that waits cannot be confirmed in another tenant', async () => {
    const { user_code, device_code } = (await here().post('/oauth/device/code', { form: { client_id: 'tv' } })).json()
    const type = async (browser: Browser) =>
      (await browser.post('/activate', { form: { user_code: String(user_code) } })).text.includes('name="confirmation"')
    expect([await type(there()), await type(here())]).toEqual([false, true])
    const form = { grant_type: DEVICE_GRANT, client_id: 'tv', device_code: String(device_code) }
    const poll = async (browser: Browser) => (await browser.post('/oauth/token', { form })).json().error
    expect([await poll(there()), await poll(here())]).toEqual(['invalid_grant', 'authorization_pending'])
  })

  it('a link in a mail is worthless in another tenant', async () => {
    server.clock.advance(1)
    await here().post('/dbconnections/change_password', { json: { email: 'kim@mail.test', connection: 'Users' } })
    const query = { ticket: await ticketTo(server, 'kim@mail.test') }
    expect((await there().get('/u/reset-password', { query })).status).toBe(400)
    expect((await here().get('/u/reset-password', { query })).status).toBe(200)
  })

  it('a registration is worthless in another tenant', async () => {
    for (const tenant of [server, other]) await tenant.setTenant(OPEN)
    const { registration_access_token: token, client_id } = (
      await here().post('/oidc/register', { json: { redirect_uris: ['https://third.test/cb'] } })
    ).json()
    const read = async (browser: Browser) =>
      (await browser.get(`/oidc/register/${client_id}`, { headers: { authorization: `Bearer ${token}` } })).status
    expect([await read(there()), await read(here())]).toEqual([401, 200])
  })

  it('a token family, even one whose id both would have', async () => {
    const [a, b] = [await server.runtime('id.test'), await server.runtime('other.test')]
    const tokens = (await redeem(here(), (await signIn(here(), 'kim@mail.test')).get('code') ?? '')).json()
    const id = readRefreshToken(String(tokens.refresh_token), server.vault)?.familyId ?? ''
    const found = await a.families.find(id)
    await server.database.pool.query('UPDATE token_family SET redeemed_at = NULL WHERE id = $1', [id])
    const at = server.clock.now()
    expect(found && (await b.families.redeem(found.family, { issuedAt: at, at }))).toBeNull()
    expect(found && (await a.families.redeem(found.family, { issuedAt: at, at }))).not.toBeNull()
  })

  it('an ID token as a hint is worthless in another tenant', async () => {
    const tokens = (await redeem(here(), (await signIn(here(), 'kim@mail.test')).get('code') ?? '')).json()
    const answer = await there().get('/oidc/logout', { query: { id_token_hint: String(tokens.id_token) } })
    expect(answer.status).toBe(400)
  })

  it('a count of failures, or of requests', async () => {
    const ip = '192.0.2.1'
    const browser = server.browser({ ip })
    const state = await beginLogin(browser)
    for (let i = 0; i < 11; i++) await submitPassword(browser, state, 'kim@mail.test', 'wrong')
    expect((await signIn(server.browser({ ip, host: 'other.test' }), 'kim@mail.test')).has('code')).toBe(true)
    const [a, b] = await Promise.all(
      [here(), there()].map(async (at) =>
        (await redeem(at, (await signIn(at, 'kim@mail.test')).get('code') ?? '')).json(),
      ),
    )
    const remaining = async (at: Browser, tokens: typeof a) =>
      Number((await userinfo(at, tokens?.access_token)).header('x-ratelimit-remaining'))
    const [before] = [await remaining(there(), b)]
    await remaining(here(), a)
    expect(await remaining(there(), b)).toBe(before - 1)
  })
})
