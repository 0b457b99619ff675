import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizeQuery, locationOf, redeem, refresh, signIn, submitPassword, userinfo } from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const METADATA = { client_name: 'Third', redirect_uris: ['https://third.test/cb'] }

let server: TestServer
let next = 0
/** Each test uses its own network, because the token bucket is small. */
const stranger = (): Browser => server.browser({ ip: `192.0.2.${++next}` })

beforeAll(async () => {
  server = await testServer()
  await server.addUser({ email: 'kim@mail.test' })
  await server.addUser({ email: 'lee@mail.test' })
  await server.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
})
afterAll(() => server.close())

const register = (body: unknown = METADATA, browser = stranger()): Promise<TestResponse> =>
  browser.post('/oidc/register', { json: body })

type Registered = { client_id: string; client_secret: string; registration_access_token: string }
const registered = async (body: Record<string, unknown> = {}): Promise<Registered> =>
  (await register({ ...METADATA, ...body })).json() as Registered

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const manage = (method: string, { client_id, registration_access_token }: Registered, json?: unknown) =>
  stranger().send(method, `/oidc/register/${client_id}`, {
    ...bearer(registration_access_token),
    ...(json === undefined ? {} : { json }),
  })

const parametersOf = ({ client_id }: Registered, extra = {}) => ({
  client_id,
  redirect_uri: 'https://third.test/cb',
  ...extra,
})

/** Signs in and consents; returns the parameters that reach the client. */
async function consent(client: Registered, browser = server.browser(), user = 'kim@mail.test') {
  const login = locationOf(await browser.get('/authorize', { query: authorizeQuery(parametersOf(client)) }))
  const state = login.searchParams.get('state') ?? ''
  const page = locationOf(await submitPassword(browser, state, user))
  expect(page.pathname).toBe('/u/consent')
  const answer = await browser.post('/u/submit', { form: { state, action: 'accept' } })
  return locationOf(answer).searchParams
}

const tokensOf = async (client: Registered, user?: string) => {
  const code = (await consent(client, server.browser(), user)).get('code') ?? ''
  const credentials = parametersOf(client, { client_secret: client.client_secret })
  return (await redeem(server.browser(), code, credentials)).json()
}

it('opens no connection to a client that registered itself, unless it is opened to such clients', async () => {
  const { pool } = server.database
  const set = async (settings: object) => {
    await pool.query('UPDATE connection SET settings = $1', [JSON.stringify(settings)])
    server.clock.advance(2)
  }
  const client = await registered()
  const consentScreen = async () => {
    const browser = server.browser()
    const login = locationOf(await browser.get('/authorize', { query: authorizeQuery(parametersOf(client)) }))
    const state = login.searchParams.get('state') ?? ''
    return locationOf(await submitPassword(browser, state, 'kim@mail.test')).pathname
  }
  await set({})
  expect(await consentScreen()).not.toBe('/u/consent')
  await set({ enabled_clients: [client.client_id] })
  expect(await consentScreen()).toBe('/u/consent')
  await set({ is_domain_connection: true })
  expect(await consentScreen()).toBe('/u/consent')
})

