// The unmodified npm package `openid-client` on a device without a keyboard, and as an application that registers itself.
import { createPublicKey } from 'node:crypto'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SEAL_KEY } from '../origins'
import { PEOPLE } from '../people'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, hiddenFields, landing, signIn, signInAt } from './support/http-browser'
import { sealKey } from './support/seal-key'
import { type ServerProcess, startServer } from './support/server-process'
import { CALLBACK, TENANT } from './support/tenant'

const { kim } = PEOPLE
const insecure = { execute: [oidc.allowInsecureRequests] }

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

describe('openid-client on a device', () => {
  const discover = () => oidc.discovery(new URL(server.url), 'e2e-tv', undefined, oidc.None(), insecure)

  /** The user's part, in a browser elsewhere: the prefilled code, the confirmation, the button. */
  async function press(
    browser: HttpBrowser,
    { verification_uri_complete = '' }: oidc.DeviceAuthorizationResponse,
    action: string,
  ) {
    const activate = new URL('/activate', server.url).href
    const page = await browser.get(verification_uri_complete)
    const [, user_code = ''] = /name="user_code"[^>]* value="([^"]+)"/.exec(page.html) ?? []
    const confirm = await browser.post(activate, { user_code, action: 'continue' })
    return landing(await browser.post(activate, { ...hiddenFields(confirm.html), action }), activate)
  }

  it('waits until the user has signed in, and refreshes', async () => {
    const config = await discover()
    const device = await oidc.initiateDeviceAuthorization(config, { scope: 'openid profile offline_access' })
    const polling = oidc.pollDeviceAuthorizationGrant(config, device)
    const browser = new HttpBrowser()
    const login = await press(browser, device, 'confirm')
    const end = await signInAt(browser, login, kim.email)
    expect(end.searchParams.get('result')).toBe('connected')
    const tokens = await polling
    expect(tokens.claims()).toMatchObject({ aud: 'e2e-tv', name: kim.name })
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
  })

  it('receives the user’s refusal', async () => {
    const config = await discover()
    const device = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' })
    const end = await press(new HttpBrowser(), device, 'deny')
    expect(end.searchParams.get('result')).toBe('refused')
    await expect(oidc.pollDeviceAuthorizationGrant(config, device)).rejects.toMatchObject({ error: 'access_denied' })
  })
})

describe('openid-client registers itself', () => {
  it.each(['none', 'client_secret_post', 'private_key_jwt'])(
    'it signs in users who consent, with the method %s',
    async (method) => {
      const byKey = method === 'private_key_jwt'
      const named = { redirect_uris: [CALLBACK], client_name: 'Driftwood', token_endpoint_auth_method: method }
      const jwks = { keys: [createPublicKey(SEAL_KEY).export({ format: 'jwk' }) as oidc.JWK] }
      const metadata = byKey ? { ...named, jwks } : named
      const auth = byKey ? oidc.PrivateKeyJwt(await sealKey()) : undefined
      const config = await oidc.dynamicClientRegistration(new URL(server.url), metadata, auth, insecure)
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
      const expectedState = oidc.randomState()
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
      })
      const browser = new HttpBrowser()
      const consent = await signIn(browser, url.href, kim.email)
      expect(consent.pathname).toBe('/u/consent')
      const form = { state: consent.searchParams.get('state') ?? '', action: 'accept' }
      const callback = landing(await browser.post(new URL('/u/submit', consent).href, form), consent.href)
      const tokens = await oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState })
      expect(tokens.claims()).toMatchObject({ aud: config.clientMetadata().client_id, name: kim.name })
    },
  )

  it('it deletes its registration', async () => {
    const metadata = { redirect_uris: [CALLBACK] }
    const config = await oidc.dynamicClientRegistration(new URL(server.url), metadata, undefined, insecure)
    const { registration_access_token, registration_client_uri } = config.clientMetadata()
    const headers = { authorization: `Bearer ${registration_access_token}` }
    expect((await fetch(String(registration_client_uri), { headers })).status).toBe(200)
    expect((await fetch(String(registration_client_uri), { method: 'DELETE', headers })).status).toBe(204)
    expect((await fetch(String(registration_client_uri), { headers })).status).toBe(401)
  })
})
