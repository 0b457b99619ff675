// Clients that authenticate with their own key, at every endpoint with client authentication; and the unmodified packages
// openid-client, oauth4webapi and auth0 doing so. In this process, without a socket.
import { AuthenticationClient } from 'auth0'
import * as oauth from 'oauth4webapi'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CallOutError } from '../../../kernel/call-out'
import { ASSERTION_TYPE, assertionClaims, type ClientKey, makeClientKey, signAs } from '../../../testing/client-key'
import {
  beginLogin,
  CHALLENGE,
  locationOf,
  redeem,
  signIn,
  submitPassword,
  VERIFIER,
  WEB,
} from '../../../testing/journey'
import { addPasswordless } from '../../../testing/passwordless'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'
const CALLBACK = 'https://web.test/cb'
const KEY = makeClientKey()
const NEXT = makeClientKey()

let server: TestServer
/** Signed in, so responses come without a form. */
let browser: Browser

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const MFA_OTP = 'http://auth0.com/oauth/grant-type/mfa-otp'
const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp'
const grant_types = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE, MFA_OTP, PASSWORDLESS]

/** What an application publishes at https://third.test/jwks.json. */
let published: { keys: object[] }
const callOut = async (address: string) => {
  if (address !== 'https://third.test/jwks.json') throw new CallOutError('ENOTFOUND')
  return { status: 200, headers: {}, body: new Uint8Array(Buffer.from(JSON.stringify(published))) }
}

beforeAll(async () => {
  server = await testServer({ callOut })
  const credentials = [{ pem: KEY.pem }, { pem: NEXT.pem, kid: 'next' }]
  const settings = { ...WEB.settings, grant_types, client_authentication_methods: { private_key_jwt: { credentials } } }
  await server.addClient({ ...WEB, settings })
  await addPasswordless(server)
  await server.addApi(API, { scopes: [{ value: 'read' }], allow_offline_access: true })
  await server.addClientGrant('web', API, ['read'])
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
  browser = server.browser()
  const query = { client_id: 'web', redirect_uri: CALLBACK }
  await submitPassword(browser, await beginLogin(browser, query), 'kim@mail.test')
})
afterAll(() => server.close())

type Assertion = { client_assertion_type: string; client_assertion: string }
const proof = async (over: object = {}, key: ClientKey = KEY): Promise<Assertion> => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await signAs(key, assertionClaims('web', server.clock.now(), { ...over })),
})
const post = (path: string, form: Record<string, string>, by: Pick<Browser, 'post'> = server.browser()) =>
  by.post(path, { form })
const machine = { grant_type: 'client_credentials', audience: API }

describe('every endpoint with client authentication (threat-model.md CO4)', () => {
  const request = { response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' }
  it.each<[string, Record<string, string>, number, string]>([
    ['/oauth/token', machine, 200, 'access_denied'],
    ['/oauth/par', { ...request, code_challenge: CHALLENGE, code_challenge_method: 'S256' }, 201, 'invalid_client'],
    ['/oauth/revoke', { token: 'x' }, 200, 'invalid_client'],
    ['/oauth/introspect', { token: 'x' }, 200, 'invalid_client'],
    ['/oauth/device/code', { scope: 'openid' }, 200, 'invalid_client'],
    ['/mfa/challenge', {}, 400, 'invalid_client'],
    [
      '/passwordless/start',
      { client_id: 'web', connection: 'email', email: 'kim@mail.test', send: 'code' },
      200,
      'invalid_client',
    ],
  ])('%s takes an assertion, and none twice', async (path, form, status, error) => {
    const sent = { ...form, ...(await proof()) }
    const [first, again] = [await post(path, sent), await post(path, sent)]
    expect([first.status, again.status]).toEqual([status, 401])
    expect(again.json()).toMatchObject({ error, error_description: 'Unauthorized' })
    const wrong = await post(path, { ...form, ...(await proof({}, makeClientKey())) })
    expect([wrong.status, wrong.text]).toEqual([401, again.text])
    const secret = await post(path, { ...form, client_id: 'web', client_secret: WEB.secret })
    expect([secret.status, secret.text]).toEqual([401, again.text])
  })

  it('lets one of twenty through that bring the same, whichever instance they come to', async () => {
    const sent = { ...machine, ...(await proof()) }
    const other = server.instance()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post('/oauth/token', sent, (i % 2 === 0 ? server : other).browser({ ip: `192.0.2.${i}` })),
      ),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]))
  })

  it('takes the old and the new key while both are there', async () => {
    const asks = async (key: ClientKey) =>
      (await post('/oauth/token', { ...machine, ...(await proof({}, key)) })).status
    expect([await asks(KEY), await asks(NEXT)]).toEqual([200, 200])
  })

  it('says in the log what was wrong, and nothing of the assertion', async () => {
    const sent = await proof({ aud: 'https://other.test/' })
    await post('/oauth/token', { ...machine, ...sent })
    const [log] = (await server.audited()).slice(-1)
    expect(log).toMatchObject({ type: 'feccft', client_id: 'web' })
    const expected = JSON.stringify([server.lines, await server.audited()])
    expect(expected).toContain('assertion: for another audience')
    expect(expected).not.toContain(sent.client_assertion.split('.')[1])
  })

  it('keeps what was used for as long as it counts, as a digest', async () => {
    await post('/oauth/token', { ...machine, ...(await proof({ jti: 'seen once' })) })
    const rows = await server.database.pool.query(
      `SELECT payload, expires_at, consumed_at FROM ticket WHERE kind = 'client-assertion' ORDER BY created_at DESC`,
    )
    expect(rows.rows[0]).toMatchObject({ payload: {}, consumed_at: expect.any(Date) })
    expect(rows.rows[0].expires_at.getTime() - server.clock.now().getTime()).toBe(60_000)
    expect(JSON.stringify(rows.rows)).not.toContain('seen once')
  })
})

