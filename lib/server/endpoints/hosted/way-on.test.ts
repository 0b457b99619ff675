// Where a login leads that cannot go on: to the page at which its application begins one, or else the tenant's.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BASE_URL } from '../../../testing/database'
import { authorizeQuery, beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const APP = 'https://app.test/login?from=id'
const TENANT = 'https://tenant.test/start'
const led = (page: string): string =>
  `${page}${page.includes('?') ? '&' : '?'}iss=${encodeURIComponent('https://id.test/')}`

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await testServer()
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())
beforeEach(async () => {
  browser = server.browser()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, initiate_login_uri: APP } })
})
afterEach(() => server.setTenant({}))

const pageOf = (state: string, from: Browser = browser, path = '/u/login') => from.get(path, { query: { state } })
const leads = ({ status, headers }: TestResponse) => [status, new Map(headers).get('location')]
const linked = (page: string): string => `href="${led(page).replaceAll('&', '&amp;')}"`

const finished = async (): Promise<string> => {
  const state = await beginLogin(browser)
  expect(locationOf(await submitPassword(browser, state, 'kim@mail.test')).searchParams.get('code')).toBeTruthy()
  return state
}

const DEAD: [string, () => Promise<string>][] = [
  ['finished', finished],
  [
    'expired',
    async () => {
      const state = await beginLogin(browser)
      server.clock.advance(3601)
      return state
    },
  ],
  [
    'deleted',
    async () => {
      const state = await beginLogin(browser)
      await server.database.pool.query('DELETE FROM login_transaction')
      server.clock.advance(3601)
      return state
    },
  ],
]

it('leads to the console from a login of the console, whatever the page of the tenant', async () => {
  await server.setTenant({ tenant: { default_redirection_uri: TENANT } })
  const redirect_uri = 'https://id.test/console/auth/callback/latchkey'
  const state = await beginLogin(browser, { client_id: 'latchkey-console', redirect_uri })
  server.clock.advance(3601)
  expect(leads(await pageOf(state))).toEqual([302, led('https://id.test/console')])
})

describe.each(DEAD)('a login that is %s', (_what, die) => {
  it.each(['/u/login', '/u/signup', '/u/forgot-password', '/u/mfa-challenge', '/u/consent'])(
    'leads from %s to the page of its application',
    async (path) => {
      expect(leads(await pageOf(await die(), browser, path))).toEqual([302, led(APP)])
    },
  )

  it('leads there by a link after a form, so that the person reads what became of it', async () => {
    const answer = await submitPassword(browser, await die(), 'kim@mail.test')
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(linked(APP))
    expect(answer.text).not.toContain('/authorize?')
  })

  it('the answer leads to the page of the tenant where the application has none', async () => {
    await server.addClient(SPA)
    await server.setTenant({ tenant: { default_redirection_uri: TENANT } })
    expect(leads(await pageOf(await die()))).toEqual([302, led(TENANT)])
  })

  it('leads to the page of a third party by a link alone', async () => {
    await server.addClient({ ...SPA, settings: { ...SPA.settings, is_first_party: false, initiate_login_uri: APP } })
    const state = await beginLogin(browser)
    server.clock.advance(3601)
    const answer = await pageOf(state)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(linked(APP))
  })
})

it('names the organization of the login', async () => {
  await server.database.pool.query(
    `INSERT INTO organization (tenant_id, id, name, settings, created_at, updated_at)
VALUES ('default', 'org_one', 'one', '{}', now(), now())`,
  )
  const settings = { ...SPA.settings, initiate_login_uri: APP, organization_usage: 'allow' }
  await server.addClient({ ...SPA, settings })
  const state = await beginLogin(browser, { organization: 'org_one' })
  server.clock.advance(3601)
  expect(leads(await pageOf(state))).toEqual([302, `${led(APP)}&organization=org_one`])
})

it.each(['/u/login', '/u/login?state=', '/u/login?state=junk', '/u/login?state=spa'])(
  '%s names no application, and leads to the page of the tenant, or explains',
  async (path) => {
    expect((await browser.get(path)).status).toBe(400)
    await server.setTenant({ tenant: { default_redirection_uri: TENANT } })
    expect(leads(await browser.get(path))).toEqual([302, led(TENANT)])
  },
)

it.each([
  '/u/submit',
  '/login/callback?state=x&code=y',
  '/u/resume?reply=x',
  '/continue?state=x',
  '/u/verify-email?ticket=x',
])('%s is an error page with a link to the page of the tenant', async (path) => {
  await server.setTenant({ tenant: { default_redirection_uri: TENANT } })
  const answer = await browser.get(path)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.text).toContain(`href="${TENANT}"`)
})

