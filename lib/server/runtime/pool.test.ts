import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull, run } from '../../adapters/store/database'
import { systemRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { idleConnectionsClosed, openPool } from './pool'

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  pool = openPool({ url: database.url, max: 2, pooled: false, random: systemRandom, onLostConnection: () => {} })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

it('outlives a connection that is lost between two statements of a transaction', async () => {
  const client = await pool.connect()
  await client.query('BEGIN')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const died: unknown[] = []
  const onDeath = (error: unknown): void => void died.push(error)
  process.on('uncaughtExceptionMonitor', onDeath)
  // `once` of node:events would listen to errors too, which is what must be done elsewhere.
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await lost
  process.off('uncaughtExceptionMonitor', onDeath)
  expect(died).toEqual([])

  await expect(client.query('SELECT 1')).rejects.toThrow()
  client.release(true)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

it('reports when its idle connections are closed, so that none is left open in a process that is frozen then', async () => {
  const brief = openPool({
    url: database.url,
    max: 2,
    pooled: false,
    idleMs: 50,
    random: systemRandom,
    onLostConnection: () => {},
  })
  await Promise.all([brief.query('SELECT 1'), brief.query('SELECT 1')])
  expect(brief.totalCount).toBe(2)
  await idleConnectionsClosed(brief)
  expect(brief.totalCount).toBe(0)
  await brief.end()
})

describe('a database that has no connection left', () => {
  /** A database role with a limit on concurrent connections. */
  async function crowded(limit: number) {
    const name = `crowd_${systemRandom.hex(12)}`
    await database.pool.query(`CREATE ROLE ${name} LOGIN PASSWORD 'p' CONNECTION LIMIT ${limit}`)
    const url = new URL(database.url)
    url.username = name
    url.password = 'p'
    const open = () =>
      openPool({ url: url.href, max: 1, pooled: false, random: systemRandom, onLostConnection: () => {} })
    return { open, remove: () => database.pool.query(`DROP ROLE ${name}`) }
  }

  it('is requested again, so that a burst of processes is served', async () => {
    const { open, remove } = await crowded(2)
    const pools = Array.from({ length: 6 }, open)
    const served = await Promise.all(
      pools.map(async (each) => {
        const { rows } = await each.query('SELECT 1 AS one')
        await each.end()
        return rows
      }),
    )
    expect(served).toEqual(pools.map(() => [{ one: 1 }]))
    await remove()
  })

  it('is given up after a while: away, and not our mistake', async () => {
    const { open, remove } = await crowded(1)
    const [holder, refused] = [open(), open()]
    const client = await holder.connect()
    await expect(run(refused, { name: 'one', text: 'SELECT 1' }, [])).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      retryAfter: 2,
      cause: { code: '53300' },
    })
    client.release()
    await Promise.all([holder.end(), refused.end()])
    await remove()
  })

  it.each(['MaxClientsInSessionMode: max clients reached', 'Max client connections reached', 'too many connections'])(
    'is recognised in a pooler’s words: %s',
    (message) => {
      expect(isFull(new Error(message))).toBe(true)
      expect(isFull(new Error('no such table'))).toBe(false)
    },
  )
})
