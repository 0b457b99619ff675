// Logins at a custom database: a service of the test's own has the people, and scripts ask it (threat-model.md AC16, AC17).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import type { JsonObject } from '../../../kernel/json'
import { authorizeQuery, beginLogin, locationOf, SPA, submitPassword } from '../../../testing/journey'
import { addLegacy, LEGACY_SCRIPTS, type Legacy, openLegacy } from '../../../testing/legacy'
import { BREACHED, type TestResponse, type TestServer, testServer } from '../../../testing/server'

const PASSWORD = 'the password of before'
const REALM = 'http://auth0.com/oauth/grant-type/password-realm'

let server: TestServer
let legacy: Legacy
let runs: RunRecord[] = []
let counter = 0

beforeAll(async () => {
  server = await testServer({ actionRuns: { note: (record) => void runs.push(record) } })
  legacy = await openLegacy()
  await server.addClient({
    ...SPA,
    settings: { ...SPA.settings, grant_types: ['authorization_code', 'password', REALM] },
  })
})
afterAll(async () => {
  legacy.close()
  await server.close()
})
beforeEach(async () => {
  legacy.people.push({ user_id: '7', email: 'kim@mail.test', password: PASSWORD, name: 'Kim', email_verified: true })
})
afterEach(async () => {
  runs = []
  legacy.people.length = 0
  legacy.calls.length = 0
  await server.database.pool.query('DELETE FROM "user"')
  await server.database.pool.query("DELETE FROM connection WHERE name <> 'Users'")
  server.clock.advance(600)
})

const addDatabase = (options: JsonObject) => addLegacy(server, legacy, options)
const importing = (customScripts: JsonObject = LEGACY_SCRIPTS) => addDatabase({ import_mode: true, customScripts })
const elsewhere = (customScripts: JsonObject = LEGACY_SCRIPTS) => addDatabase({ import_mode: false, customScripts })

/** By the grant, at a network of its own. */
const signIn = (
  password = PASSWORD,
  username = 'kim@mail.test',
  realm = 'Legacy',
  ip?: string,
): Promise<TestResponse> =>
  server.browser({ ip: ip ?? `203.0.113.${++counter}` }).post('/oauth/token', {
    form: { grant_type: REALM, client_id: 'spa', realm, username, password, scope: 'openid' },
  })

const sub = (answer: TestResponse): unknown =>
  answer.status === 200
    ? JSON.parse(Buffer.from(String(answer.json().id_token).split('.')[1] ?? '', 'base64url').toString()).sub
    : answer.json()

const identities = async () =>
  (
    await server.database.pool.query(
      `SELECT connection_id, provider_user_id, user_id, email_key, password_hash IS NOT NULL AS has_password
       FROM identity ORDER BY user_id`,
    )
  ).rows

const userOf = async (id: string) =>
  (await server.database.pool.query('SELECT * FROM "user" WHERE id = $1', [id])).rows[0]

const WRONG = { error: 'invalid_grant', error_description: 'Wrong email or password.' }
const FAILED = { error: 'access_denied', error_description: 'The user database could not be asked' }

