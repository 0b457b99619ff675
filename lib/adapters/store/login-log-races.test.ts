// The steps of logins under concurrent servers, erasure and a database that fails, on PostgreSQL (docs/adr/0068).
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLoginLog, type LoginPart, type LoginPartStore, type RunningLoginLog } from '../../data/logins/login-log'
import { systemRandom } from '../../kernel/random'
import { type TestServer, testServer } from '../../testing/server'
import { eraseLogins, loginPartStore, loginRecordStore } from './sql/login-records'

const TENANT = 'default'
const MANY = Array.from({ length: 40 }, (_, place) => place)
const WHOLE = { successes_per_hour: 1000, days: 7 }

let server: TestServer
/** Of two servers. */
let pools: readonly [Pool, Pool]

beforeAll(async () => {
  server = await testServer()
  const { options } = server.database.pool
  pools = [new Pool(options), new Pool(options)]
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await server.close()
})
beforeEach(() => server.database.pool.query('DELETE FROM login_record'))

const storeOn = (pool: Pool): LoginPartStore => loginPartStore({ pool, vault: server.vault, random: systemRandom })

const logOn = (pool: Pool, store = storeOn(pool)): RunningLoginLog =>
  createLoginLog({ store, clock: server.clock, log: { warn: () => {} }, pause: async () => {} })

const part = (login: string, outcome: LoginPart['outcome'], more: Partial<LoginPart> = {}): LoginPart => ({
  ...{
    login,
    outcome,
    at: server.clock.now(),
    endpoint: 'authorize',
    requestId: 'r',
    clientId: 'app',
    clientName: 'App',
  },
  ...{ reason: outcome === 'failed' ? 'wrong_password' : null, connection: 'Users', userId: null, person: null },
  ...{ ip: '192.0.2.1', userAgent: null, steps: [] },
  ...more,
})

const counted = async (table: 'login_record' | 'login_part', where = 'true'): Promise<number> =>
  Number((await server.database.pool.query(`SELECT count(*) FROM ${table} WHERE ${where}`)).rows[0]?.count)

const foundLogin = (id: string) => loginRecordStore(server.db, TENANT, server.vault).find(id)

describe('two servers', () => {
  it('lose no part of the same logins, in whatever order they hold them', async () => {
    const [one, other] = pools.map((pool) => logOn(pool)) as [RunningLoginLog, RunningLoginLog]
    const writers = MANY.map(async (turn) => {
      const order = turn % 2 === 0 ? MANY : MANY.toReversed()
      for (const login of order) (turn % 4 < 2 ? one : other).add(part(`login${login}`, 'waiting'), TENANT, WHOLE)
      await (turn % 4 < 2 ? one : other).flush()
    })
    await Promise.all(writers)
    await Promise.all([one.close(), other.close()])
    expect(await counted('login_record')).toBe(MANY.length)
    expect(await counted('login_part')).toBe(MANY.length * MANY.length)
  })

  it('agree on what a login came to by its time, in whatever order they store', async () => {
    const early = server.clock.now()
    server.clock.advance(10)
    const late = server.clock.now()
    const failed = part('slow', 'failed', { at: early })
    const succeeded = part('slow', 'succeeded', { at: late })
    for (const order of [
      [failed, succeeded],
      [succeeded, failed],
    ]) {
      await server.database.pool.query('DELETE FROM login_record')
      for (const [place, each] of order.entries()) {
        const log = logOn(pools[place] as Pool)
        log.add(each, TENANT, WHOLE)
        await log.close()
      }
      expect(await foundLogin('slow')).toMatchObject({
        outcome: 'succeeded',
        reason: null,
        startedAt: early,
        lastAt: late,
      })
    }
  })

  it('keep the budget of successes each, and store every failure', async () => {
    const logs = pools.map((pool) => logOn(pool))
    for (const [place, log] of logs.entries())
      for (const turn of MANY) {
        log.add(part(`good${place}-${turn}`, 'succeeded'), TENANT, { successes_per_hour: 5, days: 7 })
        log.add(part(`bad${place}-${turn}`, 'waiting'), TENANT, { successes_per_hour: 5, days: 7 })
      }
    await Promise.all(logs.map((log) => log.flush()))
    for (const [place, log] of logs.entries())
      for (const turn of MANY)
        log.add(part(`bad${place}-${turn}`, 'failed'), TENANT, { successes_per_hour: 5, days: 7 })
    await Promise.all(logs.map((log) => log.close()))
    // Of each server five logins have a place from their first request: the first ones of both kinds.
    expect(await counted('login_record', "outcome = 'succeeded'")).toBe(2 * 3)
    expect(await counted('login_record', "outcome = 'failed'")).toBe(2 * MANY.length)
    expect(await counted('login_part', "login_id LIKE 'bad%'")).toBe(2 * 2 * MANY.length)
  })

  it('are not disturbed by an erasure, which leaves nothing of its person and all of the others', async () => {
    const [one, other] = pools.map((pool) => logOn(pool)) as [RunningLoginLog, RunningLoginLog]
    const own = { userId: 'auth0|gone', person: 'gone@mail.test' }
    const others = { userId: 'auth0|stays', person: 'stays@mail.test' }
    const write = async (log: RunningLoginLog, order: readonly number[]) => {
      for (const turn of order) {
        log.add(part(`own${turn}`, 'failed', own), TENANT, WHOLE)
        log.add(part(`other${turn}`, 'failed', others), TENANT, WHOLE)
        if (turn % 5 === 0) await log.flush()
      }
      await log.close()
    }
    const erase = async () => {
      for (let turn = 0; turn < 10; turn += 1) await eraseLogins(server.database.pool, TENANT, own.userId, server.vault)
    }
    await Promise.all([write(one, MANY), write(other, MANY.toReversed()), erase()])
    await erase()
    expect(await counted('login_record', "user_id = 'auth0|gone'")).toBe(0)
    expect(await counted('login_part', "login_id LIKE 'own%'")).toBe(0)
    expect(await counted('login_record')).toBe(MANY.length)
    expect(await counted('login_part')).toBe(2 * MANY.length)
  })
})

