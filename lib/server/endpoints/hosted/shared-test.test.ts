// Links by which a person without an account tests a login: what the page shows and begins, whom it answers, and when it ends (docs/adr/0077,
// threat-model.md AU8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseLogins } from '../../../adapters/store/sql/login-records'
import { sharedLoginStore } from '../../../adapters/store/sql/login-shares'
import { digest } from '../../../kernel/secret'
import { locationOf, SPA, signIn, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Link = { id: string; url: string; tries: number; last_outcome: string | null; last_reason: string | null }

const DAY = 86_400

let server: TestServer
let manager: Manager
let next = 0
const browserAt = (): Browser => server.browser({ ip: `203.0.113.${++next}` })

const make = async (body: Record<string, unknown> = { client_id: 'spa' }): Promise<Link> =>
  (await manager.post('/login-shares/tests', body)).json() as unknown as Link
const pathOf = ({ url }: Pick<Link, 'url'>): string => new URL(url).pathname
const open = (browser: Browser, link: Link): Promise<TestResponse> => browser.get(pathOf(link))
const begin = (browser: Browser, link: Link): Promise<TestResponse> =>
  browser.post(pathOf(link), { form: { action: 'test' }, headers: { origin: 'https://id.test' } })
const listed = async (query: string): Promise<Link[]> =>
  (await manager.get(`/login-shares?${query}`)).json() as unknown as Link[]

/** From the button to the page of the password. */
async function pageOf(browser: Browser, link: Link): Promise<string> {
  const to = locationOf(await begin(browser, link))
  return locationOf(await browser.get(to.pathname + to.search)).searchParams.get('state') ?? ''
}
/** A login by the link to its answer, which is not sent yet. */
async function answerOf(browser: Browser, link: Link, person = 'kim@mail.test'): Promise<URL> {
  return locationOf(await submitPassword(browser, await pageOf(browser, link), person))
}
const follow = (browser: Browser, { pathname, search }: URL): Promise<TestResponse> => browser.get(pathname + search)

beforeAll(async () => {
  server = await testServer()
  await server.addClient({ ...SPA, name: 'Harbour Notes' } as never)
  await server.addConnection('Closed', { enabled_clients: [] }, 'con_closed')
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test', connectionId: 'con_closed' } as never)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  manager = await addManager(server)
})
afterAll(() => server.close())

describe('the page of a link to a test', () => {
  it('says what is tested and by which parameters, without a session', async () => {
    const id = await organizationsOf(server).add('acme', { members: ['auth0|kim'] })
    const { text, status } = await open(
      browserAt(),
      await make({ connection: 'Closed', organization: id, parameters: { login_hint: 'kim@mail.test' } }),
    )
    expect(status).toBe(200)
    for (const said of ['Test a login', 'Closed', 'acme', 'login_hint', 'kim@mail.test']) expect(text).toContain(said)
  })

  it('begins nothing when it is opened', async () => {
    const [link, browser] = [await make(), browserAt()]
    const page = await open(browser, link)
    expect(page.header('set-cookie')).toBeUndefined()
    expect(await listed('kind=test')).toContainEqual(expect.objectContaining({ id: link.id, tries: 0, openings: 1 }))
  })

  it('is kept by no cache and no search engine, and names its address to no other site', async () => {
    const { header } = await open(browserAt(), await make())
    expect([header('cache-control'), header('referrer-policy'), header('x-robots-tag')]).toEqual([
      'no-store',
      'no-referrer',
      'noindex',
    ])
  })
})

describe('a login that a link begins', () => {
  it('ends at the page of the link, which shows its steps, and no token', async () => {
    const [link, browser] = [await make(), browserAt()]
    const back = await answerOf(browser, link)
    const answer = await follow(browser, back)
    expect([answer.status, locationOf(answer).href]).toEqual([303, link.url])
    const { text } = await open(browser, link)
    expect(text).toContain('The login succeeded')
    expect(text).toContain('k•••@mail.test')
    expect(text).not.toContain('kim@mail.test')
    expect(text).not.toContain(back.searchParams.get('code') ?? 'no code')
    expect(text).not.toMatch(/eyJ[\w-]{20}/)
  })

  it('is apart from the session of the browser', async () => {
    const [link, browser] = [await make(), browserAt()]
    await signIn(browser, 'kim@mail.test')
    const before = browser.cookies.get('__Host-latchkey_session')
    await follow(browser, await answerOf(browser, link))
    expect(before).toBeDefined()
    expect(browser.cookies.get('__Host-latchkey_session')).toBe(before)
  })

  it('is explained where it fails, and can be repeated', async () => {
    const link = await make({ client_id: 'spa', parameters: { audience: 'https://none.test' } })
    const browser = browserAt()
    const to = locationOf(await begin(browser, link))
    await follow(browser, locationOf(await follow(browser, to)))
    const { text } = await open(browser, link)
    expect(text).toContain('The login failed')
    expect(text).toContain('api_unknown')
    expect(text).toContain('Test it again')
    expect(await listed('kind=test&client_id=spa')).toContainEqual(
      expect.objectContaining({ id: link.id, tries: 1, last_outcome: 'failed', last_reason: 'api_unknown' }),
    )
  })

  it('opens a connection that no application has, to itself alone', async () => {
    const [link, browser] = [await make({ connection: 'Closed' }), browserAt()]
    await follow(browser, await answerOf(browser, link, 'lee@mail.test'))
    expect((await open(browser, link)).text).toContain('The login succeeded')
  })

  it('is shown in the browser that began it alone, and by its own link alone', async () => {
    const [link, other, browser] = [await make(), await make(), browserAt()]
    const back = await answerOf(browser, link)
    const stranger = browserAt()
    expect((await follow(stranger, back)).status).toBe(400)
    await begin(stranger, link)
    expect((await follow(stranger, back)).status).toBe(400)
    await follow(browser, back)
    expect((await open(browser, link)).text).toContain('The login succeeded')
    expect((await open(browserAt(), link)).text).not.toContain('The login succeeded')
    expect((await open(browser, other)).text).not.toContain('The login succeeded')
  })

  it('takes its answer once, and its request once', async () => {
    const [link, browser] = [await make(), browserAt()]
    const to = locationOf(await begin(browser, link))
    const page = locationOf(await follow(browser, to))
    expect((await follow(browser, to)).status).toBe(400)
    const back = locationOf(await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test'))
    expect((await follow(browser, back)).status).toBe(303)
    expect((await follow(browser, back)).status).toBe(400)
  })

  it('shows nothing an hour later', async () => {
    const [link, browser] = [await make(), browserAt()]
    await follow(browser, await answerOf(browser, link))
    server.clock.advance(3600)
    expect((await open(browser, link)).text).not.toContain('The login succeeded')
  })

  it('says of a wrong password what it says of an unknown name', async () => {
    const shown = async (name: string) => {
      const [link, browser] = [await make(), browserAt()]
      await submitPassword(browser, await pageOf(browser, link), name, 'not the password')
      const { text } = await open(browser, link)
      return text
        .replaceAll(/nonce="[^"]*"|<time.*?<\/time>|[0-9a-f]{32}/g, '')
        .replaceAll(pathOf(link), '')
        .replaceAll(name, '')
    }
    const [known, unknown] = [await shown('kim@mail.test'), await shown('nil@mail.test')]
    expect(known).toContain('sign_in_refused')
    expect(known).not.toMatch(/wrong_password|user_unknown|•••/)
    expect(unknown).toBe(known)
  })

  it('is no test of its maker’s own', async () => {
    const [link, browser] = [await make(), browserAt()]
    await follow(browser, await answerOf(browser, link))
    const [login] = (await manager.get(`/logins?login_share=${link.id}`)).json() as unknown as { id: string }[]
    const proof = browser.cookies.get('__Host-latchkey_test') ?? ''
    expect((await manager.post(`/login-tests/${login?.id}/steps`, { proof })).status).toBe(404)
  })

  it('is found by its link in the login inspector', async () => {
    const [link, browser] = [await make(), browserAt()]
    await follow(browser, await answerOf(browser, link))
    await server.loginLog.flush()
    const found = (await manager.get(`/logins?login_share=${link.id}`)).json() as unknown as { outcome: string }[]
    expect(found).toEqual([expect.objectContaining({ outcome: 'succeeded', client_id: 'spa' })])
  })
})

describe('a link to a test is refused', () => {
  const pages = async (link: Link) => [(await open(browserAt(), link)).status, (await begin(browserAt(), link)).status]

  it('for another login than it has left', async () => {
    const [link, browser] = [await make({ client_id: 'spa', tries: 1 }), browserAt()]
    expect((await begin(browser, link)).status).toBe(303)
    const page = await open(browser, link)
    expect([page.status, page.text.includes('<form')]).toEqual([200, false])
    expect(page.text).toContain('All logins of this link were used')
    const refused = await begin(browser, link)
    expect([refused.status, refused.header('location')]).toEqual([400, undefined])
  })

  it('for more logins at once than it has left', async () => {
    const link = await make({ client_id: 'spa', tries: 2 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => begin(browserAt(), link)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(2)
  })

  it('once it is withdrawn', async () => {
    const link = await make()
    expect((await manager.remove(`/login-shares/${link.id}`)).status).toBe(204)
    expect(await pages(link)).toEqual([400, 400])
  })

  it.each(['create:login_shares', 'create:login_tests'])('once its maker has lost %s', async (scope) => {
    const clientId = `maker-${scope.replace(/\W/g, '-')}`
    const maker = await addManager(server, { clientId })
    const link = (await maker.post('/login-shares/tests', { client_id: 'spa' })).json() as unknown as Link
    expect((await open(browserAt(), link)).status).toBe(200)
    await server.database.pool.query('UPDATE client_grant SET scopes = array_remove(scopes, $2) WHERE client_id = $1', [
      clientId,
      scope,
    ])
    expect(await pages(link)).toEqual([400, 400])
  })

  it('at another tenant', async () => {
    const secret =
      pathOf(await make())
        .split('/')
        .at(-1) ?? ''
    const at = (tenantId: string) => sharedLoginStore({ pool: server.database.pool } as never, tenantId, server.vault)
    expect(await at('other').open(digest(secret), server.clock.now(), true)).toBeNull()
    expect(await at('other').takeTry(digest(secret), 'x', server.clock.now())).toBeNull()
    expect(await at('default').open(digest(secret), server.clock.now(), true)).not.toBeNull()
  })

  it('as a link to a copy, which begins no login', async () => {
    await submitPassword(browserAt(), '', 'kim@mail.test')
    const browser = browserAt()
    await follow(browser, await answerOf(browser, await make()))
    await server.loginLog.flush()
    const [login] = (await manager.get('/logins')).json() as unknown as { id: string }[]
    const copy = (await manager.post('/login-shares', { login_id: login?.id })).json() as unknown as Link
    expect(await pages(copy)).toEqual([200, 400])
  })
})

describe('the making of a link to a test', () => {
  it('refuses what is absent, built in, of the test itself, or too much', async () => {
    const status = async (body: unknown) => (await manager.post('/login-shares/tests', body)).status
    for (const client_id of ['unknown', 'latchkey-console', '$login-test'])
      expect(await status({ client_id })).toBe(404)
    expect(await status({ connection: 'unknown' })).toBe(400)
    expect(await status({ organization: 'org_unknown' })).toBe(400)
    expect(await status({})).toBe(400)
    expect(await status({ client_id: 'spa', parameters: { redirect_uri: 'https://evil.test' } })).toBe(400)
    for (const days of [0, 31]) expect(await status({ client_id: 'spa', days })).toBe(400)
    for (const tries of [0, 51, 1.5]) expect(await status({ client_id: 'spa', tries })).toBe(400)
  })

  it('needs the scopes of links and of tests', async () => {
    const all = ['create:login_shares', 'create:login_tests']
    const status = async (scopes: string[]) =>
      (
        await manager.send('POST', '/login-shares/tests', {
          json: { client_id: 'spa' },
          token: await manager.token(scopes),
        })
      ).status
    expect(await status(all)).toBe(201)
    for (const missing of all) expect(await status(all.filter((scope) => scope !== missing))).toBe(403)
  })

  it('is in the audit log without the secret, which is stored as a digest', async () => {
    const link = await make({ client_id: 'spa', parameters: { login_hint: 'hint@mail.test' } })
    const secret = pathOf(link).split('/').at(-1) ?? 'no secret'
    const changes = (await server.audited()).map(({ details }) => details as { change?: string; target?: string })
    expect(changes.find(({ target }) => target === link.id)?.change).toBe('login_shares.create_test')
    const { rows } = await server.database.pool.query('SELECT * FROM login_share')
    const raw = JSON.stringify([changes, rows.map((row) => ({ ...row, sealed: row.sealed.toString('latin1') }))])
    expect(raw).not.toContain(secret)
    expect(raw).not.toContain('hint@mail.test')
  })

  it('ends with the erasure of the person whom it names', async () => {
    await server.addUser({ id: 'gil', email: 'gil@mail.test' })
    await submitPassword(browserAt(), '', 'gil@mail.test')
    await signIn(browserAt(), 'gil@mail.test')
    const link = await make({ client_id: 'spa', parameters: { login_hint: 'gil@mail.test' } })
    await server.audited()
    await eraseLogins(server.database.pool, 'default', 'auth0|gil', server.vault)
    expect((await open(browserAt(), link)).status).toBe(400)
  })
})

// The last, because the clock goes on for a day.
it('a link to a test that expired is refused like an unknown one', async () => {
  const link = await make({ client_id: 'spa', days: 1 })
  server.clock.advance(DAY)
  expect((await open(browserAt(), link)).status).toBe(400)
  expect((await begin(browserAt(), link)).status).toBe(400)
  expect((await begin(browserAt(), { ...link, url: 'https://id.test/shared-login/unknown' })).status).toBe(400)
})
