import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom, systemRandom } from '../../kernel/random'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { assertMigrated, isServable, migrate, pendingMigrations, readMigrations } from './migrate'

const deps = { random: systemRandom }

describe('the migration runner', () => {
  let database: TestDatabase
  let folder: string

  beforeEach(async () => {
    database = await testDatabase({ empty: true })
    folder = await mkdtemp(join(tmpdir(), 'migrations-'))
    await add('1_make', 'CREATE TABLE thing (id int PRIMARY KEY);')
  })

  afterEach(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  async function add(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'migration.sql'), sql)
  }

  it('applies what is missing, in order, once', async () => {
    await add('2_fill', 'INSERT INTO thing VALUES (1);')
    expect(await pendingMigrations(database.pool, folder)).toEqual(['1_make', '2_fill'])
    expect(await migrate(database.pool, folder, deps)).toEqual(['1_make', '2_fill'])
    expect(await migrate(database.pool, folder, deps)).toEqual([])
    expect(await pendingMigrations(database.pool, folder)).toEqual([])
    expect((await database.pool.query('SELECT * FROM thing')).rowCount).toBe(1)
  })

  it('lets a version serve beside a newer one, but not without its own migrations', async () => {
    expect(await isServable(database.pool, readMigrations(folder))).toBe(false)
    await add('2_newer', 'CREATE TABLE newer (id int);')
    await migrate(database.pool, folder, deps)
    await rm(join(folder, '2_newer'), { recursive: true })
    expect(await isServable(database.pool, readMigrations(folder))).toBe(true)
  })

  it('touches nothing beside the tables of another application, and names some', async () => {
    for (const name of ['orders', 'customer', 'thing', 'invoice']) await database.pool.query(`CREATE TABLE ${name} ()`)
    await expect(migrate(database.pool, folder, deps)).rejects.toThrow(
      "The database belongs to another application: it holds tables that are not Latchkey's (customer, invoice, orders, …). Make a database for Latchkey alone",
    )
    const { rows } = await database.pool.query(`SELECT to_regclass('_prisma_migrations') AS made`)
    expect(rows).toEqual([{ made: null }])
  })

  it('knows the migrations of another application', async () => {
    await migrate(database.pool, folder, deps)
    await database.pool.query(`UPDATE _prisma_migrations SET migration_name = '20240101_shop'`)
    await expect(migrate(database.pool, folder, deps)).rejects.toThrow(
      "it holds migrations that are not Latchkey's (20240101_shop)",
    )
  })

  it('lets no server start on a database whose migrations are left to a command', async () => {
    await expect(assertMigrated(database.pool, folder)).rejects.toThrow(/LATCHKEY_MIGRATE=0 .* run `npm run migrate`/)
    await migrate(database.pool, folder, deps)
    await assertMigrated(database.pool, folder)
  })

  it('keeps the table as Prisma reads it', async () => {
    await migrate(database.pool, folder, { random: seededRandom() })
    const { rows } = await database.pool.query('SELECT * FROM _prisma_migrations')
    expect(rows[0]).toMatchObject({
      migration_name: '1_make',
      checksum: 'e0f0d902bca1cc0ea3a684ae311ccbc6b27ad203a45045a823c04f6a390a67f0',
      rolled_back_at: null,
      applied_steps_count: 1,
    })
    expect(rows[0].finished_at).toBeInstanceOf(Date)
  })

  it('lets one of many that start at once do the work', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(database.pool, folder, deps)))
    expect(results.filter((names) => names.length > 0)).toEqual([['1_make']])
  })

  it('refuses a migration that was edited after it was applied, and applies nothing', async () => {
    await migrate(database.pool, folder, deps)
    await add('1_make', 'CREATE TABLE thing (id bigint PRIMARY KEY);')
    await add('2_more', 'CREATE TABLE more (id int);')
    await expect(migrate(database.pool, folder, deps)).rejects.toThrow(/1_make was edited after it was applied/)
    await expect(database.pool.query('SELECT 1 FROM more')).rejects.toThrow(/does not exist/)
  })

  it('refuses a database that a newer version migrated', async () => {
    await add('2_newer', 'CREATE TABLE newer (id int);')
    await migrate(database.pool, folder, deps)
    await rm(join(folder, '2_newer'), { recursive: true })
    await expect(migrate(database.pool, folder, deps)).rejects.toThrow(/2_newer, which this version does not know/)
  })

  it('rolls back a failed migration, reports why, and can continue after the repair', async () => {
    await add('2_fail', 'CREATE TABLE half (id int); SELECT nonsense;')
    await expect(migrate(database.pool, folder, deps)).rejects.toThrow(/2_fail could not be applied.*nonsense/)
    await expect(database.pool.query('SELECT 1 FROM half')).rejects.toThrow(/does not exist/)
    await add('2_fail', 'CREATE TABLE half (id int);')
    expect(await migrate(database.pool, folder, deps)).toEqual(['2_fail'])
  })

  it('gives way to a statement that it and which wait for each other, and is applied after it', async () => {
    await add('2_other', 'CREATE TABLE other (id int);')
    await migrate(database.pool, folder, deps)
    await add('3_both', 'ALTER TABLE thing ADD COLUMN a int; ALTER TABLE other ADD COLUMN a int;')
    const serving = await database.pool.connect()
    try {
      await serving.query('BEGIN; INSERT INTO other VALUES (1)')
      const applied = migrate(database.pool, folder, deps)
      await untilLocked(database.pool, 'thing')
      // Waits for the migration, which waits for `other`.
      await serving.query('SELECT id FROM thing')
      await serving.query('COMMIT')
      expect(await applied).toEqual(['3_both'])
    } finally {
      serving.release()
    }
  })

  it('blocks no request behind it during a long operation', async () => {
    await migrate(database.pool, folder, deps)
    await add('2_alter', 'ALTER TABLE thing ADD COLUMN a int;')
    const long = await database.pool.connect()
    await long.query('BEGIN; SELECT id FROM thing')
    const applied = migrate(database.pool, folder, deps)
    await untilLocked(database.pool, 'thing', false)
    expect((await database.pool.query('SELECT id FROM thing')).rows).toEqual([])
    await long.query('COMMIT')
    long.release()
    expect(await applied).toEqual(['2_alter'])
  })

  it('stops at a migration that another tool left half-way', async () => {
    await migrate(database.pool, folder, deps)
    await database.pool.query('UPDATE _prisma_migrations SET finished_at = NULL')
    await expect(migrate(database.pool, folder, deps)).rejects.toThrow(/1_make failed half-way/)
  })

  it('ignores the record of a migration that was rolled back', async () => {
    await migrate(database.pool, folder, deps)
    await database.pool.query(
      'DROP TABLE thing; UPDATE _prisma_migrations SET finished_at = NULL, rolled_back_at = now()',
    )
    expect(await migrate(database.pool, folder, deps)).toEqual(['1_make'])
  })
})

/** Resolves when an exclusive lock on the table is granted, or requested if `granted` is false. */
async function untilLocked(pool: Pool, table: string, granted = true): Promise<void> {
  const text = `SELECT FROM pg_locks WHERE relation = $1::regclass AND mode = 'AccessExclusiveLock' AND granted = $2`
  while ((await pool.query(text, [table, granted])).rowCount === 0) await sleep(5)
}
