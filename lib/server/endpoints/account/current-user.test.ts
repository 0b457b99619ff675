// A user's own record in the management API (threat-model.md TK6, D5): who may read and change what.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signJwt } from '../../../crypto/keys/jwt'
import { payloadOf, redeem, SPA, signIn, signInForTokens, WEB } from '../../../testing/journey'
import { PASSWORD, type TestRequest, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/api/v2/'
const ALL =
  'read:current_user update:current_user_identities update:current_user_metadata create:current_user_metadata ' +
  'delete:current_user_metadata create:current_user_device_credentials delete:current_user_device_credentials'
const KIM = '/api/v2/users/auth0%7Ckim'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await testServer()
  const grant_types = ['authorization_code', 'implicit', 'refresh_token', 'password']
  const allowed_origins = ['moz-extension://2c127fa4']
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types, allowed_origins } })
  await server.addClient(WEB)
  await server.addClient({ clientId: 'third', settings: { ...SPA.settings, is_first_party: false } })
  await server.addClient({ clientId: 'machine', secret: 's', settings: { grant_types: ['client_credentials'] } })
  await server.addClientGrant('machine', AUDIENCE, ['read:current_user'])
  await server.addApi('https://api.test', { scopes: [{ value: 'read:current_user' }] })
  await server.addUser({
    id: 'kim',
    email: 'kim@mail.test',
    data: {
      name: 'Kim',
      userMetadata: { colour: 'blue', nested: { a: 1, b: 2 } },
      appMetadata: { plan: 'gold' },
      profile: { locale: 'de' },
    },
  })
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  await allowRequests(10_000)
  token = await tokenFor()
})
afterAll(() => server.close())

const allowRequests = (burst: number): Promise<void> =>
  server.setTenant({ tenant: { rate_limits: { current_user: { burst, per_minute: 1 } } } })
async function tokenFor(extra: Record<string, string> = {}): Promise<string> {
  const tokens = await signInForTokens(server.browser(), 'kim@mail.test', { audience: AUDIENCE, scope: ALL, ...extra })
  return String(tokens.access_token)
}
const send = (method: string, path: string, bearer: unknown, ask: TestRequest = {}): Promise<TestResponse> =>
  server.browser().send(method, path, { ...ask, headers: { authorization: `Bearer ${bearer}`, ...ask.headers } })
const patch = (body: unknown, bearer: unknown = token) => send('PATCH', KIM, bearer, { json: body })
const read = async (bearer: unknown = token) => (await send('GET', KIM, bearer)).json()
const refused = (statusCode: number, error: string, errorCode: string) => ({
  statusCode,
  error,
  errorCode,
  message: expect.any(String),
})

describe('a token for it', () => {
  it('is a JWT for a signed-in user that lives two hours', async () => {
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', {
      audience: AUDIENCE,
      scope: `openid ${ALL}`,
    })
    expect(tokens).toMatchObject({ expires_in: 7200, scope: `openid ${ALL}` })
    expect(payloadOf(tokens.access_token)).toMatchObject({
      sub: 'auth0|kim',
      aud: [AUDIENCE, 'https://id.test/userinfo'],
      azp: 'spa',
    })
  })

  it('comes from the password grant too', async () => {
    const grant = { grant_type: 'password', client_id: 'spa', username: 'kim@mail.test', password: PASSWORD }
    const form = { ...grant, audience: AUDIENCE, scope: 'read:current_user' }
    const direct = (await server.browser().post('/oauth/token', { form })).json()
    expect(direct).toMatchObject({ expires_in: 7200, scope: 'read:current_user' })
    expect(await read(direct.access_token)).toMatchObject({ user_id: 'auth0|kim' })
  })

  it('contains no scope that the API does not offer to users', async () => {
    const scope = 'read:current_user read:users update:users_app_metadata'
    expect(payloadOf(await tokenFor({ scope })).scope).toBe('read:current_user')
  })

  it('has no personal scope where a client asks for itself, whatever a client grant says', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 's', audience: AUDIENCE }
    const answer = await server.browser().post('/oauth/token', { form: { ...form, scope: 'read:current_user' } })
    expect([answer.status, answer.json().error]).toEqual([403, 'access_denied'])
    const without = (await server.browser().post('/oauth/token', { form })).json()
    expect(without.scope).toBeUndefined()
    expect((await send('GET', KIM, without.access_token)).status).toBe(403)
  })
})

