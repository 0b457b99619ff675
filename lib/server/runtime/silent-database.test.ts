// A database that does not respond on open connections (threat-model.md RE4): a network that drops packets, a disk that hangs.
// Every wait ends within seconds, and the server recovers without a restart.
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../adapters/store/database'
import { createDatabase } from '../../adapters/store/prisma/client'
import { inTransaction } from '../../adapters/store/transaction'
import { systemRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { isOverWithin } from '../../testing/in-time'
import { refresh, SPA, signInForTokens, userinfo } from '../../testing/journey'
import { type TestServer, testServer } from '../../testing/server'
import { layWire, type Wire } from '../../testing/wire'
import { openPool } from './pool'

const AWAY = { code: 'temporarily_unavailable' }
const ONE = { name: 'one', text: 'SELECT 1 AS one' }

const open = (url: string, pooled = false): Pool =>
  openPool({ url, max: 3, pooled, random: systemRandom, onLostConnection: () => {} })

describe('a connection', () => {
  let database: TestDatabase
  let wire: Wire
  let pool: Pool
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
    wire = await layWire(database.url)
    pool = open(wire.url)
    await database.pool.query('CREATE TABLE thing (id int PRIMARY KEY)')
  })
  afterEach(() => wire.mend())
  afterAll(async () => {
    await pool.end()
    await wire.close()
    await database.drop()
  })

  it('is given up with the statement that got no answer on it; new ones take its place', async () => {
    await run(pool, ONE, [])
    wire.silence()
    expect(await isOverWithin(5, () => expect(run(pool, ONE, [])).rejects.toMatchObject(AWAY))).toBe(true)
    wire.mend()
    expect(await isOverWithin(5, () => run(pool, ONE, []))).toBe(true)
    expect(pool.totalCount).toBe(1)
  })

  it('is not waited for longer than that either', async () => {
    wire.cut()
    wire.silence()
    const waiting = () =>
      Promise.all(Array.from({ length: 10 }, () => expect(run(pool, ONE, [])).rejects.toMatchObject(AWAY)))
    expect(await isOverWithin(5, waiting)).toBe(true)
  })

  it('does not go back to the others from a transaction that got no answer', async () => {
    const work = inTransaction(pool, async (client) => {
      await run(client, { name: 'thing-add', text: 'INSERT INTO thing VALUES (1)' }, [])
      wire.silence()
      await run(client, ONE, [])
    })
    expect(await isOverWithin(5, () => expect(work).rejects.toMatchObject(AWAY))).toBe(true)
    wire.mend()
    expect(await run(pool, { name: 'things', text: 'SELECT * FROM thing' }, [])).toEqual([])
  })

  it('does not wait for a lock for ever, and is good for the next', async () => {
    const holder = await database.pool.connect()
    await holder.query('BEGIN; LOCK TABLE thing')
    // The database server gives up the lock before the client gives up the connection.
    const gaveUp = { ...AWAY, cause: { code: '55P03' } }
    await expect(run(pool, { name: 'things', text: 'SELECT * FROM thing' }, [])).rejects.toMatchObject(gaveUp)
    await holder.query('ROLLBACK')
    holder.release()
    expect(await run(pool, ONE, [])).toEqual([{ one: 1 }])
  })

  it('has its time-outs from the start, unless the address brings others', async () => {
    const show = async (url: string, pooled = false) => {
      const other = open(url, pooled)
      const { rows } = await other.query(
        `SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout') AS times`,
      )
      await other.end()
      return rows[0].times
    }
    expect(await show(wire.url)).toBe('3s 30s')
    expect(await show(`${wire.url}?options=-c%20lock_timeout%3D1s`)).toBe('1s 30s')
    expect(await show(wire.url, true)).toBe('0 0')
  })
})

describe('a server', () => {
  let server: TestServer
  let wire: Wire
  let pool: Pool
  let plain: TestDatabase
  beforeAll(async () => {
    plain = await testDatabase({ bootstrapped: true })
    wire = await layWire(plain.url)
    pool = open(wire.url)
    server = await testServer({ db: createDatabase(pool) })
    await server.addClient(SPA)
    await server.addUser({ email: 'kim@mail.test' })
  })
  afterAll(async () => {
    await server.close()
    await pool.end()
    await wire.close()
    await plain.drop()
  })

  it('answers 503 within five seconds, serves what needs no database, and recovers within five', async () => {
    const browser = server.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    wire.silence()
    const requested = [
      () => refresh(browser, tokens.refresh_token),
      () => userinfo(browser, tokens.access_token),
      () => browser.get('/authorize', { query: { client_id: 'spa' } }),
    ]
    const inTime = await isOverWithin(5, async () => {
      const [refreshed, seen] = await Promise.all(requested.map((ask) => ask()))
      expect([refreshed?.status, seen?.status]).toEqual([503, 503])
      expect([refreshed?.header('retry-after'), seen?.header('retry-after')]).toEqual(['2', '2'])
    })
    expect(inTime).toBe(true)
    expect((await browser.get('/.well-known/jwks.json')).status).toBe(200)
    wire.mend()
    const recovers = async () => expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
    expect(await isOverWithin(5, recovers)).toBe(true)
  })
})
