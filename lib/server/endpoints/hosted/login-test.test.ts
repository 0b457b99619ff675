// Tests of logins: what their result has, and that the server's own callback serves nothing else (docs/adr/0072, threat-model.md AZ14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_CLIENT } from '../../../data/clients/login-test'
import { scopesOfRole } from '../../../management/operations/console-roles'
import { authorizeQuery, beginLogin, locationOf, redeem, SPA, signIn, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { type Browser, type TestResponse, type TestServer, testServer } from '../../../testing/server'

type Step = { kind: string; subject: string; outcome: string; claims?: Record<string, Record<string, unknown>> }
type Login = { outcome: string; reason: string | null; client_id: string | null; steps: Step[] }
type Made = { login_id: string; url: string }

const CALLBACK = 'https://id.test/login-test/callback'

let server: TestServer
let manager: Manager
let next = 0
const browserAt = (): Browser => server.browser({ ip: `203.0.113.${++next}` })

const make = async (body: Record<string, unknown> = { client_id: 'spa' }): Promise<Made> =>
  (await manager.post('/login-tests', body)).json() as unknown as Made
const follow = (browser: Browser, answer: TestResponse): Promise<TestResponse> => {
  const { pathname, search } = locationOf(answer)
  return browser.get(pathname + search)
}
/** The address of the authorization request. */
const startOf = async (browser: Browser, { url }: Made): Promise<URL> => {
  const { pathname, search } = new URL(url)
  return locationOf(await browser.get(pathname + search))
}
/** From the start to the answer at the callback, which is not sent yet. */
async function answerOf(browser: Browser, made: Made, person = 'kim@mail.test'): Promise<URL> {
  const to = await startOf(browser, made)
  const page = locationOf(await browser.get(to.pathname + to.search))
  return locationOf(await submitPassword(browser, page.searchParams.get('state') ?? '', person))
}
async function inspected({ login_id }: Made): Promise<Login> {
  await server.loginLog.flush()
  const login = (await manager.get(`/logins/${login_id}`)).json() as unknown as Login & {
    requests?: { steps: Step[] }[]
  }
  return { ...login, steps: login.requests?.flatMap(({ steps }) => steps) ?? [] }
}
const claimsOf = ({ steps }: Login) => steps.find(({ kind }) => kind === 'tokens')?.claims

beforeAll(async () => {
  server = await testServer()
  await server.addClient(SPA)
  await server.addClient({ ...SPA, clientId: 'other' })
  await server.addConnection('Closed', { enabled_clients: [] }, 'con_closed')
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
  await server.addUser({ id: 'lee', email: 'lee@mail.test', connectionId: 'con_closed' } as never)
  manager = await addManager(server)
})
afterAll(() => server.close())

describe('a test of an application', () => {
  it('is a real login, whose tokens are decoded for the inspector and leave the server nowhere', async () => {
    const [browser, made] = [browserAt(), await make()]
    const back = await answerOf(browser, made)
    expect(back.origin + back.pathname).toBe(CALLBACK)
    const answer = await browser.get(back.pathname + back.search)
    expect(answer.status).toBe(303)
    expect(locationOf(answer).pathname).toBe(`/console/logins/${made.login_id}`)
    expect(answer.text).toBe('')
    const login = await inspected(made)
    expect(login).toMatchObject({ outcome: 'succeeded', client_id: 'spa' })
    expect(claimsOf(login)?.id_token).toMatchObject({ sub: 'auth0|kim', aud: 'spa', email: 'kim@mail.test' })
  })

  it('leaves the session of the browser alone, and no session or token of its own', async () => {
    const browser = browserAt()
    await signIn(browser, 'kim@mail.test')
    const before = browser.cookies.get('__Host-latchkey_session')
    const back = await answerOf(
      browser,
      await make({ client_id: 'spa', parameters: { scope: 'openid offline_access' } }),
    )
    await browser.get(back.pathname + back.search)
    expect(before).toBeDefined()
    expect(browser.cookies.get('__Host-latchkey_session')).toBe(before)
    const silent = locationOf(await browser.get('/authorize', { query: authorizeQuery({ prompt: 'none' }) }))
    expect(silent.searchParams.has('code')).toBe(true)
    const { rows } = await server.database.pool.query(
      'SELECT count(*)::int AS count FROM session WHERE user_id = $1 AND ended_at IS NULL',
      ['auth0|kim'],
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  it('shows the parameter that is refused, as the first thing that went wrong', async () => {
    const [browser, made] = [
      browserAt(),
      await make({ client_id: 'spa', parameters: { audience: 'https://none.test' } }),
    ]
    const to = await startOf(browser, made)
    const answer = await follow(browser, await browser.get(to.pathname + to.search))
    expect(locationOf(answer).pathname).toBe(`/console/logins/${made.login_id}`)
    expect(await inspected(made)).toMatchObject({ outcome: 'failed', reason: 'api_unknown', client_id: 'spa' })
  })

  it('takes tokens that are answered without a code', async () => {
    await server.addClient({ ...SPA, clientId: 'hybrid', settings: { ...SPA.settings, grant_types: ['implicit'] } })
    const [browser, made] = [
      browserAt(),
      await make({ client_id: 'hybrid', parameters: { response_type: 'id_token token' } }),
    ]
    const to = await startOf(browser, made)
    expect(to.searchParams.get('response_mode')).toBe('form_post')
    const page = locationOf(await browser.get(to.pathname + to.search))
    const form = await submitPassword(browser, page.searchParams.get('state') ?? '', 'kim@mail.test')
    const fields = Object.fromEntries(
      [...form.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
    expect(form.text).toContain(`action="${CALLBACK}"`)
    await browser.post('/login-test/callback', { form: fields, headers: { origin: 'https://id.test' } })
    expect(claimsOf(await inspected(made))?.id_token).toMatchObject({ sub: 'auth0|kim', aud: 'hybrid' })
    await server.loginLog.flush()
    const { rows } = await server.database.pool.query('SELECT sealed FROM login_part')
    const plain = rows.map(({ sealed }) => server.vault.open('login part', sealed)?.toString() ?? '').join()
    expect(plain).not.toContain(fields.id_token?.split('.')[2] ?? 'no token')
    expect(plain).not.toContain(fields.access_token ?? 'no token')
  })

  it('refuses parameters of its own, built-in applications, and what is too much', async () => {
    const refused = async (body: Record<string, unknown>) => (await manager.post('/login-tests', body)).status
    for (const own of ['redirect_uri', 'state', 'code_challenge', 'response_mode', 'request', 'login_ticket'])
      expect(await refused({ client_id: 'spa', parameters: { [own]: 'x' } })).toBe(400)
    for (const client_id of ['latchkey-console', '$account', TEST_CLIENT, 'unknown'])
      expect(await refused({ client_id })).toBe(404)
    expect(await refused({})).toBe(400)
    expect(await refused({ client_id: 'spa', parameters: { a: 'x'.repeat(2000), b: 'x'.repeat(2000) } })).toBe(400)
  })
})

describe('a test of a connection', () => {
  it('opens it although no application has it, and no other', async () => {
    const [browser, made] = [browserAt(), await make({ connection: 'Closed' })]
    const back = await answerOf(browser, made, 'lee@mail.test')
    expect((await browser.get(back.pathname + back.search)).status).toBe(303)
    expect(await inspected(made)).toMatchObject({ outcome: 'succeeded', client_id: TEST_CLIENT })
    const other = browserAt()
    const to = await startOf(other, await make({ connection: 'Closed' }))
    const page = locationOf(await other.get(to.pathname + to.search))
    const wrong = await submitPassword(other, page.searchParams.get('state') ?? '', 'kim@mail.test')
    expect(locationOf(wrong).pathname).not.toBe('/login-test/callback')
  })

  it('opens it to no request but the test', async () => {
    const query = authorizeQuery({ client_id: TEST_CLIENT, connection: 'Closed', redirect_uri: CALLBACK })
    expect((await browserAt().get('/authorize', { query })).status).toBe(400)
    const form = {
      client_id: TEST_CLIENT,
      connection: 'Closed',
      email: 'new@mail.test',
      password: 'a new long password',
    }
    expect((await browserAt().post('/dbconnections/signup', { json: form })).status).toBe(400)
    const grant = { grant_type: 'password', client_id: TEST_CLIENT, username: 'lee@mail.test', password: 'x' }
    expect((await browserAt().post('/oauth/token', { form: grant })).status).toBeGreaterThanOrEqual(400)
  })
})

it('a test of an organization signs a member in to it', async () => {
  const id = await organizationsOf(server).add('acme', { members: ['auth0|kim'] })
  const [browser, made] = [browserAt(), await make({ organization: id })]
  const back = await answerOf(browser, made)
  await browser.get(back.pathname + back.search)
  const login = await inspected(made)
  expect(login).toMatchObject({ outcome: 'succeeded', client_id: TEST_CLIENT })
  expect(claimsOf(login)?.id_token).toMatchObject({ org_id: id })
})

describe('the callback of tests', () => {
  const authorizeAt = (browser: Browser, to: URL, changes: Record<string, string> = {}) =>
    browser.get('/authorize', { query: { ...Object.fromEntries(to.searchParams), ...changes } })

  it('is no callback of any application without a test', async () => {
    for (const state of ['', 'x', 'a.b'])
      expect(
        (await browserAt().get('/authorize', { query: authorizeQuery({ redirect_uri: CALLBACK, state }) })).text,
      ).toContain('callback')
    const answer = await browserAt().get('/authorize', { query: authorizeQuery({ redirect_uri: CALLBACK }) })
    expect(answer.status).toBe(400)
    expect(answer.header('location')).toBeUndefined()
  })

  it('serves one request: a replay is refused', async () => {
    const browser = browserAt()
    const to = await startOf(browser, await make())
    expect((await authorizeAt(browser, to)).status).toBe(302)
    expect((await authorizeAt(browser, to)).status).toBe(400)
  })

  it('serves no other application, and no other address', async () => {
    const browser = browserAt()
    const to = await startOf(browser, await make())
    expect((await authorizeAt(browser, to, { client_id: 'other' })).status).toBe(400)
    for (const redirect_uri of [`${CALLBACK}/x`, `${CALLBACK}?x=1`, 'https://evil.test/login-test/callback'])
      expect((await authorizeAt(browser, to, { redirect_uri })).status).toBe(400)
    // None of them has used the test.
    expect((await authorizeAt(browser, to)).status).toBe(302)
  })

  it('serves no request that was pushed', async () => {
    const to = await startOf(browserAt(), await make())
    const form = Object.fromEntries(to.searchParams)
    const pushed = await browserAt().post('/oauth/par', { form })
    expect(pushed.status).toBe(400)
  })

  it('begins a test once, and for minutes', async () => {
    const [browser, made] = [browserAt(), await make()]
    await startOf(browser, made)
    const { pathname, search } = new URL(made.url)
    expect((await browser.get(pathname + search)).status).toBe(400)
    const late = await make()
    server.clock.advance(600)
    const ended = new URL(late.url)
    expect((await browserAt().get(ended.pathname + ended.search)).status).toBe(400)
    expect((await browserAt().get('/login-test/start?ticket=x')).status).toBe(400)
  })

  it('takes an answer once, in the browser that began the test', async () => {
    const [browser, made] = [browserAt(), await make()]
    const back = await answerOf(browser, made)
    const address = back.pathname + back.search
    const thief = browserAt()
    await startOf(thief, await make())
    expect((await thief.get(address)).status).toBe(400)
    expect((await browserAt().get(address)).status).toBe(400)
    expect((await browser.get(address)).status).toBe(303)
    expect((await browser.get(address)).status).toBe(400)
    expect((await browser.get('/login-test/callback?code=x&state=y')).status).toBe(400)
  })

  it('takes no code of another application or of another request', async () => {
    const stolen = [
      (await signIn(browserAt(), 'kim@mail.test', { client_id: 'other' })).get('code') ?? '',
      (await signIn(browserAt(), 'kim@mail.test')).get('code') ?? '',
    ]
    for (const code of stolen) {
      const [browser, made] = [browserAt(), await make()]
      const to = await startOf(browser, made)
      const state = to.searchParams.get('state') ?? ''
      expect((await browser.get('/login-test/callback', { query: { code, state } })).status).toBe(303)
      expect(claimsOf(await inspected(made))).toBeUndefined()
    }
  })

  it('gives a code that its application cannot redeem', async () => {
    const back = await answerOf(browserAt(), await make())
    const code = back.searchParams.get('code') ?? ''
    expect(code).not.toBe('')
    expect((await redeem(browserAt(), code)).status).toBeGreaterThanOrEqual(400)
    expect((await redeem(browserAt(), code, { redirect_uri: CALLBACK })).status).toBeGreaterThanOrEqual(400)
  })
})

it('another login of the same browser is not part of the test', async () => {
  const browser = browserAt()
  const to = await startOf(browser, await make())
  await browser.get(to.pathname + to.search)
  const state = await beginLogin(browser)
  const answer = locationOf(await submitPassword(browser, state, 'kim@mail.test'))
  expect(answer.origin).toBe('https://app.test')
  expect(browser.cookies.get('__Host-latchkey_session')).toBeDefined()
})

it('everyone but the auditor makes tests, and without the scope of the logins only of an application', async () => {
  const may = (['owner', 'admin', 'auditor', 'user_support', 'application_editor'] as const).filter((role) =>
    scopesOfRole(role).includes('create:login_tests'),
  )
  expect(may).toEqual(['owner', 'admin', 'user_support', 'application_editor'])
  const status = async (json: unknown) =>
    (await manager.send('POST', '/login-tests', { json, token: await manager.token(['create:login_tests']) })).status
  expect(await status({ client_id: 'spa' })).toBe(201)
  expect(await status({ connection: 'Closed' })).toBe(403)
  expect(await status({ organization: 'org_x' })).toBe(403)
})

describe('the steps of a test of one’s own', () => {
  const own = async (login: string, proof: string, by = manager) =>
    by.send('POST', `/login-tests/${login}/steps`, {
      json: { proof },
      token: await by.token(['create:login_tests']),
    })
  const cookieOf = (browser: Browser): string => browser.cookies.get('__Host-latchkey_test') ?? ''

  it('are read by who made it, with the cookie of the browser that began it', async () => {
    const [browser, made] = [browserAt(), await make()]
    const back = await answerOf(browser, made)
    await browser.get(back.pathname + back.search)
    const read = await own(made.login_id, cookieOf(browser))
    expect([read.status, read.json()]).toEqual([
      200,
      expect.objectContaining({ id: made.login_id, outcome: 'succeeded' }),
    ])
  })

  it('are read with no other cookie, by no one else, of no other login, and no longer than an hour', async () => {
    const other = await addManager(server, { clientId: 'another' })
    const [browser, made] = [browserAt(), await make()]
    const back = await answerOf(browser, made)
    await browser.get(back.pathname + back.search)
    const stranger = browserAt()
    const elsewhere = await make()
    await startOf(stranger, elsewhere)
    for (const proof of ['', 'x', cookieOf(stranger)]) expect((await own(made.login_id, proof)).status).toBe(404)
    expect((await own(made.login_id, cookieOf(browser), other)).status).toBe(404)
    expect((await own(elsewhere.login_id, cookieOf(browser))).status).toBe(404)
    server.clock.advance(3600)
    expect((await own(made.login_id, cookieOf(browser))).status).toBe(404)
  })
})
