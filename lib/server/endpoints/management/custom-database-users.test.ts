// People of a database elsewhere in the Management API: its scripts are asked before anything changes here (threat-model.md AC16).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../kernel/json'
import { addLegacy, LEGACY_SCRIPTS, type Legacy, openLegacy } from '../../../testing/legacy'
import { mailsTo, ticketTo } from '../../../testing/mail'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const OLD = 'the password of before'
const NEW = 'a lantern over the harbour'

let server: TestServer
let manager: Manager
let legacy: Legacy

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  legacy = await openLegacy()
})
afterAll(async () => {
  legacy.close()
  await server.close()
})
beforeEach(() => {
  legacy.people.push({ user_id: '7', email: 'kim@mail.test', password: OLD, email_verified: true })
})
afterEach(async () => {
  legacy.people.length = 0
  legacy.calls.length = 0
  await server.database.pool.query('DELETE FROM "user"')
  await server.database.pool.query("DELETE FROM connection WHERE name = 'Legacy'")
  server.clock.advance(600)
})

const elsewhere = (customScripts: JsonObject = LEGACY_SCRIPTS, more: JsonObject = {}) =>
  addLegacy(server, legacy, { import_mode: false, customScripts, ...more })
const without = (...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(LEGACY_SCRIPTS).filter(([name]) => !names.includes(name)))

const create = (more: JsonObject = {}) =>
  manager.post('/users', { connection: 'Legacy', email: 'lee@mail.test', password: NEW, verify_email: false, ...more })

/** Kim as a login would have made the account. */
async function addKim(): Promise<string> {
  await server.addUser({
    id: '7',
    email: 'kim@mail.test',
    password: null,
    connectionId: 'con_legacy',
    data: { emailVerified: true },
  })
  return '/users/auth0|7'
}

const SAID_NO = '(...args) => args.at(-1)(null, false)'

describe('a new user', () => {
  it('is made by the scripts', async () => {
    await elsewhere()
    const answer = await create({ name: 'Lee', email_verified: true, blocked: true, app_metadata: { plan: 'gold' } })
    expect([answer.status, answer.json()]).toMatchObject([
      201,
      {
        ...{ user_id: 'auth0|legacy-2', email: 'lee@mail.test', email_verified: true, name: 'Lee', blocked: true },
        app_metadata: { plan: 'gold' },
      },
    ])
    expect(legacy.calls).toEqual(['get_user "lee@mail.test"', 'create "lee@mail.test"', 'login "lee@mail.test"'])
    const { rows } = await server.database.pool.query('SELECT password_hash FROM identity')
    expect(rows).toEqual([{ password_hash: null }])
  })

  it('is mailed a link that verifies the address there, too', async () => {
    await elsewhere()
    await create({ verify_email: true })
    const ticket = await ticketTo(server, 'lee@mail.test')
    const answer = await server.browser().post('/u/verify-email', { form: { ticket, action: 'verify-email' } })
    expect(answer.status).toBe(200)
    expect(legacy.people[1]).toMatchObject({ email_verified: true })
    expect((await manager.get('/users/auth0|legacy-2')).json()).toMatchObject({ email_verified: true })
  })

  it('has an address that stays unverified where the script says no', async () => {
    await elsewhere({ ...LEGACY_SCRIPTS, verify: SAID_NO })
    await create({ verify_email: true })
    const ticket = await ticketTo(server, 'lee@mail.test')
    const answer = await server.browser().post('/u/verify-email', { form: { ticket, action: 'verify-email' } })
    expect(answer.status).toBe(403)
    expect((await manager.get('/users/auth0|legacy-2')).json()).toMatchObject({ email_verified: false })
  })

  it.each([
    ['is known there', { email: 'kim@mail.test' }, LEGACY_SCRIPTS, 409],
    ['has no password', { password: null }, LEGACY_SCRIPTS, 400],
    ['has a bad password', { password: 'short' }, LEGACY_SCRIPTS, 400],
    ['cannot be made there', {}, without('create'), 400],
    ['is refused there', {}, { ...LEGACY_SCRIPTS, create: SAID_NO }, 400],
  ])('is refused where it %s', async (_what, more, scripts, status) => {
    await elsewhere(scripts)
    const { password, ...others } = { password: NEW as string | null, ...more }
    const body = { connection: 'Legacy', email: 'lee@mail.test', ...others, ...(password === null ? {} : { password }) }
    expect((await manager.post('/users', body)).status).toBe(status)
    expect((await server.database.pool.query('SELECT 1 FROM "user"')).rowCount).toBe(0)
    expect(await mailsTo(server, 'lee@mail.test')).toEqual(expect.any(Array))
  })
})

