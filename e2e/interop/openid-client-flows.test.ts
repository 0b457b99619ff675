// The unmodified npm package `openid-client` beyond the code flow: front-channel responses, pushed and signed requests, machine
// clients, introspection.
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { sealKey } from './support/seal-key'
import { type ServerProcess, startServer } from './support/server-process'
import { CALLBACK, TENANT } from './support/tenant'

const { kim } = PEOPLE
const SECRET = 'e2e-backend-secret-of-the-crane'
const BOATS = 'https://boats.e2e.test/'

let data: DataDir
let server: ServerProcess
let backend: oidc.Configuration
let kite: oidc.Configuration

beforeAll(async () => {
  data = await makeServedDataDir()
  server = await startServer({ ...TENANT, LATCHKEY_DEMO: '1', LATCHKEY_DATA_DIR: data.path })
  backend = await discover('e2e-backend', oidc.ClientSecretBasic(SECRET))
  kite = await discover('e2e-kite', oidc.None())
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

const discover = (id: string, auth: oidc.ClientAuth) =>
  oidc.discovery(new URL(server.url), id, undefined, auth, { execute: [oidc.allowInsecureRequests] })

const checksOf = () => ({ expectedState: oidc.randomState(), expectedNonce: oidc.randomNonce() })

describe('tokens in the front channel', () => {
  it('response_type=id_token: the whole answer is validated', async () => {
    const config = await discover('e2e-kite', oidc.None())
    oidc.useIdTokenResponseType(config)
    const { expectedState, expectedNonce } = checksOf()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid email',
      state: expectedState,
      nonce: expectedNonce,
    })
    const callback = await signIn(new HttpBrowser(), url.href, kim.email)
    const claims = await oidc.implicitAuthentication(config, callback, expectedNonce, { expectedState })
    expect(claims).toMatchObject({ email: kim.email, aud: 'e2e-kite', nonce: expectedNonce })
    await expect(oidc.implicitAuthentication(config, callback, 'another', { expectedState })).rejects.toThrow()
  })

  it('response_type=code id_token: both halves belong together', async () => {
    const config = await discover('e2e-backend', oidc.ClientSecretPost(SECRET))
    oidc.useCodeIdTokenResponseType(config)
    const checks = checksOf()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid email',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
    })
    const callback = await signIn(new HttpBrowser(), url.href, kim.email)
    const tampered = new URL(callback.href.replace(/([#&])code=[^&]*/, '$1code=another'))
    await expect(oidc.authorizationCodeGrant(config, tampered, checks)).rejects.toThrow()
    const tokens = await oidc.authorizationCodeGrant(config, callback, checks)
    expect(tokens.claims()).toMatchObject({ email: kim.email, nonce: checks.expectedNonce })
  })
})

it('pushes its request, and signs in by the reference', async () => {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const checks = { ...checksOf(), pkceCodeVerifier }
  const url = await oidc.buildAuthorizationUrlWithPAR(backend, {
    redirect_uri: CALLBACK,
    scope: 'openid email',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const callback = await signIn(new HttpBrowser(), url.href, kim.email)
  const tokens = await oidc.authorizationCodeGrant(backend, callback, checks)
  expect(tokens.claims()).toMatchObject({ email: kim.email })
})

it('signs its request, and signs in with the signed parameters', async () => {
  const config = await discover('e2e-seal', oidc.PrivateKeyJwt(await sealKey()))
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const { expectedState, expectedNonce } = checksOf()
  const parameters = {
    redirect_uri: CALLBACK,
    scope: 'openid email',
    max_age: '3600',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }
  const url = await oidc.buildAuthorizationUrlWithJAR(config, parameters, await sealKey())
  const callback = await signIn(new HttpBrowser(), url.href, kim.email)
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 3600 }
  const tokens = await oidc.authorizationCodeGrant(config, callback, checks)
  expect(tokens.claims()).toMatchObject({ email: kim.email, aud: 'e2e-seal' })
})

describe('a machine', () => {
  it('gets a token for an API it was granted, and no other', async () => {
    const tokens = await oidc.clientCredentialsGrant(backend, { audience: BOATS, scope: 'read:boats' })
    expect(tokens).toMatchObject({ token_type: 'bearer', access_token: expect.any(String) })
    expect(tokens.refresh_token ?? tokens.id_token).toBeUndefined()
    const other = oidc.clientCredentialsGrant(backend, { audience: 'https://api.demo.latchkey.test/' })
    await expect(other).rejects.toMatchObject({ error: 'access_denied' })
  })

  it('may not be a public client', async () => {
    await expect(oidc.clientCredentialsGrant(kite, { audience: BOATS })).rejects.toMatchObject({
      error: 'unauthorized_client',
    })
  })

  it('introspects a token, before and after its revocation', async () => {
    const login = { username: kim.email, password: 'correct horse battery', scope: 'openid offline_access' }
    const tokens = await oidc.genericGrantRequest(backend, 'password', login)
    const refresh = tokens.refresh_token ?? ''
    expect(await oidc.tokenIntrospection(backend, refresh)).toMatchObject({ active: true, client_id: 'e2e-backend' })
    await oidc.tokenRevocation(backend, refresh)
    expect(await oidc.tokenIntrospection(backend, refresh)).toEqual({ active: false })
    expect(await oidc.tokenIntrospection(backend, tokens.access_token)).toEqual({ active: false })
    expect(await oidc.tokenIntrospection(backend, 'made up')).toEqual({ active: false })
  })
})
