// The files that name a tenant's apps on phones, and the origin of such an app in a native passkey.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetLinks, mobileApps, siteAssociation } from '../../../data/clients/mobile-apps'
import { WEBAUTHN } from '../../../protocols/oauth/grants/webauthn'
import { softCredential } from '../../../testing/authenticator'
import { addPasskey, offerPasskeys } from '../../../testing/passkeys'
import { type TestServer, testServer } from '../../../testing/server'

const FINGERPRINT = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0')).join(':')
const android = { app_package_name: 'com.example.app', sha256_cert_fingerprints: [FINGERPRINT] }
const ios = { team_id: 'A1B2C3D4E5', app_bundle_identifier: 'com.example.app' }
const ORIGIN = 'android:apk-key-hash:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await offerPasskeys(server)
  const native = { app_type: 'native', token_endpoint_auth_method: 'none', grant_types: [WEBAUTHN] }
  await server.addClient({ clientId: 'app', settings: { ...native, mobile: { android, ios } } })
  await server.addClient({ clientId: 'other', settings: native })
  const stranger = { app_package_name: 'com.stranger.app', sha256_cert_fingerprints: [FINGERPRINT] }
  await server.addClient({ clientId: 'third', settings: { is_first_party: false, mobile: { android: stranger, ios } } })
})
afterAll(() => server.close())

it('name the apps of first-party clients', async () => {
  const browser = server.browser()
  const links = await browser.get('/.well-known/assetlinks.json')
  expect([links.status, links.header('content-type')]).toEqual([200, expect.stringContaining('application/json')])
  expect(JSON.parse(links.text)).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.app',
        sha256_cert_fingerprints: [FINGERPRINT.toUpperCase()],
      },
    },
  ])
  expect((await browser.get('/.well-known/apple-app-site-association')).json()).toEqual({
    applinks: { apps: [], details: [{ appID: 'A1B2C3D4E5.com.example.app', paths: ['/ios/com.example.app/*'] }] },
    webcredentials: { apps: ['A1B2C3D4E5.com.example.app'] },
  })
})

it('leave out what is not complete', () => {
  const half = [{}, { android: { app_package_name: 'a.b' } }, { ios: { team_id: 'A1B2C3D4E5' } }]
  expect(assetLinks(half)).toEqual([])
  expect(siteAssociation(half)).toEqual({ applinks: { apps: [], details: [] }, webcredentials: { apps: [] } })
})

describe('a client takes no', () => {
  it.each([
    { android: { app_package_name: 'no package' } },
    { android: { sha256_cert_fingerprints: ['00:11'] } },
    { ios: { team_id: 'short' } },
    { ios: { app_bundle_identifier: 'a/b' } },
  ])('the mobile settings refuse %j', (mobile) => {
    expect(mobileApps.safeParse(mobile).success).toBe(false)
  })
})

describe('the origin of an app', () => {
  it.each([
    ['app', ORIGIN, 200],
    ['app', 'android:apk-key-hash:AAAA', 403],
    ['other', ORIGIN, 403],
  ])('of %s that states %s is answered with %i', async (client_id, origin, status) => {
    const browser = server.browser()
    const credential = softCredential()
    const userId = await server.addUser({ email: `${server.random.hex(8)}@mail.test`, data: { emailVerified: true } })
    await addPasskey(server, userId, credential)
    const { auth_session, authn_params_public_key } = (
      await browser.post('/passkey/challenge', { json: { client_id, realm: 'Users' } })
    ).json() as { auth_session: string; authn_params_public_key: { challenge: string } }
    const { challenge } = authn_params_public_key
    const authn_response = credential.use({ rpId: 'id.test', origin, challenge })
    const json = { grant_type: WEBAUTHN, client_id, auth_session, authn_response, scope: 'openid' }
    expect((await browser.post('/oauth/token', { json })).status).toBe(status)
  })
})
