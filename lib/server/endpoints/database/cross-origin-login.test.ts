import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  submitPassword,
} from '../../../testing/journey'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const ORIGIN = 'https://app.test'
const REALM = 'http://auth0.com/oauth/grant-type/password-realm'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, allowed_origins: ['https://login.app.test', 'capacitor://localhost'] },
  })
  await server.addClient({ clientId: 'other', settings: { ...SPA.settings } })
  await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  await server.addClient({ clientId: 'off', settings: { ...SPA.settings, cross_origin_authentication: false } })
  await server.addApi('https://api.test', {
    scopes: [{ value: 'read' }],
    skip_consent_for_verifiable_first_party_clients: false,
  })
  await server.database.pool.query(`UPDATE connection SET settings = '{"realms": ["staff"]}'`)
  server.clock.advance(2)
  for (const name of ['kim', 'lee']) await server.addUser({ email: `${name}@mail.test` })
})
afterAll(() => server.close())

type Sent = Record<string, unknown>

const authenticate = (browser: Browser, body: Sent = {}, headers: Record<string, string> = { origin: ORIGIN }) =>
  browser.post('/co/authenticate', {
    json: { client_id: 'spa', username: 'kim@mail.test', password: PASSWORD, credential_type: 'password', ...body },
    headers,
  })

const ticketOf = async (browser: Browser, body: Sent = {}, headers?: Record<string, string>): Promise<string> =>
  String((await authenticate(browser, body, headers)).json().login_ticket)

const goOn = (browser: Browser, login_ticket: string, extra: Record<string, string> = {}): Promise<TestResponse> =>
  browser.get('/authorize', { query: authorizeQuery({ login_ticket, realm: 'Users', ...extra }) })

const expectCode = (answer: TestResponse): string => {
  expect(locationOf(answer).host).toBe('app.test')
  const code = locationOf(answer).searchParams.get('code')
  expect(code).toBeTruthy()
  return code ?? ''
}

const expectLoginPage = (answer: TestResponse): void => {
  expect(locationOf(answer).pathname).toBe('/u/login')
}

const hasSession = ({ cookies }: Browser): boolean => cookies.has('__Host-latchkey_session')