describe('registering a key (RFC 7591)', () => {
  const metadata = {
    redirect_uris: ['https://third.test/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...KEY.jwk, kid: 'k1' }] },
  }
  const register = (body: object): Promise<TestResponse> => server.browser().post('/oidc/register', { json: body })
  const pushAs = async (client_id: string, key: ClientKey, kid: string): Promise<number> => {
    const assertion = await signAs(key, assertionClaims(client_id, server.clock.now()), { kid })
    const answer = await post('/oauth/par', {
      response_type: 'code',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    })
    return answer.status
  }

  it('a registration with a key gets no secret, and new keys end the old ones', async () => {
    const made = await register(metadata)
    expect(made.status).toBe(201)
    expect(made.json()).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks: metadata.jwks })
    expect(Object.keys(made.json()).filter((name) => name.startsWith('client_secret'))).toEqual([])
    const { client_id, registration_access_token } = made.json() as Record<string, string>
    expect(await pushAs(client_id ?? '', KEY, 'k1')).toBe(201)
    const replaced = await server.browser().send('PUT', `/oidc/register/${client_id}`, {
      headers: { authorization: `Bearer ${registration_access_token}` },
      json: { ...metadata, client_id, jwks: { keys: [{ ...NEXT.jwk, kid: 'k2' }] } },
    })
    expect(replaced.status).toBe(200)
    expect([await pushAs(client_id ?? '', KEY, 'k1'), await pushAs(client_id ?? '', NEXT, 'k2')]).toEqual([401, 201])
  })

  const { jwks: _, ...keyless } = metadata

  it('takes keys that the client publishes, and follows their rotation', async () => {
    published = { keys: [{ ...KEY.jwk, kid: 'k1' }] }
    const made = await register({ ...keyless, jwks_uri: 'https://third.test/jwks.json' })
    expect(made.json()).toMatchObject({ jwks_uri: 'https://third.test/jwks.json' })
    expect(made.json()).not.toHaveProperty('jwks')
    const id = String(made.json().client_id)
    expect([await pushAs(id, KEY, 'k1'), await pushAs(id, NEXT, 'k1')]).toEqual([201, 401])
    published = {
      keys: [
        { ...KEY.jwk, kid: 'k1' },
        { ...NEXT.jwk, kid: 'k2' },
      ],
    }
    server.clock.advance(30)
    expect([await pushAs(id, NEXT, 'k2'), await pushAs(id, KEY, 'k1')]).toEqual([201, 201])
    published = { keys: [{ ...NEXT.jwk, kid: 'k2' }] }
    server.clock.advance(600)
    expect([await pushAs(id, KEY, 'k1'), await pushAs(id, NEXT, 'k2')]).toEqual([401, 201])
  })

  it('refuses a client whose keys cannot be fetched', async () => {
    const made = await register({ ...keyless, jwks_uri: 'https://absent.test/jwks.json' })
    expect(made.status).toBe(201)
    expect(await pushAs(String(made.json().client_id), KEY, 'k1')).toBe(401)
  })

  it.each([
    ['http', { jwks_uri: 'http://third.test/jwks.json' }],
    ['loopback', { jwks_uri: 'http://127.0.0.1/jwks.json' }],
    ['the server itself', { jwks_uri: 'https://id.test/.well-known/jwks.json' }],
    ['two places', { jwks_uri: 'https://third.test/jwks.json', jwks: metadata.jwks }],
  ])('a key set is refused: %s', async (_what, over) => {
    const answer = await register({ ...keyless, ...over })
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_client_metadata'])
  })
})

