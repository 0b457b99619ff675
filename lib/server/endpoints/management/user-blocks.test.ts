// Blocked accounts in the Management API: shown, and lifted (threat-model.md RL1).
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { CEILING } from '../../../data/users/attempts'
import { beginLogin, SPA, signIn, submitPassword } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const IP = '192.0.2.99'
const OTHER = '192.0.2.100'
const MOST = 3
const EMAIL = 'kim@mail.test'

let server: TestServer
let manager: Manager
let userId: string

const protect = (brute: Record<string, unknown>) =>
  server.setTenant({
    attackProtection: {
      bruteForceProtection: { enabled: true, max_attempts: MOST, ...brute },
      suspiciousIpThrottling: { enabled: false },
    },
  })

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient(SPA)
  await server.addUser({ id: 'kim', email: EMAIL, username: 'kim' })
  userId = 'auth0|kim'
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.pool.query('TRUNCATE attempt_counter, guess_source')
  await protect({})
})

async function fail(name: string, ip = IP, times = MOST): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const browser = server.browser({ ip })
    await submitPassword(browser, await beginLogin(browser), name, `wrong ${n}`)
  }
}
const hasLoggedIn = async (ip: string): Promise<boolean> => (await signIn(server.browser({ ip }), EMAIL)).has('code')
const blocksOf = async (identifier: string): Promise<unknown> =>
  (await manager.get('/user-blocks', { query: { identifier } })).json()
const lift = (identifier: string) => manager.send('DELETE', '/user-blocks', { query: { identifier } })

it('shows a block by every name of the account and by the user, and lifts it', async () => {
  await fail(EMAIL, IP, MOST - 1)
  expect(await blocksOf(EMAIL)).toEqual({ blocked_for: [] })
  await fail('kim', IP, 1)
  const block = { ip: IP, connection: 'Users' }
  expect(await blocksOf('KIM@mail.test')).toEqual({ blocked_for: [{ identifier: EMAIL, ...block }] })
  expect(await blocksOf('kim')).toEqual({ blocked_for: [{ identifier: 'kim', ...block }] })
  const path = `/user-blocks/${encodeURIComponent(userId)}`
  expect((await manager.get(path)).json()).toEqual({ blocked_for: [{ identifier: EMAIL, ...block }] })
  expect(await hasLoggedIn(IP)).toBe(false)

  expect((await manager.remove(path)).status).toBe(204)
  expect((await manager.get(path)).json()).toEqual({ blocked_for: [] })
  expect(await hasLoggedIn(IP)).toBe(true)
})

it('lifts the blocks at all addresses by name, and no other account’s', async () => {
  await server.addUser({ id: 'lee', email: 'lee@mail.test' })
  for (const ip of [IP, OTHER]) await fail(EMAIL, ip)
  await fail('lee@mail.test', OTHER)
  expect(await blocksOf(EMAIL)).toMatchObject({ blocked_for: [{ ip: OTHER }, { ip: IP }] })
  expect((await lift(EMAIL)).status).toBe(204)
  expect(await blocksOf(EMAIL)).toEqual({ blocked_for: [] })
  expect(await hasLoggedIn(OTHER)).toBe(true)
  expect(await blocksOf('lee@mail.test')).toMatchObject({ blocked_for: [{ ip: OTHER }] })
})

it('keeps a network known whose block is lifted', async () => {
  expect(await hasLoggedIn(IP)).toBe(true)
  await fail(EMAIL)
  expect((await lift(EMAIL)).status).toBe(204)
  const { rows } = await server.database.pool.query('SELECT count, known FROM attempt_counter WHERE known')
  expect(rows).toEqual([{ count: 0, known: true }])
})

it('names no address where an account is counted over all of them', async () => {
  await protect({ mode: 'count_per_identifier' })
  await fail(EMAIL, IP, 2)
  await fail(EMAIL, OTHER, 1)
  expect(await blocksOf(EMAIL)).toEqual({ blocked_for: [{ identifier: EMAIL, connection: 'Users' }] })
  expect((await lift(EMAIL)).status).toBe(204)
  expect(await hasLoggedIn(IP)).toBe(true)
})

it('shows and lifts the ceiling of an account', async () => {
  await fail(EMAIL, IP, 1)
  await server.database.pool.query(
    'UPDATE attempt_counter SET count = $1 WHERE key = (SELECT account FROM guess_source)',
    [CEILING.most],
  )
  expect(await blocksOf(EMAIL)).toEqual({ blocked_for: [{ identifier: EMAIL, connection: 'Users' }] })
  expect(await hasLoggedIn(IP)).toBe(false)
  expect((await lift(EMAIL)).status).toBe(204)
  expect(await hasLoggedIn(IP)).toBe(true)
})

it('shows the blocks of a name without an account', async () => {
  await fail('nobody@mail.test')
  expect(await blocksOf('nobody@mail.test')).toMatchObject({ blocked_for: [{ ip: IP }] })
  await lift('nobody@mail.test')
  expect(await blocksOf('nobody@mail.test')).toEqual({ blocked_for: [] })
})

it('shows only what blocks: protection that is off, and an allowed address, block nothing', async () => {
  await fail(EMAIL)
  await protect({ allowlist: [IP] })
  expect(await blocksOf(EMAIL)).toEqual({ blocked_for: [] })
  await protect({ enabled: false })
  expect(await blocksOf(EMAIL)).toEqual({ blocked_for: [] })
})

it('refuses an unknown user, and a request without a name', async () => {
  expect((await manager.get('/user-blocks/auth0%7Cnone')).json()).toMatchObject({
    statusCode: 404,
    errorCode: 'inexistent_user',
  })
  expect((await manager.remove('/user-blocks/auth0%7Cnone')).status).toBe(404)
  expect((await manager.get('/user-blocks')).json()).toMatchObject({ errorCode: 'invalid_query_string' })
  expect((await manager.remove('/user-blocks')).status).toBe(400)
})
