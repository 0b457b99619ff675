// Change notifications between instances, on real PostgreSQL, over a connection that may be cut.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Clock, fixedClock, systemClock } from '../../kernel/clock'
import { systemRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { createListener, type Listener } from './announcements'

let database: TestDatabase
const open: Listener[] = []
beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()))
})
afterAll(() => database.drop())

async function listening(clock: Clock = systemClock) {
  const logged: string[] = []
  const note = (_fields: object, sentence: string) => void logged.push(sentence)
  const listener = createListener(database.pool, { clock, random: systemRandom, log: { info: note, warn: note } })
  open.push(listener)
  listener.start()
  await until(() => listener.of('client').live(clock.now()))
  return { listener, logged }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 40_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('it did not come about in time')
    await sleep(10)
  }
}

const addClient = (id: string) =>
  database.pool.query(
    `INSERT INTO client (tenant_id, client_id, name, settings, updated_at) VALUES ('default', $1, 'x', '{}', now())`,
    [id],
  )

it('is heard within the second, by every instance, as what kind it is', async () => {
  const instances = [await listening(), await listening()].map(({ listener }) => listener)
  const before = instances.map((each) => [each.of('client').version(), each.of('api').version()])
  await addClient('announced')
  await until(() => instances.every((each, i) => each.of('client').version() !== before[i]?.[0]))
  expect(instances.map((each) => each.of('api').version())).toEqual(before.map(([, api]) => api))
})

it.each([
  ['tenant', `UPDATE tenant SET name = 'Another'`],
  ['tenant', `UPDATE signing_key SET retired_at = now() WHERE activated_at IS NOT NULL`],
  [
    'api',
    `INSERT INTO api (tenant_id, identifier, name, settings, updated_at) VALUES ('default', 'x', 'x', '{}', now())`,
  ],
  ['client_grant', `INSERT INTO client_grant VALUES ('default', 'a', 'x', '{}')`],
  ['connection', `DELETE FROM connection`],
  ['client', 'TRUNCATE client CASCADE'],
] as const)('a change of %s is announced by the database itself: %s', async (topic, sql) => {
  const { listener } = await listening()
  const before = listener.of(topic).version()
  await database.pool.query(sql)
  await until(() => listener.of(topic).version() !== before)
})

it('announces what was committed, when it was', async () => {
  const { listener } = await listening()
  const before = listener.of('client').version()
  const connection = await database.pool.connect()
  await connection.query('BEGIN')
  await connection.query("UPDATE client SET name = 'undone'")
  await connection.query('ROLLBACK')
  connection.release()
  // Notifications arrive in the order of their commits.
  const ofTenant = listener.of('tenant').version()
  await database.pool.query(`UPDATE tenant SET name = 'Committed'`)
  await until(() => listener.of('tenant').version() !== ofTenant)
  expect(listener.of('client').version()).toBe(before)
})

it('treats everything as changed after its connection was cut, and reconnects by itself', async () => {
  const { listener, logged } = await listening()
  const before = listener.of('client').version()
  await database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'latchkey-listener' AND datname = current_database()`,
  )
  // Waits for the log line: a moment later notifications may arrive again.
  await until(() => logged.length === 1)
  await addClient('unheard')
  await until(() => listener.of('client').live(systemClock.now()))
  expect(listener.of('client').version()).not.toBe(before)
  expect(logged).toEqual([
    'Changes of configuration are not announced to this process: it reads every second.',
    'Changes of configuration are announced to this process again.',
  ])
})

it('is taken for deaf once its own beats no longer come back', async () => {
  const clock = fixedClock()
  const { listener } = await listening(clock)
  clock.advance(9)
  expect(listener.of('client').live(clock.now())).toBe(false)
})