const throughServer = async (url: string, init: { method?: string; headers?: HeadersInit; body?: unknown } = {}) => {
  const form = init.body === undefined || init.body === null ? {} : { form: String(init.body) }
  const headers = Object.fromEntries(new Headers(init.headers))
  const answer = await browser.send(init.method ?? 'GET', url, { headers, ...form })
  const status = answer.status
  return new Response(answer.text === '' ? null : answer.text, { status, headers: new Headers(answer.headers) })
}

/** The libraries use the machine's clock. */
const skew = (): number => Math.round((server.clock.now().getTime() - Date.now()) / 1000)

const importKey = (alg: 'RS256' | 'RS384' | 'PS256', { privateKey }: ClientKey): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'pkcs8',
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    { name: alg === 'PS256' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5', hash: alg === 'RS384' ? 'SHA-384' : 'SHA-256' },
    false,
    ['sign'],
  )

describe('openid-client with private_key_jwt', () => {
  const discover = async (): Promise<oidc.Configuration> => {
    const key = await importKey('RS256', NEXT)
    const auth = oidc.PrivateKeyJwt({ key, kid: 'next' })
    const options = { [oidc.customFetch]: throughServer as oidc.CustomFetch }
    return oidc.discovery(new URL('https://id.test/'), 'web', { [oidc.clockSkew]: skew() }, auth, options)
  }

  it('pushes, redeems, refreshes, introspects and revokes', async () => {
    const config = await discover()
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const url = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: 'openid offline_access',
      state: 's1',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const callback = locationOf(await browser.get(url.href))
    const checks = { pkceCodeVerifier, expectedState: 's1' }
    const tokens = await oidc.authorizationCodeGrant(config, callback, checks)
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(await oidc.tokenIntrospection(config, refreshed.refresh_token ?? '')).toMatchObject({ active: true })
    await oidc.tokenRevocation(config, refreshed.refresh_token ?? '')
    expect(await oidc.tokenIntrospection(config, refreshed.refresh_token ?? '')).toEqual({ active: false })
  })
})

describe('oauth4webapi with private_key_jwt', () => {
  it('acts for itself', async () => {
    const options = { [oauth.customFetch]: throughServer as typeof fetch }
    const issuer = new URL('https://id.test/')
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
    const client: oauth.Client = { client_id: 'web', [oauth.clockSkew]: skew() }
    const auth = oauth.PrivateKeyJwt({ key: await importKey('RS256', NEXT), kid: 'next' })
    const parameters = { audience: API }
    const answer = await oauth.clientCredentialsGrantRequest(as, client, auth, parameters, options)
    expect(await oauth.processClientCredentialsResponse(as, client, answer)).toMatchObject({ token_type: 'bearer' })
  })
})

describe('auth0 with clientAssertionSigningKey', () => {
  const sdk = ({ privatePem }: ClientKey) =>
    new AuthenticationClient({
      domain: 'id.test',
      clientId: 'web',
      clientAssertionSigningKey: privatePem,
      fetch: ((url: string, init: RequestInit) => throughServer(url, init)) as typeof fetch,
    })

  it.each([
    ['key', KEY],
    ['key that follows it, though it names none', NEXT],
  ])('exchanges a code and acts for itself by its %s', async (_name, key) => {
    vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
    try {
      const query = { client_id: 'web', redirect_uri: CALLBACK, scope: 'read offline_access', audience: API }
      const code = (await signIn(server.browser(), 'kim@mail.test', query)).get('code')
      const exchange = { code: code ?? '', redirect_uri: CALLBACK, code_verifier: VERIFIER }
      const { data } = await sdk(key).oauth.authorizationCodeGrantWithPKCE(exchange)
      expect(data).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
      const own = await sdk(key).oauth.clientCredentialsGrant({ audience: API })
      expect(own.data.access_token).toEqual(expect.any(String))
    } finally {
      vi.useRealTimers()
    }
  })

  it('receives the same response as for a wrong secret', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
    const failing = sdk(makeClientKey()).oauth.clientCredentialsGrant({ audience: API })
    await expect(failing).rejects.toMatchObject({ error: 'access_denied', error_description: 'Unauthorized' })
    vi.useRealTimers()
  })
})

it('a public client cannot bring an assertion instead of nothing', async () => {
  await server.addClient({ clientId: 'spa', settings: { app_type: 'spa', callbacks: ['https://app.test/cb'] } })
  const claims = assertionClaims('spa', server.clock.now())
  const sent = { client_assertion_type: ASSERTION_TYPE, client_assertion: await signAs(KEY, claims) }
  expect((await redeem(server.browser(), 'x', sent)).status).toBe(401)
})