describe('a database that moves people here', () => {
  it('asks the script once, and keeps the password', async () => {
    await importing()
    expect(sub(await signIn())).toBe('auth0|7')
    expect(await identities()).toEqual([
      {
        ...{ connection_id: 'con_legacy', provider_user_id: '7', user_id: 'auth0|7', email_key: 'kim@mail.test' },
        has_password: true,
      },
    ])
    expect(await userOf('auth0|7')).toMatchObject({ name: 'Kim', email_verified: true, app_metadata: {} })
    expect(sub(await signIn())).toBe('auth0|7')
    expect(legacy.calls).toEqual(['login "kim@mail.test"'])
    expect(await signIn('another')).toMatchObject({ status: 403 })
    expect(legacy.calls).toHaveLength(1)
  })

  it('answers a wrong password and an unknown person alike', async () => {
    await importing()
    expect(sub(await signIn('wrong'))).toEqual(WRONG)
    expect(sub(await signIn(PASSWORD, 'nobody@mail.test'))).toEqual(WRONG)
    expect(await identities()).toEqual([])
  })

  it('makes one account of two first logins at the same time', async () => {
    await importing()
    const other = server.instance()
    const parallel = [server, other].flatMap((each) =>
      [1, 2].map(() =>
        each.browser({ ip: `203.0.113.${++counter}` }).post('/oauth/token', {
          form: {
            ...{ grant_type: REALM, client_id: 'spa', realm: 'Legacy', username: 'kim@mail.test' },
            ...{ password: PASSWORD, scope: 'openid' },
          },
        }),
      ),
    )
    expect((await Promise.all(parallel)).map(sub)).toEqual(['auth0|7', 'auth0|7', 'auth0|7', 'auth0|7'])
    expect(await identities()).toHaveLength(1)
  })

  it('does not accept the former password by another name, once there is a new one here', async () => {
    await addDatabase({
      ...{ import_mode: true, requires_username: true, customScripts: LEGACY_SCRIPTS },
    })
    expect(sub(await signIn())).toBe('auth0|7')
    const runtime = await server.runtime()
    const hash = await runtime.passwords.hash('a newer one')
    await server.database.pool.query('UPDATE identity SET password_hash = $1', [hash])
    Object.assign(legacy.people[0] ?? {}, { username: 'kimmy' })
    expect(sub(await signIn(PASSWORD, 'kimmy'))).toEqual(WRONG)
    expect(legacy.calls).toEqual(['login "kim@mail.test"', 'login "kimmy"'])
    expect(sub(await signIn('a newer one', 'kimmy'))).toEqual(WRONG)
    expect(sub(await signIn('a newer one'))).toBe('auth0|7')
  })

  it('takes no password that is known from a breach', async () => {
    await server.setTenant({ attackProtection: { breachedPasswordDetection: { enabled: true, shields: ['block'] } } })
    await importing()
    Object.assign(legacy.people[0] ?? {}, { password: BREACHED })
    expect(sub(await signIn(BREACHED))).toMatchObject({ error: 'password_leaked' })
    expect(await identities()).toMatchObject([{ user_id: 'auth0|7', has_password: false }])
    await server.setTenant({})
  })

  it('knows no person without a login script', async () => {
    await importing({ get_user: LEGACY_SCRIPTS.get_user })
    expect(sub(await signIn())).toEqual(WRONG)
  })
})

