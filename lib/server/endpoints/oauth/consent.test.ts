import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, payloadOf, redeem, refresh, signIn } from '../../../testing/journey'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const THIRD = { client_id: 'third', redirect_uri: 'https://third.test/cb', scope: 'openid email' }
const LOCAL = { client_id: 'local', redirect_uri: 'http://localhost:3000/cb' }
const API = { audience: 'https://api.test', scope: 'openid read:things' }
const PAYING = { audience: 'https://paying.test', scope: 'openid read:things offline_access' }
const ASKING = { audience: 'https://asking.test', scope: 'openid read:things' }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  const spa = (callbacks: string[], settings = {}) => ({ app_type: 'spa', callbacks, ...settings })
  await server.addClient({ clientId: 'spa', settings: spa(['https://app.test/cb']) })
  await server.addClient({ clientId: 'third', settings: spa(['https://third.test/cb'], { is_first_party: false }) })
  await server.addClient({ clientId: 'typing', settings: spa([], { grant_types: ['password'] }) })
  await server.addClient({ clientId: 'local', settings: spa(['http://localhost:3000/cb']) })
  const scopes = [{ value: 'read:things', description: 'Read your things' }, { value: 'write:things' }]
  await server.addApi('https://api.test', { scopes })
  await server.addApi('https://paying.test', {
    scopes,
    consent_policy: 'transactional-authorization-with-mfa',
    allow_offline_access: true,
  })
  await server.addApi('https://asking.test', { scopes, skip_consent_for_verifiable_first_party_clients: false })
})
afterAll(() => server.close())

let user = 0
beforeEach(async () => {
  user += 1
  await server.addUser({ email: `u${user}@mail.test` })
  browser = server.browser()
  await signIn(browser, `u${user}@mail.test`)
  server.clock.advance(1)
})

const ask = (extra: Record<string, string>): Promise<TestResponse> =>
  browser.get('/authorize', { query: authorizeQuery(extra) })
const errorOf = (answer: TestResponse) => locationOf(answer).searchParams.get('error')
const codeOf = (answer: TestResponse) => locationOf(answer).searchParams.get('code')
const showsConsent = (answer: TestResponse) => locationOf(answer).pathname === '/u/consent'
const act = (requested: TestResponse, action: string) =>
  browser.post('/u/submit', { form: { state: locationOf(requested).searchParams.get('state') ?? '', action } })

describe('when consent is required (threat-model.md AZ10)', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['a third party', THIRD, true],
    ['a third party without a scope', { ...THIRD, scope: '' }, true],
    ['a first party', { scope: 'openid email profile' }, false],
    ['a first party with an API', API, false],
    ['a first party with an API that wants it', ASKING, true],
    ['a first party on localhost', LOCAL, false],
    ['a first party on localhost with an API', { ...LOCAL, ...API }, true],
    ['a first party with prompt=consent', { prompt: 'consent' }, true],
  ])('consent is required: %s: %o', async (_name, extra, requested) => {
    const answer = await ask(extra)
    expect([showsConsent(answer), codeOf(answer) === null]).toEqual([requested, requested])
  })

  it('consent is never given silently', async () => {
    const refused = await ask({ ...THIRD, prompt: 'none' })
    expect([errorOf(refused), locationOf(refused).searchParams.get('error_description')]).toEqual([
      'consent_required',
      'Consent required',
    ])
  })
})

