// Sign-up and new passwords at a custom database (threat-model.md AC17).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../identity/tenant-code/actions/runs'
import type { JsonObject } from '../../../kernel/json'
import { beginLogin, locationOf, SPA } from '../../../testing/journey'
import { addLegacy, LEGACY_SCRIPTS, type Legacy, openLegacy } from '../../../testing/legacy'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

const OLD = 'the password of before'
const NEW = 'a lantern over the harbour'
const REALM = 'http://auth0.com/oauth/grant-type/password-realm'

let server: TestServer
let legacy: Legacy
let runs: RunRecord[] = []
let counter = 0

beforeAll(async () => {
  server = await testServer({ actionRuns: { note: (record) => void runs.push(record) } })
  legacy = await openLegacy()
  await server.addClient({ ...SPA, settings: { ...SPA.settings, grant_types: ['authorization_code', REALM] } })
})
afterAll(async () => {
  legacy.close()
  await server.close()
})
beforeEach(() => {
  legacy.people.push({ user_id: '7', email: 'kim@mail.test', password: OLD, name: 'Kim', email_verified: true })
})
afterEach(async () => {
  runs = []
  legacy.people.length = 0
  legacy.calls.length = 0
  await server.database.pool.query('DELETE FROM "user"')
  await server.database.pool.query("DELETE FROM connection WHERE name <> 'Users'")
  server.clock.advance(600)
})

const importing = (customScripts: JsonObject = LEGACY_SCRIPTS) =>
  addLegacy(server, legacy, { import_mode: true, customScripts })
const elsewhere = (customScripts: JsonObject = LEGACY_SCRIPTS) =>
  addLegacy(server, legacy, { import_mode: false, customScripts })
const without = (...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(LEGACY_SCRIPTS).filter(([name]) => !names.includes(name)))

const browser = () => server.browser({ ip: `203.0.113.${++counter}` })

const signIn = async (password: string, username = 'kim@mail.test'): Promise<number> =>
  (
    await browser().post('/oauth/token', {
      form: { grant_type: REALM, client_id: 'spa', realm: 'Legacy', username, password, scope: 'openid' },
    })
  ).status

const signUp = (email: string, more: JsonObject = {}): Promise<TestResponse> =>
  browser().post('/dbconnections/signup', {
    json: { client_id: 'spa', connection: 'Legacy', email, password: NEW, ...more },
  })

const requestReset = (email: string, connection = 'Legacy'): Promise<TestResponse> =>
  browser().post('/dbconnections/change_password', { json: { client_id: 'spa', connection, email } })

const reset = async (email: string): Promise<TestResponse> =>
  browser().post('/u/reset-password', {
    form: { ticket: await ticketTo(server, email), action: 'reset-password', password: NEW },
  })

const identities = async () =>
  (
    await server.database.pool.query(
      'SELECT user_id, email_key, password_hash IS NOT NULL AS has_password FROM identity ORDER BY user_id',
    )
  ).rows

const FAILED = { code: 'extensibility_error', description: 'The user database could not be asked' }

describe('a sign-up at a database that moves people here', () => {
  it('makes an account here, and none where the script knows the person', async () => {
    await importing()
    expect((await signUp('lee@mail.test')).status).toBe(200)
    expect(await identities()).toMatchObject([{ email_key: 'lee@mail.test', has_password: true }])
    expect(legacy.calls).toEqual(['get_user "lee@mail.test"'])
    expect((await signUp('Kim@mail.test ')).json()).toMatchObject({ code: 'invalid_signup' })
    expect(await identities()).toHaveLength(1)
    expect(await signIn(OLD)).toBe(200)
  })

  it('is refused where the script fails', async () => {
    await importing({ get_user: '() => { throw new Error("down") }' })
    expect((await signUp('lee@mail.test')).json()).toMatchObject(FAILED)
    expect(await identities()).toEqual([])
  })
})