describe('POST /co/authenticate', () => {
  it('answers a correct password with a ticket and its cookie, without a session', async () => {
    const browser = server.browser()
    const answer = await authenticate(browser)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      login_ticket: expect.stringMatching(/^[\w-]{43}$/),
      co_verifier: expect.stringMatching(/^[\w-]{43}$/),
      co_id: expect.any(String),
    })
    expect(answer.header('set-cookie')).toMatch(/^__Host-latchkey_co=[\w-]{43}; .*SameSite=None; Secure; Max-Age=60$/)
    expect(answer.header('access-control-allow-origin')).toBe(ORIGIN)
    expect(answer.header('access-control-allow-credentials')).toBe('true')
    expect(answer.header('cache-control')).toBe('no-store')
    expect(hasSession(browser)).toBe(false)
  })

  it.each([
    ['the realm form', { credential_type: REALM, realm: 'Users' }, ORIGIN],
    ['another name of the realm', { credential_type: REALM, realm: 'staff' }, ORIGIN],
    ['an allowed origin that is no callback', {}, 'https://login.app.test'],
    ['the origin of a hybrid app', {}, 'capacitor://localhost'],
  ])('a login with %s is accepted', async (_name, body, origin) => {
    const answer = await authenticate(server.browser(), body, { origin })
    expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([200, origin])
  })

  it.each([
    ['a foreign origin', { origin: 'https://evil.test' }, {}],
    ['the null origin', { origin: 'null' }, {}],
    ['another app', { origin: 'capacitor://evil' }, {}],
    ['another scheme', { origin: 'ionic://localhost' }, {}],
    ['no origin', {}, {}],
    ["this server's own origin", { origin: 'https://id.test' }, {}],
    ['a third-party application', { origin: ORIGIN }, { client_id: 'third' }],
    ['an application that switched it off', { origin: ORIGIN }, { client_id: 'off' }],
    ['an unknown application', { origin: ORIGIN }, { client_id: 'nobody' }],
  ] as [string, Record<string, string>, Sent][])(
    'refuses %s without looking at the password',
    async (_name, headers, body) => {
      const right = await authenticate(server.browser(), body, headers)
      const wrong = await authenticate(server.browser(), { ...body, password: 'wrong' }, headers)
      for (const answer of [right, wrong]) {
        expect(answer.status).toBe(403)
        expect(answer.json()).toEqual({
          error: 'access_denied',
          error_description: 'The origin is not allowed for this application',
        })
        expect(answer.header('access-control-allow-origin')).toBeUndefined()
        expect(answer.header('set-cookie')).toBeUndefined()
      }
    },
  )

  it.each([
    ['no username', { username: '' }],
    ['no password', { password: '' }],
    ['another credential type', { credential_type: 'http://auth0.com/oauth/grant-type/passwordless/otp' }],
    ['no credential type', { credential_type: undefined }],
    ['an unknown realm', { credential_type: REALM, realm: 'Nowhere' }],
    ['a password that is no text', { password: { $ne: '' } }],
  ])('a login with %s is refused', async (_name, body) => {
    const answer = await authenticate(server.browser(), body)
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_request'])
  })

  it('has the same response for a wrong password and an unknown user', async () => {
    const wrong = await authenticate(server.browser(), { password: 'wrong' })
    const unknown = await authenticate(server.browser(), { username: 'nobody@mail.test' })
    expect(wrong.status).toBe(403)
    expect(wrong.json()).toEqual({ error: 'access_denied', error_description: 'Wrong email or password.' })
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
  })

  it('counts guesses together with those at the login page', async () => {
    await server.addUser({ email: 'locked@mail.test' })
    const browser = server.browser({ ip: '203.0.113.9' })
    const username = 'locked@mail.test'
    for (let guess = 0; guess < 5; guess++) await authenticate(browser, { username, password: 'wrong' })
    const state = await beginLogin(browser)
    for (let guess = 0; guess < 5; guess++) await submitPassword(browser, state, username, 'wrong')
    const answer = await authenticate(browser, { username })
    expect([answer.status, answer.json().error]).toEqual([429, 'too_many_attempts'])
    expect(answer.header('set-cookie')).toBeUndefined()
  })
})

describe('a login ticket at /authorize', () => {
  it('signs in without a page, into a session that other applications share', async () => {
    const browser = server.browser()
    const answer = await goOn(browser, await ticketOf(browser), { max_age: '60' })
    const tokens = (await redeem(browser, expectCode(answer))).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ email: 'kim@mail.test', auth_time: expect.any(Number) })
    expect(browser.cookies.has('__Host-latchkey_co')).toBe(false)
    const again = await browser.get('/authorize', { query: authorizeQuery({ client_id: 'other', prompt: 'none' }) })
    expectCode(again)
  })

  it.each<Record<string, string>>([{ prompt: 'login' }, { max_age: '0' }, { prompt: 'select_account' }])(
    'a login ticket satisfies %o',
    async (extra) => {
      const browser = server.browser()
      await signIn(browser, 'lee@mail.test')
      expectCode(await goOn(browser, await ticketOf(browser), extra))
    },
  )

  it('answers a frame that asks for no page', async () => {
    const browser = server.browser()
    const ticket = await ticketOf(browser)
    const answer = await goOn(browser, ticket, { prompt: 'none', response_mode: 'web_message' })
    expect(answer.text).toContain('authorization_response')
    expect(answer.text).toContain('"code"')
  })

  it('replaces another user’s session, with a new id', async () => {
    const browser = server.browser()
    await signIn(browser, 'lee@mail.test')
    const before = browser.cookies.get('__Host-latchkey_session')
    const code = expectCode(await goOn(browser, await ticketOf(browser)))
    expect(payloadOf((await redeem(browser, code)).json().id_token).email).toBe('kim@mail.test')
    expect(browser.cookies.get('__Host-latchkey_session')).not.toBe(before)
    const old = server.browser()
    old.cookies.set('__Host-latchkey_session', before ?? '')
    const answer = await old.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
    expect(locationOf(answer).searchParams.get('error')).toBe('login_required')
  })

  it('skips no consent', async () => {
    const browser = server.browser()
    const response = await goOn(browser, await ticketOf(browser), {
      audience: 'https://api.test',
      scope: 'openid read',
      prompt: 'consent',
    })
    expect(locationOf(response).pathname).toBe('/u/consent')
    expect(hasSession(browser)).toBe(false)
    const state = locationOf(response).searchParams.get('state') ?? ''
    expectCode(await browser.post('/u/submit', { form: { state, action: 'accept' } }))
    const silent = server.browser()
    const answer = await goOn(silent, await ticketOf(silent), {
      prompt: 'none',
      audience: 'https://api.test',
      scope: 'openid read',
      redirect_uri: 'https://app.test/cb',
    })
    expectCode(answer)
  })

  it('signs in once, even with concurrent uses', async () => {
    const browser = server.browser()
    const ticket = await ticketOf(browser)
    const cookie = browser.cookies.get('__Host-latchkey_co') ?? ''
    const racing = Array.from({ length: 10 }, () => {
      const one = server.browser()
      one.cookies.set('__Host-latchkey_co', cookie)
      return goOn(one, ticket)
    })
    const codes = (await Promise.all(racing)).filter((answer) => locationOf(answer).searchParams.has('code'))
    expect(codes).toHaveLength(1)
  })
})

