// On PostgreSQL: which secrets open a database, and that sealed data stays readable.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OtherSecretError } from '../../crypto/keys/keyring'
import { systemRandom as random } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { TEST_SECRET, type TestDatabase, testDatabase } from '../../testing/database'
import { addSecret, listSecrets, openVault, retireOthers } from './root-secret'

const OLD = 'old-secret-old-secret-old-secret-old'
const NEW = 'new-secret-new-secret-new-secret-new'

let database: TestDatabase
const open = (secret: string) => openVault(database.pool, secret, random)

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.drop())

describe('a new database', () => {
  it('has its own root secret: LATCHKEY_SECRET alone decrypts nothing', async () => {
    const sealed = (await open(OLD)).seal('totp', 'seed', random)
    expect((await open(OLD)).open('totp', sealed)?.toString()).toBe('seed')
    expect(createVault(OLD).open('totp', sealed)).toBeNull()
  })

  it('gets one root, however many start at once', async () => {
    const [first, ...rest] = await Promise.all(Array.from({ length: 8 }, () => open(OLD)))
    for (const vault of rest) expect(vault.mac('x', 'y')).toEqual(first?.mac('x', 'y'))
  })

  it('refuses another secret, and changes nothing', async () => {
    const before = (await open(OLD)).mac('x', 'y')
    await expect(open(NEW)).rejects.toThrow(OtherSecretError)
    expect((await open(OLD)).mac('x', 'y')).toEqual(before)
  })

  it('opens with a secret that was delivered with a line break or quotes, and one stored under those opens without', async () => {
    const made = (await open(`${OLD}\n`)).mac('x', 'y')
    for (const form of [OLD, `"${OLD}"`, `${OLD}\r\n`]) expect((await open(form)).mac('x', 'y')).toEqual(made)
    expect(await listSecrets(database.pool, `"${OLD}"`)).toMatchObject([{ present: true }])
    expect(await retireOthers(database.pool, `${OLD}\n`)).toBe(0)
    await expect(open(`${NEW}\n`)).rejects.toThrow(OtherSecretError)
  })

  it('opens a root that an earlier release stored under a secret with its line break', async () => {
    const raw = `${OLD}\n`
    const root = random.bytes(32)
    const mark = createVault(raw).mac('root-secret-mark', '').subarray(0, 16)
    const sealed = createVault(raw).seal('root-secret', root, random)
    await database.pool.query('INSERT INTO root_secret (mark, sealed) VALUES ($1, $2)', [mark, sealed])
    expect((await open(raw)).mac('x', 'y')).toEqual(createVault(root).mac('x', 'y'))
    expect(await retireOthers(database.pool, raw)).toBe(0)
    await expect(open(OLD)).rejects.toThrow(OtherSecretError)
  })

  it('stores neither secret nor root', async () => {
    await open(OLD)
    const { rows } = await database.pool.query('SELECT * FROM root_secret')
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0].sealed).includes(OLD)).toBe(false)
    expect(Buffer.from(rows[0].mark).includes(OLD)).toBe(false)
  })
})

describe('a database from before there were roots', () => {
  it('keeps its secret as the root, so all that was sealed still opens', async () => {
    const earlier = await testDatabase({ bootstrapped: true })
    const sealed = createVault(TEST_SECRET).seal('totp', 'seed', random)
    expect((await openVault(earlier.pool, TEST_SECRET, random)).open('totp', sealed)?.toString()).toBe('seed')
    await addSecret(earlier.pool, TEST_SECRET, NEW, random)
    const opened = await openVault(earlier.pool, NEW, random)
    await earlier.drop()
    expect(opened.open('totp', sealed)?.toString()).toBe('seed')
  })
})

describe('changing the secret', () => {
  it('lets old and new side by side read what the other wrote, then the new one alone', async () => {
    const { pool } = database
    const sealed = (await open(OLD)).seal('totp', 'seed', random)
    expect(await addSecret(pool, OLD, NEW, random)).toBe(true)
    expect(await addSecret(pool, OLD, NEW, random)).toBe(false)
    expect((await open(NEW)).open('totp', sealed)?.toString()).toBe('seed')
    expect((await open(OLD)).mac('x', 'y')).toEqual((await open(NEW)).mac('x', 'y'))
    expect((await listSecrets(pool, NEW)).map(({ present }) => present)).toEqual([false, true])

    expect(await retireOthers(pool, NEW)).toBe(1)
    expect(await retireOthers(pool, NEW)).toBe(0)
    await expect(open(OLD)).rejects.toThrow(OtherSecretError)
    expect((await open(NEW)).open('totp', sealed)?.toString()).toBe('seed')
  })

  it('leaves one secret if both are retired concurrently', async () => {
    const { pool } = database
    const root = await open(OLD)
    await addSecret(pool, OLD, NEW, random)
    // Both have checked before either deletes.
    const holder = await pool.connect()
    await holder.query('BEGIN; LOCK TABLE root_secret IN SHARE ROW EXCLUSIVE MODE')
    const retiring = [OLD, NEW].map((secret) => retireOthers(pool, secret))
    await waitFor(pool, 2)
    await holder.query('COMMIT')
    holder.release()
    const outcomes = await Promise.allSettled(retiring)
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [left] = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [i === 0 ? OLD : NEW] : []))
    expect((await open(left ?? '')).mac('x', 'y')).toEqual(root.mac('x', 'y'))
  })

  it('is refused without one of the two', async () => {
    const { pool } = database
    await open(OLD)
    await expect(addSecret(pool, NEW, 'x'.repeat(40), random)).rejects.toThrow(OtherSecretError)
    await expect(retireOthers(pool, NEW)).rejects.toThrow(OtherSecretError)
    expect(await listSecrets(pool, OLD)).toHaveLength(1)
  })
})

/** Resolves when this many statements wait for a lock in the test's database. */
async function waitFor(pool: Pool, waiting: number): Promise<void> {
  const waitingLocks = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'root_secret'::regclass`
  while ((await pool.query(waitingLocks)).rows[0].n < waiting) await sleep(10)
}