describe('a database that is elsewhere', () => {
  it('is asked at each login, and follows what it says', async () => {
    await elsewhere()
    expect(sub(await signIn())).toBe('auth0|7')
    Object.assign(legacy.people[0] ?? {}, {
      ...{ name: 'Kim Park', email: 'park@mail.test', email_verified: false, password: 'a newer one' },
      ...{ app_metadata: { plan: 'gold' }, user_metadata: { colour: 'blue' } },
    })
    expect(sub(await signIn())).toEqual(WRONG)
    expect(sub(await signIn('a newer one', 'park@mail.test'))).toBe('auth0|7')
    // A proven address is replaced by a proven one.
    expect(await identities()).toMatchObject([{ user_id: 'auth0|7', email_key: 'kim@mail.test', has_password: false }])
    expect(await userOf('auth0|7')).toMatchObject({
      ...{ name: 'Kim Park', email: 'kim@mail.test', email_verified: true },
      ...{ app_metadata: { plan: 'gold' }, user_metadata: { colour: 'blue' } },
    })
    Object.assign(legacy.people[0] ?? {}, { email_verified: true })
    expect(sub(await signIn('a newer one', 'park@mail.test'))).toBe('auth0|7')
    expect(await identities()).toMatchObject([{ user_id: 'auth0|7', email_key: 'park@mail.test', has_password: false }])
    expect(await userOf('auth0|7')).toMatchObject({
      ...{ name: 'Kim Park', email: 'park@mail.test', email_verified: true },
      ...{ app_metadata: { plan: 'gold' }, user_metadata: { colour: 'blue' } },
    })
  })

  it('takes no changed address for the first proof, which would remove what the person has', async () => {
    await elsewhere()
    await signIn()
    await server.database.pool.query(`UPDATE "user" SET user_metadata = '{"of":"Kim"}'`)
    for (const email_verified of [false, true]) {
      Object.assign(legacy.people[0] ?? {}, { email: 'eve@mail.test', email_verified })
      expect(sub(await signIn(PASSWORD, 'eve@mail.test'))).toBe('auth0|7')
    }
    expect(await userOf('auth0|7')).toMatchObject({ email: 'eve@mail.test', user_metadata: { of: 'Kim' } })
  })

  it('does not look at a password that is here', async () => {
    await elsewhere()
    await server.addUser({
      id: '7',
      email: 'kim@mail.test',
      password: 'of an earlier time',
      connectionId: 'con_legacy',
    })
    expect(sub(await signIn('of an earlier time'))).toEqual(WRONG)
    expect(sub(await signIn())).toBe('auth0|7')
  })

  it('keeps a verification here of the same address', async () => {
    await elsewhere()
    Object.assign(legacy.people[0] ?? {}, { email_verified: false })
    await signIn()
    await server.database.pool.query('UPDATE "user" SET email_verified = true')
    await signIn()
    expect(await userOf('auth0|7')).toMatchObject({ email_verified: true })
  })

  it('removes what was attached before the script says that the address is verified', async () => {
    await elsewhere()
    Object.assign(legacy.people[0] ?? {}, { email_verified: false })
    await signIn()
    await server.database.pool.query(`UPDATE "user" SET user_metadata = '{"of":"another"}'`)
    Object.assign(legacy.people[0] ?? {}, { email_verified: true })
    expect(sub(await signIn())).toBe('auth0|7')
    expect(await userOf('auth0|7')).toMatchObject({ email_verified: true, user_metadata: {} })
  })

  it('refuses a person whom a manager has blocked', async () => {
    await elsewhere()
    await signIn()
    await server.database.pool.query('UPDATE "user" SET blocked = true')
    expect(sub(await signIn())).toEqual(WRONG)
  })

  it('refuses every login without a login script', async () => {
    await elsewhere({ get_user: LEGACY_SCRIPTS.get_user })
    expect(sub(await signIn())).toEqual(FAILED)
  })
})