describe('POST /oidc/register', () => {
  it('answers 201 with what was registered, and shows the secret once', async () => {
    const answer = await register({ redirect_uris: ['https://third.test/cb'] })
    expect(answer.status).toBe(201)
    expect(answer.header('cache-control')).toBe('no-store')
    const { client_id, client_secret, registration_access_token, ...rest } = answer.json() as Registered
    expect(client_id).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(client_secret).toMatch(/^[\w-]{64}$/)
    expect(registration_access_token).toMatch(/^[\w-]{43}$/)
    expect(rest).toEqual({
      client_name: 'My App',
      client_id_issued_at: server.clock.now().getTime() / 1000,
      client_secret_expires_at: 0,
      redirect_uris: ['https://third.test/cb'],
      application_type: 'web',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      registration_client_uri: `https://id.test/oidc/register/${client_id}`,
    })
  })

  it('gives no secret to a public client', async () => {
    const answer = (await register({ ...METADATA, token_endpoint_auth_method: 'none' })).json()
    expect(answer).not.toHaveProperty('client_secret')
    expect(answer).not.toHaveProperty('client_secret_expires_at')
  })

  it('creates a client that works at once, requires consent, and is a third party', async () => {
    const client = await registered()
    const tokens = await tokensOf(client)
    expect(tokens).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
    expect((await redeem(server.browser(), 'x', parametersOf(client, { client_secret: 'wrong' }))).status).toBe(401)
    const browser = server.browser()
    const state = locationOf(await browser.get('/authorize', { query: authorizeQuery(parametersOf(client)) }))
    await submitPassword(browser, state.searchParams.get('state') ?? '', 'lee@mail.test')
    const page = await browser.get('/u/consent', { query: { state: state.searchParams.get('state') ?? '' } })
    expect(page.text).toContain('is not run by')
  })

  it('takes what oidc-agent sends', async () => {
    const answer = await register({
      application_type: 'web',
      client_name: 'oidc-agent:kit',
      response_types: ['token'],
      grant_types: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      scope: 'openid offline_access',
      redirect_uris: ['edu.kit.data.oidc-agent:/redirect', 'http://localhost:42781', 'http://localhost:8080'],
    })
    expect(answer.status).toBe(201)
    expect(answer.json()).toMatchObject({ application_type: 'native', response_types: [] })
  })

  it.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://evil.test/cb'] }, 'invalid_redirect_uri'],
    [{ ...METADATA, grant_types: ['password'] }, 'invalid_client_metadata'],
    [{ ...METADATA, initiate_login_uri: 'http://localhost:4242/login' }, 'invalid_client_metadata'],
  ])('a registration is refused: %o', async (body, error) => {
    const answer = await register(body)
    expect([answer.status, answer.json().error]).toEqual([400, error])
  })

  it('refuses a form, a list and no JSON', async () => {
    expect((await stranger().post('/oidc/register', { form: { redirect_uris: 'https://a.test' } })).status).toBe(415)
    expect((await register([])).status).toBe(400)
    expect((await register('{')).status).toBe(400)
    expect((await stranger().post('/oidc/register')).json().error).toBe('invalid_redirect_uri')
  })

  it('allows five at once from one network, and says so', async () => {
    const browser = server.browser({ ip: '2001:db8::1' })
    for (let i = 0; i < 5; i++) expect((await register({}, browser)).status).toBe(400)
    const answer = await register(METADATA, server.browser({ ip: '2001:db8::2' }))
    expect([answer.status, answer.json().error]).toEqual([429, 'too_many_requests'])
    expect(answer.header('x-ratelimit-limit')).toBe('5')
    expect((await register()).status).toBe(201)
  })

  it('is closed unless the tenant opens it, with the response of an unknown path', async () => {
    const client = await registered()
    const discovery = async () => (await server.browser().get('/.well-known/openid-configuration')).json()
    expect((await discovery()).registration_endpoint).toBe('https://id.test/oidc/register')
    await server.setTenant({})
    expect((await register()).status).toBe(404)
    expect(await discovery()).not.toHaveProperty('registration_endpoint')
    expect((await manage('GET', client)).status).toBe(200)
    await server.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
  })

  it('keeps neither secret nor token in the clear', async () => {
    const { client_id, client_secret, registration_access_token } = await registered()
    const { rows } = await server.database.pool.query('SELECT * FROM client WHERE client_id = $1', [client_id])
    const stored = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    expect(stored).not.toContain(client_secret)
    expect(stored).not.toContain(registration_access_token)
  })
})

