// The unmodified npm package `oauth4webapi`, which is strict: RFC 9207 `iss`, content types, token types, the syntax of
// WWW-Authenticate, RFC 9068 access tokens.
import { decodeProtectedHeader } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { sealKey } from './support/seal-key'
import { type ServerProcess, startServer } from './support/server-process'
import { CALLBACK, TENANT } from './support/tenant'

const { kim } = PEOPLE
const INSECURE = { [oauth.allowInsecureRequests]: true }
const MOORINGS = 'https://moorings.e2e.test/'

const client: oauth.Client = { client_id: 'e2e-backend' }
const secret = oauth.ClientSecretBasic('e2e-backend-secret-of-the-crane')

let data: DataDir
let server: ServerProcess
let as: oauth.AuthorizationServer

beforeAll(async () => {
  data = await makeServedDataDir()
  server = await startServer({ ...TENANT, LATCHKEY_DATA_DIR: data.path })
  const issuer = new URL(`${server.url}/`)
  as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE))
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

/** From the request to the validated parameters of the response. */
async function authorize(extra: Record<string, string>, browser = new HttpBrowser(), by = client) {
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const query = new URLSearchParams({
    client_id: by.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...extra,
  })
  const callback = await signIn(browser, `${as.authorization_endpoint}?${query}`, kim.email)
  return { callback, verifier, state, nonce, parameters: () => oauth.validateAuthResponse(as, client, callback, state) }
}

async function login(extra: Record<string, string> = {}) {
  const { parameters, verifier, nonce } = await authorize(extra)
  const redeem = () =>
    oauth.authorizationCodeGrantRequest(as, client, secret, parameters(), CALLBACK, verifier, INSECURE)
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, await redeem(), {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  return { tokens, redeem }
}

it('finds what a strict client needs in discovery', () => {
  expect(as).toMatchObject({
    issuer: `${server.url}/`,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
  })
})

it('signs in, reads the user, refreshes', async () => {
  const { tokens } = await login({ max_age: '3600' })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  const answer = await oauth.userInfoRequest(as, client, tokens.access_token, INSECURE)
  const user = await oauth.processUserInfoResponse(as, client, claims?.sub ?? '', answer)
  expect(user).toMatchObject({ email: kim.email, email_verified: true })
  const request = await oauth.refreshTokenGrantRequest(as, client, secret, tokens.refresh_token ?? '', INSECURE)
  const refreshed = await oauth.processRefreshTokenResponse(as, client, request)
  expect(refreshed.access_token).not.toBe(tokens.access_token)
})

it('finds `iss` in a refusal too, and misses it nowhere', async () => {
  const { callback, parameters } = await authorize({ prompt: 'none' })
  expect(callback.searchParams.get('iss')).toBe(as.issuer)
  expect(parameters).toThrow(expect.objectContaining({ error: 'login_required' }))
  callback.searchParams.set('iss', 'https://evil.test/')
  expect(parameters).toThrow(/iss/)
})

it('validates a response and a refusal as signed JWTs (JARM)', async () => {
  const validate = ({ callback, state }: Awaited<ReturnType<typeof authorize>>) =>
    oauth.validateJwtAuthResponse(as, client, callback, state, INSECURE)
  const signedIn = await authorize({ response_mode: 'jwt' })
  expect([...signedIn.callback.searchParams.keys()]).toEqual(['response'])
  const { verifier, nonce } = signedIn
  const parameters = await validate(signedIn)
  const answer = await oauth.authorizationCodeGrantRequest(as, client, secret, parameters, CALLBACK, verifier, INSECURE)
  await oauth.processAuthorizationCodeResponse(as, client, answer, { expectedNonce: nonce, requireIdToken: true })
  await expect(validate(await authorize({ response_mode: 'jwt', prompt: 'none' }))).rejects.toMatchObject({
    error: 'login_required',
  })
})

it('accepts nothing but PS256 where it expects that', async () => {
  const alg = 'PS256'
  const strict: oauth.Client = {
    client_id: 'e2e-ps256',
    id_token_signed_response_alg: alg,
    userinfo_signed_response_alg: alg,
    authorization_signed_response_alg: alg,
  }
  const auth = oauth.ClientSecretBasic('e2e-ps256-secret-of-the-salt')
  const { callback, state, nonce, verifier } = await authorize({ response_mode: 'jwt' }, new HttpBrowser(), strict)
  const parameters = await oauth.validateJwtAuthResponse(as, strict, callback, state, INSECURE)
  const answer = await oauth.authorizationCodeGrantRequest(as, strict, auth, parameters, CALLBACK, verifier, INSECURE)
  const tokens = await oauth.processAuthorizationCodeResponse(as, strict, answer, { expectedNonce: nonce })
  await oauth.validateApplicationLevelSignature(as, answer, INSECURE)
  const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? ''
  const userInfo = await oauth.userInfoRequest(as, strict, tokens.access_token, INSECURE)
  expect(await oauth.processUserInfoResponse(as, strict, sub, userInfo)).toMatchObject({ email: kim.email })
  await oauth.validateApplicationLevelSignature(as, userInfo, INSECURE)
})

it('validates a hybrid answer: c_hash, s_hash, nonce', async () => {
  const { callback, nonce, state } = await authorize({ response_type: 'code id_token' })
  const validated = await oauth.validateCodeIdTokenResponse(as, client, callback, nonce, state, undefined, INSECURE)
  expect(validated.get('code')).toBeTruthy()
  const detached = await oauth.validateDetachedSignatureResponse(
    as,
    client,
    callback,
    nonce,
    state,
    undefined,
    INSECURE,
  )
  expect(detached.get('code')).toBe(validated.get('code'))
})

it('receives an OAuth error for a used code', async () => {
  const { redeem } = await login()
  await expect(oauth.processAuthorizationCodeResponse(as, client, await redeem())).rejects.toMatchObject({
    error: 'invalid_grant',
    status: 403,
  })
})

it('pushes a request, and receives its lifetime', async () => {
  const parameters = new URLSearchParams({ response_type: 'code', redirect_uri: CALLBACK, scope: 'openid', nonce: 'n' })
  const answer = await oauth.pushedAuthorizationRequest(as, client, secret, parameters, INSECURE)
  const pushed = await oauth.processPushedAuthorizationResponse(as, client, answer)
  expect(pushed).toMatchObject({ request_uri: expect.stringContaining('urn:ietf:params:oauth:request_uri:') })
  const browser = new HttpBrowser()
  const query = new URLSearchParams({ client_id: client.client_id, request_uri: pushed.request_uri })
  const callback = await signIn(browser, `${as.authorization_endpoint}?${query}`, kim.email, PASSWORD)
  expect(oauth.validateAuthResponse(as, client, callback, oauth.expectNoState).get('code')).toBeTruthy()
})

it('introspects and revokes', async () => {
  const { tokens } = await login()
  const token = tokens.refresh_token ?? ''
  const ask = async () =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, secret, token, INSECURE),
    )
  expect(await ask()).toMatchObject({ active: true })
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, secret, token, INSECURE))
  expect(await ask()).toEqual({ active: false })
})

