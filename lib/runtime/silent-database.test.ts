// A database that does not answer, though its connections stand (threat-model.md RE4): a network that swallows packets, a
// disk that hangs. Nobody waits longer than seconds, and nobody has to restart anything.
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../store/database'
import { createDatabase } from '../store/prisma/client'
import { inTransaction } from '../store/transaction'
import { type TestDatabase, testDatabase } from '../testing/database'
import { type TestHouse, testHouse } from '../testing/house'
import { refresh, SPA, signInForTokens, userinfo } from '../testing/journey'
import { layWire, type Wire } from '../testing/wire'
import { openPool } from './pool'

const AWAY = { code: 'temporarily_unavailable' }
const ONE = { name: 'one', text: 'SELECT 1 AS one' }

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

const open = (url: string, pooled = false): Pool => openPool({ url, max: 3, pooled, onLostConnection: () => {} })

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
    const waited = await seconds(() => expect(run(pool, ONE, [])).rejects.toMatchObject(AWAY))
    expect(waited).toBeLessThan(5)
    wire.mend()
    expect(await seconds(() => run(pool, ONE, []))).toBeLessThan(5)
    expect(pool.totalCount).toBe(1)
  })

  it('is not waited for longer than that either', async () => {
    wire.cut()
    wire.silence()
    const waited = await seconds(() =>
      Promise.all(Array.from({ length: 10 }, () => expect(run(pool, ONE, [])).rejects.toMatchObject(AWAY))),
    )
    expect(waited).toBeLessThan(5)
  })

  it('does not go back to the others from a transaction that got no answer', async () => {
    const work = inTransaction(pool, async (client) => {
      await run(client, { name: 'thing-add', text: 'INSERT INTO thing VALUES (1)' }, [])
      wire.silence()
      await run(client, ONE, [])
    })
    expect(await seconds(() => expect(work).rejects.toMatchObject(AWAY))).toBeLessThan(5)
    wire.mend()
    expect(await run(pool, { name: 'things', text: 'SELECT * FROM thing' }, [])).toEqual([])
  })

  it('does not wait for a lock for ever, and is good for the next', async () => {
    const holder = await database.pool.connect()
    await holder.query('BEGIN; LOCK TABLE thing')
    const waited = await seconds(() =>
      expect(run(pool, { name: 'things', text: 'SELECT * FROM thing' }, [])).rejects.toMatchObject(AWAY),
    )
    expect(waited).toBeLessThan(4)
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
    expect(await show(`${wire.url}?options=-c%20lock_timeout%3D1s`)).toBe('1s 0')
    expect(await show(wire.url, true)).toBe('0 0')
  })
})

describe('a server', () => {
  let house: TestHouse
  let wire: Wire
  let pool: Pool
  let plain: TestDatabase
  beforeAll(async () => {
    plain = await testDatabase({ furnished: true })
    wire = await layWire(plain.url)
    pool = open(wire.url)
    house = await testHouse({ db: createDatabase(pool) })
    await house.addClient(SPA)
    await house.addUser({ email: 'kim@mail.test' })
  })
  afterAll(async () => {
    await house.close()
    await pool.end()
    await wire.close()
    await plain.drop()
  })

  it('answers 503 within five seconds, goes on with what needs no database, and recovers within five', async () => {
    const browser = house.browser()
    const tokens = await signInForTokens(browser, 'kim@mail.test')
    wire.silence()
    const asked = [
      () => refresh(browser, tokens.refresh_token),
      () => userinfo(browser, tokens.access_token),
      () => browser.get('/authorize', { query: { client_id: 'spa' } }),
    ]
    const waited = await seconds(async () => {
      const [refreshed, seen] = await Promise.all(asked.map((ask) => ask()))
      expect([refreshed?.status, seen?.status]).toEqual([503, 503])
      expect([refreshed?.header('retry-after'), seen?.header('retry-after')]).toEqual(['2', '2'])
    })
    expect(waited).toBeLessThan(5)
    expect((await browser.get('/.well-known/jwks.json')).status).toBe(200)
    wire.mend()
    expect(
      await seconds(async () => {
        expect((await refresh(browser, tokens.refresh_token)).status).toBe(200)
      }),
    ).toBeLessThan(5)
  })
})
