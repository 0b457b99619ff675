import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginLogin, payloadOf, SPA, submitPassword, userinfo } from '../../../testing/journey'
import { type Browser, PASSWORD, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const REALM = 'http://auth0.com/oauth/grant-type/password-realm'
const GRANTS = { grant_types: ['password', REALM, 'refresh_token'] }
const SENTENCE =
  "Your account has been blocked after multiple consecutive login attempts. We've sent you an email with instructions on how to unblock it."

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ clientId: 'web', secret: 'web-secret', settings: GRANTS })
  await server.addClient({
    clientId: 'trusted',
    secret: 'trusted-secret',
    settings: { ...GRANTS, is_token_endpoint_ip_header_trusted: true },
  })
  await server.addClient({
    clientId: 'public',
    settings: { ...GRANTS, app_type: 'native', is_token_endpoint_ip_header_trusted: true },
  })
  await server.addClient({ clientId: 'third', secret: 'third-secret', settings: { ...GRANTS, is_first_party: false } })
  await server.addClient({ clientId: 'plain', secret: 'plain-secret', settings: {} })
  await server.addApi('https://api.test', {
    scopes: [{ value: 'read:things' }, { value: 'write:things' }],
    allow_offline_access: true,
    skip_consent_for_verifiable_first_party_clients: false,
  })
  await server.addConnection('Staff', { realms: ['employees'], enabled_clients: ['web'] }, 'con_staff')
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'blocked', email: 'blocked@mail.test', blocked: true })
})
afterAll(() => server.close())

let counter = 0
beforeEach(() => {
  browser = server.browser({ ip: `203.0.113.${++counter}` })
})

type Fields = Record<string, string | undefined>
const KIM: Fields = { grant_type: 'password', username: 'kim@mail.test', password: PASSWORD }
const at = (clientId: string): Fields => ({
  client_id: clientId,
  ...(clientId === 'public' ? {} : { client_secret: `${clientId}-secret` }),
})
const ask = (extra: Fields = {}, clientId = 'web', headers: Record<string, string> = {}): Promise<TestResponse> =>
  browser.post('/oauth/token', { form: { ...KIM, ...at(clientId), ...extra }, headers })
const outcome = (answer: TestResponse) => [answer.status, answer.json()]
const WRONG = [403, { error: 'invalid_grant', error_description: 'Wrong email or password.' }]
const TOO_MANY = [429, { error: 'too_many_attempts', error_description: SENTENCE }]

describe('the password grant', () => {
  it('returns all OpenID scopes if none is requested, and lists them', async () => {
    const tokens = (await ask()).json()
    expect(tokens).toEqual({
      access_token: expect.any(String),
      id_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86400,
      scope: 'openid profile email phone address',
    })
    const claims = payloadOf(tokens.id_token)
    expect(claims).toMatchObject({ sub: 'auth0|kim', aud: 'web' })
    expect(claims).not.toHaveProperty('sid')
    expect((await userinfo(browser, tokens.access_token)).json()).toMatchObject({ sub: 'auth0|kim' })
  })

  it('returns all scopes of a named API if none is requested', async () => {
    const tokens = (await ask({ audience: 'https://api.test' })).json()
    expect(tokens.scope).toBe('read:things write:things')
    expect(tokens).not.toHaveProperty('id_token')
    expect(payloadOf(tokens.access_token)).toMatchObject({
      sub: 'auth0|kim',
      aud: 'https://api.test',
      azp: 'web',
      gty: 'password',
      scope: 'read:things write:things',
    })
  })

  it('returns the requested and existing scopes, including a refresh token whose access tokens name both grants', async () => {
    const tokens = (
      await ask({ audience: 'https://api.test', scope: 'openid read:things offline_access nothing:here' })
    ).json()
    expect(tokens.scope).toBe('openid read:things offline_access')
    const again = await ask({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) })
    expect(payloadOf(again.json().access_token).gty).toEqual(['refresh_token', 'password'])
  })

  it('makes no session, and records the login', async () => {
    const answer = await ask()
    expect(answer.header('set-cookie')).toBeUndefined()
    expect((await server.database.pool.query('SELECT * FROM session')).rows).toEqual([])
    const [user] = (await server.database.pool.query(`SELECT * FROM "user" WHERE id = 'auth0|kim'`)).rows
    expect(user).toMatchObject({ last_ip: `203.0.113.${counter}`, last_login_at: server.clock.now() })
    expect(user.logins_count).toBeGreaterThan(0)
  })

  it('takes JSON, with the scope as text or as a list', async () => {
    for (const scope of ['openid email', ['openid', 'email']]) {
      const answer = await browser.post('/oauth/token', { json: { ...KIM, ...at('web'), scope } })
      expect(answer.json().scope).toBe('openid email')
    }
  })

  it('uses the default audience of the tenant', async () => {
    await server.setTenant({ tenant: { default_audience: 'https://api.test' } })
    expect(payloadOf((await ask()).json().access_token).aud).toBe('https://api.test')
    await server.setTenant({})
  })
})