it('a handle with the name of another application leads to a registered page at most', async () => {
  const secret = 'x'.repeat(43)
  expect(leads(await pageOf(`${secret}spa`))).toEqual([302, led(APP)])
  for (const name of ['unknown', 'https://evil.test', '//evil.test', '%00', 'a'.repeat(100)])
    expect((await pageOf(`${secret}${name}`)).status).toBe(400)
})

it('a login of another browser, or without cookies, is explained and not led away, which could go round in circles', async () => {
  const state = await beginLogin(browser)
  const other = server.browser()
  const without = await pageOf(state, other)
  expect([without.status, without.text.includes('blocking cookies')]).toEqual([403, true])
  await beginLogin(other)
  const there = await pageOf(state, other)
  expect([there.status, there.text.includes('another browser')]).toEqual([403, true])
  for (const { text } of [without, there]) expect(text).toContain(linked(APP))
})

it.each([
  ['an address of the network', { host: '192.0.2.7:3000' }],
  ['another name', { host: 'other.example.com' }],
  ['another port', { host: `${new URL(BASE_URL).host}:8443` }],
  ['http in place of https', { 'x-forwarded-proto': 'http' }],
])('a login that began at %s names the address to use, and follows no header', async (_name, headers) => {
  const typed = server.browser()
  const started = locationOf(await typed.get('/authorize', { query: authorizeQuery(), headers }))
  expect(started.origin).toBe(BASE_URL)
  for (const cookies of [false, true]) {
    // The cookies of the login stay at the address that was typed. There may be one of an earlier login.
    const here = server.browser()
    if (cookies) await beginLogin(here)
    const page = await pageOf(started.searchParams.get('state') ?? '', here)
    expect([page.status, page.text.includes('own address')]).toEqual([403, true])
    expect(page.text).toContain(`>${BASE_URL}<`)
    expect(page.text).toContain(linked(APP))
    for (const value of Object.values(headers)) expect(page.text).not.toContain(`//${value}`)
  }
})

it('behind a proxy that names another host in every request, a login goes on, and blocked cookies are named', async () => {
  const headers = { host: 'latchkey:3000' }
  const started = locationOf(await browser.get('/authorize', { query: authorizeQuery(), headers }))
  const path = started.pathname + started.search
  expect((await browser.get(path, { headers })).status).toBe(200)
  expect((await server.browser().get(path, { headers })).text).toContain('blocking cookies')
})

it('a pushed request that was used is linked to the page of its application', async () => {
  const pushed = await browser.post('/oauth/par', { form: authorizeQuery() })
  const query = { client_id: 'spa', request_uri: String(pushed.json().request_uri) }
  await browser.get('/authorize', { query })
  const again = await server.browser().get('/authorize', { query })
  expect(again.status).toBe(400)
  expect(again.text).toContain(linked(APP))
})

it('a login of the account portal begins again there', async () => {
  await server.setTenant({ tenant: { default_redirection_uri: TENANT } })
  const state = locationOf(await browser.get('/account')).searchParams.get('state') ?? ''
  server.clock.advance(3601)
  const { status, text } = await pageOf(state)
  expect([status, text.includes('href="https://id.test/account')]).toEqual([400, true])
})

describe('a page that is opened by another name of this machine', () => {
  const local = 'http://localhost:3000'
  let here: Awaited<ReturnType<typeof testServer>>
  beforeAll(async () => {
    here = await testServer({ baseUrl: local })
    await here.addClient(SPA)
  })
  afterAll(() => here.close())

  it.each(['127.0.0.1:3000', '[::1]:3000'])('is led from %s to the public URL before a cookie is set', async (host) => {
    const visitor = here.browser({ host })
    const query = authorizeQuery()
    const answer = await visitor.get('/authorize', { query })
    expect(leads(answer)).toEqual([302, `${local}/authorize?${new URLSearchParams(query)}`])
    expect(answer.header('set-cookie')).toBeUndefined()
    for (const path of ['/u/login?state=x', '/account', '/activate?user_code=ABCD', '/v2/logout'])
      expect(leads(await visitor.get(path))).toEqual([302, local + path])
  })

  it('stays where it is not a page, or not of this machine', async () => {
    const visitor = here.browser({ host: '127.0.0.1:3000' })
    expect((await visitor.get('/.well-known/openid-configuration')).status).toBe(200)
    expect((await visitor.post('/u/submit', { form: { state: 'x' } })).status).not.toBe(302)
    for (const host of ['evil.test', '192.168.1.7:3000', '127.0.0.1:4000'])
      expect(leads(await here.browser({ host }).get('/account')).join()).not.toContain('/account,')
  })

  it('of a tenant that has it is not led away', async () => {
    await here.addTenant('loop', 'http://127.0.0.1:3000')
    here.clock.advance(2)
    const answer = await here.browser({ host: '127.0.0.1:3000' }).get('/account')
    expect(leads(answer)[1]).toContain('http://127.0.0.1:3000/u/login')
  })
})
