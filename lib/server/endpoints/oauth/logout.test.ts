import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, payloadOf, SPA, signInForTokens, WEB } from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const SESSION = '__Host-latchkey_session'

let server: TestServer
let browser: Browser
let tokens: Record<string, unknown>
let sessionCookie: string

beforeAll(async () => {
  server = await testServer()
  await server.addClient({
    ...SPA,
    settings: {
      ...SPA.settings,
      allowed_logout_urls: ['https://*.app.test/bye', 'https://app.test/bye', 'https://app.test/Out?x=1'],
    },
  })
  await server.addClient(WEB)
  await server.addClient({ clientId: 'bare', settings: { ...SPA.settings, allowed_logout_urls: [] } })
  await server.setTenant({ tenant: { allowed_logout_urls: ['https://tenant.test/bye'] } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
})
afterAll(() => server.close())
beforeEach(async () => {
  browser = server.browser()
  tokens = await signInForTokens(browser, 'kim@mail.test')
  sessionCookie = browser.cookies.get(SESSION) ?? ''
  server.clock.advance(1)
})

/** Checked on the server with the old cookie: deleting it in the browser alone is no logout (threat-model.md SE6). */
const isOver = async (): Promise<boolean> => {
  const thief = server.browser()
  thief.cookies.set(SESSION, sessionCookie)
  const answer = await thief.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })
  return locationOf(answer).searchParams.get('error') === 'login_required'
}

function expectOwnPage(answer: TestResponse, text: string): void {
  expect([answer.status, answer.header('location')]).toEqual([400, undefined])
  expect(answer.text).toContain(text)
}

describe('GET /v2/logout (contract "Logout")', () => {
  const logout = (query: Record<string, string> | string) => browser.get('/v2/logout', { query })

  it.each<[string, Record<string, string>, string]>([
    [
      'rule 1: a URL of the application',
      { client_id: 'spa', returnTo: 'https://app.test/bye' },
      'https://app.test/bye',
    ],
    [
      'rule 1: with a query of its own',
      { client_id: 'spa', returnTo: 'https://app.test/bye?a=b' },
      'https://app.test/bye?a=b',
    ],
    [
      'rule 1: a sub-domain of a pattern',
      { client_id: 'spa', returnTo: 'https://pr1.app.test/bye' },
      'https://pr1.app.test/bye',
    ],
    [
      'rule 1: outside ASCII',
      { client_id: 'spa', returnTo: 'https://app.test/bye?q=日' },
      'https://app.test/bye?q=%E6%97%A5',
    ],
    ['rule 2: a URL of the tenant', { returnTo: 'https://tenant.test/bye' }, 'https://tenant.test/bye'],
    ['rule 3: the first of the application that is one', { client_id: 'spa' }, 'https://app.test/bye'],
    ['federated as a value', { client_id: 'spa', federated: '1' }, 'https://app.test/bye'],
  ])('the logout redirects: %s', async (_name, query, location) => {
    const answer = await logout(query)
    expect([answer.status, answer.header('location')]).toEqual([302, location])
    expect(browser.cookies.has(SESSION)).toBe(false)
    expect(await isOver()).toBe(true)
  })

  it.each<[string, Record<string, string>, string]>([
    ['a foreign URL', { client_id: 'spa', returnTo: 'https://evil.test/' }, 'returnTo'],
    ['a URL of the tenant beside a client', { client_id: 'spa', returnTo: 'https://tenant.test/bye' }, 'returnTo'],
    ['a URL of the application without it', { returnTo: 'https://app.test/bye' }, 'returnTo'],
    ['a URL of another application', { client_id: 'web', returnTo: 'https://app.test/bye' }, 'returnTo'],
    ['a line break', { client_id: 'spa', returnTo: 'https://app.test/b\r\nye' }, 'returnTo'],
    ['a script', { client_id: 'spa', returnTo: 'javascript:alert(1)' }, 'returnTo'],
    ['another path case', { client_id: 'spa', returnTo: 'https://app.test/BYE' }, 'returnTo'],
    ['an unknown application', { client_id: 'nobody' }, 'Unknown client: nobody'],
  ])('shows our own page for %s', async (_name, query, text) => {
    expectOwnPage(await logout(query), text)
  })

  it.each(['', 'federated', 'federated='])('says OK with ?%s alone', async (query) => {
    const answer = await logout(query)
    expect([answer.status, answer.text]).toEqual([200, 'OK'])
    expect(await isOver()).toBe(true)
  })

  it('says OK for an application that registered no URL', async () => {
    expect((await logout({ client_id: 'bare' })).text).toBe('OK')
  })

  it('works for a browser that has no session', async () => {
    expect((await server.browser().get('/v2/logout', { query: { client_id: 'spa' } })).status).toBe(302)
  })

  it('leaves the refresh tokens of the application alone', async () => {
    await logout({ client_id: 'spa' })
    const form = { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(tokens.refresh_token) }
    expect((await browser.post('/oauth/token', { form })).status).toBe(200)
  })
})