describe('password-realm', () => {
  it('checks the connection that is named', async () => {
    expect((await ask({ grant_type: REALM, realm: 'Users' })).status).toBe(200)
    expect(outcome(await ask({ grant_type: REALM, realm: 'Staff' }))).toEqual(WRONG)
    expect(outcome(await ask({ grant_type: REALM, realm: 'employees' }))).toEqual(WRONG)
  })

  it.each([
    ['nowhere', 'web'],
    ['Staff', 'public'],
    ['employees', 'public'],
    ['__proto__', 'web'],
  ])('knows no realm %s for %s', async (realm, clientId) => {
    const refused = { error: 'invalid_request', error_description: 'Unknown or invalid realm.' }
    expect(outcome(await ask({ grant_type: REALM, realm }, clientId))).toEqual([400, refused])
  })

  it('has its name under the vendor host that is configured', async () => {
    const elsewhere = await testServer({ vendorHost: 'vendor.test' })
    const type = 'http://vendor.test/oauth/grant-type/password-realm'
    await elsewhere.addClient({ clientId: 'web', secret: 'web-secret', settings: { grant_types: [type, REALM] } })
    await elsewhere.addUser({ email: 'kim@mail.test' })
    const form = { ...KIM, ...at('web'), realm: 'Users' }
    const post = (grant_type: string) => elsewhere.browser().post('/oauth/token', { form: { ...form, grant_type } })
    expect((await post(type)).status).toBe(200)
    expect((await post(REALM)).json().error).toBe('unsupported_grant_type')
    await elsewhere.close()
  })
})

describe('refusals', () => {
  const missing = (name: string) => [
    400,
    { error: 'invalid_request', error_description: `Missing required parameter: ${name}` },
  ]
  const denied = (description: string) => [403, { error: 'access_denied', error_description: description }]
  it.each<[string, Fields, unknown[]]>([
    ['a wrong password', { password: 'wrong' }, WRONG],
    ['an unknown user', { username: 'nobody@mail.test' }, WRONG],
    ['a blocked user', { username: 'blocked@mail.test' }, WRONG],
    ['a password of a megabyte', { password: 'x'.repeat(100_000) }, WRONG],
    ['no username', { username: undefined }, missing('username')],
    ['no password', { password: undefined }, missing('password')],
    ['no realm', { grant_type: REALM }, missing('realm')],
    ['an unknown audience', { audience: 'https://no.test' }, denied('Service not found: https://no.test')],
    [
      'a malformed scope',
      { scope: 'a"b' },
      [400, { error: 'invalid_scope', error_description: 'The scope is malformed' }],
    ],
  ])('a request is refused: %s', async (_name, extra, expected) => {
    expect(outcome(await ask(extra))).toEqual(expected)
  })

  it.each(['third', 'plain'])('the client %s may not use it (threat-model.md D1)', async (clientId) => {
    for (const grant_type of ['password', REALM]) {
      expect(outcome(await ask({ grant_type, realm: 'Users' }, clientId))).toEqual([
        403,
        {
          error: 'unauthorized_client',
          error_description: `Grant type '${grant_type}' not allowed for the client.`,
          error_uri: 'https://id.test/troubleshooting#grant_not_allowed',
        },
      ])
    }
  })

  it('a tenant without a database for the application refuses the grant', async () => {
    const bare = await testServer()
    await bare.addClient({ clientId: 'web', secret: 'web-secret', settings: GRANTS })
    await bare.database.pool.query(`UPDATE connection SET settings = '{"enabled_clients": []}'`)
    const answer = await bare.browser().post('/oauth/token', { form: { ...KIM, ...at('web') } })
    expect(outcome(answer)).toEqual([
      500,
      {
        error: 'server_error',
        error_description: 'Authorization server not configured with default connection.',
      },
    ])
    await bare.close()
  })
})

