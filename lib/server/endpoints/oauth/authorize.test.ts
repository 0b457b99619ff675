import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  SPA,
  signIn,
  signInForTokens,
  submitPassword,
  WEB,
} from '../../../testing/journey'
import { type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, callbacks: ['https://app.test/cb', 'https://app.test/other?x=1'] },
  })
  await server.addClient(WEB)
  await server.addClient({
    clientId: 'native',
    settings: { app_type: 'native', callbacks: ['http://127.0.0.1/cb', 'myapp://cb'] },
  })
  await server.addClient({
    clientId: 'hybrid',
    settings: {
      app_type: 'spa',
      callbacks: ['capacitor://localhost/cb', 'ionic://localhost/cb', 'myapp://cb'],
      web_origins: ['capacitor://localhost'],
    },
  })
  await server.addClient({
    clientId: 'machine',
    settings: { app_type: 'non_interactive', callbacks: ['https://m.test/cb'] },
  })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }] })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await server.addUser({ id: 'ann', email: 'ann@mail.test', blocked: true })
})
afterAll(() => server.close())

const ask = (extra: Record<string, string> = {}): Promise<TestResponse> =>
  server.browser().get('/authorize', { query: authorizeQuery(extra) })
const without = (...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(authorizeQuery()).filter(([name]) => !names.includes(name)))
const raw = (query: TestRequest['query']): Promise<TestResponse> => server.browser().get('/authorize', { query })