describe('a ticket that proves nothing shows the login page', () => {
  const bringing = async (over: { from?: Browser; body?: Sent } = {}) => {
    const browser = over.from ?? server.browser()
    return { browser, ticket: await ticketOf(browser, over.body) }
  }

  it('a used ticket shows the login page', async () => {
    const { browser, ticket } = await bringing()
    const cookie = browser.cookies.get('__Host-latchkey_co') ?? ''
    expectCode(await goOn(browser, ticket))
    browser.cookies.set('__Host-latchkey_co', cookie)
    expectLoginPage(await goOn(browser, ticket))
  })

  it('a ticket shows the login page after a minute', async () => {
    const { browser, ticket } = await bringing()
    server.clock.advance(61)
    expectLoginPage(await goOn(browser, ticket))
  })

  it('in another browser: a sent link cannot sign in another browser', async () => {
    const { ticket } = await bringing()
    const victim = server.browser()
    expectLoginPage(await goOn(victim, ticket))
    await ticketOf(victim, { username: 'lee@mail.test' })
    expectLoginPage(await goOn(victim, ticket))
    expect(hasSession(victim)).toBe(false)
  })

  it('a ticket from another browser shows the login page, and stays usable in its own', async () => {
    const { browser, ticket } = await bringing()
    await goOn(server.browser(), ticket)
    expectCode(await goOn(browser, ticket))
  })

  it('a ticket for another application shows the login page', async () => {
    const { browser, ticket } = await bringing()
    expectLoginPage(await goOn(browser, ticket, { client_id: 'other' }))
  })

  it('a ticket for another user than the hinted one shows the login page', async () => {
    const { browser, ticket } = await bringing()
    const lee = (
      await redeem(server.browser(), (await signIn(server.browser(), 'lee@mail.test')).get('code') ?? '')
    ).json()
    expectLoginPage(await goOn(browser, ticket, { id_token_hint: String(lee.id_token) }))
  })

  it('an invented ticket shows the login page', async () => {
    const { browser } = await bringing()
    expectLoginPage(await goOn(browser, 'made-up'))
  })

  it('a ticket shows the login page despite an existing session, which was not requested', async () => {
    const { browser } = await bringing()
    await signIn(browser, 'lee@mail.test')
    expectLoginPage(await goOn(browser, 'made-up'))
    const silent = await goOn(browser, 'made-up', { prompt: 'none' })
    expect(locationOf(silent).searchParams.get('error')).toBe('login_required')
  })

  it('a ticket of a blocked user shows the login page', async () => {
    const id = await server.addUser({ email: 'soon@mail.test' })
    const { browser, ticket } = await bringing({ body: { username: 'soon@mail.test' } })
    await server.database.pool.query('UPDATE "user" SET blocked = true WHERE id = $1', [id])
    expectLoginPage(await goOn(browser, ticket))
  })

  it('a ticket shows the login page after a change of the password', async () => {
    const id = await server.addUser({ email: 'moved@mail.test' })
    const { browser, ticket } = await bringing({ body: { username: 'moved@mail.test' } })
    server.clock.advance(1)
    const set = 'UPDATE identity SET password_changed_at = $2 WHERE user_id = $1'
    await server.database.pool.query(set, [id, server.clock.now()])
    expectLoginPage(await goOn(browser, ticket))
  })

  it('a ticket shows the login page when the application no longer allows the origin', async () => {
    await server.addClient({ clientId: 'moving', settings: { ...SPA.settings, allowed_origins: ['https://old.test'] } })
    const browser = server.browser()
    const ticket = await ticketOf(browser, { client_id: 'moving' }, { origin: 'https://old.test' })
    await server.addClient({ clientId: 'moving', settings: SPA.settings })
    expectLoginPage(await goOn(browser, ticket, { client_id: 'moving' }))
  })
})

