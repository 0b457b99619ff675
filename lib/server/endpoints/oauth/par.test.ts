import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDpopKey, proofBy } from '../../../testing/dpop'
import {
  authorizeQuery,
  CHALLENGE,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  signInForTokens,
  submitPassword,
  VERIFIER,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { type Browser, type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(WEB)
  const private_ = { ...WEB.settings, require_pushed_authorization_requests: true }
  await server.addClient({ ...WEB, clientId: 'private', settings: private_ })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

const PREFIX = 'urn:ietf:params:oauth:request_uri:'
const REQUEST = {
  response_type: 'code',
  redirect_uri: 'https://web.test/cb',
  scope: 'openid email',
  state: 'the state',
  nonce: 'n1',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}
const CREDENTIALS = { client_id: 'web', client_secret: WEB.secret }

const push = (extra: Record<string, string> = {}, how: TestRequest = {}): Promise<TestResponse> =>
  server.browser().post('/oauth/par', { form: { ...REQUEST, ...CREDENTIALS, ...extra }, ...how })
const pushed = async (extra: Record<string, string> = {}): Promise<string> =>
  String((await push(extra)).json().request_uri)
const authorize = (browser: Browser, request_uri: string, extra: Record<string, string> = {}): Promise<TestResponse> =>
  browser.get('/authorize', { query: { client_id: 'web', request_uri, ...extra } })

describe('pushing (RFC 9126)', () => {
  it.each<[string, TestRequest]>([
    ['as a form', { form: { ...REQUEST, ...CREDENTIALS } }],
    ['as JSON', { json: { ...REQUEST, ...CREDENTIALS } }],
    [
      'with Basic, which names the client',
      {
        form: REQUEST,
        headers: { authorization: `Basic ${Buffer.from(`web:${WEB.secret}`).toString('base64')}` },
      },
    ],
  ])('a request is pushed: %s', async (_name, how) => {
    const answer = await server.browser().post('/oauth/par', how)
    expect([answer.status, answer.header('cache-control')]).toEqual([201, 'no-store'])
    expect(answer.json()).toEqual({ request_uri: expect.stringMatching(`^${PREFIX}[\\w-]{43}$`), expires_in: 30 })
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.test/cb' }, 400, 'invalid_request'],
    ['an unknown response type', { response_type: 'foo' }, 400, 'unsupported_response_type'],
    ['a response type that the client may not have', { response_type: 'token' }, 403, 'unauthorized_client'],
    ['a malformed scope', { scope: 'open"id' }, 400, 'invalid_scope'],
    ['an unknown audience', { audience: 'https://no.test' }, 403, 'access_denied'],
    ['malformed claims', { claims: '{' }, 400, 'invalid_request'],
    ['a hint that proves nothing', { id_token_hint: 'a.b.c' }, 400, 'invalid_request'],
    ['an unsigned request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 400, 'invalid_request_object'],
    ['a request_uri', { request_uri: `${PREFIX}x` }, 400, 'invalid_request'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 400, 'invalid_request'],
  ])('a pushed request is refused: %s', async (_name, extra, status, error) => {
    const answer = await push(extra)
    expect([answer.status, answer.json().error]).toEqual([status, error])
  })

  it('takes the request of a public client with PKCE, and no other of it', async () => {
    const answer = await push({}, { form: authorizeQuery({ state: 'of the app' }) })
    expect([answer.status, answer.json().expires_in]).toEqual([201, 30])
    const without = await push(
      {},
      { form: authorizeQuery({ code_challenge: undefined, code_challenge_method: undefined }) },
    )
    expect([without.status, without.json().error]).toEqual([400, 'invalid_request'])
  })

  it('lets a public client be held to it, from the push to the tokens', async () => {
    await server.addClient({
      ...SPA,
      clientId: 'app',
      settings: { ...SPA.settings, require_pushed_authorization_requests: true },
    })
    const browser = server.browser()
    const plain = locationOf(await browser.get('/authorize', { query: authorizeQuery({ client_id: 'app' }) }))
    expect(plain.searchParams.get('error')).toBe('invalid_request')
    const { request_uri } = (await push({}, { form: authorizeQuery({ client_id: 'app' }) })).json()
    expect((await authorize(server.browser(), String(request_uri), { client_id: 'spa' })).status).toBe(400)
    const again = (await push({}, { form: authorizeQuery({ client_id: 'app' }) })).json()
    const login = locationOf(await authorize(browser, String(again.request_uri), { client_id: 'app' }))
    const answer = locationOf(await submitPassword(browser, login.searchParams.get('state') ?? '', 'kim@mail.test'))
    const tokens = await redeem(browser, answer.searchParams.get('code') ?? '', { client_id: 'app' })
    expect(payloadOf(tokens.json().id_token).aud).toBe('app')
  })

  it('gives a public client the nonce that its proof needs, as the token endpoint does', async () => {
    const key = await makeDpopKey()
    const prove = (nonce?: string) =>
      proofBy(key, {
        now: server.clock.now(),
        url: 'https://id.test/oauth/par',
        ...(nonce === undefined ? {} : { nonce }),
      })
    const first = await push({}, { form: authorizeQuery(), headers: { dpop: await prove() } })
    expect([first.status, first.json().error]).toEqual([400, 'use_dpop_nonce'])
    const nonce = first.header('dpop-nonce')
    const second = await push({}, { form: authorizeQuery(), headers: { dpop: await prove(nonce) } })
    expect([second.status, second.header('dpop-nonce')]).toEqual([201, nonce])
  })

  it('refuses a secret in the address', async () => {
    expect((await push({}, { query: { client_secret: WEB.secret } })).status).toBe(400)
  })

  it('refuses more than ten kilobytes', async () => {
    expect((await push({ state: 'x'.repeat(9000) })).status).toBe(201)
    expect((await push({ state: 'x'.repeat(10_240) })).status).toBe(413)
  })

  it('is read by the pages of any origin, as the token endpoint is', async () => {
    const answer = await push({}, { headers: { origin: 'https://spa.test' } })
    expect(answer.header('access-control-allow-origin')).toBe('*')
    expect(answer.header('access-control-allow-credentials')).toBeUndefined()
  })
})

describe('using what was pushed', () => {
  it('is possible for as long as the client says', async () => {
    const settings = { ...WEB.settings, par_request_expiry: 60 }
    await server.addClient({ ...WEB, clientId: 'slow', settings })
    const client = { client_id: 'slow', client_secret: WEB.secret ?? '' }
    const pushed = (await push(client)).json()
    expect(pushed).toMatchObject({ expires_in: 60 })
    const use = async () =>
      (
        await server
          .browser()
          .get('/authorize', { query: { client_id: 'slow', request_uri: String(pushed.request_uri) } })
      ).status
    server.clock.advance(59)
    expect(await use()).toBe(302)
    server.clock.advance(2)
    expect(await use()).toBe(400)
  })

  it('logs in from the first step to the tokens, and survives reloading the login page', async () => {
    const browser = server.browser()
    const login = locationOf(await authorize(browser, await pushed()))
    for (let i = 0; i < 2; i++) expect((await browser.get(login.href)).status).toBe(200)
    const answer = locationOf(
      await submitPassword(browser, login.searchParams.get('state') ?? '', 'kim@mail.test'),
    ).searchParams
    expect([answer.get('state'), answer.get('iss')]).toEqual(['the state', 'https://id.test/'])
    const tokens = (
      await redeem(browser, answer.get('code') ?? '', { ...webCredentials(), code_verifier: VERIFIER })
    ).json()
    expect(payloadOf(tokens.id_token)).toMatchObject({ sub: 'auth0|kim', nonce: 'n1', aud: 'web' })
  })

  it('by a form that another site posts, which is sent on as a GET first', async () => {
    const request_uri = await pushed({ prompt: 'none' })
    const browser = server.browser()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const onward = await browser.post('/authorize', { form: { client_id: 'web', request_uri }, headers })
    expect(onward.status).toBe(303)
    expect(locationOf(await browser.get(onward.header('location') ?? '')).searchParams.get('error')).toBe(
      'login_required',
    )
  })

  it('reads nothing that stands beside it', async () => {
    const beside = { scope: 'openid', state: 'other', redirect_uri: 'https://evil.test/cb', prompt: 'login' }
    const answer = locationOf(await authorize(server.browser(), await pushed({ prompt: 'none' }), beside))
    expect(answer.origin).toBe('https://web.test')
    expect([answer.searchParams.get('error'), answer.searchParams.get('state')]).toEqual([
      'login_required',
      'the state',
    ])
  })

  it('remembers whom a hint named, and not the hint', async () => {
    const browser = server.browser()
    await signInForTokens(browser, 'kim@mail.test')
    const own = await pushOwnHint(browser)
    expect(locationOf(await authorize(browser, own)).searchParams.has('code')).toBe(true)
    expect(locationOf(await authorize(server.browser(), await pushOwnHint(browser))).searchParams.get('error')).toBe(
      'login_required',
    )
    const { rows } = await server.database.pool.query('SELECT payload::text FROM ticket')
    for (const { payload } of rows) expect(payload).not.toMatch(/eyJ|client_secret/)
  })

  async function pushOwnHint(browser: Browser): Promise<string> {
    const query = { ...REQUEST, client_id: 'web' }
    const code = locationOf(await browser.get('/authorize', { query })).searchParams.get('code') ?? ''
    const tokens = (await redeem(browser, code, webCredentials())).json()
    return pushed({ prompt: 'none', id_token_hint: String(tokens.id_token) })
  }
})

describe('a request_uri (threat-model.md CO8)', () => {
  const expectOwnPage = (answer: TestResponse) => {
    expect([answer.status, answer.header('location')]).toEqual([400, undefined])
    expect(answer.text).toContain('request_uri is unknown, was used before or has expired')
  }

  it('a request_uri is single use', async () => {
    const request_uri = await pushed()
    expect((await authorize(server.browser(), request_uri)).status).toBe(302)
    expectOwnPage(await authorize(server.browser(), request_uri))
  })

  it('a request_uri is accepted from one of twenty concurrent callers', async () => {
    const request_uri = await pushed()
    const answers = await Promise.all(Array.from({ length: 20 }, () => authorize(server.browser(), request_uri)))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
  })

  it('one of twenty openings at once in one browser begins a login, and the request_uri opens it until it ends', async () => {
    const browser = server.browser()
    await authorize(browser, await pushed())
    const request_uri = await pushed()
    const open = () => Promise.all(Array.from({ length: 20 }, () => authorize(browser, request_uri)))
    const logins = (await open()).filter(({ status }) => status !== 400).map((answer) => handleIn(answer))
    expect(new Set(logins).size).toBe(1)
    server.clock.advance(31)
    expect((await open()).map(handleIn)).toEqual(Array(20).fill(logins[0]))
    expectOwnPage(await authorize(server.browser(), request_uri))
    expectOwnPage(await authorize(browser, request_uri, { client_id: 'spa' }))
    const [answer] = await Promise.all([submitPassword(browser, logins[0] ?? '', 'kim@mail.test'), open()])
    expect(locationOf(answer).searchParams.get('code')).toBeTruthy()
    for (const refused of await open()) expectOwnPage(refused)
  })

  it('a request_uri is refused after its login has expired', async () => {
    const [browser, request_uri] = [server.browser(), await pushed()]
    await authorize(browser, request_uri)
    server.clock.advance(3601)
    expectOwnPage(await authorize(browser, request_uri))
  })

  it('a request_uri is single use where the browser was signed in and no login was shown', async () => {
    const browser = server.browser()
    await signInForTokens(browser, 'kim@mail.test')
    const request_uri = await pushed({ prompt: 'none' })
    expect(locationOf(await authorize(browser, request_uri)).searchParams.has('code')).toBe(true)
    expectOwnPage(await authorize(browser, request_uri))
  })

  const handleIn = (answer: TestResponse) => locationOf(answer).searchParams.get('state')

  it('a request_uri expires after half a minute', async () => {
    const request_uri = await pushed()
    server.clock.advance(30)
    expectOwnPage(await authorize(server.browser(), request_uri))
  })

  it('a request_uri is refused from another client', async () => {
    expectOwnPage(await authorize(server.browser(), await pushed(), { client_id: 'spa' }))
  })

  it('an invented request_uri is refused', async () => {
    expectOwnPage(await authorize(server.browser(), `${PREFIX}made-up`))
  })

  it('a pushed request cannot be restarted: the page of an ended login links nowhere', async () => {
    const browser = server.browser()
    const login = locationOf(await authorize(browser, await pushed()))
    server.clock.advance(3601)
    const page = await browser.get(login.href)
    expect(page.status).toBe(400)
    expect(page.text).not.toContain('/authorize?')
  })
})

describe('a client that must push', () => {
  const requested = (extra: Record<string, string>) =>
    server.browser().get('/authorize', { query: { ...REQUEST, client_id: 'private', ...extra } })

  it('is refused anything else, at the application', async () => {
    expect(locationOf(await requested({})).searchParams.get('error')).toBe('invalid_request')
  })

  it('is signed in with its pushed request', async () => {
    const request_uri = await pushed({ client_id: 'private' })
    expect(locationOf(await requested({ request_uri })).pathname).toBe('/u/login')
  })
})
