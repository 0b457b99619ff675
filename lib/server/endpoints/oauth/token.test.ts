import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizeQuery,
  codeBySession,
  exchangeOf,
  locationOf,
  payloadOf,
  redeem,
  SPA,
  signIn,
  userinfo,
  WEB,
  webCredentials,
} from '../../../testing/journey'
import { type Browser, type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const WEB_LOGIN = { client_id: 'web', redirect_uri: 'https://web.test/cb' }
const BASIC = { authorization: `Basic ${Buffer.from('basic:basic-secret').toString('base64')}` }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient(WEB)
  await server.addClient({ clientId: 'other', settings: { app_type: 'spa', callbacks: ['https://app.test/cb'] } })
  await server.addClient({
    clientId: 'basic',
    secret: 'basic-secret',
    settings: { token_endpoint_auth_method: 'client_secret_basic', callbacks: ['https://web.test/cb'] },
  })
  await server.addClient({ clientId: 'machine', secret: 'machine-secret', settings: { app_type: 'non_interactive' } })
  await server.addApi('https://api.test', { scopes: [{ value: 'read:things' }], token_lifetime: 321 })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  browser = server.browser()
  await signIn(browser, 'kim@mail.test')
})
afterAll(() => server.close())

const codeFor = (extra: Record<string, string> = {}) => codeBySession(browser, extra)
const post = (ask: TestRequest): Promise<TestResponse> => browser.post('/oauth/token', ask)
const refused = (status: number, error: string, error_description: string) => [status, { error, error_description }]
const outcome = (answer: TestResponse) => [answer.status, answer.json()]
/** By the password, so that a session of this browser is replaced. */
const codeFrom = async (own: Browser): Promise<string> =>
  (await signIn(own, 'kim@mail.test', { prompt: 'login' })).get('code') ?? ''
const BAD_CODE = refused(403, 'invalid_grant', 'Invalid authorization code')

describe('the exchange', () => {
  it.each([
    ['a form', (form: Record<string, string>) => ({ form })],
    ['JSON', (json: Record<string, string>) => ({ json })],
  ])('takes %s and answers in JSON that no cache keeps (threat-model.md CO6)', async (_name, encode) => {
    const answer = await post(encode(exchangeOf(await codeFor())))
    expect(answer.status).toBe(200)
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.header('cache-control')).toBe('no-store')
    expect(answer.header('access-control-allow-origin')).toBe('*')
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86400,
      scope: 'openid profile email offline_access',
    })
  })

  it('returns only what was requested (threat-model.md RT1)', async () => {
    const tokens = (await post({ form: exchangeOf(await codeFor({ scope: 'email' })) })).json()
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
  })

  it('gives an ID token for this client, this nonce and this session', async () => {
    const { id_token } = (await post({ form: exchangeOf(await codeFor({ nonce: 'n 1' })) })).json()
    expect(payloadOf(id_token)).toMatchObject({
      iss: 'https://id.test/',
      aud: 'spa',
      sub: 'auth0|kim',
      nonce: 'n 1',
      sid: expect.any(String),
    })
  })

  it('gives a JWT that lives as long as the API says', async () => {
    const tokens = (
      await post({ form: exchangeOf(await codeFor({ audience: 'https://api.test', scope: 'read:things' })) })
    ).json()
    expect(tokens.expires_in).toBe(321)
    expect(payloadOf(tokens.access_token)).toMatchObject({ aud: 'https://api.test', azp: 'spa', scope: 'read:things' })
  })

  it('works for each registered way to authenticate', async () => {
    const web = exchangeOf(await codeFor(WEB_LOGIN), webCredentials())
    expect((await post({ form: web })).status).toBe(200)
    const { client_id: _dropped, ...basic } = exchangeOf(await codeFor({ ...WEB_LOGIN, client_id: 'basic' }), {
      redirect_uri: 'https://web.test/cb',
    })
    expect((await post({ form: basic, headers: BASIC })).status).toBe(200)
  })
})

