// Links to a copy of one login: what a holder sees, who makes and withdraws them, and when they end (docs/adr/0071, threat-model.md AU6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseLogins } from '../../../adapters/store/sql/login-records'
import { scopesOfRole } from '../../../management/operations/console-roles'
import { authorizeQuery, beginLogin, SPA, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

type Share = {
  id: string
  url: string
  login_id: string
  expires_at: string
  openings: number
  last_opened_at: string | null
  created_by: { client_id?: string }
}

const DAY = 86_400

let server: TestServer
let manager: Manager
let failed: string

const share = async (body: Record<string, unknown> = {}): Promise<Share> =>
  (await manager.post('/login-shares', { login_id: failed, ...body })).json() as unknown as Share
const listed = async (login = failed): Promise<Share[]> =>
  (await manager.get(`/login-shares?login_id=${login}`)).json() as unknown as Share[]
const open = (url: string) => server.browser({ ip: '203.0.113.99' }).get(new URL(url).pathname)

async function newestLogin(): Promise<string> {
  await server.loginLog.flush()
  const [login] = (await manager.get('/logins')).json() as unknown as { id: string }[]
  return login?.id ?? ''
}

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: 'kim.lee@mail.test' })
  manager = await addManager(server)
  const browser = server.browser({ ip: '203.0.113.7', userAgent: 'Mosaic/1' })
  await submitPassword(browser, await beginLogin(browser), 'kim.lee@mail.test', 'not the password')
  failed = await newestLogin()
})
afterAll(() => server.close())

describe('the page of a link', () => {
  it('shows the copy without a session, and without what belongs to the person', async () => {
    const { url } = await share()
    const page = await open(url)
    expect(page.status).toBe(200)
    expect(page.text).toContain('The login failed')
    expect(page.text).toContain('wrong_password')
    expect(page.text).toContain('k•••@mail.test')
    expect(page.text).toContain(failed)
    for (const secret of ['kim.lee', '203.0.113.7', 'Mosaic', 'auth0|kim']) expect(page.text).not.toContain(secret)
  })

  it('is kept by no cache and no search engine, and names its address to no other site', async () => {
    const { header } = await open((await share()).url)
    expect(header('cache-control')).toBe('no-store')
    expect(header('referrer-policy')).toBe('no-referrer')
    expect(header('x-robots-tag')).toBe('noindex')
  })

  it('does not have what happened after the link was made', async () => {
    // The list is by the time of the start.
    server.clock.advance(1)
    const browser = server.browser({ ip: '203.0.113.8' })
    const state = await beginLogin(browser)
    await submitPassword(browser, state, 'kim.lee@mail.test', 'not the password')
    const login = await newestLogin()
    const { url } = await share({ login_id: login })
    server.clock.advance(1)
    await submitPassword(browser, state, 'kim.lee@mail.test')
    await server.loginLog.flush()
    expect((await manager.get(`/logins/${login}`)).json()).toMatchObject({ outcome: 'succeeded' })
    expect((await open(url)).text).toContain('The login failed')
  })
})

describe('a link', () => {
  it('says who made it, until when it opens, and how often it was opened', async () => {
    const made = await share({ days: 1 })
    expect(made.url).toMatch(/^https:\/\/id\.test\/shared-login\/[\w-]{43}$/)
    expect(new Date(made.expires_at).getTime()).toBe(server.clock.now().getTime() + DAY * 1000)
    await open(made.url)
    await open(made.url)
    const [shown] = await listed()
    expect(shown).toMatchObject({
      id: made.id,
      login_id: failed,
      created_by: { client_id: 'manager' },
      openings: 2,
      last_opened_at: server.clock.now().toISOString(),
    })
    expect(shown).not.toHaveProperty('url')
  })

  it('lasts seven days unless the request says otherwise, and thirty at most', async () => {
    expect(new Date((await share()).expires_at).getTime()).toBe(server.clock.now().getTime() + 7 * DAY * 1000)
    for (const days of [0, 31, 1.5, '7'])
      expect((await manager.post('/login-shares', { login_id: failed, days })).status).toBe(400)
    expect((await manager.post('/login-shares', { login_id: 'unknown' })).status).toBe(404)
    expect((await manager.remove('/login-shares/lsh_unknown')).status).toBe(404)
  })

  it('is stored without its secret, and its copy is sealed', async () => {
    const { url } = await share()
    const { rows } = await server.database.pool.query('SELECT * FROM login_share')
    const raw = JSON.stringify(rows.map((row) => ({ ...row, sealed: row.sealed.toString('latin1') })))
    expect(raw).not.toContain(url.split('/').at(-1))
    expect(raw).not.toContain('mail.test')
    expect(raw).not.toContain('wrong_password')
  })

  it('has its making and its withdrawal in the audit log, without the secret', async () => {
    const made = await share()
    await manager.remove(`/login-shares/${made.id}`)
    const changes = (await server.audited()).map(({ details }) => details as { change?: string; target?: string })
    expect(changes.filter(({ target }) => target === made.id).map(({ change }) => change)).toEqual([
      'login_shares.create',
      'login_shares.delete',
    ])
    expect(JSON.stringify(changes)).not.toContain(made.url.split('/').at(-1))
  })
})