describe('reading', () => {
  it('shows the record, without what operators keep', async () => {
    const answer = await send('GET', KIM, token)
    expect(answer.status).toBe(200)
    expect(answer.header('cache-control')).toBe('no-store')
    expect(answer.header('x-ratelimit-limit')).toBe('10000')
    expect(answer.json()).toEqual({
      user_id: 'auth0|kim',
      email: 'kim@mail.test',
      email_verified: false,
      name: 'Kim',
      picture: expect.stringMatching(/\/avatar\//),
      locale: 'de',
      identities: [{ connection: 'Users', provider: 'auth0', user_id: 'kim', isSocial: false }],
      user_metadata: { colour: 'blue', nested: { a: 1, b: 2 } },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_login: expect.stringMatching(/^\d{4}-.*Z$/),
      last_ip: '198.51.100.7',
      logins_count: expect.any(Number),
    })
  })

  it.each([
    ['fields=email,user_id', ['email', 'user_id']],
    ['fields=email%2C%20app_metadata', ['email']],
    ['fields=email&include_fields=true', ['email']],
    ['fields=__proto__', []],
  ])('shows with %s: %j', async (query, names) => {
    expect(Object.keys((await send('GET', KIM, token, { query })).json()).sort()).toEqual(names)
  })

  it('leaves out what is named with include_fields=false', async () => {
    const shown = (await send('GET', KIM, token, { query: 'fields=email,identities&include_fields=false' })).json()
    expect(shown).not.toHaveProperty('email')
    expect(shown).toHaveProperty('name')
    expect((await send('GET', KIM, token, { query: 'include_fields=no' })).json()).toMatchObject({
      errorCode: 'invalid_query_string',
    })
  })
})

describe('changing user_metadata', () => {
  it('merges at the first level, removes what is null, and drops everything for an empty object', async () => {
    const answer = await patch({ user_metadata: { colour: null, nested: { c: 3 }, list: [1, { d: null }] } })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ user_id: 'auth0|kim' })
    expect(answer.json().user_metadata).toEqual({ nested: { c: 3 }, list: [1, { d: null }] })
    expect((await patch({ user_metadata: {} })).json().user_metadata).toEqual({})
  })

  it.each(['update:current_user_metadata', 'create:current_user_metadata'])('is open to %s', async (scope) => {
    expect((await patch({ user_metadata: { by: scope } }, await tokenFor({ scope }))).status).toBe(200)
    expect((await read()).user_metadata).toMatchObject({ by: scope })
  })

  it('loses nothing when twenty properties are set at once', async () => {
    const bearer = await tokenFor()
    const names = Array.from({ length: 20 }, (_, i) => `p${i}`)
    await Promise.all(names.map((name) => patch({ user_metadata: { [name]: name } }, bearer)))
    expect(Object.keys((await read()).user_metadata as object)).toEqual(expect.arrayContaining(names))
  })

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['no object', { user_metadata: 'x' }],
    ['a list', { user_metadata: [] }],
    ['null', { user_metadata: null }],
    ['a name without end', { user_metadata: { ['n'.repeat(101)]: 1 } }],
    ['no name', { user_metadata: { '': 1 } }],
    ['a NUL', { user_metadata: { a: { b: ['\0'] } } }],
    ['half a character', '{"user_metadata":{"\\ud800":1}}'],
    ['a prototype', '{"user_metadata":{"a":{"__proto__":{"admin":true}}}}'],
    ['a prototype at the first level', '{"user_metadata":{"__proto__":{"admin":true}}}'],
    ['nesting without end', `{"user_metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
    ['too much', { user_metadata: { a: 'x'.repeat(17_000) } }],
  ])('refuses %s', async (_name, body) => {
    const before = await read()
    expect((await patch(body)).json()).toEqual(refused(400, 'Bad Request', 'invalid_body'))
    expect(await read()).toEqual(before)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it.each([
    'app_metadata',
    'blocked',
    'email',
    'email_verified',
    'phone_number',
    'phone_verified',
    'name',
    'password',
    'username',
    'user_id',
    'connection',
    'identities',
    'roles',
    'constructor',
  ])('refuses a body that names %s, whole', async (name) => {
    const before = await read()
    const answer = await patch({ user_metadata: { colour: 'red' }, [name]: true })
    expect([answer.status, answer.json()]).toEqual([400, refused(400, 'Bad Request', 'invalid_body')])
    expect((await patch('{"user_metadata":{},"__proto__":{"blocked":true}}')).status).toBe(400)
    expect(await read()).toEqual(before)
  })

  it('takes JSON alone', async () => {
    const answer = await send('PATCH', KIM, token, { form: { user_metadata: '{}' } })
    expect(answer.json()).toEqual(refused(415, 'Unsupported Media Type', 'unsupported_media_type'))
  })
})

describe('another user (threat-model.md TK6)', () => {
  it.each(['auth0%7Clee', 'auth0%7Cnobody', 'auth0%7CKIM', 'kim', 'auth0%257Ckim', '%ff', '__proto__'])(
    'learns nothing of %s',
    async (id) => {
      for (const [method, json] of [
        ['GET', undefined],
        ['PATCH', { user_metadata: { a: 1 } }],
      ] as const) {
        const answer = await send(method, `/api/v2/users/${id}`, token, json ? { json } : {})
        expect([answer.status, answer.json()]).toEqual([
          403,
          {
            statusCode: 403,
            error: 'Forbidden',
            errorCode: 'access_denied',
            message: "The token opens its own user's data alone",
          },
        ])
      }
    },
  )
})

describe('a refused token', () => {
  const unauthorized = refused(401, 'Unauthorized', 'invalid_token')
  const expectRefused = async (bearer: unknown, body: unknown = unauthorized) => {
    for (const [method, ask] of [
      ['GET', {}],
      ['PATCH', { json: { user_metadata: { a: 1 } } }],
    ] as const) {
      const answer = await send(method, KIM, bearer, ask)
      expect(answer.json()).toEqual(body)
      expect(answer.header('www-authenticate')).toMatch(/^Bearer /)
    }
  }

  it.each(['x', 'a.b.c', 'at1.AAAA', 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30.'])(
    'the text %s is not a token',
    (other) => expectRefused(other),
  )

  it('a request without a token, or with one in the address or the body, is refused', async () => {
    const browser = server.browser()
    expect((await browser.get(KIM)).json()).toEqual(unauthorized)
    expect((await browser.get(KIM, { query: { access_token: token } })).json()).toEqual(unauthorized)
    const json = { user_metadata: {}, access_token: token }
    expect((await browser.send('PATCH', KIM, { json })).json()).toEqual(unauthorized)
  })

  it('an ID token, a refresh token, a user-info token and a token for another API with a scope of that name are refused', async () => {
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test')
    await expectRefused(tokens.id_token)
    await expectRefused(tokens.refresh_token)
    await expectRefused(tokens.access_token)
    await expectRefused(await tokenFor({ audience: 'https://api.test', scope: 'openid read:current_user' }))
  })

  it('a token that a client got for itself is refused', async () => {
    const { keyring } = await server.runtime()
    const claims = payloadOf(token)
    await expectRefused(await signJwt({ ...claims, sub: 'spa@clients', jti: 'x' }, 'JWT', keyring))
    await expectRefused(await signJwt({ ...claims, jti: '00000000-0000-4000-8000-000000000000.x' }, 'JWT', keyring))
  })

  it('a token without the scope of the verb is refused', async () => {
    const insufficient = refused(403, 'Forbidden', 'insufficient_scope')
    await expectRefused(await tokenFor({ scope: 'delete:current_user_metadata openid' }), insufficient)
    const reading = await tokenFor({ scope: 'read:current_user' })
    expect((await patch({ user_metadata: { a: 1 } }, reading)).json()).toEqual(insufficient)
    const writing = await tokenFor({ scope: 'update:current_user_metadata' })
    expect((await send('GET', KIM, writing)).json()).toEqual(insufficient)
  })

  it('a token of a third-party application is refused', async () => {
    const browser = server.browser()
    const asking = { client_id: 'third', audience: AUDIENCE, scope: `openid ${ALL}` }
    const page = (await signIn(browser, 'kim@mail.test', asking)).get('state')
    const allowed = await browser.post('/u/submit', { form: { state: page ?? '', action: 'accept' } })
    const code = new URL(allowed.header('location') ?? '').searchParams.get('code') ?? ''
    const tokens = (await redeem(browser, code, { client_id: 'third' })).json()
    expect(tokens.scope).toBe('openid')
    await expectRefused(tokens.access_token, refused(403, 'Forbidden', 'insufficient_scope'))
  })

  it('a token whose family was revoked, or whose user is blocked, is refused', async () => {
    const revoked = await tokenFor()
    const { pool } = server.database
    const familyId = String(payloadOf(revoked).jti).split('.')[0]
    await pool.query('UPDATE token_family SET revoked_at = now() WHERE id = $1', [familyId])
    await expectRefused(revoked)
    await pool.query(`UPDATE "user" SET blocked = true WHERE id = 'auth0|kim'`)
    await expectRefused(token)
    await pool.query(`UPDATE "user" SET blocked = false WHERE id = 'auth0|kim'`)
    expect(await read()).toHaveProperty('user_id')
  })

  it('an expired token is refused', async () => {
    const old = await tokenFor()
    server.clock.advance(7200)
    await expectRefused(old)
    token = await tokenFor()
  })
})

describe('pages (threat-model.md TK5)', () => {
  it.each(['https://app.test', 'moz-extension://2c127fa4'])(
    'may ask from an origin of the application, with all that is needed: %s',
    async (origin) => {
      const preflight = await server.browser().send('OPTIONS', KIM, { headers: { origin } })
      expect(preflight.header('access-control-allow-origin')).toBe(origin)
      expect(preflight.header('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE')
      expect(preflight.header('access-control-allow-headers')).toContain('authorization')
      const answer = await send('GET', KIM, token, { headers: { origin } })
      expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([200, origin])
      expect(answer.header('access-control-allow-credentials')).toBeUndefined()
    },
  )

  it("may not from another application's, nor from anywhere else", async () => {
    for (const origin of ['https://web.test', 'https://evil.test', 'moz-extension://evil', 'null']) {
      const answer = await send('GET', KIM, token, { headers: { origin } })
      expect(answer.json()).toEqual(refused(403, 'Forbidden', 'access_denied'))
    }
    const stranger = await server.browser().send('OPTIONS', KIM, { headers: { origin: 'https://evil.test' } })
    expect(stranger.header('access-control-allow-origin')).toBeUndefined()
  })
})

it('allows so many requests and no more', async () => {
  await allowRequests(1)
  const answers = [await send('GET', KIM, token), await send('GET', KIM, token)]
  expect(answers.map(({ status }) => status)).toEqual([200, 429])
  expect(answers[1]?.json()).toEqual(refused(429, 'Too Many Requests', 'too_many_requests'))
  expect(answers[1]?.header('retry-after')).toBeDefined()
})