/** Our own page, without any automatic redirect (threat-model.md AZ1, AZ2). */
function expectOwnPage(answer: TestResponse, ...texts: string[]): void {
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.header('location')).toBeUndefined()
  expect(answer.header('refresh')).toBeUndefined()
  expect(answer.header('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.text).not.toMatch(/http-equiv|<form[^>]*app\.test|\.submit\(/i)
  for (const text of texts) expect(answer.text).toContain(text)
}

/** The error in the query of the client's redirect URI. */
function expectRefusal(answer: TestResponse, error: string, description?: string): void {
  expect(answer.status).toBe(302)
  const location = locationOf(answer)
  expect(location.origin + location.pathname).toBe('https://app.test/cb')
  expect(location.searchParams.get('error')).toBe(error)
  if (description !== undefined) expect(location.searchParams.get('error_description')).toBe(description)
  expect(location.searchParams.get('state')).toBe('s t+a/te')
  expect(location.searchParams.get('iss')).toBe('https://id.test/')
  expect(location.searchParams.has('code')).toBe(false)
}

describe('until the target is proven every error is our own page', () => {
  it.each<[string, Record<string, string>, string]>([
    ['an unknown client', { client_id: 'nobody' }, 'Unknown client: nobody'],
    ['another redirect URI', { redirect_uri: 'https://evil.test/cb' }, 'https://evil.test/cb is not in the list'],
    ['a redirect URI that only begins right', { redirect_uri: 'https://app.test/cb/more' }, 'Callback URL mismatch'],
    ['a redirect URI with user info', { redirect_uri: 'https://app.test@evil.test/cb' }, 'Callback URL mismatch'],
    ['a redirect URI of another client', { redirect_uri: 'https://web.test/cb' }, 'Callback URL mismatch'],
    ['a redirect URI that runs', { redirect_uri: 'javascript:alert(1)' }, 'Callback URL mismatch'],
    ['an unknown response mode', { response_mode: 'web_post' }, 'Unsupported response_mode'],
    ['a loopback port for a client that is not native', { redirect_uri: 'http://127.0.0.1:5000/cb' }, 'mismatch'],
    [
      'web_message to an origin that is not registered',
      { response_mode: 'web_message', client_id: 'web', redirect_uri: 'https://web.test/cb' },
      'web origins',
    ],
    ...['ionic://localhost/cb', 'myapp://cb'].map((redirect_uri): [string, Record<string, string>, string] => [
      `web_message to an app of another origin: ${redirect_uri}`,
      { response_mode: 'web_message', client_id: 'hybrid', redirect_uri },
      'web origins',
    ]),
  ])('the error is shown on our own page: %s', async (_name, extra, text) => {
    expectOwnPage(await ask(extra), text)
  })

  it('a request without a client gets our own page', async () => {
    expectOwnPage(await raw(without('client_id')), 'Missing required parameter: client_id')
  })

  it('a request without a redirect URI gets our own page where several are registered', async () => {
    expectOwnPage(await raw(without('redirect_uri')), 'Missing required parameter: redirect_uri')
  })

  it('a wrong redirect URI gets our own page, whatever else is wrong', async () => {
    expectOwnPage(await ask({ redirect_uri: 'https://evil.test/cb', response_type: 'nonsense', prompt: 'none' }))
  })

  it('escapes reflected values', async () => {
    const answer = await ask({ client_id: '"><script>alert(1)</script>' })
    expectOwnPage(answer, '&lt;script&gt;')
    expect(answer.text).not.toContain('<script>alert')
  })
})

describe('repeated parameters (threat-model.md AZ3)', () => {
  const twice = (name: string, extra: Record<string, string> = {}) => {
    const query = new URLSearchParams(authorizeQuery({ unknown: 'x', ...extra }))
    query.append(name, query.get(name) ?? '')
    return query
  }

  it.each(['client_id', 'redirect_uri', 'response_mode', 'state'])(
    'get a page where the application cannot be answered without them: %s',
    async (name) => {
      const answer = await raw(twice(name, { response_mode: 'fragment' }).toString())
      expectOwnPage(answer, `Repeated parameter: ${name}`)
    },
  )

  it.each(['request', 'request_uri'])('get a page beside %s, which names another target', async (name) => {
    for (const query of [twice(name, { [name]: 'x' }), twice('scope', { [name]: 'x' })]) {
      expectOwnPage(await raw(query.toString()), 'Repeated parameter: ')
    }
  })

  it('get a page where the target is not proven', async () => {
    expectOwnPage(await raw(twice('resource', { resource: 'a', redirect_uri: 'https://evil.test/cb' }).toString()))
    expectOwnPage(await raw(twice('resource', { resource: 'a', client_id: 'nobody' }).toString()))
  })

  it.each([
    ['resource', 'invalid_target'],
    ['scope', 'invalid_request'],
    ['response_type', 'invalid_request'],
    ['nonce', 'invalid_request'],
    ['prompt', 'invalid_request'],
    ['code_challenge', 'invalid_request'],
    ['unknown', 'invalid_request'],
  ])('are answered to the application otherwise: %s', async (name, error) => {
    const target = locationOf(await raw(twice(name, { resource: 'https://a.test', prompt: 'login' }).toString()))
    expect(target.origin + target.pathname).toBe('https://app.test/cb')
    expect(Object.fromEntries(target.searchParams)).toEqual({
      error,
      error_description: `Repeated parameter: ${name}`,
      state: authorizeQuery().state,
      iss: 'https://id.test/',
    })
  })

  it('are answered in the response mode of the request', async () => {
    const extra = { resource: 'https://a.test' }
    const fragment = locationOf(await raw(twice('resource', { ...extra, response_mode: 'fragment' }).toString()))
    expect(new URLSearchParams(fragment.hash.slice(1)).get('error')).toBe('invalid_target')
    const form = await raw(twice('resource', { ...extra, response_mode: 'form_post' }).toString())
    expect([form.status, form.text]).toEqual([200, expect.stringContaining('value="invalid_target"')])
  })

  it('are answered to the application where a form sends them, also from another site', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await server
        .browser()
        .post('/authorize', { form: twice('resource', { resource: 'a' }).toString(), headers })
      expect(locationOf(answer).searchParams.get('error')).toBe('invalid_target')
    }
  })

  it('are as bad as values that cannot be stored', async () => {
    const target = locationOf(await raw(`${new URLSearchParams(authorizeQuery())}&login_hint=%00`))
    expect(target.searchParams.get('error_description')).toBe('Invalid parameter: login_hint')
    expectOwnPage(
      await raw(`${new URLSearchParams(authorizeQuery({ state: undefined }))}&state=%00`),
      'Invalid parameter: state',
    )
  })
})