describe('who may', () => {
  it('make and withdraw: owner, admin and user support, with scopes of their own', async () => {
    const may = (scope: 'create:login_shares' | 'delete:login_shares') =>
      (['owner', 'admin', 'auditor', 'user_support', 'application_editor'] as const).filter((role) =>
        scopesOfRole(role).includes(scope),
      )
    expect(may('create:login_shares')).toEqual(['owner', 'admin', 'user_support'])
    expect(may('delete:login_shares')).toEqual(['owner', 'admin', 'user_support'])
  })

  it('needs the scope of the logins beside that of the links', async () => {
    const post = async (scopes: string[]) =>
      (
        await manager.send('POST', '/login-shares', {
          json: { login_id: failed },
          token: await manager.token(scopes),
        })
      ).status
    expect(await post(['read:logins'])).toBe(403)
    expect(await post(['create:login_shares'])).toBe(403)
    expect(await post(['read:logins', 'create:login_shares'])).toBe(201)
    const { id } = await share()
    const withdraw = await manager.send('DELETE', `/login-shares/${id}`, {
      token: await manager.token(['read:logins']),
    })
    expect(withdraw.status).toBe(403)
  })
})

it('a link to a login is erased with the person, also where the login is gone', async () => {
  const browser = server.browser({ ip: '203.0.113.9' })
  server.clock.advance(1)
  await submitPassword(browser, await beginLogin(browser), 'kim.lee@mail.test')
  const login = await newestLogin()
  const { url } = await share({ login_id: login })
  await server.database.pool.query('DELETE FROM login_record WHERE id = $1', [login])
  await eraseLogins(server.database.pool, 'default', 'auth0|kim', server.vault)
  expect((await open(url)).status).toBe(400)
  expect(await listed(login)).toEqual([])
})

it('a refused request has a copy as well', async () => {
  server.clock.advance(1)
  await server.browser({ ip: '203.0.113.10' }).get('/authorize', {
    query: authorizeQuery({ redirect_uri: 'https://elsewhere.test/cb' }),
  })
  const { url } = await share({ login_id: await newestLogin() })
  expect((await open(url)).text).toContain('callback_not_registered')
})

// The last, because the clock goes on for a day.
it('there is one page for a link that is unknown, expired or withdrawn', async () => {
  const of = { login_id: await newestLogin() }
  const [expired, withdrawn] = [await share({ ...of, days: 1 }), await share(of)]
  expect((await manager.remove(`/login-shares/${withdrawn.id}`)).status).toBe(204)
  server.clock.advance(DAY)
  const pages = [await open(expired.url), await open(withdrawn.url), await open('https://id.test/shared-login/unknown')]
  expect(pages.map(({ status }) => status)).toEqual([400, 400, 400])
  // Without the nonce and the number of the request.
  const texts = pages.map(({ text }) => text.replaceAll(/nonce="[^"]*"|<dd[^>]*>[^<]*<\/dd>/g, ''))
  expect(texts[0]).toContain('This link no longer works')
  expect(new Set(texts).size).toBe(1)
})
