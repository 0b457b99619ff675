// Notifying the clients of a session of its end: OIDC Back-Channel and Front-Channel Logout 1.0.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogoutSender } from '../../../adapters/channels/backchannel-logout'
import { endLogins } from '../../../adapters/store/sql/end-logins'
import { createOutboxStore } from '../../../adapters/store/sql/outbox'
import { verifyJwt } from '../../../crypto/keys/jwt'
import { type DeliveryDeps, deliverDue } from '../../../data/outbox/deliver'
import { inWords } from '../../../kernel/network-failure'
import { authorizeQuery, locationOf, payloadOf, SPA, signInForTokens, WEB } from '../../../testing/journey'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

let latchkey: TestServer
let server: Server
/** The client's response status, and the requests it received. */
let status = 200
let received: { path: string; token: string }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', token: new URLSearchParams(body).get('logout_token') ?? '' })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  latchkey = await testServer()
  await latchkey.addUser({ id: 'kim', email: 'kim@mail.test' })
  await latchkey.addUser({ id: 'lee', email: 'lee@mail.test' })
})
afterAll(async () => {
  server.close()
  await latchkey.close()
})

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const expected = (path: string, initiators?: Record<string, unknown>) => ({
  oidc_logout: {
    backchannel_logout_urls: [`${base()}${path}`],
    ...(initiators ? { backchannel_logout_initiators: initiators } : {}),
  },
})

beforeEach(async () => {
  status = 200
  received = []
  await latchkey.database.pool.query('TRUNCATE outbox_message')
  await latchkey.addClient({ ...SPA, settings: { ...SPA.settings, ...expected('/spa') } })
  await latchkey.addClient({ ...WEB, settings: { ...WEB.settings, ...expected('/web') } })
})

const deps = (policy = { allowLoopback: true, allowPrivate: false }): DeliveryDeps => ({
  store: createOutboxStore(latchkey.database.pool),
  channels: [],
  sendLogout: createLogoutSender({ tenant: () => latchkey.runtime(), clock: latchkey.clock, policy }),
  keepContent: true,
  vault: latchkey.vault,
  clock: latchkey.clock,
  random: latchkey.random,
  log: { info: () => {}, warn: () => {}, error: () => {} },
})

/** Signed in to the SPA and to the web application. */
async function signedIn(user = 'kim@mail.test', browser: Browser = latchkey.browser()) {
  const tokens = await signInForTokens(browser, user, { prompt: 'login' })
  await browser.get('/authorize', { query: authorizeQuery({ client_id: 'web', redirect_uri: 'https://web.test/cb' }) })
  return { browser, sid: payloadOf(tokens.id_token).sid }
}

const logout = (browser: Browser) =>
  browser.get('/v2/logout', { query: { client_id: 'spa', returnTo: 'https://app.test/bye' } })
const paths = () => received.map(({ path }) => path).sort()

