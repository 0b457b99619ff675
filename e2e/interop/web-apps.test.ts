// Customers' web apps on unmodified packages: `express-openid-connect` and `next-auth` with its Auth0 provider.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../lib/testing/free-port.mjs'
import { PEOPLE } from '../people'
import { type AppProcess, startAppProcess } from './support/app-process'
import { type DataDir, makeServedDataDir } from './support/data-dir'
import { HttpBrowser, hiddenFields } from './support/http-browser'
import { travel, travelByForm } from './support/journey'
import { type ServerProcess, startServer } from './support/server-process'
import { TENANT } from './support/tenant'

const { kim } = PEOPLE
const BACKEND = { clientID: 'e2e-backend', clientSecret: 'e2e-backend-secret-of-the-crane' }

let data: DataDir
let server: ServerProcess
let appPort: number
let app: AppProcess

beforeAll(async () => {
  data = await makeServedDataDir()
  appPort = await freePort()
  const origin = `http://localhost:${appPort}`
  server = await startServer({
    ...TENANT,
    LATCHKEY_DATA_DIR: data.path,
    E2E_CALLBACKS: JSON.stringify([`${origin}/callback`, `${origin}/api/auth/callback/auth0`]),
    E2E_LOGOUTS: JSON.stringify([`${origin}/bye`]),
    E2E_ORIGINS: JSON.stringify([origin]),
    E2E_LOGOUT_TOLD: JSON.stringify([`${origin}/backchannel-logout`]),
    LATCHKEY_ALLOW_PRIVATE_TARGETS: '1',
  })
})
afterEach(() => app?.end())
afterAll(async () => {
  await server?.end('SIGTERM')
  await data?.remove()
})

describe('express-openid-connect', () => {
  const start = async (options: object) => {
    app = await startAppProcess('express-app.mjs', appPort, { issuer: server.url, options })
  }

  it.each([
    ['an ID token by form post, as it does by default', { clientID: 'e2e-kite' }],
    ['a code', { ...BACKEND, authorizationParams: { response_type: 'code' } }],
    ['a code and an ID token', { ...BACKEND, authorizationParams: { response_type: 'code id_token' } }],
    [
      'a pushed request',
      { ...BACKEND, authorizationParams: { response_type: 'code' }, pushedAuthorizationRequests: true },
    ],
    [
      'a secret in the body',
      { ...BACKEND, authorizationParams: { response_type: 'code' }, clientAuthMethod: 'client_secret_post' },
    ],
  ])('signs in with %s, and out again', async (_name, options) => {
    await start(options)
    const browser = new HttpBrowser()
    const inside = await travel(browser, `${app.url}/private`, kim.email)
    expect(inside.url).toBe(`${app.url}/private`)
    expect(inside.json()).toMatchObject({ user: { email: kim.email, name: kim.name } })

    const out = await travel(browser, `${app.url}/logout`, kim.email)
    expect([out.url, out.json()]).toEqual([`${app.url}/bye`, { bye: true }])
    const loginPage = await browser.get((await browser.get(`${app.url}/login`)).location ?? '')
    expect(loginPage.location).toContain('/u/login')
  })

  it('refreshes and reads the user', async () => {
    const authorizationParams = { response_type: 'code', scope: 'openid profile email offline_access' }
    await start({ ...BACKEND, authorizationParams })
    const browser = new HttpBrowser()
    await travel(browser, `${app.url}/private`, kim.email)
    const fresh = (await travel(browser, `${app.url}/fresh`, kim.email)).json()
    expect(fresh).toMatchObject({ access_token: expect.any(String), user: { email: kim.email } })
  })

  it('is notified in the back channel that the session ended elsewhere', async () => {
    const logoutAware = { clientID: 'e2e-told', clientSecret: 'e2e-told-secret-of-the-signal' }
    await start({ ...logoutAware, authorizationParams: { response_type: 'code' } })
    const [browser, other] = [new HttpBrowser(), new HttpBrowser()]
    for (const each of [browser, other]) await travel(each, `${app.url}/private`, kim.email)
    const isSignedIn = async () => (await travel(browser, app.url, kim.email)).json().signedIn
    expect(await isSignedIn()).toBe(true)
    expect((await browser.get(`${server.url}/v2/logout`)).status).toBe(200)
    await expect.poll(isSignedIn).toBe(false)
  })

  it('refuses a response that another browser requested', async () => {
    await start({ ...BACKEND, authorizationParams: { response_type: 'code' } })
    const loginPage = await new HttpBrowser().get(`${app.url}/login`)
    const stranger = await travel(new HttpBrowser(), loginPage.location ?? '', kim.email)
    expect(stranger.page.status).toBe(400)
  })
})

describe('next-auth with its Auth0 provider', () => {
  it('signs in, and knows the session', async () => {
    const credentials = { clientId: BACKEND.clientID, clientSecret: BACKEND.clientSecret }
    app = await startAppProcess('next-auth-app.mjs', appPort, { issuer: server.url, ...credentials })
    const browser = new HttpBrowser()
    const { csrfToken } = (await travel(browser, `${app.url}/api/auth/csrf`, '')).json()
    const form = { csrfToken: String(csrfToken), callbackUrl: `${app.url}/api/auth/session` }
    const session = await travelByForm(browser, `${app.url}/api/auth/signin/auth0`, form, kim.email)
    expect(session.json()).toMatchObject({ user: { email: kim.email }, sub: expect.stringMatching(/^auth0\|/) })

    const page = await browser.get(`${app.url}/api/auth/signout`)
    expect(Object.keys(hiddenFields(page.html))).toContain('csrfToken')
    const out = await travelByForm(browser, `${app.url}/api/auth/signout`, form, kim.email)
    expect(out.json()).toEqual({})
  })
})
