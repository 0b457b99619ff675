// Removing expired rows on real PostgreSQL: which rows go, which stay, and that two concurrent runs do not disturb each other.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { BATCH_ROWS, DUE, ENDED } from '../../adapters/store/clean-up'
import { createSystemClock, fixedClock } from '../../kernel/clock'
import { seededRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { steppableMachine } from '../../testing/machine'
import { type LogLine, recordingLog } from '../../testing/server'
import { cleanUp, createCleanUp } from './clean-up'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
})
afterAll(() => database.drop())
beforeEach(() =>
  database.pool.query('TRUNCATE login_transaction, attempt_counter, session, token_family, ticket, outbox_message'),
)

const NOW = new Date('2026-01-15T08:00:00.000Z')
const DAY = 86_400_000
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY)
const deps = (keepDays = 30, at = NOW) => ({
  pool: database.pool,
  clock: fixedClock(at),
  keepDays,
  dropOldDays: async () => [],
  deleteAccounts: async () => 0,
})

const addFamily = (expiresAt: Date, revokedAt: Date | null = null) =>
  database.pool.query(
    `INSERT INTO token_family (id, tenant_id, client_id, scopes, created_at, expires_at, revoked_at)
     VALUES (gen_random_uuid(), 'default', 'app', '{}', $1, $1, $2)`,
    [expiresAt, revokedAt],
  )

const addTransactions = (count: number, expiresAt: Date) =>
  database.pool.query(
    `INSERT INTO login_transaction (handle_digest, tenant_id, origin, wants, browser_digest, created_at, expires_at)
     SELECT sha256((random() || ':' || n)::text::bytea), 'default', '{}', '{}', '\\x00', $2, $2 FROM generate_series(1, $1::int) n`,
    [count, expiresAt],
  )

const addCounter = (key: string, expiresAt: Date) =>
  database.pool.query(
    "INSERT INTO attempt_counter (tenant_id, key, count, expires_at) VALUES ('default', $1, 10, $2)",
    [Buffer.from(key), expiresAt],
  )