describe('a sign-up at a database elsewhere', () => {
  it('makes the person there, and keeps no password', async () => {
    await elsewhere()
    const answer = await signUp('lee@mail.test', { name: 'Lee', user_metadata: { colour: 'blue' } })
    expect([answer.status, answer.json()]).toEqual([
      200,
      { _id: 'legacy-2', email: 'lee@mail.test', email_verified: false, name: 'Lee' },
    ])
    expect(legacy.calls).toEqual(['get_user "lee@mail.test"', 'create "lee@mail.test"', 'login "lee@mail.test"'])
    expect(legacy.people[1]).toMatchObject({ password: NEW })
    expect(await identities()).toEqual([{ user_id: 'auth0|legacy-2', email_key: 'lee@mail.test', has_password: false }])
    expect((await mailsTo(server, 'lee@mail.test'))[0]?.link).toContain('/u/verify-email')
    expect(await signIn(NEW, 'lee@mail.test')).toBe(200)
    expect(JSON.stringify([runs, server.lines, await server.audited()])).not.toContain(NEW)
  })

  it('passes the caller to create', async () => {
    const create = `(user, callback) => { console.log(Object.keys(user).sort().join()); ${LEGACY_SCRIPTS.create.replace(/^function create/, 'return (function')})(user, callback) }`
    await elsewhere({ ...LEGACY_SCRIPTS, create })
    await signUp('lee@mail.test', { user_metadata: { colour: 'blue' } })
    expect(runs.find(({ action }) => action === 'Legacy/create')?.lines[0]?.text).toBe(
      'app_metadata,client_id,connection,email,email_verified,password,tenant,user_metadata',
    )
  })

  it.each([
    ['get_user knows the person', LEGACY_SCRIPTS],
    ['create knows the person', { ...LEGACY_SCRIPTS, get_user: '(email, callback) => callback(null)' }],
  ])('is refused where %s', async (_what, scripts) => {
    await elsewhere(scripts)
    expect((await signUp('kim@mail.test')).json()).toMatchObject({ code: 'invalid_signup' })
    expect(await identities()).toEqual([])
  })

  it('is no way to guess a password, where create accepts everyone', async () => {
    await elsewhere({
      ...LEGACY_SCRIPTS,
      ...{ get_user: '(email, callback) => callback(null)', create: '(user, callback) => callback(null)' },
    })
    expect(await signIn(OLD)).toBe(200)
    const guess = (password: string) => signUp('kim@mail.test', { password })
    expect((await guess(OLD)).json()).toMatchObject({ code: 'invalid_signup' })
  })

  it.each(['get_user', 'create', 'login'])('is closed without a script %s', async (name) => {
    await elsewhere(without(name))
    expect((await signUp('lee@mail.test')).json()).toMatchObject({ code: 'public_signup_disabled' })
    const state = await beginLogin(browser(), { connection: 'Legacy' })
    expect(state).not.toBe('')
  })

  it.each([
    ['throws', '() => { throw new Error("down") }', FAILED],
    ['says no', '(user, callback) => callback(null, false)', FAILED],
    [
      'names a reason',
      '(user, callback) => callback(new ValidationError("weak", "too weak there"))',
      {
        ...{ code: 'extensibility_error', description: 'too weak there', friendly_message: 'too weak there' },
      },
    ],
    [
      'knows the user name',
      '(user, callback) => callback(new ValidationError("username_exists", "x"))',
      { code: 'username_exists' },
    ],
    ['makes no person', '(user, callback) => callback(null)', FAILED],
  ])('is refused where create %s', async (_what, create, expected) => {
    await elsewhere({ ...LEGACY_SCRIPTS, create })
    expect((await signUp('lee@mail.test')).json()).toMatchObject(expected)
    expect(await identities()).toEqual([])
  })

  it('never opens an account of another connection', async () => {
    await server.addUser({ id: 'ada', email: 'ada@mail.test' })
    await elsewhere({ ...LEGACY_SCRIPTS, login: `async (email) => ({ user_id: 'ada', email })` })
    expect((await signUp('lee@mail.test')).json()).toMatchObject(FAILED)
    expect(await identities()).toMatchObject([{ user_id: 'auth0|ada', email_key: 'ada@mail.test' }])
  })
})