it('a password that is replaced while it is checked opens nothing (threat-model.md RT7)', async () => {
  const { passwords } = await server.runtime()
  const { verify } = passwords
  passwords.verify = async (...checked) => {
    server.clock.advance(1)
    await server.database.pool.query(`UPDATE "user" SET not_before = $1 WHERE id = 'auth0|kim'`, [server.clock.now()])
    return verify(...checked)
  }
  const answer = await ask().finally(() => {
    passwords.verify = verify
  })
  const refused = 'The user was blocked or signed out everywhere meanwhile.'
  expect(outcome(answer)).toEqual([403, { error: 'invalid_grant', error_description: refused }])
  expect((await ask()).status).toBe(200)
})

describe('the guard of the login page guards it too (threat-model.md RL1, RL2)', () => {
  it('ends after ten failures, right password or not, with the same counters as the page', async () => {
    await server.addUser({ email: 'lee@mail.test' })
    const lee = { username: 'lee@mail.test' }
    for (let i = 0; i < 5; i++) expect(outcome(await ask({ ...lee, password: 'wrong' }))).toEqual(WRONG)
    const state = await beginLogin(browser)
    for (let i = 0; i < 5; i++) await submitPassword(browser, state, 'lee@mail.test', 'wrong')
    expect(outcome(await ask({ ...lee, password: 'wrong' }))).toEqual(TOO_MANY)
    expect(outcome(await ask(lee))).toEqual(TOO_MANY)
    expect(outcome(await ask({ ...lee, grant_type: REALM, realm: 'Users' }))).toEqual(TOO_MANY)
    expect((await ask()).status).toBe(200)
    browser = server.browser({ ip: '198.51.100.200' })
    expect((await ask(lee)).status).toBe(200)
  })

  it('evaluates no more than ten of a burst', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask({ username: 'burst@mail.test' })))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

describe('auth0-forwarded-for (threat-model.md RL3)', () => {
  const lastIp = async (extra: Fields, clientId: string, header: string) => {
    expect((await ask(extra, clientId, { 'auth0-forwarded-for': header })).status).toBe(200)
    return (await server.database.pool.query(`SELECT last_ip FROM "user" WHERE id = 'auth0|kim'`)).rows[0].last_ip
  }

  it('counts from a confidential client that is trusted with it', async () => {
    expect(await lastIp({}, 'trusted', '192.0.2.77')).toBe('192.0.2.77')
    expect(await lastIp({}, 'trusted', '2001:DB8::0001')).toBe('2001:db8::1')
    expect(await lastIp({}, 'trusted', '192.0.2.78:51234')).toBe('192.0.2.78')
  })

  it.each([
    ['one that is not trusted', 'web', '192.0.2.77'],
    ['one without a secret', 'public', '192.0.2.77'],
    ['a trusted one that sends no address', 'trusted', '192.0.2.77, 192.0.2.78'],
    ['a trusted one that sends junk', 'trusted', "'; DROP TABLE"],
  ])('does not count from %s', async (_name, clientId, header) => {
    expect(await lastIp({}, clientId, header)).toBe(`203.0.113.${counter}`)
  })
})