describe('an id of a script', () => {
  const INTRUDER = `async (email) => ({ user_id: 'ada', email, email_verified: true })`

  it.each([true, false])('never opens an account of another connection (import_mode: %s)', async (import_mode) => {
    await server.addUser({ id: 'ada', email: 'ada@mail.test' })
    await addDatabase({ import_mode, customScripts: { login: INTRUDER } })
    const before = await userOf('auth0|ada')
    expect(sub(await signIn(PASSWORD, 'ada@mail.test'))).toEqual(FAILED)
    expect(sub(await signIn(PASSWORD, 'eve@mail.test'))).toEqual(FAILED)
    expect(await userOf('auth0|ada')).toEqual(before)
    expect(await identities()).toMatchObject([{ connection_id: 'con_database', user_id: 'auth0|ada' }])
    expect(server.lines.some(({ fields }) => String(fields.problem).includes('belongs to another account'))).toBe(true)
  })

  it.each([true, false])('is never what a linked account was (import_mode: %s)', async (import_mode) => {
    await server.addUser({ id: 'ada', email: 'ada@mail.test' })
    await server.addUser({ id: 'bob', email: 'bob@mail.test' })
    await server.database.pool.query(`UPDATE identity SET user_id = 'auth0|bob' WHERE provider_user_id = 'ada'`)
    await server.database.pool.query(`DELETE FROM "user" WHERE id = 'auth0|ada'`)
    await addDatabase({ import_mode, customScripts: { login: INTRUDER } })
    expect(sub(await signIn(PASSWORD, 'eve@mail.test'))).toEqual(FAILED)
    expect(await userOf('auth0|ada')).toBeUndefined()
  })

  it.each([true, false])('never takes the address of another account (import_mode: %s)', async (import_mode) => {
    await addDatabase({
      import_mode,
      customScripts: { login: `async (name) => ({ user_id: name.split('@')[0], email: 'shared@mail.test' })` },
    })
    expect(sub(await signIn(PASSWORD, 'one@mail.test'))).toBe('auth0|one')
    expect(sub(await signIn(PASSWORD, 'two@mail.test'))).toEqual(FAILED)
    expect(await identities()).toMatchObject([{ user_id: 'auth0|one', email_key: 'shared@mail.test' }])
  })

  it('never moves an address to another account', async () => {
    await elsewhere()
    legacy.people.push({ user_id: '8', email: 'lee@mail.test', password: PASSWORD })
    await signIn()
    expect(sub(await signIn(PASSWORD, 'lee@mail.test'))).toBe('auth0|8')
    Object.assign(legacy.people[1] ?? {}, { email: 'kim@mail.test', username: 'lee' })
    expect(sub(await signIn(PASSWORD, 'lee'))).toEqual(FAILED)
    expect((await identities()).map(({ email_key }) => email_key)).toEqual(['kim@mail.test', 'lee@mail.test'])
  })

  it('links no account by its address, verified or not', async () => {
    await server.addUser({ id: 'ada', email: 'ada@mail.test', data: { emailVerified: true } })
    for (const email_verified of [false, true]) {
      await server.database.pool.query("DELETE FROM connection WHERE name = 'Legacy'")
      await addDatabase({
        customScripts: {
          login: `async (email) => ({ user_id: 'own-${email_verified}', email, email_verified: ${email_verified} })`,
        },
      })
      expect(sub(await signIn(PASSWORD, 'ada@mail.test'))).toBe(`auth0|own-${email_verified}`)
    }
    const own = (await identities()).filter(({ user_id }) => user_id === 'auth0|ada')
    expect(own).toMatchObject([{ connection_id: 'con_database' }])
  })
})

describe('a script that fails', () => {
  it.each([
    ['throws', `() => { throw new Error('the service said ${PASSWORD}') }`],
    ['calls back with an error', `(email, password, callback) => callback(new Error('down'))`],
    ['rejects', `async () => { throw 'down' }`],
    ['never answers', `(email, password, callback) => {}`],
    ['waits for ever', `() => new Promise(() => {})`],
    ['is no function', `42`],
    ['answers with a text', `async () => 'kim'`],
    ['answers with a list', `async () => []`],
    ['answers without an id', `async (email) => ({ email })`],
    ['answers with an invalid id', `async (email) => ({ user_id: { $ne: 1 }, email })`],
    ['answers with blanks in the id', `async (email) => ({ user_id: 'a b', email })`],
    ['answers with an invalid address', `async () => ({ user_id: '1', email: 'kim' })`],
    ['answers without an address', `async () => ({ user_id: '1' })`],
    ['answers with an invalid flag', `async (email) => ({ user_id: '1', email, email_verified: 'yes' })`],
    ['answers with a script as picture', `async (email) => ({ user_id: '1', email, picture: 'javascript:alert(1)' })`],
    ['answers with half a character', `async (email) => ({ user_id: '1', email, name: '\\ud800' })`],
    ['answers with NUL', `async (email) => ({ user_id: '1', email, name: 'a\\u0000' })`],
    [
      'answers with too much metadata',
      `async (email) => ({ user_id: '1', email, app_metadata: { a: 'x'.repeat(40000) } })`,
    ],
    ['uses a method that is not there', `(e, p, callback) => require('bcrypt').none(callback)`],
  ])('%s: says so, counts the guess and refuses the login', async (_what, login) => {
    await importing({ login })
    const answer = await signIn()
    expect([answer.status, sub(answer)]).toEqual([403, FAILED])
    expect(await identities()).toEqual([])
  })

  it('reaches nothing of the server', async () => {
    await importing({
      login: `async (email) => ({ user_id: '1', email, app_metadata: {
        env: Object.keys(process.env).length, fs: (() => { try { return typeof require('fs').readFileSync } catch { return 'none' } })(),
      } })`,
    })
    expect(sub(await signIn())).toBe('auth0|1')
    expect((await userOf('auth0|1')).app_metadata).toEqual({ env: 0, fs: 'none' })
  })

  it('has its prototype members left out', async () => {
    await importing({
      login: `async (email) => JSON.parse('{"user_id":"1","email":"' + email + '","app_metadata":{"__proto__":{"admin":true},"a":1}}')`,
    })
    expect(sub(await signIn())).toBe('auth0|1')
    expect((await userOf('auth0|1')).app_metadata).toEqual({ a: 1 })
  })

  it.each([
    ['UnauthorizedError', `new UnauthorizedError('ask the help desk')`],
    ['ValidationError', `new ValidationError('locked', 'ask the help desk')`],
  ])('may name a reason by %s', async (_what, error) => {
    await importing({ login: `(email, password, callback) => callback(${error})` })
    expect(sub(await signIn())).toEqual({ error: 'access_denied', error_description: 'ask the help desk' })
  })

  it('never passes two answers on', async () => {
    await importing({
      login: `(email, password, callback) => { callback(new WrongUsernameOrPasswordError(email)); callback(null, { user_id: '1', email }) }`,
    })
    expect(sub(await signIn())).toEqual(WRONG)
    expect(await identities()).toEqual([])
  })
})