describe('/oidc/register/{client_id} (RFC 7592)', () => {
  it('reads the registration, without the secret', async () => {
    const client = await registered({ contacts: ['kim@mail.test'], logo_uri: 'https://third.test/logo.png' })
    const { client_secret, ...rest } = client
    const answer = await manage('GET', client)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual(rest)
  })

  it.each(['GET', 'PUT', 'DELETE'])(
    '%s has one answer for a wrong token, another client and an unknown client',
    async (method) => {
      const [client, other] = [await registered(), await registered()]
      const attempts = [
        { ...client, registration_access_token: 'wrong' },
        { ...client, registration_access_token: other.registration_access_token },
        { ...client, client_id: 'nobody' },
      ]
      const body = method === 'PUT' ? { ...METADATA, client_id: client.client_id } : undefined
      const answers = await Promise.all(attempts.map((attempt) => manage(method, attempt, body)))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers[0]?.status).toBe(401)
      expect(answers[0]?.header('www-authenticate')).toMatch(/^Bearer /)
      const bare = await stranger().send(method, `/oidc/register/${client.client_id}`, { json: body ?? {} })
      expect(bare.status).toBe(401)
      expect((await manage('GET', client)).status).toBe(200)
    },
  )

  it('replaces it as a whole, for the next request', async () => {
    const client = await registered({ contacts: ['kim@mail.test'] })
    await server.browser().get('/authorize', { query: authorizeQuery(parametersOf(client)) })
    const answer = await manage('PUT', client, {
      client_id: client.client_id,
      client_secret: client.client_secret,
      client_name: 'Renamed',
      redirect_uris: ['https://third.test/other'],
    })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ client_name: 'Renamed', redirect_uris: ['https://third.test/other'] })
    expect(answer.json()).not.toHaveProperty('contacts')
    expect(answer.json()).not.toHaveProperty('client_secret')
    const stale = await server.browser().get('/authorize', { query: authorizeQuery(parametersOf(client)) })
    expect([stale.status, stale.header('location')]).toEqual([400, undefined])
  })

  it('takes the secret from a client that becomes public, and gives a new one to one that no longer is', async () => {
    const client = await registered()
    const body = { ...METADATA, client_id: client.client_id }
    expect((await manage('PUT', client, { ...body, token_endpoint_auth_method: 'none' })).json()).not.toHaveProperty(
      'client_secret',
    )
    const back = (await manage('PUT', client, body)).json()
    expect(back.client_secret).toMatch(/^[\w-]{64}$/)
    expect(back.client_secret).not.toBe(client.client_secret)
  })

  it.each([
    ['another id', { client_id: 'other' }],
    ['no id', { client_id: undefined }],
    ['another secret', { client_secret: 'of-its-own-choice' }],
    ['a secret that is no text', { client_secret: {} }],
    ['an address it may not have', { redirect_uris: ['https://id.test/cb'] }],
  ])('refuses %s and changes nothing', async (_name, wrong) => {
    const client = await registered()
    const answer = await manage('PUT', client, { ...METADATA, client_id: client.client_id, ...wrong })
    expect(answer.status).toBe(400)
    expect((await manage('GET', client)).json().redirect_uris).toEqual(METADATA.redirect_uris)
  })

  it('keeps an operator’s settings, including whether it is first-party', async () => {
    const client = await registered()
    await server.database.pool.query(
      `UPDATE client SET settings = settings || '{"compat":{"errors":"rfc"}}' WHERE client_id = $1`,
      [client.client_id],
    )
    await manage('PUT', client, { ...METADATA, client_id: client.client_id, is_first_party: true })
    const { rows } = await server.database.pool.query('SELECT settings FROM client WHERE client_id = $1', [
      client.client_id,
    ])
    expect(rows[0]?.settings).toMatchObject({ compat: { errors: 'rfc' }, is_first_party: false })
  })

  it('ends everything with the client', async () => {
    const client = await registered()
    const tokens = await tokensOf(client)
    const other = await registered()
    const others = await tokensOf(other)
    expect((await userinfo(server.browser(), tokens.access_token)).status).toBe(200)
    const answer = await manage('DELETE', client)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const credentials = parametersOf(client, { client_secret: client.client_secret })
    expect((await refresh(server.browser(), tokens.refresh_token, credentials)).status).toBe(401)
    expect((await userinfo(server.browser(), tokens.access_token)).status).toBe(401)
    expect((await server.browser().get('/authorize', { query: authorizeQuery(parametersOf(client)) })).status).toBe(400)
    expect((await manage('GET', client)).status).toBe(401)
    expect((await userinfo(server.browser(), others.access_token)).status).toBe(200)
  })

  it('is not how to change a client that an operator made', async () => {
    await server.addClient({ clientId: 'ours', settings: { callbacks: ['https://ours.test/cb'] } })
    const ours = { client_id: 'ours', client_secret: '', registration_access_token: '' }
    for (const method of ['GET', 'DELETE']) expect((await manage(method, ours)).status).toBe(401)
    expect(
      (
        await signIn(server.browser(), 'kim@mail.test', { client_id: 'ours', redirect_uri: 'https://ours.test/cb' })
      ).has('code'),
    ).toBe(true)
  })
})
