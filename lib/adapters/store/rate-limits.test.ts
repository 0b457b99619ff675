// Exact rate limits across several instances, on real stores (threat-model.md RL5, RE8; docs/adr/0023).
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type BucketStanding, take as byArithmetic, type Limit, standingOf } from '../../data/rate-limit/bucket'
import type { BucketStore } from '../../data/rate-limit/store'
import { systemClock } from '../../kernel/clock'
import { createVault } from '../../kernel/secret'
import { openBuckets } from '../../server/runtime/buckets'
import { parseRedisUrl } from '../../settings/redis-address'
import { cutOff, TEST_SECRET, type TestDatabase, testDatabase } from '../../testing/database'
import { isOverWithin } from '../../testing/in-time'
import { hasRedis, type TestRedis, testRedis } from '../../testing/redis'
import { openRedis, type RedisClient } from './redis/client'
import { redisBuckets } from './redis/rate-limits'
import { databaseBuckets } from './sql/rate-limits'

const vault = createVault(TEST_SECRET)
const nameOf = (key: string): Buffer => vault.mac('rate-limit', key).subarray(0, 16)
/** A store with a fallback has a short timeout. A store that is only slow, as on a busy machine, must not count as unavailable. */
const PATIENT_MS = 20_000
/** In seconds: both are whole. */
const ROUNDING = 2
const SLOW: Limit = { burst: 60, per_minute: 0.01 }

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

let keys = 0
const freshKey = (): string => `limit ${keys++}`

function openClient(redis: TestRedis): RedisClient {
  const address = parseRedisUrl(redis.url)
  if (!address) throw new Error('no address')
  const client = openRedis(address, { log: { info() {}, warn() {} }, commandMs: PATIENT_MS })
  onTestFinished(() => client.close())
  return client
}

/** The contract of every store, for any number of instances. */
function itCounts(instances: () => Promise<[BucketStore, BucketStore]>, dateAhead: () => Promise<unknown>): void {
  it('allows as many requests as the bucket holds, and reports no number twice', async () => {
    const stores = await instances()
    const key = freshKey()
    const asks = Array.from({ length: 400 }, (_, i) => stores[i % 2]?.take(key, SLOW))
    const standings = (await Promise.all(asks)) as BucketStanding[]
    const allowed = standings.filter((standing) => standing.allowed)
    expect(allowed).toHaveLength(SLOW.burst)
    const expected = allowed.map(({ remaining }) => remaining).toSorted((a, b) => a - b)
    expect(expected).toEqual(Array.from({ length: SLOW.burst }, (_, i) => i))
    for (const { allowed, remaining } of standings) expect(allowed || remaining === 0).toBe(true)
  })

  it('stands as the arithmetic says, over many sizes and rates', async () => {
    const [store] = await instances()
    for (const limit of [
      SLOW,
      { burst: 1, per_minute: 0.01 },
      { burst: 3, per_minute: 1 / 7 },
      { burst: 7, per_minute: 0.3 },
    ]) {
      const key = freshKey()
      let bucket = byArithmetic(undefined, limit, 0)
      const before = Date.now() / 1000
      let firstTaken: number | undefined
      for (let i = 0; i < limit.burst + 2; i++) {
        const { allowed, remaining, limit: size, reset } = (await store.take(key, limit)) as BucketStanding
        firstTaken ??= Date.now() / 1000
        const wanted = standingOf(bucket, limit)
        expect([allowed, remaining, size]).toEqual([wanted.allowed, wanted.remaining, wanted.limit])
        // The arithmetic starts at zero, the store at its first request. What refills meanwhile, later requests do not wait for.
        const start = reset - wanted.reset
        expect(start).toBeGreaterThan(before - ROUNDING)
        expect(start).toBeLessThan(firstTaken + ROUNDING)
        bucket = byArithmetic(bucket, limit, 0)
      }
    }
  })

  it('refills by its rate', async () => {
    const [store] = await instances()
    const key = freshKey()
    // One token every three seconds: no machine takes that long over the first three requests, nor over the last two.
    const limit = { burst: 2, per_minute: 20 }
    const allowed = async () => ((await store.take(key, limit)) as BucketStanding).allowed
    expect([await allowed(), await allowed(), await allowed()]).toEqual([true, true, false])
    await vi.waitUntil(allowed, { timeout: 20_000, interval: 20 })
    expect(await allowed()).toBe(false)
  })

  it('refills a bucket that was used by a clock ahead, and not at once (RE7)', async () => {
    const [store] = await instances()
    const key = freshKey()
    // As in the test before.
    const limit = { burst: 2, per_minute: 20 }
    const allowed = async () => ((await store.take(key, limit)) as BucketStanding).allowed
    expect([await allowed(), await allowed()]).toEqual([true, true])
    await dateAhead()
    expect(await allowed()).toBe(false)
    await vi.waitUntil(allowed, { timeout: 20_000, interval: 20 })
    expect(await allowed()).toBe(false)
  })

  it('holds no more than a limit that was lowered', async () => {
    const [store] = await instances()
    const key = freshKey()
    await store.take(key, SLOW)
    expect(await store.take(key, { burst: 3, per_minute: 1 })).toMatchObject({ allowed: true, remaining: 2 })
  })
}

