// The id of a login in the records of the audit log, from the request to the tokens and what follows them (docs/adr/0068).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseXml } from '../../crypto/saml/parse'
import { readAuthnRequest } from '../../crypto/saml/read'
import { decodeMessage } from '../../crypto/saml/transport'
import {
  authorizeQuery,
  beginLogin,
  codeBySession,
  locationOf,
  redeem,
  refresh,
  SPA,
  signIn,
  submitPassword,
  WEB,
  webCredentials,
} from '../../testing/journey'
import { addManager, type Manager } from '../../testing/management'
import { addPasswordless, messagesTo } from '../../testing/passwordless'
import { makePartner, type Partner } from '../../testing/saml'
import { encoded, samlAnswer } from '../../testing/saml-idp'
import { PASSWORD } from '../../testing/server'
import { signInBy, type UpstreamTestServer, upstreamTestServer } from '../../testing/upstream'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

let server: UpstreamTestServer
let idp: Partner
let manager: Manager
let seen = 0
let next = 0
const browserAt = () => server.browser({ ip: `203.0.113.${++next}` })

type Written = Record<string, unknown> & { type: string; details: { login_id?: string; event: string } }

/** The records since the last call, oldest first. */
async function written(): Promise<Written[]> {
  const all = (await server.audited()) as Written[]
  const fresh = all.slice(seen)
  seen = all.length
  return fresh
}

/** The events that were written, and the one login that all of them name. */
async function oneLogin(): Promise<{ events: string[]; login: string }> {
  const records = await written()
  const logins = new Set(records.map(({ details }) => details.login_id))
  expect(logins.size, JSON.stringify(records)).toBe(1)
  const [login = ''] = logins
  expect(login).toMatch(/^[0-9a-f]{32}$/)
  return { events: records.map(({ details }) => details.event), login }
}

beforeAll(async () => {
  idp = await makePartner()
  server = await upstreamTestServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types: ['authorization_code', 'refresh_token', 'password'] },
  })
  await server.addClient({ clientId: 'tv', settings: { app_type: 'native', grant_types: [DEVICE, 'refresh_token'] } })
  await server.addClient({ ...WEB, settings: { ...WEB.settings, require_pushed_authorization_requests: true } })
  await server.addApi('https://api.test', { scopes: [{ value: 'read' }], allow_offline_access: true })
  await server.addProvider('corp', 'oidc', { options: { issuer: 'https://idp.test' } })
  await server.addConnection(
    'saml',
    { options: { signInEndpoint: 'https://idp.test/sso', signingCert: idp.certificatePem } } as never,
    'con_saml',
    'samlp',
  )
  await addPasswordless(server, { email: { send: 'link' } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  manager = await addManager(server)
  await manager.token()
  await written()
})
afterAll(() => server.close())