describe('/oidc/logout (RP-Initiated Logout 1.0)', () => {
  const hint = () => ({ id_token_hint: String(tokens.id_token) })
  const target = { post_logout_redirect_uri: 'https://app.test/bye' }

  it.each(['GET', 'POST'])(
    '%s with the ID token of this session logs out at once and returns the state',
    async (method) => {
      const sent = { ...hint(), ...target, state: 'a b&c' }
      const answer = await browser.send(method, '/oidc/logout', method === 'GET' ? { query: sent } : { form: sent })
      expect([answer.status, answer.header('location')]).toEqual([302, 'https://app.test/bye?state=a%20b%26c'])
      expect(await isOver()).toBe(true)
    },
  )

  it.each<[string, () => Record<string, string>]>([
    [
      'an expired ID token',
      () => {
        server.clock.advance(36_001)
        return hint()
      },
    ],
    [
      'the session id as logout_hint',
      () => ({ logout_hint: String(payloadOf(tokens.id_token).sid), client_id: 'spa' }),
    ],
  ])('the logout accepts %s', async (_name, query) => {
    const answer = await browser.get('/oidc/logout', { query: { ...query(), ...target } })
    expect(answer.header('location')).toBe('https://app.test/bye')
    expect(await isOver()).toBe(true)
  })

  it('keeps a query that is registered, before the state', async () => {
    const query = { ...hint(), post_logout_redirect_uri: 'https://app.test/Out?x=1', state: 's' }
    expect((await browser.get('/oidc/logout', { query })).header('location')).toBe('https://app.test/Out?x=1&state=s')
  })

  it('admits a sub-domain of a pattern', async () => {
    const query = { ...hint(), post_logout_redirect_uri: 'https://pr1.app.test/bye' }
    expect((await browser.get('/oidc/logout', { query })).header('location')).toBe('https://pr1.app.test/bye')
  })

  it('shows that the user is logged out if there is no target', async () => {
    const answer = await browser.get('/oidc/logout', { query: hint() })
    expect([answer.status, answer.header('location')]).toEqual([200, undefined])
    expect(answer.text).toMatch(/signed out|logged out/i)
    expect(await isOver()).toBe(true)
  })

  it.each<[string, () => Record<string, string>, string]>([
    [
      'a URL with another query',
      () => ({ ...hint(), post_logout_redirect_uri: 'https://app.test/bye?x=2' }),
      'post_logout_redirect_uri',
    ],
    [
      'a foreign URL',
      () => ({ ...hint(), post_logout_redirect_uri: 'https://evil.test/' }),
      'post_logout_redirect_uri',
    ],
    ['a URL without a client', () => ({ ...target }), 'post_logout_redirect_uri'],
    ['a URL of another client', () => ({ ...target, client_id: 'web' }), 'post_logout_redirect_uri'],
    [
      'a pattern',
      () => ({ ...hint(), post_logout_redirect_uri: 'https://*.app.test/bye' }),
      'post_logout_redirect_uri',
    ],
    [
      'a hint that was changed',
      () => ({ id_token_hint: `${String(tokens.id_token).slice(0, -4)}AAAA`, ...target }),
      'id_token_hint',
    ],
    ['an invalid hint', () => ({ id_token_hint: 'x', ...target }), 'id_token_hint'],
    ['an access token as hint', () => ({ id_token_hint: String(tokens.access_token), ...target }), 'id_token_hint'],
    ['a hint for another client', () => ({ ...hint(), ...target, client_id: 'web' }), 'different clients'],
    ['an unknown client', () => ({ client_id: 'nobody' }), 'Unknown client: nobody'],
  ])('shows our own page for %s, and ends nothing', async (_name, query, text) => {
    expectOwnPage(await browser.get('/oidc/logout', { query: query() }), text)
    expect(await isOver()).toBe(false)
  })

  it('says of a bad hint what is wrong, in plain words', async () => {
    const page = await browser.get('/oidc/logout', { query: { id_token_hint: 'x' } })
    expect([page.status, page.header('location')]).toEqual([400, undefined])
    expect(page.text).toContain('We can’t sign you out this way')
    expect(page.text).toContain('The id_token_hint is not an ID token of this server')
    expect(await isOver()).toBe(false)
  })

  describe('asks for confirmation if nothing proves that the caller belongs to the session', () => {
    const ask = async (query: Record<string, string>) => {
      const answer = await browser.get('/oidc/logout', { query })
      expect([answer.status, answer.header('location')]).toEqual([200, undefined])
      expect(await isOver()).toBe(false)
      const fields = [...answer.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
      return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    }

    it.each<[string, Record<string, string>]>([
      ['nothing at all', {}],
      ['a client and where to go', { client_id: 'spa', ...target }],
      ['a session id of another user', { logout_hint: 'x' }],
    ])('the caller must confirm with %s', async (_name, query) => {
      await ask(query)
    })

    it('the caller must confirm with the ID token of another user', async () => {
      const lee = await signInForTokens(server.browser(), 'lee@mail.test')
      await ask({ id_token_hint: String(lee.id_token) })
    })

    it('the caller must confirm with the ID token of an earlier session of the same user', async () => {
      const earlier = await signInForTokens(server.browser(), 'kim@mail.test')
      await ask({ id_token_hint: String(earlier.id_token) })
    })

    it('the answer of the user is followed', async () => {
      const fields = await ask({ client_id: 'spa', ...target, state: 's' })
      const stay = await browser.post('/oidc/logout', { form: { ...fields, action: 'stay' } })
      expect(stay.header('location')).toBe('https://app.test/bye?state=s')
      expect(await isOver()).toBe(false)
      const leave = await browser.post('/oidc/logout', { form: { ...fields, action: 'logout' } })
      expect(leave.header('location')).toBe('https://app.test/bye?state=s')
      expect(await isOver()).toBe(true)
    })

    it('another browser cannot press the button', async () => {
      const fields = await ask({})
      const forged = [
        { action: 'logout' },
        { action: 'logout', confirmation: 'x' },
        { action: 'logout', confirmation: '' },
      ]
      for (const form of forged) expect((await browser.post('/oidc/logout', { form })).status).toBe(200)
      expect((await browser.get('/oidc/logout', { query: { ...fields, action: 'logout' } })).status).toBe(200)
      expect(await isOver()).toBe(false)
    })
  })
})

it('sends a form of another site on by GET, where the browser brings its session (threat-model.md SE6)', async () => {
  const own = server.browser()
  const tokens = await signInForTokens(own, 'kim@mail.test')
  const form = { id_token_hint: String(tokens.id_token), post_logout_redirect_uri: 'https://app.test/bye', state: 'x' }
  const strange = await server.browser().post('/oidc/logout', { form, headers: { 'sec-fetch-site': 'cross-site' } })
  expect(strange.status).toBe(303)
  const answer = await own.get(strange.header('location') ?? '')
  expect(answer.header('location')).toBe('https://app.test/bye?state=x')
  expect((await own.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) })).header('location')).toContain(
    'error=login_required',
  )
})
