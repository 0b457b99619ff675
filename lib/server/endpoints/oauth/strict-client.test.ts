// The responses of /authorize and /oauth/par as a strict client library reads them: the unmodified openid-client, which checks
// nonce, hashes, issuer and types itself. In this process, without a socket.
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginLogin, locationOf, submitPassword, WEB } from '../../../testing/journey'
import { type Browser, type TestServer, testServer } from '../../../testing/server'

const CALLBACK = 'https://web.test/cb'
const SCOPE = 'openid profile email offline_access'

let server: TestServer
/** Signed in, so responses come without a form. */
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  const grant_types = ['authorization_code', 'implicit', 'refresh_token']
  await server.addClient({ ...WEB, settings: { ...WEB.settings, grant_types } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  browser = server.browser()
  const query = {
    client_id: 'web',
    redirect_uri: CALLBACK,
    code_challenge: undefined,
    code_challenge_method: undefined,
  }
  await submitPassword(browser, await beginLogin(browser, query), 'kim@mail.test')
})
afterAll(() => server.close())

const throughServer: oidc.CustomFetch = async (url, { method, headers, body }) => {
  const form = body === undefined || body === null ? {} : { form: String(body) }
  const answer = await browser.send(method, url, { headers, ...form })
  const sent = new Headers(answer.headers)
  return new Response(answer.text === '' ? null : answer.text, { status: answer.status, headers: sent })
}

/** The library uses the machine's clock. */
const skewed = () => ({ [oidc.clockSkew]: Math.round((server.clock.now().getTime() - Date.now()) / 1000) })

const discover = (responseType?: (config: oidc.Configuration) => void): Promise<oidc.Configuration> =>
  oidc.discovery(new URL('https://id.test/'), 'web', skewed(), oidc.ClientSecretPost(WEB.secret), {
    [oidc.customFetch]: throughServer,
    execute: responseType ? [responseType] : [],
  })

const landing = async (url: URL): Promise<URL> => locationOf(await browser.get(url.href))

describe('openid-client', () => {
  it('takes an ID token from the front channel', async () => {
    const config = await discover(oidc.useIdTokenResponseType)
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: SCOPE, nonce: 'n1', state: 's1' })
    const claims = await oidc.implicitAuthentication(config, await landing(url), 'n1', { expectedState: 's1' })
    expect(claims).toMatchObject({ sub: 'auth0|kim', email: 'kim@mail.test' })
  })

  it('takes a code and an ID token, bound to each other', async () => {
    const config = await discover(oidc.useCodeIdTokenResponseType)
    oidc.enableDetachedSignatureResponseChecks(config)
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: SCOPE, nonce: 'n1', state: 's1' })
    const checks = { expectedNonce: 'n1', expectedState: 's1' }
    const tokens = await oidc.authorizationCodeGrant(config, await landing(url), checks)
    expect(tokens.claims()?.sub).toBe('auth0|kim')
    expect(tokens.refresh_token).toBeDefined()
  })

  it('openid-client pushes its request', async () => {
    const config = await discover()
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const url = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state: 's1',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await oidc.authorizationCodeGrant(config, await landing(url), {
      pkceCodeVerifier,
      expectedState: 's1',
    })
    expect(tokens.claims()?.sub).toBe('auth0|kim')
  })

  it('receives a refusal in the fragment', async () => {
    const config = await discover(oidc.useIdTokenResponseType)
    const parameters = { redirect_uri: CALLBACK, scope: SCOPE, nonce: 'n1', state: 's1', prompt: 'none', max_age: '0' }
    server.clock.advance(1)
    const landed = await landing(oidc.buildAuthorizationUrl(config, parameters))
    const answer = oidc.implicitAuthentication(config, landed, 'n1', { expectedState: 's1' })
    await expect(answer).rejects.toMatchObject({ error: 'login_required' })
  })
})