describe('the back channel', () => {
  it('notifies every participating application, and answers the browser without waiting', async () => {
    const { browser, sid } = await signedIn()
    expect(locationOf(await logout(browser)).href).toBe('https://app.test/bye')
    expect(received).toEqual([])
    await deliverDue(deps())
    expect(paths()).toEqual(['/spa', '/web'])
    for (const { path, token } of received) {
      const { iat, exp, jti, ...claims } = payloadOf(token)
      expect(claims).toEqual({
        iss: 'https://id.test/',
        aud: path.slice(1),
        sub: 'auth0|kim',
        sid,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
      expect(Number(exp) - Number(iat)).toBe(120)
      expect(jti).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('signs by the algorithm of the client', async () => {
    const settings = { ...SPA.settings, ...expected('/spa'), jwt_configuration: { alg: 'ES256' } }
    await latchkey.addClient({ ...SPA, settings })
    const { browser } = await signedIn()
    await logout(browser)
    await deliverDue(deps())
    const algorithms = received.map(({ path, token }) => `${path} ${decodeProtectedHeader(token).alg}`)
    expect(algorithms.sort()).toEqual(['/spa ES256', '/web RS256'])
  })

  it('signs a token of its own type, which is accepted nowhere else', async () => {
    const { browser } = await signedIn()
    await logout(browser)
    await deliverDue(deps())
    const [{ token } = { token: '' }] = received
    const { keyring } = await latchkey.runtime()
    const accept = { issuer: 'https://id.test/', now: latchkey.clock.now() }
    await expect(verifyJwt(token, { ...accept, types: ['logout+jwt'] }, keyring)).resolves.toHaveProperty('sid')
    await expect(verifyJwt(token, { ...accept, types: ['JWT', 'at+jwt'] }, keyring)).rejects.toMatchObject({
      code: 'invalid_token',
    })
    const hint = await latchkey.browser().get('/authorize', { query: authorizeQuery({ id_token_hint: token }) })
    expect(locationOf(hint).searchParams.get('error')).toBe('invalid_request')
  })

  it('notifies no application twice, none that did not take part, and none without a session', async () => {
    const browser = latchkey.browser()
    await signInForTokens(browser, 'kim@mail.test')
    await logout(browser)
    await logout(browser)
    await logout(latchkey.browser())
    await deliverDue(deps())
    expect(paths()).toEqual(['/spa'])
  })

  it('tries again until it is heard, with a token that is fresh then', async () => {
    const { browser } = await signedIn()
    await logout(browser)
    status = 503
    await deliverDue(deps())
    const first = received.map(({ token }) => payloadOf(token))
    expect(first).toHaveLength(2)
    status = 200
    latchkey.clock.advance(600)
    await deliverDue(deps())
    latchkey.clock.advance(600)
    await deliverDue(deps())
    const second = received.slice(2).map(({ token }) => payloadOf(token))
    expect(second.map(({ jti }) => jti).sort()).toEqual(first.map(({ jti }) => jti).sort())
    expect(Math.min(...second.map(({ exp }) => Number(exp)))).toBeGreaterThan(Number(first[0]?.iat) + 600)
  })

  it.each([400, 302, 404])('takes %i for the last word', async (answered) => {
    const { browser } = await signedIn()
    await logout(browser)
    status = answered
    await deliverDue(deps())
    latchkey.clock.advance(600)
    await deliverDue(deps())
    expect(received).toHaveLength(2)
    const { rows } = await latchkey.database.pool.query('SELECT last_error FROM outbox_message')
    expect(rows.map(({ last_error }) => last_error)).toEqual([`HTTP ${answered}`, `HTTP ${answered}`])
  })

  it('reaches no address of the inside unless it may (threat-model.md SE8)', async () => {
    const { browser } = await signedIn()
    await logout(browser)
    await deliverDue(deps({ allowLoopback: false, allowPrivate: false }))
    expect(received).toEqual([])
    const { rows } = await latchkey.database.pool.query('SELECT failed_at, last_error FROM outbox_message')
    for (const row of rows)
      expect(row).toEqual({ failed_at: expect.any(Date), last_error: inWords('EFORBIDDENADDRESS') })
  })

  it('asks the application where and whether when it sends', async () => {
    const { browser } = await signedIn()
    await logout(browser)
    await latchkey.addClient({ ...SPA, settings: { ...SPA.settings, ...expected('/moved') } })
    await latchkey.addClient({ ...WEB, settings: WEB.settings })
    await deliverDue(deps())
    expect(paths()).toEqual(['/moved'])
  })

  it('leaves out causes that the application does not want', async () => {
    const causes = { mode: 'custom', selected_initiators: ['password-changed'] }
    await latchkey.addClient({ ...SPA, settings: { ...SPA.settings, ...expected('/spa', causes) } })
    const { browser } = await signedIn()
    await logout(browser)
    await deliverDue(deps())
    expect(paths()).toEqual(['/web'])
  })

  it('notifies of a session that another user’s login in the same browser ends, and of none that continues', async () => {
    const { browser, sid } = await signedIn()
    await signedIn('kim@mail.test', browser)
    await deliverDue(deps())
    expect(received).toEqual([])
    await signInForTokens(browser, 'lee@mail.test', { prompt: 'login' })
    await deliverDue(deps())
    expect(paths()).toEqual(['/spa', '/web'])
    for (const { token } of received) expect(payloadOf(token)).toMatchObject({ sid, sub: 'auth0|kim' })
  })

  it('notifies of sessions that a new password ends', async () => {
    const { sid } = await signedIn()
    const client = await latchkey.database.pool.connect()
    await endLogins(client, 'default', 'auth0|kim', latchkey.clock.now())
    client.release()
    await deliverDue(deps())
    const sids = received.map(({ token }) => payloadOf(token).sid)
    expect(sids.filter((one) => one === sid)).toHaveLength(2)
  })

  it('is not in the outbox of messages to users', async () => {
    const { browser } = await signedIn()
    await logout(browser)
    expect(await createOutboxStore(latchkey.database.pool).list({ tenantId: 'default', limit: 10 })).toEqual([])
  })
})

describe('the front channel', () => {
  const FRAME = { frontchannel_logout_uri: 'https://web.test/out;a,b?x=1', frontchannel_logout_session_required: true }
  beforeEach(async () => {
    await latchkey.addClient({ ...SPA, settings: { ...SPA.settings, frontchannel_logout_uri: 'https://app.test/out' } })
    await latchkey.addClient({ ...WEB, settings: { ...WEB.settings, ...FRAME } })
  })

  it('shows the participating applications in frames, then continues to the target of the logout', async () => {
    const { browser, sid } = await signedIn()
    const page = await logout(browser)
    expect([page.status, page.header('refresh')]).toEqual([200, '2; url=https://app.test/bye'])
    const frames = [...page.text.matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(([, src]) =>
      src?.replaceAll('&amp;', '&'),
    )
    expect(frames).toEqual([
      'https://app.test/out',
      `https://web.test/out;a,b?x=1&iss=https%3A%2F%2Fid.test%2F&sid=${sid}`,
    ])
    expect(page.header('content-security-policy')).toContain(
      "frame-src https://app.test/out https://web.test/out%3Ba%2Cb; frame-ancestors 'none'",
    )
    expect(page.text).toContain('href="https://app.test/bye"')
    expect(browser.cookies.has('__Host-latchkey_session')).toBe(false)
  })

  it('the OpenID Connect logout calls the front channel too, also without a target', async () => {
    const { browser, sid } = await signedIn()
    const page = await browser.get('/oidc/logout', { query: { logout_hint: String(sid) } })
    expect([page.status, page.header('refresh')]).toEqual([200, undefined])
    expect(page.text.match(/<iframe/g)).toHaveLength(2)
  })

  it('redirects at once if there is no application to notify', async () => {
    await latchkey.addClient(SPA)
    const browser = latchkey.browser()
    await signInForTokens(browser, 'kim@mail.test')
    expect((await logout(browser)).status).toBe(302)
    const answer = await logout(browser)
    expect([answer.status, answer.text]).toEqual([302, ''])
  })
})

describe('federated', () => {
  afterEach(() => latchkey.addClient(SPA))

  it.each(['federated', 'federated=', 'federated=true'])('%s is taken as it comes', async (flag) => {
    const { browser } = await signedIn()
    const query = `client_id=spa&returnTo=${encodeURIComponent('https://app.test/bye')}&${flag}`
    expect(locationOf(await browser.get('/v2/logout', { query })).href).toBe('https://app.test/bye')
  })
})
