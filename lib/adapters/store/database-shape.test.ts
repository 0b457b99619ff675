// On PostgreSQL: databases with another schema or encoding than usual are used, or refused before anything is written.
import { join } from 'node:path'
import { Pool } from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { systemRandom } from '../../kernel/random'
import { openPool } from '../../server/runtime/pool'
import { databaseUrl, type TestDatabase, testDatabase } from '../../testing/database'
import { shapeProblem } from './database-shape'
import { assertMigrated, migrate } from './migrate'
import { createDatabase } from './prisma/client'

const MIGRATIONS = join(process.cwd(), 'prisma', 'migrations')

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase({ empty: true })
  onTestFinished(() => database.drop())
  return database
}

function open(url: string, search: string): Pool {
  const address = new URL(url)
  for (const [name, value] of new URLSearchParams(search)) address.searchParams.set(name, value)
  const pool = openPool({ url: address.href, max: 2, pooled: false, random: systemRandom, onLostConnection: () => {} })
  onTestFinished(() => pool.end())
  return pool
}

const migrated = (pool: Pool) => migrate(pool, MIGRATIONS, { random: systemRandom })

const TABLES = `SELECT relnamespace::regnamespace::text AS schema, count(*)::int AS tables FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)' GROUP BY 1`

describe('another schema', () => {
  it.each([
    ['of the address', 'schema=auth', ''],
    ['of a name in capitals', 'schema=Auth', ''],
    ['of the options', 'options=-c%20search_path%3Dauth', ''],
    ['of the database', '', 'search_path = auth'],
    ['before public', 'options=-csearch_path%3Dauth,public', ''],
  ])('%s has every table, for both kinds of statements', async (_where, search, ofDatabase) => {
    const { pool: admin, url } = await emptyDatabase()
    const name = search.includes('Auth') ? 'Auth' : 'auth'
    await admin.query(`CREATE SCHEMA "${name}"`)
    if (ofDatabase) await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${ofDatabase}`)
    const pool = open(url, search)
    expect((await migrated(pool)).length).toBeGreaterThan(10)
    const { rows } = await admin.query(TABLES)
    expect(rows).toEqual([{ schema: name === 'Auth' ? '"Auth"' : 'auth', tables: expect.any(Number) }])
    const prisma = await createDatabase(pool).prisma()
    await prisma.tenant.create({ data: { id: 'default', name: 'Acme', settings: {} } })
    expect((await pool.query('SELECT id FROM tenant')).rows).toEqual([{ id: 'default' }])
    expect(await migrated(pool)).toEqual([])
    expect((await pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '3s' }])
    await prisma.$disconnect()
  })

  it.each([
    ['of the address', 'schema=nowhere', /The schema nowhere does not exist.*DATABASE_URL/],
    ['before public', 'options=-c%20search_path%3Dnowhere,public', /The schema nowhere does not exist/],
  ])('%s that does not exist is refused, and nothing is written', async (_where, search, refusal) => {
    const { pool: admin, url } = await emptyDatabase()
    const pool = open(url, search)
    await expect(migrated(pool)).rejects.toThrow(refusal)
    await expect(assertMigrated(pool, MIGRATIONS)).rejects.toThrow(refusal)
    expect((await admin.query(TABLES)).rows).toEqual([])
  })
})

describe('an encoding', () => {
  it.each(['SQL_ASCII', 'LATIN1', 'EUC_JP'])('%s is refused, and nothing is written', async (encoding) => {
    const { pool: admin } = await emptyDatabase()
    const name = `test_${systemRandom.hex(12)}`
    await admin.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' STRATEGY file_copy`,
    )
    const pool = new Pool({ connectionString: databaseUrl(inject('clusterUrl'), name), max: 1 })
    await expect(migrated(pool)).rejects.toThrow(`has the encoding ${encoding}, which cannot hold every text`)
    await expect(assertMigrated(pool, MIGRATIONS)).rejects.toThrow('DATABASE_URL')
    expect((await pool.query(TABLES)).rows).toEqual([])
    await pool.end()
    await admin.query(`DROP DATABASE ${name}`)
  })
})

describe('the shape of a database', () => {
  const usual = { encoding: 'UTF8', schema: 'public', path: '"$user", public', user: 'latchkey' }

  it.each([
    [usual],
    [{ ...usual, schema: 'latchkey' }],
    [{ ...usual, schema: 'auth', path: 'auth' }],
    [{ ...usual, schema: 'auth', path: 'auth, public' }],
    [{ ...usual, schema: 'My "x"', path: '"My ""x"""' }],
  ])('can be used: %j', (shape) => {
    expect(shapeProblem(shape)).toBeNull()
  })

  it.each([
    [{ ...usual, schema: null }, 'The schema public does not exist'],
    [{ ...usual, schema: null, path: '' }, 'The schema of the search_path does not exist'],
    [{ ...usual, path: 'auth, public' }, 'The schema auth does not exist'],
    [{ ...usual, path: 'latchkey, public' }, 'The schema latchkey does not exist'],
    [{ ...usual, encoding: 'SQL_ASCII' }, 'the encoding SQL_ASCII'],
  ])('cannot be used: %j', (shape, sentence) => {
    expect(shapeProblem(shape)).toContain(sentence)
  })
})
