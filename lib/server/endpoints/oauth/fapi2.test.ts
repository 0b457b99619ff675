// The profile `fapi2` (FAPI 2.0 Security Profile) of a client and of a tenant: what it demands, what it refuses, and the unmodified
// package openid-client under it. In this process, without a socket.
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ASSERTION_TYPE, assertionClaims, makeClientKey, signAs } from '../../../testing/client-key'
import { type DpopKey, makeDpopKey, proofBy } from '../../../testing/dpop'
import {
  beginLogin,
  CHALLENGE,
  codeBySession,
  locationOf,
  SPA,
  submitPassword,
  VERIFIER,
  WEB,
} from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const API = 'https://api.test'
const CALLBACK = 'https://bank.test/cb'
const KEY = makeClientKey()

let server: TestServer
/** Signed in, so responses come without a form. */
let browser: Browser
let key: DpopKey
let manager: Manager

const SETTINGS = {
  app_type: 'regular_web',
  callbacks: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  client_authentication_methods: { private_key_jwt: { credentials: [{ pem: KEY.pem, alg: 'PS256', kid: 'k1' }] } },
}

beforeAll(async () => {
  server = await testServer()
  key = await makeDpopKey()
  await server.addClient({ clientId: 'bank', settings: { ...SETTINGS, security_profile: 'fapi2' } })
  await server.addClient(SPA)
  await server.addApi(API, { scopes: [{ value: 'read' }], allow_offline_access: true, signing_alg: 'ES256' })
  await server.addClientGrant('bank', API, ['read'])
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  manager = await addManager(server)
  browser = server.browser()
  await submitPassword(browser, await beginLogin(browser), 'kim@mail.test')
  // The first signature of an algorithm begins its series; JWKS has it once the cached configuration is read again.
  await post('/oauth/token', await exchange(await codeOf({ audience: API })), await dpop())
  server.clock.advance(2)
})
afterAll(() => server.close())

type Form = Record<string, string>
const proof = async (claims: object = {}, alg = 'PS256', clientId = 'bank'): Promise<Form> => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await signAs(KEY, assertionClaims(clientId, server.clock.now(), { ...claims }), { alg, kid: 'k1' }),
})
const REQUEST = {
  response_type: 'code',
  redirect_uri: CALLBACK,
  scope: 'openid offline_access',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}
const post = (path: string, form: Form, dpop?: string): Promise<TestResponse> =>
  server.browser().post(path, { form, headers: dpop === undefined ? {} : { dpop } })