describe('PostgreSQL', () => {
  const two = async (): Promise<[BucketStore, BucketStore]> => [
    databaseBuckets(database.pool, nameOf),
    databaseBuckets(database.pool, nameOf),
  ]
  itCounts(two, () => database.pool.query("UPDATE rate_bucket SET at = at + interval '26 hours'"))

  it('takes several instances’ statements over the same buckets without a circle', async () => {
    const stores = [...(await two()), ...(await two())]
    const own = Array.from({ length: 30 }, freshKey)
    const asks = Array.from({ length: 1200 }, (_, i) => stores[i % 4]?.take(own[(i * 7) % 30] ?? '', SLOW))
    const standings = (await Promise.all(asks)) as BucketStanding[]
    expect(standings.filter(({ allowed }) => allowed)).toHaveLength(1200)
  })

  it('sends what comes at a time as one statement', async () => {
    const connect = vi.spyOn(database.pool, 'connect')
    onTestFinished(() => connect.mockRestore())
    const [store] = await two()
    await Promise.all(Array.from({ length: 50 }, () => store.take(freshKey(), SLOW)))
    expect(connect).toHaveBeenCalledTimes(1)
  })

  it('keeps nothing that could be read back, and writes no log', async () => {
    const [store] = await two()
    await store.take('kim@mail.test', SLOW)
    const { rows } = await database.pool.query('SELECT * FROM rate_bucket')
    expect(JSON.stringify(rows)).not.toContain('kim')
    const { rows: kind } = await database.pool.query(
      "SELECT relpersistence FROM pg_class WHERE relname = 'rate_bucket'",
    )
    expect(kind).toEqual([{ relpersistence: 'u' }])
  })
})

describe.skipIf(!hasRedis())('Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await testRedis()
  })
  afterAll(() => redis.close())

  const two = async (): Promise<[BucketStore, BucketStore]> => {
    const clients = [openClient(redis), openClient(redis)] as const
    await Promise.all(clients.map((client) => client.settled(5000)))
    return [redisBuckets(clients[0], nameOf), redisBuckets(clients[1], nameOf)]
  }
  const ahead = "for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('HINCRBYFLOAT', key, 'at', 93600000) end"
  itCounts(two, () => redis.tell('EVAL', ahead, '0'))

  it('forgets a bucket when it is full', async () => {
    const [store] = await two()
    await redis.tell('FLUSHALL')
    await store.take('one', { burst: 1, per_minute: 6 })
    const [, left = ''] =
      /:(\d+)/.exec(await redis.tell('EVAL', "return redis.call('PTTL', redis.call('KEYS', '*')[1])", '0')) ?? []
    expect(Number(left)).toBeGreaterThan(1000)
    expect(Number(left)).toBeLessThanOrEqual(11_000)
  })
})

describe('losing stores (threat-model.md RE8)', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  function open(pool: Pool | undefined, redis?: RedisClient, patienceMs: number | undefined = PATIENT_MS) {
    const logged: string[] = []
    const say = (level: string) => (_: unknown, sentence: string) => void logged.push(`${level}: ${sentence}`)
    const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error'), fatal: say('fatal') }
    return { ...openBuckets({ redis, pool, vault, clock: systemClock, log, patienceMs }), logged }
  }
  const takeMany = async (store: BucketStore, key: string, times: number): Promise<number> => {
    const standings = await Promise.all(Array.from({ length: times }, () => store.take(key, SLOW)))
    return standings.filter(({ allowed }) => allowed).length
  }

  it('counts in the process while the database is away, and in the database when it is back', async () => {
    const { shared, logged } = open(database.pool)
    const key = freshKey()
    expect(await takeMany(shared, key, 10)).toBe(10)
    const connect = cutOff(database.pool, away)
    expect(await takeMany(shared, key, 100)).toBe(SLOW.burst)
    expect(await takeMany(shared, key, 10)).toBe(0)
    connect.mockRestore()
    await vi.waitFor(async () => expect((await shared.take(key, SLOW)).remaining).toBeGreaterThan(0), 20_000)
    expect(await takeMany(shared, key, 100)).toBeLessThan(SLOW.burst - 10)
    expect(logged).toEqual([
      'warn: Limits cannot be counted in PostgreSQL; until they can, each process counts separately.',
      'info: Limits are counted in PostgreSQL again.',
    ])
  })

  it('does not wait for a database that never answers', async () => {
    const { shared } = open(database.pool, undefined, 500)
    const connect = cutOff(database.pool)
    onTestFinished(() => connect.mockRestore())
    const counts = async () => expect(await takeMany(shared, freshKey(), 100)).toBe(SLOW.burst)
    expect(await isOverWithin(1.5, () => counts().then(counts))).toBe(true)
  })

  it.skipIf(!hasRedis())(
    'continues exactly in the database while Redis is unavailable, and returns to it',
    async () => {
      const redis = await testRedis()
      onTestFinished(() => redis.close())
      const clients = [openClient(redis), openClient(redis)]
      await Promise.all(clients.map((client) => client.settled(5000)))
      const stores = clients.map((client) => open(database.pool, client).shared)
      const key = freshKey()
      const both = async (): Promise<number> =>
        (await Promise.all(stores.map((store) => takeMany(store, key, 60)))).reduce((sum, count) => sum + count)
      expect(await both()).toBe(SLOW.burst)
      await redis.stop()
      expect(await both()).toBe(SLOW.burst)
      expect(await both()).toBe(0)
      await redis.start()
      await vi.waitFor(() => expect(clients.map((client) => client.state())).toEqual(['up', 'up']), 10_000)
      expect(await both()).toBe(SLOW.burst)
      expect(await both()).toBe(0)
    },
  )

  it('answers at once, without a promise, where the process counts', () => {
    const { shared } = open(undefined)
    expect(shared.take('one', SLOW)).not.toBeInstanceOf(Promise)
  })
})
