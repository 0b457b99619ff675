// Custom texts: put by the Management API, shown by the pages.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { beginLogin, SPA } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { acquiredDuring } from '../../../testing/sent-statements'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  // A slow load would let the cache serve the configuration from before the change.
  await import('../../../text/custom')
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
})
afterEach(() => Promise.all(PATHS.map((path) => manager.put(path, {}))))
afterAll(() => server.close())

const LOGIN = '/prompts/login/custom-text/en'
const PORTUGUESE = '/prompts/login/custom-text/pt-BR'
const CAPTCHA = '/prompts/captcha/custom-text/en'
const DUTCH = '/prompts/login/custom-text/nl'
const PATHS = [LOGIN, PORTUGUESE, CAPTCHA, DUTCH]
const client = `\${clientName}`
const userName = `\${userName}`

async function loginPage(extra: Record<string, string> = {}): Promise<string> {
  const browser = server.browser()
  const state = await beginLogin(browser, extra)
  return (await browser.get(`/u/login?state=${state}`)).text
}

async function put(path: string, texts: object): Promise<void> {
  const answer = await manager.put(path, texts)
  expect([answer.status, answer.json()]).toEqual([200, texts])
  server.clock.advance(1)
}

describe('a custom text', () => {
  it('is on the page within a second, until it is taken away', async () => {
    expect(await loginPage()).toContain('<h1 class="card-title">Sign in</h1>')
    await put(LOGIN, { login: { title: 'Welcome', pageTitle: `Log in | ${client}`, unknown: 'kept' } })
    const page = await loginPage()
    expect(page).toContain('<h1 class="card-title">Welcome</h1>')
    expect(page).toContain('<title>Log in | App spa</title>')
    expect((await manager.get(LOGIN)).json()).toMatchObject({ login: { unknown: 'kept' } })
    await put(LOGIN, { login: { title: 'Hello' } })
    expect(await loginPage()).toContain('<h1 class="card-title">Hello</h1>')
    await put(LOGIN, {})
    expect(await loginPage()).toContain('<h1 class="card-title">Sign in</h1>')
  })

  it('is text on the page, never markup', async () => {
    await put(LOGIN, { login: { title: '<script>alert(1)</script>', pageTitle: '</title><script>alert(1)</script>' } })
    const page = await loginPage()
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script>alert')
  })

  it('is for its language and for its tenant alone', async () => {
    await put(PORTUGUESE, { login: { title: 'Bem-vindo' } })
    expect(await loginPage({ ui_locales: 'pt' })).toContain('Bem-vindo')
    expect(await loginPage()).not.toContain('Bem-vindo')
    await server.addTenant('other', 'https://other.test')
    expect((await server.runtime('other.test')).customTexts).toBeUndefined()
  })

  it('waits for no language that the tenant did not enable', async () => {
    await put(LOGIN, { login: { title: 'Welcome' } })
    await manager.patch('/tenants/settings', { enabled_locales: ['de'] })
    server.clock.advance(1)
    expect(await loginPage()).toContain('<html lang="de"')
    await manager.patch('/tenants/settings', { enabled_locales: null })
  })

  it('costs no statement of a login', async () => {
    const statements = async () => {
      await loginPage()
      return acquiredDuring(server.database.pool, loginPage)
    }
    const without = await statements()
    expect(without).toBeGreaterThan(0)
    await put(LOGIN, { login: { title: 'Welcome' } })
    expect(await statements()).toBe(without)
  })
})

it.each([
  ['a long text', { login: { title: 'x'.repeat(4001) } }],
  ['too many texts', { login: Object.fromEntries(Array.from({ length: 501 }, (_, key) => [`k${key}`, 'x'])) }],
  ['an invalid text', { login: { title: { en: 'x' } } }],
])('a custom text is refused: %s', async (_what, texts) => {
  expect((await manager.put(LOGIN, texts)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
})

it('reports in the audit log the texts that no page shows', async () => {
  const login = { title: 'Welcome', 'invalid-connection': 'No', description: `For ${userName}` }
  await put(LOGIN, { login, 'login-id': { title: 'x' } })
  await put(DUTCH, { login: { title: 'Welkom' } })
  const log = (await server.audited()).map(({ details }) => details as { target?: string; not_applied?: string[] })
  expect(log.filter(({ target }) => target?.startsWith('login ')).slice(-2)).toMatchObject([
    { target: 'login en', not_applied: ['login.invalid-connection', 'login.description', 'login-id'] },
    { target: 'login nl', not_applied: ['login'] },
  ])
})

it('keeps what no page here shows', async () => {
  const texts = { captcha: { title: 'Are you human?' } }
  await put(CAPTCHA, texts)
  expect((await manager.get(CAPTCHA)).json()).toEqual(texts)
  expect((await server.runtime()).customTexts).toBeUndefined()
})