describe('a new password', () => {
  it('may be that of a person whom only the script knows, who is here from then on', async () => {
    await importing()
    const answer = await requestReset('kim@mail.test')
    const unknown = await requestReset('nobody@mail.test')
    expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text])
    expect(await identities()).toMatchObject([{ user_id: 'auth0|7', has_password: false }])
    expect((await reset('kim@mail.test')).status).toBe(200)
    expect(await signIn(NEW)).toBe(200)
    expect(await signIn(OLD)).toBe(403)
    expect(legacy.people[0]).toMatchObject({ password: OLD })
    expect(legacy.calls).toEqual(['get_user "kim@mail.test"', 'get_user "nobody@mail.test"'])
  })

  it('is mailed for no account of another person', async () => {
    await importing({ ...LEGACY_SCRIPTS, get_user: `async () => ({ user_id: '7', email: 'kim@mail.test' })` })
    expect((await requestReset('eve@mail.test')).status).toBe(200)
    expect(await mailsTo(server, 'eve@mail.test')).toEqual([])
  })

  it('answers alike where the script fails', async () => {
    await importing({ ...LEGACY_SCRIPTS, get_user: '() => { throw new Error("down") }' })
    expect((await requestReset('kim@mail.test')).status).toBe(200)
    expect(await identities()).toEqual([])
  })

  it('is set elsewhere, and not kept here', async () => {
    await elsewhere()
    await requestReset('kim@mail.test')
    expect((await reset('kim@mail.test')).status).toBe(200)
    expect(legacy.people[0]).toMatchObject({ password: NEW })
    expect(await identities()).toMatchObject([{ user_id: 'auth0|7', has_password: false }])
    expect([await signIn(NEW), await signIn(OLD)]).toEqual([200, 403])
    expect(JSON.stringify([runs, server.lines, await server.audited()])).not.toContain(NEW)
  })

  it.each([
    ['throws', '() => { throw new Error("down") }', 'could not be asked'],
    ['says no', '(email, password, callback) => callback(null, false)', 'could not be asked'],
    ['says nothing', '(email, password, callback) => callback(null)', 'could not be asked'],
    [
      'names a reason',
      '(email, password, callback) => callback(new ValidationError("weak", "too weak there"))',
      'too weak',
    ],
  ])('is refused where the script %s, and the link can be used again', async (_what, change_password, expected) => {
    const email = `lee-${++counter}@mail.test`
    legacy.people.push({ user_id: '8', email, password: OLD, email_verified: true })
    await elsewhere({ ...LEGACY_SCRIPTS, change_password })
    await requestReset(email)
    const answer = await reset(email)
    expect(answer.status).toBe(403)
    expect((await server.audited()).at(-1)).toMatchObject({ description: expect.stringContaining(expected) })
    await server.database.pool.query(
      `UPDATE connection SET settings = jsonb_set(settings, '{options,customScripts,change_password}', $1) WHERE name = 'Legacy'`,
      [JSON.stringify(LEGACY_SCRIPTS.change_password)],
    )
    server.clock.advance(2)
    expect((await reset(email)).status).toBe(200)
  })

  it('is offered nowhere without the script', async () => {
    await elsewhere(without('change_password'))
    expect((await requestReset('kim@mail.test')).status).toBe(400)
    const own = browser()
    await server.setTenant({ tenant: { default_directory: 'Legacy' } })
    await server.database.pool.query("DELETE FROM connection WHERE name = 'Users'")
    server.clock.advance(2)
    const page = await own.get('/u/login', { query: { state: await beginLogin(own) } })
    expect(page.text).not.toContain('forgot-password')
    const form = { state: await beginLogin(own), action: 'request-reset', email: 'kim@mail.test' }
    expect(locationOf(await own.post('/u/submit', { form })).pathname).not.toBe('/u/forgot-password')
  })
})