describe('the records of one login', () => {
  it('name it from a wrong password over code and tokens to refresh, reuse and logout', async () => {
    const browser = browserAt()
    const state = await beginLogin(browser, { scope: 'openid offline_access', audience: 'https://api.test' })
    await submitPassword(browser, state, 'kim@mail.test', 'not the password')
    const code = locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.get('code') ?? ''
    const { refresh_token } = (await redeem(browser, code)).json()
    expect((await refresh(browser, refresh_token)).status).toBe(200)
    await redeem(browser, code)
    await browser.get('/v2/logout')
    const { events } = await oneLogin()
    expect(events).toEqual([
      'password_wrong',
      'login',
      'code_exchanged',
      'refresh_exchanged',
      'code_exchange_refused',
      'logout',
    ])
  })

  it('are found by the search of the log', async () => {
    const browser = browserAt()
    const params = await signIn(browser, 'kim@mail.test')
    await redeem(browser, params.get('code') ?? '')
    const { login } = await oneLogin()
    const found = await manager.get(`/logs?q=${encodeURIComponent(`details.login_id:${login}`)}`)
    expect((found.json() as unknown as Written[]).map(({ details }) => [details.event, details.login_id])).toEqual([
      ['code_exchanged', login],
      ['login', login],
    ])
    expect((await manager.get('/logs?q=details.login_id:ffff')).json()).toEqual([])
    await written()
  })

  it('are those of a new login where a session answers it', async () => {
    const browser = browserAt()
    await signIn(browser, 'kim@mail.test')
    const { login: first } = await oneLogin()
    await redeem(browser, await codeBySession(browser))
    const { login: second, events } = await oneLogin()
    expect(events).toEqual(['login_silent', 'code_exchanged'])
    expect(second).not.toBe(first)
  })

  it('name the login that was pushed before', async () => {
    const browser = browserAt()
    const pushed = await browser.post('/oauth/par', {
      form: { ...authorizeQuery({ client_id: 'web', redirect_uri: WEB.settings.callbacks[0] }), ...webCredentials() },
    })
    const query = { client_id: 'web', request_uri: String(pushed.json().request_uri) }
    const page = locationOf(await browser.get('/authorize', { query }))
    await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test', 'not the password')
    await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test')
    expect((await oneLogin()).events).toEqual(['password_wrong', 'login'])
  })

  it('name it on the way back from an OpenID provider', async () => {
    const browser = browserAt()
    const answer = await signInBy(browser, server, 'corp', { sub: 'k-1', email: 'lee@mail.test' })
    await redeem(browser, locationOf(answer).searchParams.get('code') ?? '')
    expect((await oneLogin()).events).toEqual(['login', 'code_exchanged'])
  })

  it('name it on the way back from a SAML provider that answers for another audience', async () => {
    const browser = browserAt()
    const left = locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection: 'saml' }) }))
    const { id } = readAuthnRequest(parseXml(decodeMessage(left.searchParams.get('SAMLRequest') ?? '')))
    const xml = await samlAnswer(idp, {
      now: server.clock.now(),
      recipient: 'https://id.test/login/callback?connection=saml',
      audience: 'urn:another',
      inResponseTo: id,
    })
    const form = { SAMLResponse: encoded(xml), RelayState: left.searchParams.get('RelayState') ?? '' }
    const kept = await browser.post('/login/callback', { query: { connection: 'saml' }, form })
    const { pathname, search } = locationOf(kept)
    await browser.get(pathname + search)
    expect((await oneLogin()).events[0]).toBe('login_refused')
  })

  it('name it in the browser where its mailed link is opened', async () => {
    const browser = browserAt()
    const page = locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection: 'email' }) }))
    const state = page.searchParams.get('state') ?? ''
    await browser.post('/u/submit', { form: { state, action: 'send-code', address: 'link@mail.test' } })
    const [message] = await messagesTo(server, 'link@mail.test')
    const link = new URL(message?.link ?? 'https://no.mail')
    const form = { ...Object.fromEntries(link.searchParams), action: 'login' }
    await browser.post('/u/passwordless-link', { form })
    expect((await oneLogin()).events).toEqual(['code_or_link_sent', 'login'])
  })

  it('name it from the code of a device to its tokens', async () => {
    const tv = server.browser()
    const started = await tv.post('/oauth/device/code', { form: { client_id: 'tv', scope: 'openid offline_access' } })
    const { device_code, user_code } = started.json() as Record<string, string>
    const browser = browserAt()
    const { text } = await browser.post('/activate', { form: { user_code, action: 'continue' } })
    const confirmation = /name="confirmation" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const page = await browser.post('/activate', { form: { user_code, confirmation, action: 'confirm' } })
    await submitPassword(browser, locationOf(page).searchParams.get('state') ?? '', 'kim@mail.test')
    const form = { grant_type: DEVICE, client_id: 'tv', device_code }
    expect((await tv.post('/oauth/token', { form })).status).toBe(200)
    expect((await oneLogin()).events).toEqual(['login', 'device_exchanged'])
  })

  it('name it in the mail for a new password that was asked for on its page', async () => {
    const browser = browserAt()
    const state = await beginLogin(browser)
    await browser.post('/u/submit', { form: { state, action: 'request-reset', email: 'kim@mail.test' } })
    const { rows } = await server.database.pool.query("SELECT payload FROM ticket WHERE kind = 'reset-password'")
    const { login } = await oneLogin()
    expect(rows.at(-1)?.payload.login).toBe(login)
  })
})

describe('a request that becomes no login', () => {
  it('has an id, and names the application that it claimed', async () => {
    const browser = browserAt()
    const refused = await browser.get('/authorize', {
      query: authorizeQuery({ redirect_uri: 'https://elsewhere.test/callback' }),
    })
    expect(refused.status).toBe(400)
    const [record] = await written()
    expect(record).toMatchObject({ client_id: 'spa', details: { login_id: expect.stringMatching(/^[0-9a-f]{32}$/) } })
  })

  it('has an id at the token endpoint', async () => {
    const browser = browserAt()
    const form = { grant_type: 'password', client_id: 'spa', username: 'kim@mail.test', password: `${PASSWORD}x` }
    expect((await browser.post('/oauth/token', { form })).status).toBe(403)
    const { events } = await oneLogin()
    expect(events.at(-1)).toBe('password_exchange_refused')
  })
})