it('reads why a token is refused from WWW-Authenticate', async () => {
  const answer = await oauth.userInfoRequest(as, client, 'made-up', INSECURE)
  await expect(oauth.processUserInfoResponse(as, client, oauth.skipSubjectCheck, answer)).rejects.toMatchObject({
    cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
  })
})

it('reads a wrong secret as an error with a challenge', async () => {
  const wrong = oauth.ClientSecretBasic('another secret altogether')
  const answer = await oauth.clientCredentialsGrantRequest(as, client, wrong, { audience: MOORINGS }, INSECURE)
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  await expect(oauth.processClientCredentialsResponse(as, client, answer)).rejects.toThrow()
})

it('authenticates with its own key, once per assertion', async () => {
  const sealed: oauth.Client = { client_id: 'e2e-seal' }
  const proof = oauth.PrivateKeyJwt(await sealKey(), {
    [oauth.modifyAssertion]: (_header, payload) => Object.assign(payload, { jti: 'the same for all' }),
  })
  const ask = () => oauth.clientCredentialsGrantRequest(as, sealed, proof, { audience: MOORINGS }, INSECURE)
  const answers = await Promise.all(Array.from({ length: 5 }, ask))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
})

it('validates an RFC 9068 access token as a resource server', async () => {
  const request = await oauth.clientCredentialsGrantRequest(as, client, secret, { audience: MOORINGS }, INSECURE)
  const { access_token } = await oauth.processClientCredentialsResponse(as, client, request)
  const call = new Request(MOORINGS, { headers: { authorization: `Bearer ${access_token}` } })
  const claims = await oauth.validateJwtAccessToken(as, call, MOORINGS, INSECURE)
  expect(claims).toMatchObject({ client_id: client.client_id, aud: MOORINGS, iss: as.issuer, jti: expect.any(String) })
  expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'PS256', typ: 'at+jwt' })
})
