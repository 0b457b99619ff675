// The algorithm of each kind of token, as clients and APIs are configured (RFC 7518 3.1).
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIGNING_ALGORITHMS } from '../../../crypto/keys/algorithms'
import {
  authorizeQuery,
  beginLogin,
  locationOf,
  redeem,
  SPA,
  signInForTokens,
  submitPassword,
  userinfo,
} from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'

let server: TestServer
let manager: Manager
let apiId: string

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
  apiId = String((await manager.post('/resource-servers', { identifier: API })).json().id)
})
afterAll(() => server.close())

/** Instances read a change within a second. */
const configure = async (client: object, api: object = {}): Promise<void> => {
  expect((await manager.patch('/clients/spa', client)).status).toBe(200)
  expect((await manager.patch(`/resource-servers/${apiId}`, api)).status).toBe(200)
  server.clock.advance(2)
}

const published = async (browser: Browser = server.browser()): Promise<JSONWebKeySet> =>
  (await browser.get('/.well-known/jwks.json')).json() as unknown as JSONWebKeySet

/** The algorithm of a token that a client verifies by the published keys. */
async function algorithmOf(token: unknown, keys?: JSONWebKeySet): Promise<string> {
  const set = createLocalJWKSet(keys ?? (await published()))
  const { protectedHeader } = await jwtVerify(String(token), set, { currentDate: server.clock.now() })
  return protectedHeader.alg
}

const login = (extra: Record<string, string> = {}) => signInForTokens(server.browser(), 'kim@mail.test', extra)

describe.each(SIGNING_ALGORITHMS)('%s', (alg) => {
  beforeAll(() => configure({ jwt_configuration: { alg } }, { signing_alg: alg }))

  it('is published as soon as it is configured, before it signs anything', async () => {
    const { keys } = await published()
    expect(keys.filter((key) => key.alg === alg)).toHaveLength(2)
  })

  it('signs ID tokens and access tokens, which our own endpoints accept', async () => {
    const tokens = await login({ audience: API })
    expect(await algorithmOf(tokens.id_token)).toBe(alg)
    expect(await algorithmOf(tokens.access_token)).toBe(alg)
    expect((await userinfo(server.browser(), tokens.access_token)).json()).toMatchObject({ sub: 'auth0|kim' })
    const hinted = { prompt: 'none', id_token_hint: String(tokens.id_token) }
    const answer = await server.browser().get('/authorize', { query: authorizeQuery(hinted) })
    expect(locationOf(answer).searchParams.get('error')).toBe('login_required')
  })

  it('signs what /authorize returns itself', async () => {
    await configure({ grant_types: ['authorization_code', 'refresh_token', 'implicit'] })
    const browser = server.browser()
    const query = { response_type: 'code id_token', response_mode: 'fragment' }
    const answer = await submitPassword(browser, await beginLogin(browser, query), 'kim@mail.test')
    expect(await algorithmOf(new URLSearchParams(locationOf(answer).hash.slice(1)).get('id_token'))).toBe(alg)
  })

  it('signs user-info and authorization responses that are to be JWTs', async () => {
    await configure({ userinfo_signed_response_alg: alg, authorization_signed_response_alg: alg })
    const { access_token } = await login()
    expect(await algorithmOf((await userinfo(server.browser(), access_token)).text)).toBe(alg)
    const query = authorizeQuery({ response_mode: 'jwt', prompt: 'none' })
    const answer = await server.browser().get('/authorize', { query })
    expect(await algorithmOf(locationOf(answer).searchParams.get('response'))).toBe(alg)
    await configure({ userinfo_signed_response_alg: null, authorization_signed_response_alg: null })
  })
})

it.each(['HS256', 'none', 'EdDSA', 'RS512'])('refuses %j, and changes nothing', async (alg) => {
  const shown = (await manager.get('/clients/spa')).json()
  for (const members of [{ jwt_configuration: { alg } }, { userinfo_signed_response_alg: alg }])
    expect((await manager.patch('/clients/spa', members)).json()).toMatchObject({ errorCode: 'invalid_body' })
  expect((await manager.patch(`/resource-servers/${apiId}`, { signing_alg: alg })).status).toBe(400)
  expect((await manager.get('/clients/spa')).json()).toEqual(shown)
})

it('takes no algorithm from a request', async () => {
  await configure({ jwt_configuration: { alg: 'ES256' } })
  const extra = { id_token_signed_response_alg: 'RS256', alg: 'none' }
  expect(await algorithmOf((await login(extra)).id_token)).toBe('ES256')
})

it('registers clients with their algorithms', async () => {
  const json = {
    redirect_uris: ['https://third.test/cb'],
    id_token_signed_response_alg: 'PS256',
    userinfo_signed_response_alg: 'ES256',
    authorization_signed_response_alg: 'ES256',
  }
  const made = await server.browser().post('/oidc/register', { json })
  expect(made.json()).toMatchObject(json)
  const { registration_client_uri, registration_access_token } = made.json()
  const headers = { authorization: `Bearer ${registration_access_token}` }
  const path = new URL(String(registration_client_uri)).pathname
  expect((await server.browser().get(path, { headers })).json()).toMatchObject(json)
})

describe('rotation and revocation', () => {
  it('fail no token of any algorithm, and end those of a revoked key only', async () => {
    const tokens: Record<string, unknown> = {}
    for (const alg of SIGNING_ALGORITHMS) {
      await configure({}, { signing_alg: alg })
      tokens[alg] = (await login({ audience: API })).access_token
    }
    await manager.post('/keys/signing/rotate', {})
    server.clock.advance(2)
    const open = async () => {
      const answers = SIGNING_ALGORITHMS.map((alg) => userinfo(server.browser(), tokens[alg]))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await open()).toEqual([200, 200, 200])
    await manager.put(`/keys/signing/${decodeProtectedHeader(String(tokens.ES256)).kid}/revoke`, {})
    server.clock.advance(2)
    expect(await open()).toEqual([200, 200, 401])
  })
})

describe('an algorithm without keys, as after a restored backup', () => {
  it('gets its keys with the first login, and every instance accepts its tokens', async () => {
    const fresh = await testServer()
    await fresh.addClient({ ...SPA, settings: { ...SPA.settings, jwt_configuration: { alg: 'ES256' } } })
    await fresh.addApi(API, { signing_alg: 'PS256' })
    await fresh.addUser({ id: 'kim', email: 'kim@mail.test' })
    const other = fresh.instance()
    expect((await published(other.browser())).keys).toHaveLength(2)
    const browser = fresh.browser()
    const answer = await submitPassword(browser, await beginLogin(browser, { audience: API }), 'kim@mail.test')
    const code = locationOf(answer).searchParams.get('code') ?? ''
    const tokens = (await redeem(browser, code)).json()
    fresh.clock.advance(2)
    const keys = await published(other.browser())
    expect(keys.keys).toHaveLength(6)
    const set = createLocalJWKSet(keys)
    const verified = await Promise.all(
      [tokens.id_token, tokens.access_token].map((token) =>
        jwtVerify(String(token), set, { currentDate: fresh.clock.now() }),
      ),
    )
    expect(verified.map(({ protectedHeader }) => protectedHeader.alg)).toEqual(['ES256', 'PS256'])
    expect((await userinfo(other.browser(), tokens.access_token)).status).toBe(200)
    await fresh.close()
  })
})
