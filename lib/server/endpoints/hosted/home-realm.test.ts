import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizeQuery, beginLogin, locationOf, SPA } from '../../../testing/journey'
import { type Browser, PASSWORD, type TestResponse } from '../../../testing/server'
import { type UpstreamTestServer, upstreamTestServer } from '../../../testing/upstream'

let server: UpstreamTestServer

beforeAll(async () => {
  server = await upstreamTestServer()
  for (const clientId of ['spa', 'plain', 'staff', 'lone']) await server.addClient({ clientId, settings: SPA.settings })
  const corp = { issuer: 'https://idp.test', domain_aliases: ['corp.test', 'Corp.Example'] }
  await server.addProvider('corp', 'oidc', { enabled_clients: ['spa', 'staff'], options: corp })
  const icon = { icon_url: 'https://cdn.test/git.svg' }
  await server.addProvider('github', 'github', { enabled_clients: ['spa', 'plain'], options: icon })
  await server.addProvider('google-oauth2', 'google-oauth2', { enabled_clients: ['spa', 'plain'] })
  await server.addProvider('hidden', 'okta', { enabled_clients: ['lone'], options: { domain: 'idp.test' } })
  await server.database.pool.query(
    `UPDATE connection SET settings = '{"enabled_clients": ["spa", "plain"]}' WHERE name = 'Users'`,
  )
  server.clock.advance(2)
  await server.addUser({ email: 'kim@mail.test' })
  await server.addUser({ email: 'known@corp.test' })
})
afterAll(() => server.close())

const begin = (browser: Browser, client_id = 'spa') => beginLogin(browser, { client_id })
const page = async (browser: Browser, state: string): Promise<string> =>
  (await browser.get('/u/login', { query: { state } })).text
const submit = (browser: Browser, state: string, form: Record<string, string>): Promise<TestResponse> =>
  browser.post('/u/submit', { form: { state, ...form } })
const asksPassword = (html: string): boolean => html.includes('type="password"')

describe('the login page with providers', () => {
  it('has a button for each, with its picture or its letter, and the password form before them', async () => {
    const browser = server.browser()
    const html = await page(browser, await begin(browser, 'plain'))
    expect(asksPassword(html)).toBe(true)
    expect(html).toContain('Continue with GitHub')
    expect(html).toContain('src="https://cdn.test/git.svg"')
    expect(html).toMatch(/aria-hidden="true"[^>]*>G<\/span>[^<]*Continue with Google/)
    expect(html).toContain('name="connection" value="google-oauth2"')
    expect(html.indexOf('type="password"')).toBeLessThan(html.indexOf('Continue with GitHub'))
    expect(html).not.toContain('corp')
  })

  it('has only the button of the requested provider, and a way back', async () => {
    const browser = server.browser()
    const query = authorizeQuery({ connection: 'github' })
    await browser.get('/authorize', { query })
    const state = await beginLogin(browser, { connection: 'nobody' })
    expect((await browser.get('/u/login', { query: { state } })).status).toBe(403)
    server.double.mischief = { away: 'ECONNREFUSED' }
    const shown = locationOf(await browser.get('/authorize', { query: authorizeQuery({ connection: 'corp' }) }))
    server.double.mischief = {}
    const { upstreamServers } = await server.runtime()
    upstreamServers.clear()
    expect(shown.pathname).toBe('/u/login')
    const html = (await browser.get(shown.pathname + shown.search)).text
    expect(html).toContain('Continue with corp')
    expect(html).not.toContain('GitHub')
    expect(asksPassword(html)).toBe(false)
    expect(html).toContain('value="cancel"')
  })

  it('shows an organisation’s own provider where there is no other way in', async () => {
    const browser = server.browser()
    const html = await page(browser, await begin(browser, 'lone'))
    expect(html).toContain('Continue with Okta')
    expect(asksPassword(html)).toBe(false)
    expect(html).not.toContain('name="username"')
  })
})