const push = async (over: Record<string, string | undefined> = {}, how: Form = {}): Promise<TestResponse> => {
  const form = Object.entries({ ...REQUEST, ...over }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return post('/oauth/par', { ...Object.fromEntries(form), ...(await proof()), ...how })
}
const codeOf = async (over: Form = {}): Promise<string> => {
  const request_uri = String((await push(over)).json().request_uri)
  const answer = await browser.get('/authorize', { query: { client_id: 'bank', request_uri } })
  return locationOf(answer).searchParams.get('code') ?? ''
}
const exchange = async (code: string): Promise<Form> => ({
  grant_type: 'authorization_code',
  redirect_uri: CALLBACK,
  code,
  code_verifier: VERIFIER,
  ...(await proof()),
})
const dpop = (by = key) => proofBy(by, { now: server.clock.now() })
const refusalOf = (answer: TestResponse) => [answer.status, answer.json().error]

const throughServer = async (url: string, init: { method?: string; headers?: HeadersInit; body?: unknown } = {}) => {
  const form = init.body === undefined || init.body === null ? {} : { form: String(init.body) }
  const answer = await browser.send(init.method ?? 'GET', url, {
    headers: Object.fromEntries(new Headers(init.headers)),
    ...form,
  })
  return new Response(answer.text === '' ? null : answer.text, {
    status: answer.status,
    headers: new Headers(answer.headers),
  })
}

it('serves openid-client, which verifies what PS256 signed', async () => {
  const privateKey = await crypto.subtle.importKey(
    'pkcs8',
    KEY.privateKey.export({ format: 'der', type: 'pkcs8' }),
    { name: 'RSA-PSS', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const skew = Math.round((server.clock.now().getTime() - Date.now()) / 1000)
  const config = await oidc.discovery(
    new URL('https://id.test/'),
    'bank',
    { [oidc.clockSkew]: skew, id_token_signed_response_alg: 'PS256' },
    oidc.PrivateKeyJwt({ key: privateKey, kid: 'k1' }),
    { [oidc.customFetch]: throughServer as oidc.CustomFetch, execute: [oidc.enableNonRepudiationChecks] },
  )
  const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'))
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const parameters = {
    redirect_uri: CALLBACK,
    scope: 'openid offline_access',
    audience: API,
    state: 's1',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }
  const url = await oidc.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
  const callback = locationOf(await browser.get(url.href))
  const tokens = await oidc.authorizationCodeGrant(
    config,
    callback,
    { pkceCodeVerifier, expectedState: 's1' },
    undefined,
    { DPoP },
  )
  expect(tokens.token_type).toBe('dpop')
  expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('PS256')
  const keys = createRemoteJWKSet(new URL('https://id.test/.well-known/jwks.json'), {
    [customFetch]: throughServer as typeof fetch,
  })
  const options = { algorithms: ['ES256'], audience: API, currentDate: server.clock.now() }
  expect((await jwtVerify(tokens.access_token, keys, options)).payload.cnf).toMatchObject({ jkt: expect.any(String) })
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
  expect(refreshed.token_type).toBe('dpop')
  const again = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
  expect([refreshed.refresh_token, again.refresh_token]).toEqual([undefined, undefined])
  const forItself = await oidc.clientCredentialsGrant(config, { audience: API }, { DPoP })
  expect(forItself.token_type).toBe('dpop')
})

describe('the authorization request (5.3.2.2)', () => {
  it.each<[string, Record<string, string | undefined>, number, string]>([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 400, 'invalid_request'],
    ['with PKCE plain', { code_challenge_method: 'plain' }, 400, 'invalid_request'],
    ['without redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['for a hybrid response', { response_type: 'code id_token', nonce: 'n' }, 403, 'unauthorized_client'],
    ['for nothing', { response_type: 'none' }, 403, 'unauthorized_client'],
    ['for a token', { response_type: 'token' }, 403, 'unauthorized_client'],
  ])('is refused %s', async (_what, over, status, error) => {
    expect(refusalOf(await push(over))).toEqual([status, error])
  })

  it('is refused where it was not pushed', async () => {
    const answer = await browser.get('/authorize', { query: { ...REQUEST, client_id: 'bank' } })
    expect(locationOf(answer).searchParams.get('error')).toBe('invalid_request')
  })

  it('gets a code of at most 60 seconds', async () => {
    const code = await codeOf()
    server.clock.advance(60)
    expect(refusalOf(await post('/oauth/token', await exchange(code), await dpop()))).toEqual([403, 'invalid_grant'])
  })
})

describe('the authentication of the client (5.3.2.1)', () => {
  it.each<[string, () => Promise<Form>]>([
    ['an audience in a list', () => proof({ aud: ['https://id.test/'] })],
    ['the audience of the token endpoint', () => proof({ aud: 'https://id.test/oauth/token' })],
    ['the audience of the endpoint itself', () => proof({ aud: 'https://id.test/oauth/par' })],
    ['no audience', () => proof({ aud: undefined })],
    ['RS256', () => proof({}, 'RS256')],
    ['no assertion', async () => ({ client_id: 'bank', client_assertion: '', client_assertion_type: '' })],
  ])('is refused with %s', async (_what, how) => {
    expect(refusalOf(await push({}, await how()))).toEqual([401, 'invalid_client'])
  })

  it('is refused with a secret, also where one is stored', async () => {
    const settings = { ...WEB.settings, security_profile: 'fapi2' }
    await server.addClient({ ...WEB, settings })
    const form = { ...REQUEST, client_id: 'web', client_secret: WEB.secret, redirect_uri: 'https://web.test/cb' }
    expect(refusalOf(await post('/oauth/par', form))).toEqual([401, 'invalid_client'])
  })
})

describe('the tokens (5.3.2.1, 5.4.1)', () => {
  it('are refused without a proof, and the code is not spent', async () => {
    const code = await codeOf()
    expect(refusalOf(await post('/oauth/token', await exchange(code)))).toEqual([400, 'invalid_dpop_proof'])
    const answer = await post('/oauth/token', await exchange(code), await dpop())
    expect(answer.json()).toMatchObject({ token_type: 'DPoP' })
  })

  it('are refused with a proof by RS256', async () => {
    const form = { grant_type: 'client_credentials', audience: API, ...(await proof()) }
    const rsa = await makeDpopKey('RS256')
    expect(refusalOf(await post('/oauth/token', form, await dpop(rsa)))).toEqual([400, 'invalid_dpop_proof'])
  })

  it.each(['password', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'are refused by the grant %s',
    async (grant) => {
      const settings = { ...SETTINGS, grant_types: [...SETTINGS.grant_types, grant], security_profile: 'fapi2' }
      await server.addClient({ clientId: 'wide', settings })
      const form = {
        grant_type: grant,
        username: 'kim@mail.test',
        password: 'x',
        ...(await proof({}, 'PS256', 'wide')),
      }
      expect(refusalOf(await post('/oauth/token', form, await dpop()))).toEqual([403, 'unauthorized_client'])
    },
  )
})

describe('the Management API', () => {
  it('refuses what contradicts the profile, and names it', async () => {
    const made = await manager.post('/clients', { name: 'B', security_profile: 'fapi2', grant_types: ['implicit'] })
    expect([made.status, made.json().message]).toEqual([400, expect.stringContaining("'grant_types.0'")])
    const client = await manager.post('/clients', { name: 'B', callbacks: ['http://b.test/cb'] })
    const changed = await manager.patch(`/clients/${client.json().client_id}`, { security_profile: 'fapi2' })
    expect([changed.status, changed.json().message]).toEqual([400, expect.stringContaining("'callbacks.0'")])
  })

  it('makes a client without a secret, and shows the profile', async () => {
    const made = await manager.post('/clients', { name: 'B', security_profile: 'fapi2' })
    expect(made.json()).toMatchObject({
      security_profile: 'fapi2',
      token_endpoint_auth_method: 'private_key_jwt',
      require_pushed_authorization_requests: true,
      require_proof_of_possession: true,
      jwt_configuration: { alg: 'PS256' },
      refresh_token: { rotation_type: 'non-rotating' },
    })
    const { client_id, refresh_token, jwt_configuration } = made.json()
    const changed = await manager.patch(`/clients/${client_id}`, { refresh_token, jwt_configuration })
    expect(changed.status).toBe(200)
    expect(made.json()).not.toHaveProperty('client_secret')
  })
})

describe('the profile of a tenant', () => {
  beforeAll(() =>
    server.setTenant({
      tenant: { security_profile: 'fapi2', flags: { enable_dynamic_client_registration: true } },
    }),
  )
  afterAll(() => server.setTenant({}))

  it('is that of all its clients: a public one is not served', async () => {
    const answer = await browser.get('/authorize', {
      query: { ...REQUEST, client_id: 'spa', redirect_uri: 'https://app.test/cb' },
    })
    expect(locationOf(answer).searchParams.get('error')).toBe('invalid_request')
    expect(await codeBySession(browser)).toBe('')
    expect(refusalOf(await post('/oauth/par', { ...REQUEST, client_id: 'spa' }))).toEqual([401, 'invalid_client'])
  })

  it('is in discovery, which promises nothing else', async () => {
    expect((await browser.get('/.well-known/openid-configuration')).json()).toMatchObject({
      require_pushed_authorization_requests: true,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256'],
      request_object_signing_alg_values_supported: ['PS256'],
      id_token_signing_alg_values_supported: ['PS256', 'ES256'],
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256'],
    })
  })

  it('leaves the console open', async () => {
    const query = {
      ...REQUEST,
      client_id: 'latchkey-console',
      redirect_uri: 'https://id.test/console/auth/callback/latchkey',
    }
    const answer = await server.browser().get('/authorize', { query })
    expect(locationOf(answer).pathname).toBe('/u/login')
  })

  const metadata = { redirect_uris: ['https://third.test/cb'], jwks: { keys: [{ ...KEY.jwk, kid: 'k1' }] } }
  let network = 0
  /** Each from a network of its own, because the token bucket is small. */
  const register = (body: object) =>
    server.browser({ ip: `192.0.2.${++network}` }).post('/oidc/register', { json: body })

  it('is that of a client that registers itself', async () => {
    const made = await register(metadata)
    expect(made.json()).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: 'PS256',
    })
    expect(made.json()).not.toHaveProperty('client_secret')
    const how = await proof({}, 'PS256', String(made.json().client_id))
    expect((await push({ redirect_uri: 'https://third.test/cb' }, how)).status).toBe(201)
  })

  it.each<[string, object, string]>([
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_post' }, 'invalid_client_metadata'],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'RS256' }, 'invalid_client_metadata'],
    ['dpop_bound_access_tokens', { dpop_bound_access_tokens: false }, 'invalid_client_metadata'],
    ['jwks', { jwks: undefined }, 'invalid_client_metadata'],
    ['redirect_uris', { redirect_uris: ['http://127.0.0.1/cb'] }, 'invalid_redirect_uri'],
  ])('refuses a registration by its %s', async (member, over, error) => {
    const answer = await register({ ...metadata, ...over })
    expect(refusalOf(answer)).toEqual([400, error])
    expect(answer.json().error_description).toContain(member)
  })
})
