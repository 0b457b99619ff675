// The look of a tenant's pages: its theme, its branding, and what a policy permits for them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readTheme } from '../../../data/tenants/theme'
import { beginLogin, SPA } from '../../../testing/journey'
import { mailsTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { enterPortal } from '../../../testing/portal'
import { CONNECTION_ID } from '../../../testing/seed'
import { acquiredDuring } from '../../../testing/sent-statements'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let organization: string
let count = 0

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
  organization = await organizationsOf(server).add('acme', {
    settings: {
      branding: { logo_url: 'https://cdn.test/acme.png', colors: { primary: '#a1b2c3', page_background: '#010203' } },
    },
    connections: { [CONNECTION_ID]: { assignMembership: true, signupEnabled: true } },
  })
})
afterEach(async () => {
  const theme = await manager.get('/branding/themes/default')
  if (theme.status === 200) await manager.remove(`/branding/themes/${String(theme.json().themeId)}`)
  await manager.patch('/branding', { colors: null, font: null, favicon_url: null, logo_url: null })
  server.clock.advance(1)
})
afterAll(() => server.close())

async function loginPage(extra: Record<string, string> = {}) {
  const browser = server.browser()
  const state = await beginLogin(browser, extra)
  return browser.get(`/u/login?state=${state}`)
}

const policyOf = (answer: TestResponse): string => answer.header('content-security-policy') ?? ''

async function portalPage(): Promise<string> {
  count += 1
  const email = `owner${count}@mail.test`
  await server.addUser({ email })
  const browser = server.browser()
  await enterPortal(browser, email)
  return (await browser.get('/account/profile')).text
}

async function setTheme(given: object): Promise<void> {
  const answer = await manager.post('/branding/themes', readTheme(given))
  expect(answer.status).toBe(201)
  server.clock.advance(1)
}

async function setBranding(given: object): Promise<void> {
  const answer = await manager.patch('/branding', given)
  expect(answer.status).toBe(200)
  server.clock.advance(1)
}

describe('a theme', () => {
  it('is on the pages within a second, until it is taken away', async () => {
    const plain = (await loginPage()).text
    expect(plain).not.toContain('themed')
    await setTheme({ colors: { primary_button: '#123456' }, widget: { logo_url: 'https://cdn.test/own.svg' } })
    const page = (await loginPage()).text
    expect(page).toContain('--fill:#123456')
    expect(page).toContain('<img class="brand-logo" src="https://cdn.test/own.svg"')
    expect(page).toContain('<link rel="stylesheet" href="/u/themed.css"/>')
    const { themeId } = (await manager.get('/branding/themes/default')).json()
    await manager.remove(`/branding/themes/${String(themeId)}`)
    server.clock.advance(1)
    expect((await loginPage()).text).not.toContain('themed')
  })

  it('is of its tenant alone', async () => {
    await setTheme({})
    await server.addTenant('plain', 'https://plain.test')
    expect((await server.runtime('plain.test')).theme).toBeUndefined()
    expect((await server.runtime()).theme).toBeDefined()
  })

  it('is on the pages of the account portal and of errors too', async () => {
    await setTheme({ colors: { primary_button: '#123456' } })
    expect(await portalPage()).toContain('--fill:#123456')
    expect((await server.browser().get('/authorize?client_id=none')).text).toContain('--fill:#123456')
  })

  it('gives way to the branding of an organization in its logins', async () => {
    await setTheme({ colors: { primary_button: '#123456' }, widget: { logo_url: 'https://cdn.test/own.svg' } })
    const page = (await loginPage({ organization })).text
    expect(page).toContain('--fill:#a1b2c3')
    expect(page).toContain('--page:#010203')
    expect(page).toContain('src="https://cdn.test/acme.png"')
  })

  it('gives the mails its colour', async () => {
    await setBranding({ colors: { primary: '#aa0000' } })
    await setTheme({ colors: { primary_button: '#123456' } })
    const browser = server.browser()
    const state = await beginLogin(browser)
    const to = 'reader@mail.test'
    await server.addUser({ email: to })
    await browser.post('/u/submit', { form: { state, email: to, action: 'request-reset' } })
    const [mail] = await mailsTo(server, to)
    expect(mail?.html).toContain('#123456')
    expect(mail?.html).not.toContain('#aa0000')
  })

  it('costs no statement of a page', async () => {
    const statements = async () => {
      await loginPage()
      return acquiredDuring(server.database.pool, loginPage)
    }
    const before = await statements()
    await setTheme({})
    expect(await statements()).toBe(before)
  })
})

describe('a font', () => {
  it('is the only one that the policy permits, and no page has it without the tenant’s wish', async () => {
    expect(policyOf(await loginPage())).not.toContain('font-src')
    await setBranding({ font: { url: 'https://cdn.test/fonts/a,b;c.woff2?v=2' } })
    const branded = await loginPage()
    expect(policyOf(branded)).toContain('font-src https://cdn.test/fonts/a%2Cb%3Bc.woff2; ')
    expect(branded.text).toContain('url("https://cdn.test/fonts/a,b;c.woff2?v=2")')
    await setTheme({ fonts: { font_url: 'https://other.test/f.woff2' } })
    const themed = await loginPage()
    expect(policyOf(themed)).toContain('font-src https://other.test/f.woff2; ')
    expect(themed.text).not.toContain('cdn.test')
  })
})

describe('an icon', () => {
  it('is the tenant’s, on the pages of the portal too', async () => {
    await setBranding({ favicon_url: 'https://cdn.test/f.ico' })
    const icon = '<link rel="icon" href="https://cdn.test/f.ico" referrerpolicy="no-referrer"/>'
    expect((await loginPage()).text).toContain(icon)
    expect(await portalPage()).toContain(icon)
  })
})

describe('a page background', () => {
  it('lies behind the task, dark or a gradient', async () => {
    await setBranding({ colors: { page_background: '#102030' } })
    expect((await loginPage()).text).toContain('.stage .room{background:#102030}')
    await setBranding({ colors: { page_background: { type: 'linear-gradient', start: '#fff', end: '#000' } } })
    expect((await loginPage()).text).toContain('.stage .room{background:linear-gradient(#ffffff,#000000)}')
  })
})