describe('home-realm discovery', () => {
  it('asks for the address first, and sends its domain to its provider with the address as a hint', async () => {
    const browser = server.browser()
    const state = await begin(browser)
    expect(asksPassword(await page(browser, state))).toBe(false)
    const address = locationOf(await submit(browser, state, { action: 'identify', username: ' Kim@CORP.test ' }))
    expect(address.host).toBe('idp.test')
    expect(address.searchParams.get('login_hint')).toBe(' Kim@CORP.test ')
  })

  it.each(['someone@corp.test', 'known@corp.test', 'x@corp.example'])(
    'treats every address alike: %s (UP4)',
    async (it) => {
      const browser = server.browser()
      const answer = await submit(browser, await begin(browser), { action: 'identify', username: it })
      expect([answer.status, locationOf(answer).host]).toEqual([303, 'idp.test'])
    },
  )

  it.each(['kim@mail.test', 'nobody@mail.test', 'kim', 'kim@sub.corp.test', 'kim@corp.test.evil', '@', 'a@b@c'])(
    'asks %s for a password then, known or not',
    async (username) => {
      const browser = server.browser()
      const state = await begin(browser)
      const answer = await submit(browser, state, { action: 'identify', username })
      expect(locationOf(answer).pathname + locationOf(answer).search).toBe(`/u/login?state=${state}`)
      expect(asksPassword(await page(browser, state))).toBe(true)
    },
  )

  it('lets the password in after it, and sends an address of the domain away from there too', async () => {
    const browser = server.browser()
    const state = await begin(browser)
    await submit(browser, state, { action: 'identify', username: 'kim@mail.test' })
    const away = await submit(browser, state, { action: 'login', username: 'known@corp.test', password: PASSWORD })
    expect(locationOf(away).host).toBe('idp.test')
    const answer = await submit(browser, state, { action: 'login', username: 'kim@mail.test', password: PASSWORD })
    expect(locationOf(answer).searchParams.get('code')).toBeTruthy()
  })

  it('asks again for an empty address, or one without a password', async () => {
    const browser = server.browser()
    const state = await begin(browser)
    const noticeOf = async (client: string, username: string) => {
      const handle = client === 'spa' ? state : await begin(browser, client)
      return locationOf(await submit(browser, handle, { action: 'identify', username })).searchParams.get('notice')
    }
    expect(await noticeOf('spa', ' ')).toBe('missing_identifier')
    expect(await noticeOf('staff', 'kim@mail.test')).toBe('unknown_domain')
  })

  it('is left out where the application asks for another connection, or may not use the provider', async () => {
    const browser = server.browser()
    const state = await beginLogin(browser, { connection: 'Users' })
    expect(asksPassword(await page(browser, state))).toBe(true)
    const plain = await begin(browser, 'plain')
    const answer = await submit(browser, plain, { action: 'identify', username: 'kim@corp.test' })
    expect(locationOf(answer).pathname).toBe('/u/login')
  })
})

describe('a tenant that asks for the name first', () => {
  beforeAll(() => server.setTenant({ prompts: { identifier_first: true } }))
  afterAll(() => server.setTenant({}))

  it('shows the password on the next page, whether or not the account exists, and signs in there', async () => {
    const shown = async (username: string): Promise<string> => {
      const browser = server.browser()
      const state = await begin(browser, 'plain')
      const first = await page(browser, state)
      expect([asksPassword(first), first.includes('value="identify"')]).toEqual([false, true])
      expect(first).toContain('Continue with GitHub')
      const next = await submit(browser, state, { action: 'identify', username })
      expect(locationOf(next).pathname).toBe('/u/login')
      const html = await page(browser, state)
      expect(html).toContain(`value="${username}"`)
      const done = await submit(browser, state, { action: 'login', username, password: PASSWORD })
      expect(locationOf(done).searchParams.has('code')).toBe(username === 'kim@mail.test')
      return html
        .replaceAll(state, 'STATE')
        .replaceAll(username, 'NAME')
        .replace(/nonce="[^"]*"/g, '')
    }
    const known = await shown('kim@mail.test')
    expect(asksPassword(known)).toBe(true)
    expect(await shown('nobody@mail.test')).toBe(known)
  })

  it('keeps the password field after a wrong one', async () => {
    const browser = server.browser()
    const state = await begin(browser, 'plain')
    await submit(browser, state, { action: 'identify', username: 'kim@mail.test' })
    await submit(browser, state, { action: 'login', username: 'kim@mail.test', password: 'wrong' })
    expect(asksPassword(await page(browser, state))).toBe(true)
  })
})