describe('the password', () => {
  it('is in no record of a run, no log and no message', async () => {
    const secret = 'pass "word" ümlaut 9'
    await elsewhere({
      login: `async (email, password) => {
        console.log(password, JSON.stringify({ password }), encodeURIComponent(password), configuration.KEY)
        console.log(Buffer.from(password).toString('base64'))
        throw new UnauthorizedError('no ' + password)
      }`,
    })
    const answer = await signIn(secret)
    expect(sub(answer)).toEqual({ error: 'access_denied', error_description: 'no ***' })
    expect(runs).toMatchObject([{ trigger: 'connection-script', action: 'Legacy/login', outcome: 'denied' }])
    const all = [JSON.stringify([runs, server.lines, await server.audited()])].join()
    expect(all).not.toMatch(/ümlaut|%C3%BCmlaut|hush-of/)
    expect(all).not.toContain(Buffer.from(secret).toString('base64'))
  })

  it('is recorded with its request, of which only method, host and status are kept', async () => {
    await elsewhere()
    await signIn()
    expect(runs).toMatchObject([
      { outcome: 'ok', lines: [{ level: 'request', text: expect.stringMatching(/^POST 127\.0\.0\.1\S* 200 /) }] },
    ])
    expect(JSON.stringify([runs, server.lines, await server.audited()])).not.toContain(PASSWORD)
  })
})

describe('the protections', () => {
  let ip = ''
  beforeEach(() => {
    ip = `198.51.100.${++counter}`
  })

  it.each([
    ['says that it is wrong', LEGACY_SCRIPTS.login, WRONG],
    ['throws', `() => { throw new Error('no') }`, FAILED],
  ])('count a guess whose script %s, and then ask it no more', async (_what, login, outcome) => {
    await elsewhere({ login: login.replace('{', `{ console.log('called');`) })
    for (let index = 0; index < 10; index++)
      expect(sub(await signIn('wrong', 'kim@mail.test', 'Legacy', ip))).toEqual(outcome)
    expect(runs).toHaveLength(10)
    expect((await signIn(PASSWORD, 'kim@mail.test', 'Legacy', ip)).status).toBe(429)
    expect(runs).toHaveLength(10)
  })

  it('evaluate no more than ten of thirty guesses at the same time', async () => {
    await elsewhere()
    const all = Array.from({ length: 30 }, () => signIn('wrong', 'kim@mail.test', 'Legacy', ip))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 429)).toHaveLength(legacy.calls.length)
    expect(legacy.calls.length).toBeLessThanOrEqual(10)
  })
})