describe('errors after the target is proven', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['an unknown response type', { response_type: 'foo' }, 'unsupported_response_type', 'Unsupported response type'],
    [
      'a known type and an unknown one',
      { response_type: 'none code' },
      'unsupported_response_type',
      'Unsupported response type',
    ],
    ['an unknown prompt', { prompt: 'register' }, 'invalid_request', 'Invalid parameter: prompt'],
    ['prompt=none beside another', { prompt: 'none login' }, 'invalid_request', 'prompt=none cannot be combined'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request', 'Invalid parameter: max_age'],
    ['a malformed scope', { scope: 'open"id' }, 'invalid_scope', 'The scope is malformed'],
    ['an unknown audience', { audience: 'https://no.test' }, 'access_denied', 'Service not found: https://no.test'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request', 'code_challenge_method must be S256'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request', 'The code_challenge is malformed'],
    [
      'an unsigned request object',
      { request: 'eyJhbGciOiJub25lIn0.e30.' },
      'request_not_supported',
      'Unsigned request objects are not supported',
    ],
    [
      'a request_uri, which is never fetched',
      { request_uri: 'http://169.254.169.254/' },
      'request_uri_not_supported',
      'request_uri is not supported',
    ],
    [
      'a hint that this server did not issue',
      { id_token_hint: 'a.b.c' },
      'invalid_request',
      'Invalid parameter: id_token_hint',
    ],
    ['prompt=none without a session', { prompt: 'none' }, 'login_required', 'Login required'],
  ])('the error is sent to the application: %s', async (_name, extra, error, description) => {
    expectRefusal(await ask(extra), error, description)
  })

  it('a request without a response type is an error for the application', async () => {
    expectRefusal(await raw(without('response_type')), 'invalid_request', 'Missing required parameter: response_type')
  })

  it('a public client without a challenge is an error for the application', async () => {
    expectRefusal(await raw(without('code_challenge', 'code_challenge_method')), 'invalid_request')
  })

  it('a client that may not use codes gets an error at its redirect URI', async () => {
    const answer = await ask({ client_id: 'machine', redirect_uri: 'https://m.test/cb' })
    expect(locationOf(answer).searchParams.get('error')).toBe('unauthorized_client')
  })

  it('a hostile state is returned byte for byte, and adds no header', async () => {
    const state = 'a\r\nSet-Cookie: x=1\t"><script>é\u{1f600}%0d%0a'
    const answer = await ask({ state, prompt: 'none' })
    expect(locationOf(answer).searchParams.get('state')).toBe(state)
    expect(answer.headers.map(([name]) => name)).not.toContain('set-cookie')
    expect(answer.header('location')).not.toMatch(/[\r\n]/)
  })

  it('a state that was not sent is not returned', async () => {
    const answer = await raw({ ...without('state'), prompt: 'none' })
    expect(locationOf(answer).searchParams.has('state')).toBe(false)
  })
})

describe('accepted requests', () => {
  it('parameters by POST are accepted in both encodings', async () => {
    for (const sent of [{ form: authorizeQuery() }, { json: authorizeQuery() }]) {
      const answer = await server.browser().post('/authorize', sent)
      expect(locationOf(answer).pathname).toBe('/u/login')
    }
  })

  it('a POST may be no longer than a GET, since anyone may have it stored', async () => {
    const browser = server.browser()
    const send = (length: number) => browser.post('/authorize', { form: authorizeQuery({ state: 'x'.repeat(length) }) })
    expect((await send(15_000)).status).toBe(302)
    expect((await send(16_384)).status).toBe(413)
  })

  it('unknown parameters are accepted', async () => {
    expect(locationOf(await ask({ auth0Client: 'x', 'ext-a': 'b', display: 'popup' })).pathname).toBe('/u/login')
  })

  it('a request without a redirect URI is accepted where exactly one is registered', async () => {
    const { redirect_uri: _dropped, ...query } = authorizeQuery({ client_id: 'web' })
    expect(locationOf(await raw(query)).pathname).toBe('/u/login')
  })

  it('a client with a secret needs no challenge', async () => {
    const query = {
      ...without('code_challenge', 'code_challenge_method'),
      client_id: 'web',
      redirect_uri: 'https://web.test/cb',
    }
    expect(locationOf(await raw(query)).pathname).toBe('/u/login')
  })

  it.each(['http://127.0.0.1:49152/cb', 'myapp://cb'])(
    'the redirect URI %s of a native app is accepted',
    async (redirect_uri) => {
      const browser = server.browser()
      const state = await beginLogin(browser, { client_id: 'native', redirect_uri })
      const answer = await submitPassword(browser, state, 'kim@mail.test')
      expect(answer.header('location')).toMatch(`${redirect_uri}?code=`)
    },
  )

  it('undefined scopes are accepted by dropping them', async () => {
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', {
      scope: 'openid read:things write:things',
      audience: 'https://api.test',
    })
    expect(tokens.scope).toBe('openid read:things')
  })

  it('a hint about the user is accepted by prefilling it', async () => {
    const browser = server.browser()
    const page = await browser.get(
      locationOf(await browser.get('/authorize', { query: authorizeQuery({ login_hint: 'kim"@mail.test' }) })).href,
    )
    expect(page.text).toContain('kim&quot;@mail.test')
  })
})

