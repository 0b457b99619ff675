import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { databaseTime } from './database-clock'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** The same database, reached at this address; undefined for a Unix socket. */
const reachedAt = (remoteAddress: string | undefined) =>
  ({
    async connect() {
      const client = await database.pool.connect()
      return {
        connection: { stream: { remoteAddress } },
        query: client.query.bind(client),
        release: () => client.release(),
      }
    },
  }) as unknown as Pool

/** A timer that says how often it was read. */
function counter() {
  let reads = 0
  return () => (reads += 1)
}

it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', undefined])(
  'is no second source of time where the database is on this machine, at %s',
  async (address) => {
    expect(await databaseTime(reachedAt(address))(counter())).toBeNull()
  },
)

it('is undefined where the embedded database serves', async () => {
  expect(await databaseTime(database.pool)(counter())).toBeNull()
})

it.each(['10.0.0.7', '203.0.113.9', 'fd00::7'])('says the time of the database at %s', async (address) => {
  const now = async (): Promise<number> =>
    Number((await database.pool.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now')).rows[0].now)
  const before = await now()
  const witness = await databaseTime(reachedAt(address))(counter())
  expect(witness?.timer).toBe(1.5)
  expect(witness?.time).toBeGreaterThanOrEqual(before)
  expect(witness?.time).toBeLessThanOrEqual(await now())
})

it('rejects an answer that took longer than its time is exact', async () => {
  let reads = 0
  const slow = () => (reads += 1500)
  await expect(databaseTime(reachedAt('10.0.0.7'))(slow)).rejects.toThrow('too late')
})

it('returns its connection, also after a failure', async () => {
  let reads = 0
  for (let turn = 0; turn < 2 * (database.pool.options.max ?? 10); turn++) {
    await databaseTime(reachedAt('10.0.0.7'))(() => (reads += 1500)).catch(() => {})
  }
  expect(database.pool.waitingCount).toBe(0)
  expect(database.pool.idleCount).toBe(database.pool.totalCount)
})