const count = async (table: string): Promise<number> =>
  Number((await database.pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count)

it('can ask the database for every table that it names', async () => {
  expect(await cleanUp(deps())).toEqual({})
})

it('lets one table that cannot be cleaned keep no other from it, and says so', async () => {
  await addFamily(daysAgo(31))
  const days: string[] = []
  const dropOldDays = async () => {
    days.push('judgedAt')
    return []
  }
  await database.pool.query('ALTER TABLE login_transaction RENAME TO elsewhere')
  try {
    await expect(cleanUp({ ...deps(), dropOldDays })).rejects.toThrow('login_transaction')
  } finally {
    await database.pool.query('ALTER TABLE elsewhere RENAME TO login_transaction')
  }
  expect(await count('token_family')).toBe(0)
  expect(days).toEqual(['judgedAt'])
})

it('finds rows in every table by an index that begins with its condition', async () => {
  for (const { table, since, which } of ENDED) {
    const { rows } = await database.pool.query(
      `SELECT indexdef FROM pg_indexes WHERE tablename = $1 AND (indexdef ~ $2 OR ($3 AND indexdef ~ $4))`,
      [table, `btree \\(${since}\\)`, which !== undefined, `btree \\(next_attempt_at, ${since}\\)`],
    )
    expect(rows, table).not.toEqual([])
  }
})

it('removes batch after batch, and leaves what is younger', async () => {
  await addTransactions(BATCH_ROWS * 2 + 5, daysAgo(2))
  await addTransactions(3, daysAgo(0.5))
  expect(await cleanUp(deps())).toEqual({ login_transaction: BATCH_ROWS * 2 + 5 })
  expect(await count('login_transaction')).toBe(3)
})

it('keeps a revoked family for as long as it would have lived, and then for as long as the operator says', async () => {
  await addFamily(daysAgo(-1), daysAgo(400))
  await addFamily(daysAgo(29), daysAgo(60))
  await addFamily(daysAgo(31))
  expect(await cleanUp(deps())).toEqual({ token_family: 1 })
  expect(await cleanUp(deps(7))).toEqual({ token_family: 1 })
  expect(await cleanUp(deps(1))).toEqual({})
  expect(await count('token_family')).toBe(1)
})

it('lifts no block while it lasts, whichever clock runs ahead (RE7)', async () => {
  const later = new Date(Date.now() + 2 * DAY)
  await addCounter('lasts', later)
  await addCounter('over', daysAgo(2))
  expect(await cleanUp(deps(30, new Date(Date.now() + 400 * DAY)))).toEqual({ attempt_counter: 1 })
  expect(await count('attempt_counter')).toBe(1)
})

it('makes due what a clock ahead has put off, and nothing that waits as long as it may', async () => {
  const soon = (seconds: number): Date => new Date(Date.now() + seconds * 1000)
  const add = (id: number, next: Date) =>
    database.pool.query(
      `INSERT INTO outbox_message (id, tenant_id, channel, recipient, created_at, next_attempt_at)
       VALUES ($1, 'default', 'email', 'kim@mail.test', now(), $2)`,
      [`00000000-0000-0000-0000-00000000000${id}`, next],
    )
  const waits = soon(3600)
  await add(1, waits)
  await add(2, soon(26 * 3600))
  const now = soon(0)
  await cleanUp(deps(30, now))
  const { rows } = await database.pool.query('SELECT next_attempt_at AS at FROM outbox_message ORDER BY id')
  expect(rows).toEqual([{ at: waits }, { at: now }])
  for (const { table, column } of DUE) {
    const { rows: indexes } = await database.pool.query(
      `SELECT 1 FROM pg_indexes WHERE tablename = $1 AND indexdef LIKE '%(' || $2 || '%'`,
      [table, column],
    )
    expect(indexes, table).not.toEqual([])
  }
})

it('removes nothing that an unconfirmed step of the clock has ended, and judges days and accounts by the same time', async () => {
  const machine = steppableMachine(NOW)
  const clock = createSystemClock({ sources: machine })
  await addTransactions(3, daysAgo(-1))
  await addFamily(daysAgo(29))
  machine.step(60 * 86_400)
  const judgedAt: Date[] = []
  const dropOldDays = async (now: Date) => {
    judgedAt.push(now)
    return []
  }
  const deleteAccounts = async (now: Date) => judgedAt.push(now) * 0
  expect(clock.now()).toEqual(machine.wallTime())
  expect(await cleanUp({ ...deps(), clock, dropOldDays, deleteAccounts })).toEqual({})
  expect(judgedAt).toEqual([NOW, NOW])
  machine.run(2 * 86_400)
  expect(await cleanUp({ ...deps(), clock })).toEqual({ token_family: 1 })
})

it('keeps a message that still waits', async () => {
  const add = (next: Date | null) =>
    database.pool.query(
      `INSERT INTO outbox_message (id, tenant_id, channel, recipient, created_at, next_attempt_at)
       VALUES (gen_random_uuid(), 'default', 'email', 'a@b.test', $1, $2)`,
      [daysAgo(31), next],
    )
  await add(NOW)
  await add(null)
  expect(await cleanUp(deps())).toEqual({ outbox_message: 1 })
})

it('passes over a row that a request holds, without waiting for it', async () => {
  await addTransactions(2, daysAgo(2))
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM login_transaction LIMIT 1 FOR UPDATE')
  expect(await cleanUp(deps())).toEqual({ login_transaction: 1 })
  await client.query('ROLLBACK')
  client.release()
})

it('leaves the work to the instance that is at it', async () => {
  await addTransactions(1, daysAgo(2))
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock(1280590664, 1)')
  expect(await cleanUp(deps())).toEqual({})
  await client.query('ROLLBACK')
  client.release()
  expect(await cleanUp(deps())).toEqual({ login_transaction: 1 })
})

it('removes each row once with several at it', async () => {
  await addTransactions(BATCH_ROWS * 3, daysAgo(2))
  const rounds = await Promise.all(Array.from({ length: 4 }, () => cleanUp(deps())))
  await cleanUp(deps())
  expect(await count('login_transaction')).toBe(0)
  expect(rounds.reduce((sum, { login_transaction = 0 }) => sum + login_transaction, 0)).toBeLessThanOrEqual(
    BATCH_ROWS * 3,
  )
})

it('stops after the batch under way', async () => {
  const lines: LogLine[] = []
  const cleaning = createCleanUp({ ...deps(), random: seededRandom(), log: recordingLog(lines) })
  cleaning.start()
  await cleaning.stop()
  const stopped = AbortSignal.abort()
  await addTransactions(1, daysAgo(2))
  expect(await cleanUp(deps(), stopped)).toEqual({})
  expect(lines).toEqual([])
})