describe('a code is bound to its request (threat-model.md CO1, CO3)', () => {
  it.each<[string, Record<string, string>, unknown[]]>([
    ['another client', { client_id: 'other' }, BAD_CODE],
    [
      'another redirect URI',
      { redirect_uri: 'https://app.test/other' },
      refused(
        403,
        'unauthorized_client',
        'The redirect URI is wrong. You sent https://app.test/other, and we expected https://app.test/cb',
      ),
    ],
    [
      'another verifier',
      { code_verifier: 'x'.repeat(43) },
      refused(403, 'invalid_grant', 'Failed to verify code verifier'),
    ],
    ['no verifier', { code_verifier: '' }, refused(403, 'invalid_grant', 'Failed to verify code verifier')],
    ['another code', { code: 'x'.repeat(43) }, BAD_CODE],
    ['no code', { code: '' }, refused(400, 'invalid_request', 'Missing required parameter: code')],
    ['no grant type', { grant_type: '' }, refused(400, 'invalid_request', 'Missing required parameter: grant_type')],
  ])('a code is refused and stays valid for its own request: %s', async (_name, extra, expected) => {
    const code = await codeFor()
    expect(outcome(await post({ form: exchangeOf(code, extra) }))).toEqual(expected)
    expect((await post({ form: exchangeOf(code) })).status, 'the mistake burnt nothing').toBe(200)
  })

  it('ends after a minute', async () => {
    const [first, second] = [await codeFor(), await codeFor()]
    server.clock.advance(59)
    expect((await post({ form: exchangeOf(first) })).status).toBe(200)
    server.clock.advance(1)
    expect(outcome(await post({ form: exchangeOf(second) }))).toEqual(BAD_CODE)
  })

  it('refuses a verifier where there was no challenge: a stripped challenge is seen', async () => {
    const { code_challenge: _a, code_challenge_method: _b, ...query } = authorizeQuery({ ...WEB_LOGIN, prompt: 'none' })
    const code = locationOf(await browser.get('/authorize', { query })).searchParams.get('code') ?? ''
    expect(outcome(await post({ form: exchangeOf(code, webCredentials()) }))).toEqual(
      refused(403, 'invalid_grant', 'Failed to verify code verifier'),
    )
    const { code_verifier: _c, ...plain } = exchangeOf(code, webCredentials())
    expect((await post({ form: plain })).status).toBe(200)
  })

  it('works once; a replay by its client ends everything it gave (threat-model.md CO2)', async () => {
    const code = await codeFor()
    const tokens = (await post({ form: exchangeOf(code) })).json()
    expect((await userinfo(browser, tokens.access_token)).status).toBe(200)
    expect(outcome(await post({ form: exchangeOf(code) }))).toEqual(BAD_CODE)
    expect((await userinfo(browser, tokens.access_token)).status).toBe(401)
    const again = await post({
      form: { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(tokens.refresh_token) },
    })
    expect(outcome(again)).toEqual(refused(403, 'invalid_grant', 'Unknown or invalid refresh token.'))
  })

  it('ends nothing when a foreign client replays it', async () => {
    const code = await codeFor()
    const tokens = (await post({ form: exchangeOf(code) })).json()
    expect(outcome(await post({ form: exchangeOf(code, { client_id: 'other' }) }))).toEqual(BAD_CODE)
    expect((await userinfo(browser, tokens.access_token)).status).toBe(200)
  })

  it('ends everything even when the replay comes after the code has expired', async () => {
    const code = await codeFor()
    const tokens = (await post({ form: exchangeOf(code) })).json()
    server.clock.advance(120)
    await post({ form: exchangeOf(code) })
    expect((await userinfo(browser, tokens.access_token)).status).toBe(401)
  })

  it('is worth nothing once its session has ended, and lasts where the session goes on', async () => {
    const own = server.browser()
    const codes = [await codeFrom(own), await codeFrom(own)]
    expect((await post({ form: exchangeOf(codes[0] ?? '') })).status).toBe(200)
    await own.get('/v2/logout')
    expect(outcome(await post({ form: exchangeOf(codes[1] ?? '') }))).toEqual(BAD_CODE)
  })

  it('is worth nothing once its user is blocked', async () => {
    await server.addUser({ id: 'ann', email: 'ann@mail.test' })
    const code = (await signIn(server.browser(), 'ann@mail.test')).get('code') ?? ''
    await server.database.pool.query(`UPDATE "user" SET blocked = true WHERE id = 'auth0|ann'`)
    expect(outcome(await post({ form: exchangeOf(code) }))).toEqual(refused(403, 'invalid_grant', 'user is blocked'))
  })
})