describe('the page', () => {
  it('names the application, the user and the scopes, and cannot be framed', async () => {
    const { text, headers } = await browser.get(locationOf(await ask({ ...ASKING, client_id: 'spa' })).href)
    for (const shown of ['App spa', `u${user}@mail.test`, 'Read your things', 'API https://asking.test'])
      expect(text).toContain(shown)
    expect(Object.fromEntries(headers)['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

describe('of a third party, which chose its name itself, the page says where the answer goes (threat-model.md DC1)', () => {
  it.each([
    ['https://third.test:8443/cb', 'third.test:8443'],
    ['https://xn--80ak6aa92e.test/cb', 'xn--80ak6aa92e.test'],
    ['https://аррӏе.test/cb', 'xn--80ak6aa92e.test'],
    ['com.example.app:/cb', 'com.example.app:'],
  ])('the page for %s names the host %s', async (redirect_uri, place) => {
    await server.addClient({
      clientId: 'named',
      settings: { app_type: 'spa', callbacks: [redirect_uri], is_first_party: false },
    })
    const response = await ask({ client_id: 'named', redirect_uri })
    expect((await browser.get(locationOf(response).href)).text).toContain(
      `Either way, you will be sent on to ${place}.`,
    )
  })

  it('the page links the homepage of the third party, where it has one', async () => {
    const callbacks = ['https://named.test/cb']
    const settings = { app_type: 'spa', callbacks, is_first_party: false, client_uri: 'https://named.test/about' }
    await server.addClient({ clientId: 'homely', settings })
    const response = await ask({ client_id: 'homely', redirect_uri: 'https://named.test/cb' })
    expect((await browser.get(locationOf(response).href)).text).toContain('href="https://named.test/about"')
  })

  it('the page of a first-party application does not say where the answer goes', async () => {
    expect((await browser.get(locationOf(await ask(ASKING)).href)).text).not.toContain('Either way')
  })
})

describe('the answer', () => {
  it('is access_denied for the application when the user refuses, and required again next time', async () => {
    const refused = await act(await ask(THIRD), 'deny')
    expect(locationOf(refused).origin).toBe('https://third.test')
    expect([errorOf(refused), locationOf(refused).searchParams.get('error_description')]).toEqual([
      'access_denied',
      'User did not authorize the request',
    ])
    expect(showsConsent(await ask(THIRD))).toBe(true)
  })

  it('is recorded when the user agrees', async () => {
    expect(codeOf(await act(await ask(THIRD), 'accept'))).not.toBeNull()
    expect(codeOf(await ask(THIRD))).not.toBeNull()
    expect(codeOf(await ask({ ...THIRD, prompt: 'none' }))).not.toBeNull()
    expect(codeOf(await ask({ ...THIRD, scope: 'openid', prompt: 'none' }))).not.toBeNull()
  })

  it('is required again when the scope grows, and then covers both', async () => {
    await act(await ask({ ...THIRD, scope: 'openid' }), 'accept')
    expect(errorOf(await ask({ ...THIRD, scope: 'openid email', prompt: 'none' }))).toBe('consent_required')
    await act(await ask({ ...THIRD, scope: 'openid email' }), 'accept')
    expect(codeOf(await ask({ ...THIRD, scope: 'email', prompt: 'none' }))).not.toBeNull()
  })

  it('about this server says nothing about an API, nor one API about another', async () => {
    await act(await ask({ ...THIRD, scope: 'openid' }), 'accept')
    await act(await ask({ ...THIRD, ...API }), 'accept')
    expect(codeOf(await ask({ ...THIRD, ...API, prompt: 'none' }))).not.toBeNull()
    expect(errorOf(await ask({ ...THIRD, ...ASKING, prompt: 'none' }))).toBe('consent_required')
  })

  it('is required again with prompt=consent although it was given', async () => {
    await act(await ask(THIRD), 'accept')
    const again = await ask({ ...THIRD, prompt: 'consent' })
    expect(showsConsent(again)).toBe(true)
    expect(codeOf(await act(again, 'accept'))).not.toBeNull()
  })

  it('grants exactly the scopes that were shown', async () => {
    const answer = await act(await ask({ ...THIRD, ...API, scope: 'openid read:things delete:things' }), 'accept')
    const tokens = (
      await redeem(browser, codeOf(answer) ?? '', { client_id: 'third', redirect_uri: 'https://third.test/cb' })
    ).json()
    expect(tokens.scope).toBe('openid read:things')
  })

  it('of one user is not another user’s', async () => {
    await act(await ask(THIRD), 'accept')
    await server.addUser({ email: `other${user}@mail.test` })
    const other = server.browser()
    await signIn(other, `other${user}@mail.test`)
    server.clock.advance(1)
    const answer = await other.get('/authorize', { query: authorizeQuery({ ...THIRD, prompt: 'none' }) })
    expect(errorOf(answer)).toBe('consent_required')
  })

  it('counts no more after logging out in another tab', async () => {
    const response = await ask(THIRD)
    await browser.get('/v2/logout')
    const answer = await act(response, 'accept')
    expect([codeOf(answer), locationOf(answer).pathname]).toEqual([null, '/u/login'])
  })

  it('follows the login of a user without a session', async () => {
    const fresh = server.browser()
    const page = locationOf(await fresh.get('/authorize', { query: authorizeQuery(THIRD) }))
    const state = page.searchParams.get('state') ?? ''
    const form = { state, action: 'login', username: `u${user}@mail.test`, password: 'correct horse battery staple' }
    const response = await fresh.post('/u/submit', { form })
    expect([response.status, locationOf(response).pathname]).toEqual([303, '/u/consent'])
    expect([...fresh.cookies.keys()].some((name) => name.includes('session'))).toBe(false)
    expect(codeOf(await fresh.post('/u/submit', { form: { state, action: 'accept' } }))).not.toBeNull()
  })
})

describe('an API whose policy is consent for each transaction', () => {
  it('asks at every login, whatever was granted before', async () => {
    for (const again of [false, true]) {
      const requested = await ask(PAYING)
      expect([again, showsConsent(requested)]).toEqual([again, true])
      expect(codeOf(await act(requested, 'accept'))).not.toBeNull()
    }
  })

  it('asks a third party as well', async () => {
    const third = { ...THIRD, ...PAYING }
    expect(codeOf(await act(await ask(third), 'accept'))).not.toBeNull()
    expect(showsConsent(await ask(third))).toBe(true)
  })

  it('refuses a silent login, and refreshes without a question', async () => {
    const code = codeOf(await act(await ask(PAYING), 'accept')) ?? ''
    expect(errorOf(await ask({ ...PAYING, prompt: 'none' }))).toBe('consent_required')
    const tokens = (await redeem(browser, code)).json()
    const refreshed = (await refresh(browser, tokens.refresh_token)).json()
    expect(payloadOf(refreshed.access_token)).toMatchObject({ aud: expect.arrayContaining(['https://paying.test']) })
  })

  it('refuses a grant without a page, where no one could be asked', async () => {
    const form = { grant_type: 'password', client_id: 'typing', username: `u${user}@mail.test`, password: PASSWORD }
    const granted = await server.browser().post('/oauth/token', { form: { ...form, ...API } })
    expect(granted.status).toBe(200)
    const refused = await server.browser().post('/oauth/token', { form: { ...form, ...PAYING } })
    expect([refused.status, refused.json().error]).toEqual([403, 'consent_required'])
  })
})

it.each(['https://paying.test', 'https://api.test'])(
  'no request has authorization_details, for %s',
  async (audience) => {
    const details = { audience, authorization_details: JSON.stringify([{ type: 'payment', amount: '10' }]) }
    expect(errorOf(await ask(details))).toBe('invalid_request')
    expect(errorOf(await ask({ ...details, prompt: 'none' }))).toBe('invalid_request')
  },
)
