// What an action does with the session of a login: metadata, the cookie, and its end.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bindAction, bindActions, postLogin } from '../../../testing/bind-action'
import {
  authorizeQuery,
  locationOf,
  payloadOf,
  redeem,
  refresh,
  SPA,
  signIn,
  signInForTokens,
} from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const CLAIM = 'https://acme.example/said'
const KIM = 'kim@mail.test'
const tenant = { default_directory: 'Users' }
const FAILED = ['access_denied', 'An action of this tenant could not be run']

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  const logout = { backchannel_logout_urls: ['https://app.test/logout'] }
  await server.addClient({ ...SPA, settings: { ...SPA.settings, oidc_logout: logout } })
  await server.addUser({ id: 'kim', email: KIM })
  manager = await addManager(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.advance(600)
  await server.setTenant({ tenant })
})

const at = (body: string) => bindAction(server, 'post-login', postLogin(body), { tenant })
const showing = `api.idToken.setCustomClaim('${CLAIM}', event.session ?? 'none')`
const errorOf = (answer: URLSearchParams) => [answer.get('error'), answer.get('error_description')]
const silentAnswer = (browser: Browser) => browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
const silently = async (browser: Browser) => locationOf(await silentAnswer(browser)).searchParams
const silentClaims = async (browser: Browser) =>
  payloadOf((await redeem(browser, (await silently(browser)).get('code') ?? '')).json().id_token)
const sidIn = async (browser: Browser) => String((await silentClaims(browser)).sid)
const metadataOf = async (sid: string) => (await manager.get(`/sessions/${sid}`)).json().session_metadata

describe('metadata', () => {
  it('is in the session of the login, in its event from then on, and in the Management API', async () => {
    await at(`api.session.setMetadata('device', 'Phone').session.setMetadata('gone', null); ${showing}`)
    const browser = server.browser()
    const { sid } = payloadOf((await signInForTokens(browser, KIM)).id_token)
    expect(await metadataOf(String(sid))).toEqual({ device: 'Phone' })
    expect((await silentClaims(browser))[CLAIM]).toMatchObject({ id: sid, metadata: { device: 'Phone' } })
  })

  it('is changed at single sign-on and by a new sign-in of the session, beside what managers attached', async () => {
    const browser = server.browser()
    await signIn(browser, KIM)
    const sid = await sidIn(browser)
    await manager.patch(`/sessions/${sid}`, { session_metadata: { ours: 'a', other: 'b' } })
    await at("api.session.setMetadata('ours', 'c'); api.session.setMetadata('new', 'd')")
    await silently(browser)
    expect(await metadataOf(sid)).toEqual({ ours: 'c', other: 'b', new: 'd' })
    await at("api.session.deleteMetadata('ours')")
    await signIn(browser, KIM, { prompt: 'login' })
    expect(await metadataOf(sid)).toEqual({ other: 'b', new: 'd' })
    await at("api.session.setMetadata('lost', 'x').session.evictMetadata(); api.session.setMetadata('kept', 'y')")
    await silently(browser)
    expect(await metadataOf(sid)).toEqual({ kept: 'y' })
    await at('api.session.evictMetadata()')
    await silently(browser)
    expect(await metadataOf(sid)).toBeNull()
  })

  it('is seen by the later actions of the login', async () => {
    const browser = server.browser()
    await signIn(browser, KIM)
    await bindActions(server, 'post-login', [postLogin("api.session.setMetadata('step', 'one')"), postLogin(showing)], {
      tenant,
    })
    expect((await silentClaims(browser))[CLAIM]).toMatchObject({ metadata: { step: 'one' } })
  })

  it.each([
    "setMetadata('')",
    "setMetadata('x'.repeat(256), 'y')",
    "setMetadata('x', 'y'.repeat(256))",
    "setMetadata('x', 1)",
    "setMetadata('__proto__', 'y')",
    'deleteMetadata()',
    "setCookieMode('nonpersistent')",
    'setCookieMode({ persistent: true })',
    "revoke('x', { preserveRefreshTokens: 'yes' })",
  ])('is not set by %s, which denies', async (call) => {
    await at(`api.session.${call}`)
    expect(errorOf(await signIn(server.browser(), KIM))).toEqual(FAILED)
  })

  it('has 25 members at most', async () => {
    await at("for (let n = 0; n < 25; n++) api.session.setMetadata('n' + n, 'v')")
    const browser = server.browser()
    expect((await signIn(browser, KIM)).has('code')).toBe(true)
    await at("api.session.setMetadata('another', 'v')")
    expect(errorOf(await silently(browser))).toEqual(FAILED)
    await at("api.session.evictMetadata(); api.session.setMetadata('another', 'v')")
    expect((await silently(browser)).has('code')).toBe(true)
  })
})

