// Customers' apps on third-party libraries, in separate processes: `@node-saml/node-saml` and `samlify` as service providers,
// `passport-wsfed-saml2` as relying party.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE } from '../people'
import { type Federation, startFederation } from './support/federation'
import { HttpBrowser } from './support/http-browser'
import { travel } from './support/journey'

const { kim } = PEOPLE
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

let world: Federation
let apps: Federation['origins']

beforeAll(async () => {
  world = await startFederation()
  apps = world.origins
  await world.start('chart', 'compass', 'logbook', 'tower')
})
afterAll(() => world?.end())

type App = 'chart' | 'compass' | 'logbook' | 'tower'
const signIn = (browser: HttpBrowser, app: App, query = '') => travel(browser, `${apps[app]}/login${query}`, kim.email)
const isSignedIn = async (browser: HttpBrowser, app: App) =>
  (JSON.parse((await browser.get(apps[app])).html) as { signedIn: boolean }).signedIn

describe.each(['chart', 'compass'] as const)('a SAML application: %s', (app) => {
  it.each(['redirect', 'post'])('signs in by a signed request in the %s binding', async (binding) => {
    const browser = new HttpBrowser()
    const { url } = await signIn(browser, app, `?binding=${binding}&relayState=a%20%26%2B%2F`)
    expect(url).toBe(`${apps[app]}/?relayState=a%20%26%2B%2F`)
    const { json } = await travel(browser, apps[app], '')
    expect(json()).toMatchObject({ signedIn: true, user: { nameID: kim.email } })
    expect(JSON.stringify(json())).toContain(kim.name)
  })

  it('is signed in to without a form by a user with a session', async () => {
    const browser = new HttpBrowser()
    await signIn(browser, 'tower')
    const { url } = await travel(browser, `${apps[app]}/login`, 'nobody')
    expect(url).toBe(`${apps[app]}/?relayState=%2F`)
  })

  it('takes a login that begins at the server', async () => {
    const browser = new HttpBrowser()
    const { url } = await travel(browser, `${world.url}/samlp/e2e-${app}?RelayState=deep`, kim.email)
    expect(url).toBe(`${apps[app]}/?relayState=deep`)
    expect(await isSignedIn(browser, app)).toBe(true)
  })

  it('signs out, and all applications of the session with it', async () => {
    const browser = new HttpBrowser()
    const others = (['chart', 'compass'] as const).filter((other) => other !== app)
    for (const each of [app, ...others, 'logbook', 'tower'] as const) await signIn(browser, each)
    const { url } = await travel(browser, `${apps[app]}/logout`, '')
    expect(url).toBe(`${apps[app]}/?loggedOut&relayState=from%20the%20app`)
    for (const each of [app, ...others, 'logbook'] as const) expect(await isSignedIn(browser, each)).toBe(false)
    await expect.poll(() => isSignedIn(browser, 'tower')).toBe(false)
    const again = await browser.get(`${world.url}/samlp/e2e-${app}`)
    expect(again.location).toContain('/u/login')
  })
})

describe('a WS-Federation application', () => {
  it('signs in, and receives the parameters that it sent', async () => {
    const browser = new HttpBrowser()
    const { url } = await signIn(browser, 'logbook', '?wctx=a%20%26%2B')
    expect(url).toBe(`${apps.logbook}/?wctx=a%20%26%2B`)
    const { json } = await travel(browser, apps.logbook, '')
    expect(json()).toMatchObject({ user: { [`${CLAIMS}/name`]: kim.name, email: kim.email } })
  })

  it('signs out of it, of the server and of a SAML application, and comes back', async () => {
    const browser = new HttpBrowser()
    for (const app of ['logbook', 'chart'] as const) await signIn(browser, app)
    const { url } = await travel(browser, `${apps.logbook}/logout`, '')
    expect(url).toBe(`${apps.logbook}/`)
    for (const app of ['logbook', 'chart'] as const) expect(await isSignedIn(browser, app)).toBe(false)
  })

  it('receives an error for an invalid parameter', async () => {
    const { page } = await signIn(new HttpBrowser(), 'logbook', '?wfresh=-1')
    expect(page.html).toContain('Invalid parameter: wfresh')
  })
})