describe('client authentication (threat-model.md CO4)', () => {
  const UNAUTHORIZED = refused(401, 'access_denied', 'Unauthorized')

  it.each<[string, TestRequest]>([
    ['a wrong secret', { form: exchangeOf('c', webCredentials('wrong')) }],
    ['no secret', { form: exchangeOf('c', { client_id: 'web' }) }],
    ['no client', { form: { grant_type: 'authorization_code' } }],
    [
      'post where basic is registered',
      { form: exchangeOf('c', { client_id: 'basic', client_secret: 'basic-secret' }) },
    ],
    ['a secret of a public client', { form: exchangeOf('c', { client_secret: 'x' }) }],
    ['JSON', { json: exchangeOf('c', webCredentials('wrong')) }],
  ])('every wrong client gets one answer: %s', async (_name, ask) => {
    const answer = await post(ask)
    expect(outcome(answer)).toEqual(UNAUTHORIZED)
    expect(answer.header('www-authenticate')).toMatch(/^Basic /)
  })

  it.each<[string, TestRequest]>([
    ['by its id alone', { form: exchangeOf('c', { client_id: 'nobody' }) }],
    ['with a secret', { form: exchangeOf('c', { client_id: 'nobody', client_secret: 'x' }) }],
    ['in JSON', { json: exchangeOf('c', { client_id: 'nobody' }) }],
    [
      'by Basic',
      {
        form: { grant_type: 'refresh_token', refresh_token: 'x' },
        headers: { authorization: `Basic ${Buffer.from('nobody:x').toString('base64')}` },
      },
    ],
    ['for any grant', { form: { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' } }],
  ])('names an unknown client so that it registers again: %s', async (_name, ask) => {
    const answer = await post(ask)
    expect(outcome(answer)).toEqual(refused(401, 'invalid_client', 'Unauthorized'))
    expect(answer.header('www-authenticate')).toMatch(/^Basic /)
  })

  it('a client secret in the URL is refused', async () => {
    const answer = await browser.post('/oauth/token?client_secret=x', { form: exchangeOf('c', webCredentials()) })
    expect(outcome(answer)).toEqual(refused(400, 'invalid_request', 'client_secret must not be in the URL'))
  })

  it('follows RFC 6749 where the tenant says so', async () => {
    await server.setTenant({ tenant: { compat: { errors: 'rfc' } } })
    expect(outcome(await post({ form: exchangeOf('c', { client_id: 'nobody' }) }))).toEqual(
      refused(401, 'invalid_client', 'Unauthorized'),
    )
    expect(outcome(await post({ form: exchangeOf('c') }))).toEqual(
      refused(400, 'invalid_grant', 'Invalid authorization code'),
    )
    await server.setTenant({})
  })
})

it('lets a client choose the statuses of its refusals for itself', async () => {
  const compat = { errors: 'rfc' }
  await server.addClient({ clientId: 'rfc', settings: { ...SPA.settings, compat } })
  expect((await post({ form: exchangeOf('c', { client_id: 'rfc' }) })).status).toBe(400)
  expect((await post({ form: exchangeOf('c') })).status).toBe(403)
})

describe('grant types (threat-model.md CO5)', () => {
  it.each([
    [
      'one that no client has',
      'spa',
      {},
      'urn:x',
      refused(403, 'unsupported_grant_type', 'Unsupported grant type: urn:x'),
    ],
    ['one with markup', 'spa', {}, '<b>\r\n', refused(403, 'unsupported_grant_type', 'Unsupported grant type: <b>??')],
    [
      'a name of every object',
      'spa',
      {},
      '__proto__',
      refused(403, 'unsupported_grant_type', 'Unsupported grant type: __proto__'),
    ],
    [
      'one that the client may not use',
      'machine',
      { client_secret: 'machine-secret' },
      'authorization_code',
      refused(403, 'unauthorized_client', "Grant type 'authorization_code' not allowed for the client."),
    ],
  ])('a grant is refused: %s', async (_name, client_id, extra, grant_type, expected) => {
    const { error, error_description, ...rest } = (await post({ form: { client_id, grant_type, ...extra } })).json()
    const answer = await post({ form: { client_id, grant_type, ...extra } })
    expect([answer.status, { error, error_description }]).toEqual(expected)
    expect(Object.keys(rest).every((name) => name === 'error_uri')).toBe(true)
  })

  it('refuses the implicit and password grants, which are off', async () => {
    for (const grant_type of [
      'password',
      'implicit',
      'client_credentials',
      'http://auth0.com/oauth/grant-type/password-realm',
    ]) {
      const answer = await post({ form: { client_id: 'spa', grant_type, username: 'kim@mail.test', password: 'x' } })
      expect(answer.status, grant_type).toBe(403)
      expect(answer.json()).not.toHaveProperty('access_token')
    }
  })
})

describe('bodies (threat-model.md CO7, HT1, HT2)', () => {
  it.each<[string, TestRequest, number]>([
    ['text', { body: Buffer.from('{"grant_type":"x"}'), headers: { 'content-type': 'text/plain' } }, 415],
    ['multipart', { body: Buffer.from('--x'), headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 415],
    ['no content type', { body: Buffer.from('a=b') }, 415],
    ['broken JSON', { json: '{"grant_type":' }, 400],
    ['a JSON list', { json: '[]' }, 400],
    ['an object as code', { json: { ...exchangeOf(''), code: { $ne: null } } }, 400],
    ['a list as client_id', { json: { ...exchangeOf('c'), client_id: ['spa'] } }, 400],
    ['NUL in a value', { form: exchangeOf('a\0b') }, 400],
    ['a lone surrogate', { json: '{"client_id":"\\ud800","grant_type":"x"}' }, 400],
    ['broken UTF-8', { body: Buffer.from([0xff, 0xfe]), headers: { 'content-type': 'application/json' } }, 400],
    ['deep JSON', { json: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` }, 413],
    ['very deep JSON that fits', { json: `${'['.repeat(40_000)}${']'.repeat(40_000)}` }, 400],
    ['a repeated parameter', { form: 'client_id=spa&client_id=spa&grant_type=x' }, 400],
    ['a body beyond 100 kB', { form: exchangeOf('x'.repeat(103_000)) }, 413],
  ])('a body is refused: %s', async (_name, ask, status) => {
    const answer = await post(ask)
    expect(answer.status).toBe(status)
    expect(answer.json().error).toEqual(expect.any(String))
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'])('the method %s is refused', async (method) => {
    const answer = await browser.send(method, '/oauth/token')
    expect([answer.status, answer.header('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  it('ignores members that the SDKs add', async () => {
    const form = exchangeOf(await codeFor(), { auth0Client: 'x', type: 'web_server', state: 's' })
    expect((await post({ form, headers: { 'auth0-client': 'e30=' } })).status).toBe(200)
  })

  it('answers the preflight of a browser app', async () => {
    const answer = await browser.send('OPTIONS', '/oauth/token', { headers: { origin: 'https://app.test' } })
    expect([answer.status, answer.header('access-control-allow-methods')]).toEqual([204, 'POST'])
    expect(answer.header('access-control-allow-credentials')).toBeUndefined()
  })
})

it('is not redeemed once the API of the code is deleted', async () => {
  await server.addApi('https://gone.test', { scopes: [{ value: 'a' }] })
  const code = await codeFor({ audience: 'https://gone.test', scope: 'a' })
  await server.database.pool.query(`DELETE FROM api WHERE identifier = 'https://gone.test'`)
  server.clock.advance(2)
  expect((await redeem(browser, code)).json().error).toBe('access_denied')
})

it('answers one client in its own idea of statuses, whatever the tenant has', async () => {
  await server.addClient({
    clientId: 'strict',
    settings: { app_type: 'spa', callbacks: ['https://app.test/cb'], compat: { errors: 'rfc' } },
  })
  const form = { grant_type: 'authorization_code', client_id: 'strict', code: 'no-such-code' }
  expect((await post({ form })).status).toBe(400)
  expect((await post({ form: { ...form, client_id: 'spa' } })).status).toBe(403)
})

it('asks for the redirect URI only where /authorize was sent one (RFC 6749 4.1.3)', async () => {
  const { redirect_uri: _, ...query } = authorizeQuery({ prompt: 'none' })
  const code = locationOf(await browser.get('/authorize', { query })).searchParams.get('code') ?? ''
  const { redirect_uri: __, ...form } = exchangeOf(code)
  expect((await post({ form })).status).toBe(200)
})