describe('the event', () => {
  it('has what the vendor documents of a session', async () => {
    await at(showing)
    const browser = server.browser()
    await signIn(browser, KIM)
    const text = expect.any(String)
    expect((await silentClaims(browser))[CLAIM]).toEqual({
      ...{ id: text, created_at: text, updated_at: text, authenticated_at: text, last_interacted_at: text },
      ...{ idle_expires_at: text, expires_at: text, user_id: 'auth0|kim', clients: [{ client_id: 'spa' }] },
      ...{ cookie: { mode: 'persistent' }, device: { initial_ip: text }, metadata: {} },
    })
  })
})

describe('the cookie', () => {
  const cookieIn = ({ headers }: TestResponse) =>
    headers.map(([, value]) => value).find((value) => value.startsWith('__Host-latchkey_session='))

  it('ends with the browser if an action says so, and stays so at later logins of the session', async () => {
    const browser = server.browser()
    await signIn(browser, KIM)
    await at("api.session.setCookieMode('persistent').session.setCookieMode('non-persistent')")
    const changed = cookieIn(await silentAnswer(browser))
    expect(changed).toBeDefined()
    expect(changed).not.toContain('Max-Age')
    await at(showing)
    const later = await silentAnswer(browser)
    expect(cookieIn(later)).toBeUndefined()
    expect((await silentClaims(browser))[CLAIM]).toMatchObject({ cookie: { mode: 'non-persistent' } })
  })

  it('outlasts the browser if an action says so, where the tenant wants the opposite', async () => {
    const settings = { tenant: { ...tenant, session_cookie: { mode: 'non-persistent' as const } } }
    await bindAction(server, 'post-login', postLogin("api.session.setCookieMode('persistent')"), settings)
    const browser = server.browser()
    await signIn(browser, KIM)
    expect(cookieIn(await silentAnswer(browser))).toContain('Max-Age')
  })
})

describe('an action that revokes the session', () => {
  const noticesOf = async (sid: string) => {
    const text = "SELECT notice->>'cause' AS cause FROM outbox_message WHERE notice->>'sid' = $1"
    return (await server.database.pool.query(text, [sid])).rows
  }

  it('denies, ends it with its refresh tokens, and notifies its applications', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, KIM)
    const sid = await sidIn(browser)
    await at("api.session.revoke('Changed network')")
    expect(errorOf(await silently(browser))).toEqual(['access_denied', 'Changed network'])
    expect((await manager.get(`/sessions/${sid}`)).status).toBe(404)
    await server.setTenant({ tenant })
    expect(errorOf(await silently(browser))[0]).toBe('login_required')
    expect((await refresh(server.browser(), tokens.refresh_token)).json().error).toBe('invalid_grant')
    expect(await noticesOf(sid)).toEqual([{ cause: 'session-revoked' }])
  })

  it('keeps the refresh tokens on wish', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, KIM)
    await at("api.session.revoke('Changed network', { preserveRefreshTokens: true })")
    await silently(browser)
    await server.setTenant({ tenant })
    expect(errorOf(await silently(browser))[0]).toBe('login_required')
    expect((await refresh(server.browser(), tokens.refresh_token)).status).toBe(200)
  })

  it('ends no session of another user in the browser, and starts none', async () => {
    await server.addUser({ id: 'ana', email: 'ana@mail.test' })
    const browser = server.browser()
    await signIn(browser, 'ana@mail.test')
    await at("if (event.user.email === 'kim@mail.test') api.session.revoke('No')")
    expect(errorOf(await signIn(browser, KIM, { prompt: 'login' }))).toEqual(['access_denied', 'No'])
    expect((await silentClaims(browser)).sub).toBe('auth0|ana')
  })

  it('denies alone where there is no session', async () => {
    await at("api.session.revoke('No')")
    const browser = server.browser()
    expect(errorOf(await signIn(browser, KIM))).toEqual(['access_denied', 'No'])
    expect(errorOf(await silently(browser))[0]).toBe('login_required')
  })

  it('leaves nothing of the session alive, whatever is refreshed meanwhile', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, KIM)
    await at("if (event.transaction.protocol !== 'oauth2-refresh-token') api.session.revoke('No')")
    const [, ...answers] = await Promise.all([
      silently(browser),
      ...Array.from({ length: 10 }, () => refresh(server.browser(), tokens.refresh_token)),
    ])
    const successors = answers.filter(({ status }) => status === 200).map((answer) => answer.json().refresh_token)
    for (const token of [tokens.refresh_token, ...successors])
      expect((await refresh(server.browser(), token)).json().error).toBe('invalid_grant')
  })
})