describe('several databases', () => {
  const onPage = async (username: string, password: string) => {
    const browser = server.browser({ ip: `203.0.113.${++counter}` })
    return locationOf(await submitPassword(browser, await beginLogin(browser), username, password))
  }

  it('show a script no password that opened another one', async () => {
    await elsewhere()
    await server.setTenant({ tenant: { default_directory: 'Legacy' } })
    await server.addUser({ id: 'ada', email: 'ada@mail.test' })
    expect((await onPage('ada@mail.test', 'correct horse battery staple')).searchParams.has('code')).toBe(true)
    expect(legacy.calls).toEqual([])
    expect((await onPage('kim@mail.test', PASSWORD)).searchParams.has('code')).toBe(true)
    expect(legacy.calls).toEqual(['login "kim@mail.test"'])
    await server.setTenant({})
  })

  it('say on the page that a script failed', async () => {
    await elsewhere({ login: `() => { throw new Error('no') }` })
    const page = await onPage('kim@mail.test', PASSWORD)
    expect(page.pathname).toBe('/u/login')
    expect(page.searchParams.get('notice')).toBe('upstream_failed')
  })
})

it.each(['/co/authenticate', '/usernamepassword/login'])('%s asks the script', async (path) => {
  await elsewhere()
  const ask = (password: string) => {
    const body = { ...authorizeQuery(), username: 'kim@mail.test', password, connection: 'Legacy', realm: 'Legacy' }
    const headers = { origin: path === '/co/authenticate' ? 'https://app.test' : 'https://id.test' }
    const credential_type = REALM
    return server.browser().post(path, {
      json:
        path === '/co/authenticate'
          ? { client_id: 'spa', username: body.username, password, realm: 'Legacy', credential_type }
          : body,
      headers,
    })
  }
  expect((await ask(PASSWORD)).status).toBe(200)
  expect((await ask('wrong')).status).toBe(403)
  await server.database.pool.query(
    `UPDATE connection SET settings = jsonb_set(settings, '{options,customScripts,login}', '"42"') WHERE name = 'Legacy'`,
  )
  server.clock.advance(2)
  const failed = await ask(PASSWORD)
  expect([failed.status, failed.text]).toEqual([expect.any(Number), expect.stringContaining('could not be asked')])
  expect(failed.status).toBeLessThan(500)
})

it('goes on after a password that a page sent for another name of the person', async () => {
  await importing()
  Object.assign(legacy.people[0] ?? {}, { username: 'kimmy' })
  const browser = server.browser({ ip: '198.51.100.201' })
  const json = { client_id: 'spa', username: 'kimmy', password: PASSWORD, realm: 'Legacy', credential_type: REALM }
  const { login_ticket } = (
    await browser.post('/co/authenticate', { json, headers: { origin: 'https://app.test' } })
  ).json()
  const query = authorizeQuery({ login_ticket: String(login_ticket), realm: 'Legacy' })
  expect(locationOf(await browser.get('/authorize', { query })).searchParams.has('code')).toBe(true)
  const { rows } = await server.database.pool.query('SELECT password_changed_at FROM identity')
  expect(rows).toEqual([{ password_changed_at: null }])
})

it('gives a script its context where the connection says so', async () => {
  await addDatabase({
    enable_script_context: true,
    customScripts: {
      login: `async (email, password, context) => ({ user_id: '1', email, app_metadata: { context } })`,
    },
  })
  await signIn(PASSWORD, 'kim@mail.test', 'Legacy', '198.51.100.77')
  expect((await userOf('auth0|1')).app_metadata.context).toEqual({
    ...{ tenant: { name: 'default' }, connection: { name: 'Legacy' } },
    ...{ client: { client_id: 'spa' }, request: { ip: '198.51.100.77' } },
  })
})