describe('a database that fails', () => {
  /** Fails so often, then works. */
  const failing = (times: number, store: LoginPartStore): LoginPartStore => {
    let left = times
    return {
      async append(tenantId, parts) {
        left -= 1
        if (left >= 0) throw new Error('the database is away')
        await store.append(tenantId, parts)
      },
    }
  }

  it('loses no failure of a login at the end of the process, while it comes back within the attempts', async () => {
    const [pool] = pools
    const log = logOn(pool, failing(3, storeOn(pool)))
    for (const turn of MANY) log.add(part(`last${turn}`, 'failed'), TENANT, WHOLE)
    await log.close()
    expect(await counted('login_record', "outcome = 'failed'")).toBe(MANY.length)
    expect(await counted('login_part')).toBe(MANY.length)
  })

  it('loses a connection in the middle of a batch, and stores it whole afterwards', async () => {
    const own = new Pool({ ...server.database.pool.options, max: 1 })
    own.on('error', () => {})
    const log = logOn(own, {
      async append(tenantId, parts) {
        const client = await own.connect()
        client.on('error', () => {})
        const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]
        client.release()
        if (parts.length === MANY.length && !cut) {
          cut = true
          await server.database.pool.query('SELECT pg_terminate_backend($1)', [pid])
        }
        await storeOn(own).append(tenantId, parts)
      },
    })
    let cut = false
    for (const turn of MANY) log.add(part(`cut${turn}`, 'failed'), TENANT, WHOLE)
    await log.close()
    expect(cut).toBe(true)
    expect(await counted('login_part', "login_id LIKE 'cut%'")).toBe(MANY.length)
    await own.end()
  })

  it('stores what one tenant has once, though the batch of another fails', async () => {
    const [pool] = pools
    const sound = storeOn(pool)
    const log = logOn(pool, {
      append: (tenantId, parts) =>
        tenantId === TENANT ? sound.append(tenantId, parts) : Promise.reject(new Error('refused')),
    })
    for (const turn of MANY) log.add(part(`sound${turn}`, 'failed'), turn % 2 === 0 ? TENANT : 'broken', WHOLE)
    await log.close()
    expect(await counted('login_part')).toBe(MANY.length / 2)
  })

  it('says how much was never stored where it stays away', async () => {
    const [pool] = pools
    const warnings: unknown[] = []
    const log = createLoginLog({
      ...{ store: failing(100, storeOn(pool)), clock: server.clock, pause: async () => {} },
      log: { warn: (fields) => void warnings.push(fields.dropped) },
    })
    for (const turn of MANY) log.add(part(`away${turn}`, 'failed'), TENANT, WHOLE)
    await log.close()
    expect(warnings.at(-1)).toBe(MANY.length)
  })
})
