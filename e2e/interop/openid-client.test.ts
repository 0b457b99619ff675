// The unmodified npm package `openid-client`, as a relying party with every supported kind of client.
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, signIn } from './support/http-browser'
import { sealKey } from './support/seal-key'
import { type ServerProcess, startServer } from './support/server-process'
import { CALLBACK, FAREWELL, TENANT } from './support/tenant'

const { kim } = PEOPLE

let data: DataDir
let server: ServerProcess

beforeAll(async () => {
  data = await makeServedDataDir()
  server = await startServer({ ...TENANT, LATCHKEY_DATA_DIR: data.path })
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

const CLIENTS = [
  { method: 'none', id: 'e2e-spa', auth: oidc.None() },
  { method: 'client_secret_basic', id: 'e2e-web', auth: oidc.ClientSecretBasic('e2e-web-secret-of-the-harbour') },
  { method: 'client_secret_post', id: 'e2e-post', auth: oidc.ClientSecretPost('e2e-post-secret-of-the-letters') },
  { method: 'private_key_jwt', id: 'e2e-seal', auth: oidc.PrivateKeyJwt(await sealKey()) },
]

describe.each(CLIENTS)('openid-client with $method', ({ id, auth }) => {
  const discover = () =>
    oidc.discovery(new URL(server.url), id, undefined, auth, { execute: [oidc.allowInsecureRequests] })

  async function login(config: oidc.Configuration, browser = new HttpBrowser()) {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      max_age: '3600',
    })
    const callback = await signIn(browser, url.href, kim.email)
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 3600, idTokenExpected: true }
    return { callback, checks, tokens: await oidc.authorizationCodeGrant(config, callback, checks) }
  }

  it('discovers, signs in with PKCE, reads the user and refreshes', async () => {
    const config = await discover()
    expect(config.serverMetadata().issuer).toBe(`${server.url}/`)
    const { tokens } = await login(config)
    const sub = tokens.claims()?.sub ?? ''
    const user = await oidc.fetchUserInfo(config, tokens.access_token, sub)
    expect(user).toMatchObject({ sub, name: kim.name, email: kim.email, email_verified: true })

    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(refreshed.claims()?.sub).toBe(sub)
    expect(await oidc.fetchUserInfo(config, refreshed.access_token, sub)).toMatchObject({ sub })
  })

  it('revokes: neither refresh nor access token is worth anything afterwards', async () => {
    const config = await discover()
    const { tokens } = await login(config)
    await oidc.tokenRevocation(config, tokens.refresh_token ?? '', { token_type_hint: 'refresh_token' })
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
      error_description: 'Unknown or invalid refresh token.',
    })
    const challenge = { cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }] }
    await expect(oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).rejects.toMatchObject(
      challenge,
    )
  })

  it('gets an error for a code that was redeemed, and for another verifier', async () => {
    const config = await discover()
    const { callback, checks } = await login(config)
    const again = oidc.authorizationCodeGrant(config, callback, checks)
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('ends the session by the end session URL', async () => {
    const config = await discover()
    const browser = new HttpBrowser()
    const { tokens } = await login(config, browser)
    const url = oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: FAREWELL,
      state: 'bye',
    })
    expect((await browser.get(url.href)).location).toBe(`${FAREWELL}?state=bye`)
    expect([...browser.cookies.keys()].filter((name) => name.endsWith('session'))).toEqual([])
  })

  it('receives a refusal as an authorization error', async () => {
    const config = await discover()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      prompt: 'none',
      state: 'quiet',
      code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    })
    const callback = await signIn(new HttpBrowser(), url.href, kim.email)
    const answer = oidc.authorizationCodeGrant(config, callback, { expectedState: 'quiet' })
    await expect(answer).rejects.toMatchObject({ error: 'login_required' })
  })
})