describe('response modes', () => {
  const finish = async (response_mode: string) => {
    const browser = server.browser()
    const state = await beginLogin(browser, { response_mode, state: `"'><&` })
    return submitPassword(browser, state, 'kim@mail.test')
  }
  const hidden = (answer: TestResponse, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(answer.text)?.[1]

  it('the mode query redirects with 302, to a GET, after the login form (threat-model.md AZ12)', async () => {
    const answer = await finish('query')
    expect(answer.status).toBe(302)
    expect([...locationOf(answer).searchParams.keys()]).toEqual(['code', 'state', 'iss'])
  })

  it('query: keeps the query that is registered', async () => {
    const answer = await ask({ redirect_uri: 'https://app.test/other?x=1', prompt: 'none' })
    expect(answer.header('location')).toMatch('https://app.test/other?x=1&error=login_required&')
  })

  it('the mode fragment puts the percent-encoded answer after the #', async () => {
    const answer = await finish('fragment')
    expect(answer.header('location')).toMatch(
      /^https:\/\/app\.test\/cb#code=[\w-]+&state=%22'%3E%3C%26&iss=https%3A%2F%2Fid\.test%2F$/,
    )
  })

  it('the mode form_post is an escaped form that posts itself, in no cache', async () => {
    const answer = await finish('form_post')
    expect([answer.status, answer.header('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.text).toContain('<form method="post" action="https://app.test/cb">')
    expect(hidden(answer, 'state')).toBe('&quot;&#39;&gt;&lt;&amp;')
    expect((await redeem(server.browser(), hidden(answer, 'code') ?? '')).status).toBe(200)
  })

  it('the mode web_message posts to the registered origin, which alone may frame the page', async () => {
    const answer = await finish('web_message')
    expect([answer.status, answer.header('x-frame-options'), answer.header('cache-control')]).toEqual([
      200,
      undefined,
      'no-store',
    ])
    expect(answer.header('content-security-policy')).toContain('frame-ancestors https://app.test')
    expect(answer.text).toContain(',"https://app.test")')
  })

  it('the mode web_message posts to the page of a hybrid app by its own origin, without a login form too', async () => {
    const hybrid = { client_id: 'hybrid', redirect_uri: 'capacitor://localhost/cb', response_mode: 'web_message' }
    const browser = server.browser()
    await signInForTokens(browser, 'kim@mail.test')
    const answer = await browser.get('/authorize', { query: authorizeQuery({ ...hybrid, prompt: 'none' }) })
    expect(answer.header('content-security-policy')).toContain('frame-ancestors capacitor://localhost;')
    expect(answer.text).toMatch(/"code":"[\w-]+".*,"capacitor:\/\/localhost"\)/)
  })

  it('the mode web_message posts to an origin that a pattern admits', async () => {
    const callbacks = ['https://pr-*.app.test/cb']
    const settings = { ...SPA.settings, callbacks, web_origins: ['https://pr-*.app.test'] }
    await server.addClient({ clientId: 'previews', settings })
    const opened = (redirect_uri: string) => {
      const query = authorizeQuery({
        client_id: 'previews',
        redirect_uri,
        response_mode: 'web_message',
        prompt: 'none',
      })
      return server.browser().get('/authorize', { query })
    }
    expect((await opened('https://pr-1.app.test/cb')).text).toContain(',"https://pr-1.app.test")')
    expect((await opened('https://evil.app.test/cb')).status).toBe(400)
  })

  it.each(['form_post', 'fragment', 'web_message'])('%s carries errors as well', async (response_mode) => {
    const answer = await ask({ response_mode, prompt: 'none' })
    expect(answer.text + answer.header('location')).toContain('login_required')
  })
})

describe('sessions that sign in without a form (threat-model.md AZ5)', () => {
  const signedIn = async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    server.clock.advance(100)
    const again = (extra: Record<string, string> = {}) => browser.get('/authorize', { query: authorizeQuery(extra) })
    return { browser, tokens, again }
  }
  const codeOf = (answer: TestResponse) => locationOf(answer).searchParams.get('code')

  it('the session signs in at a second app, and with prompt=none', async () => {
    const { again } = await signedIn()
    expect(codeOf(await again({ client_id: 'web', redirect_uri: 'https://web.test/cb' }))).not.toBeNull()
    expect(codeOf(await again({ prompt: 'none' }))).not.toBeNull()
  })

  it.each<[string, Record<string, string>, boolean]>([
    ['max_age that is not over', { max_age: '100' }, true],
    ['max_age that is over', { max_age: '99' }, false],
    ['max_age=0', { max_age: '0' }, false],
    ['prompt=login', { prompt: 'login' }, false],
    ['prompt=select_account', { prompt: 'select_account' }, false],
    ['prompt=consent', { prompt: 'consent' }, false],
  ])('%s decides whether the session signs in: %o', async (_name, extra, silent) => {
    const { again } = await signedIn()
    expect(codeOf(await again(extra)) !== null).toBe(silent)
  })

  it('refuses prompt=none with max_age that is over', async () => {
    const { again } = await signedIn()
    expectRefusal(await again({ prompt: 'none', max_age: '99' }), 'login_required')
  })

  it('the user of an id_token_hint is signed in, expired or not, and no other user', async () => {
    const { again, tokens } = await signedIn()
    const lee = await signInForTokens(server.browser(), 'lee@mail.test')
    expect(codeOf(await again({ prompt: 'none', id_token_hint: String(tokens.id_token) }))).not.toBeNull()
    expectRefusal(await again({ prompt: 'none', id_token_hint: String(lee.id_token) }), 'login_required')
    server.clock.advance(36_001)
    expect(codeOf(await again({ prompt: 'none', id_token_hint: String(tokens.id_token) }))).not.toBeNull()
  })

  it('takes neither an access token nor the ID token of another client for a hint', async () => {
    const { again } = await signedIn()
    const api = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: 'https://api.test',
      scope: 'read:things',
    })
    expectRefusal(await again({ id_token_hint: String(api.access_token) }), 'invalid_request')
    const web = await server.browser()
    const code = await signIn(web, 'kim@mail.test', { client_id: 'web', redirect_uri: 'https://web.test/cb' })
    const tokens = await redeem(web, code.get('code') ?? '', {
      client_id: 'web',
      client_secret: WEB.secret,
      redirect_uri: 'https://web.test/cb',
    })
    expectRefusal(await again({ id_token_hint: String(tokens.json().id_token) }), 'invalid_request')
  })

  it('an invented cookie does not sign in (threat-model.md SE3)', async () => {
    const browser = server.browser()
    browser.cookies.set('__Host-latchkey_session', 'invented')
    expectRefusal(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) }), 'login_required')
  })

  it('a session that idled too long or reached its absolute end does not sign in', async () => {
    const idle = await signedIn()
    server.clock.advance(72 * 3600)
    expectRefusal(await idle.again({ prompt: 'none' }), 'login_required')
    const busy = await signedIn()
    for (let hours = 0; hours < 168; hours += 56) {
      expect(codeOf(await busy.again({ prompt: 'none' })), `after ${hours} hours`).not.toBeNull()
      server.clock.advance(56 * 3600)
    }
    expectRefusal(await busy.again({ prompt: 'none' }), 'login_required')
  })

  it('a user who was blocked meanwhile is not signed in', async () => {
    const { browser, again } = await signedIn()
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE id = 'auth0|kim'`)
    expectRefusal(await again({ prompt: 'none' }), 'login_required')
    expect(locationOf(await again()).pathname).toBe('/u/login')
    await server.database.pool.query(`UPDATE "user" SET blocked = false WHERE id = 'auth0|kim'`)
    expect(browser.cookies.size).toBeGreaterThan(0)
  })
})

it('keeps a code of at least 128 bits, new every time', async () => {
  const codes = await Promise.all(
    [0, 1].map(async () => (await signIn(server.browser(), 'kim@mail.test')).get('code') ?? ''),
  )
  expect(new Set(codes).size).toBe(2)
  for (const code of codes) expect(Buffer.from(code, 'base64url').length).toBeGreaterThanOrEqual(16)
})

it('is not readable by a foreign page (threat-model.md TK5)', async () => {
  const answer = await server
    .browser()
    .get('/authorize', { query: authorizeQuery(), headers: { origin: 'https://evil.test' } })
  expect(answer.headers.filter(([name]) => name.startsWith('access-control'))).toEqual([])
})