it('is refused where import_mode would move the same person here', async () => {
  await addLegacy(server, legacy, { import_mode: true, customScripts: LEGACY_SCRIPTS })
  expect((await create({ email: 'kim@mail.test' })).status).toBe(409)
  expect((await create()).status).toBe(201)
  expect(legacy.calls).toEqual(['get_user "kim@mail.test"', 'get_user "lee@mail.test"'])
  await server.database.pool.query("DELETE FROM connection WHERE name = 'Legacy'")
  await addLegacy(server, legacy, {
    import_mode: true,
    customScripts: { get_user: '() => { throw new Error("down") }' },
  })
  expect((await create({ email: 'park@mail.test' })).status).toBe(400)
})

describe('a change', () => {
  it.each<[string, JsonObject, object]>([
    ['password', { password: NEW }, { password: NEW }],
    ['address', { email: 'park@mail.test' }, { email: 'park@mail.test', email_verified: false }],
    [
      'verified address',
      { email: 'park@mail.test', email_verified: true },
      { email: 'park@mail.test', email_verified: true },
    ],
    ['verification', { email_verified: false }, { email: 'kim@mail.test', email_verified: false }],
    [
      'phone number',
      { phone_number: '+4930901820', phone_verified: true },
      { phone_number: '+4930901820', phone_verified: true },
    ],
  ])('of the %s is made there first', async (_what, body, there) => {
    await elsewhere()
    const path = await addKim()
    const answer = await manager.patch(path, body)
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    expect(legacy.people[0]).toMatchObject(there)
    const { password: _, ...shown } = body
    expect((await manager.get(path)).json()).toMatchObject(shown)
    const { rows } = await server.database.pool.query('SELECT password_hash FROM identity')
    expect(rows).toEqual([{ password_hash: null }])
  })

  it('of the user name is made there first', async () => {
    await elsewhere(LEGACY_SCRIPTS, { requires_username: true })
    const path = await addKim()
    expect((await manager.patch(path, { username: 'kimmy' })).status).toBe(200)
    expect(legacy.people[0]).toMatchObject({ username: 'kimmy' })
  })

  it('of names and metadata is made here alone', async () => {
    await elsewhere()
    const path = await addKim()
    expect((await manager.patch(path, { name: 'Kim Park', app_metadata: { a: 1 }, blocked: true })).status).toBe(200)
    expect(legacy.calls).toEqual([])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['two things', { email: 'park@mail.test', password: NEW }, LEGACY_SCRIPTS],
    ['the address without its script', { email: 'park@mail.test' }, without('change_email')],
    ['the password without its script', { password: NEW }, without('change_password')],
    [
      'the address, which the script refuses',
      { email: 'park@mail.test' },
      { ...LEGACY_SCRIPTS, change_email: SAID_NO },
    ],
    ['the password, which the script refuses', { password: NEW }, { ...LEGACY_SCRIPTS, change_password: SAID_NO }],
  ])('of %s is refused, and nothing changes', async (_what, body, scripts) => {
    await elsewhere(scripts)
    const path = await addKim()
    const before = (await manager.get(path)).json()
    expect((await manager.patch(path, body)).status).toBe(400)
    expect((await manager.get(path)).json()).toEqual(before)
    expect(legacy.people[0]).toMatchObject({ email: 'kim@mail.test', password: OLD })
  })
})

describe('a deletion', () => {
  it('is made there first', async () => {
    await elsewhere()
    const path = await addKim()
    expect((await manager.remove(path)).status).toBe(204)
    expect([legacy.calls, legacy.people]).toEqual([['remove "7"'], []])
    expect((await manager.get(path)).status).toBe(404)
  })

  it('a user is deleted by the address as well', async () => {
    await elsewhere()
    await addKim()
    const answer = await manager.send('DELETE', '/connections/con_legacy/users', { query: { email: 'kim@mail.test' } })
    expect([answer.status, legacy.people]).toEqual([204, []])
  })

  it('is refused where the script refuses', async () => {
    await elsewhere({ ...LEGACY_SCRIPTS, delete: SAID_NO })
    const path = await addKim()
    expect((await manager.remove(path)).status).toBe(400)
    expect((await manager.get(path)).status).toBe(200)
  })

  it('is made here alone without the script, and with import_mode', async () => {
    await elsewhere(without('delete'))
    expect((await manager.remove(await addKim())).status).toBe(204)
    await server.database.pool.query("DELETE FROM connection WHERE name = 'Legacy'")
    await addLegacy(server, legacy, { import_mode: true, customScripts: LEGACY_SCRIPTS })
    expect((await manager.remove(await addKim())).status).toBe(204)
    expect(legacy.people).toHaveLength(1)
  })
})

it('asks no script for an actor without the rank', async () => {
  await elsewhere()
  const path = await addKim()
  await server.addRole('Powerful', { 'https://id.test/api/v2/': ['create:signing_keys'] }).catch(() => {})
  const support = await addManager(server, {
    clientId: 'support',
    granted: ['update:users', 'delete:users', 'read:users'],
  })
  await server.giveRole('auth0|7', 'Powerful')
  expect((await support.patch(path, { password: NEW })).status).toBe(403)
  expect((await support.remove(path)).status).toBe(403)
  expect(legacy.calls).toEqual([])
})