describe('POST /usernamepassword/login', () => {
  const send = (browser: Browser, headers: Record<string, string> = { origin: 'https://id.test' }, body: Sent = {}) =>
    browser.post('/usernamepassword/login', {
      json: {
        ...authorizeQuery(),
        connection: 'Users',
        username: 'kim@mail.test',
        password: PASSWORD,
        tenant: 'id',
        _intstate: 'deprecated',
        ...body,
      },
      headers,
    })

  it('gives a page of this host the form that finishes the login', async () => {
    const browser = server.browser()
    const answer = await send(browser)
    expect(answer.header('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toMatch(/^<form method="post" action="https:\/\/id\.test\/login\/callback">/)
    expect(answer.text).not.toContain(PASSWORD)
    const fields = [...answer.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const onward = await browser.post('/login/callback', { form: Object.fromEntries(fields) })
    expect(onward.status).toBe(303)
    const done = await browser.get(onward.header('location') ?? '')
    expect(locationOf(done).searchParams.get('state')).toBe('s t+a/te')
    expectCode(done)
  })

  it.each([
    ["an application's own page", { origin: ORIGIN }],
    ['a foreign page', { origin: 'https://evil.test' }],
    ['no page', {}],
  ] as [string, Record<string, string>][])('a login from %s is refused', async (_name, headers) => {
    const answer = await send(server.browser(), headers)
    expect([answer.status, answer.json().error]).toEqual([403, 'access_denied'])
    expect(answer.header('access-control-allow-origin')).toBeUndefined()
  })

  it('says no more of a wrong password than anywhere', async () => {
    const answer = await send(server.browser(), undefined, { password: 'wrong' })
    expect([answer.status, answer.json().error_description]).toEqual([403, 'Wrong email or password.'])
  })

  it('goes nowhere without a ticket, and nowhere foreign with one', async () => {
    const browser = server.browser()
    expect((await browser.post('/login/callback', { form: { client_id: 'spa' } })).status).toBe(400)
    const form = { login_ticket: 'x', client_id: 'spa', redirect_uri: 'https://evil.test/' }
    const onward = await browser.post('/login/callback', { form })
    expect(locationOf(onward).origin).toBe('https://id.test')
    expect((await browser.get(onward.header('location') ?? '')).status).toBe(400)
  })
})

it.each([
  '/usernamepassword/challenge',
  '/dbconnections/signup/challenge',
  '/dbconnections/change_password/challenge',
  '/passwordless/challenge',
])('%s asks for no captcha', async (path) => {
  const answer = await server.browser().post(path, { json: { state: 's' }, headers: { origin: ORIGIN } })
  expect([answer.status, answer.json()]).toEqual([200, { required: false }])
})

it('leaves neither ticket nor password in the log, and only digests in the database', async () => {
  const browser = server.browser()
  const answer = await authenticate(browser)
  const { login_ticket, co_verifier } = answer.json()
  await goOn(browser, String(login_ticket))
  const stored = await server.database.pool.query("SELECT payload::text, encode(digest, 'escape') FROM ticket")
  for (const secret of [login_ticket, co_verifier, PASSWORD]) {
    expect(JSON.stringify(server.lines)).not.toContain(secret)
    expect(JSON.stringify(stored.rows)).not.toContain(secret)
  }
})
