// Query plans of every statement of the stores on large tables: rows must be found by a key or an index with the statement's own
// values, never by a scan of a table or of a whole tenant. Plans, not times, so the result does not depend on the machine.
// Both with statistics and without: a table that has just grown has none.
// `npm run growth` does the same with a million users; GROWTH_USERS and GROWTH_FAMILIES set other sizes and print the bytes per row.
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database'
import { GROWING, grow } from '../../testing/growth'
import { nodesOf, type QueryPlan, readTables, type TableOf } from '../../testing/plans'
import { everyStatement, storeSources } from '../../testing/statements'
import type { Statement } from './prepared'

const SIZE = {
  users: Number(process.env.GROWTH_USERS ?? 100_000),
  families: Number(process.env.GROWTH_FAMILIES ?? 500_000),
}

/** Statements that may read many rows, and the reason. */
const MAY_WALK: Readonly<Record<string, string>> = {
  'client-first-party': 'all of a tenant’s own applications at once, kept in memory',
  'client-aliases': 'all of a tenant’s aliases at once, kept in memory',
  'outbox-list': 'the outbox page of development',
  'outbox-waiting': 'counts for an operator what waits; without statistics all might',
  'account-deletion-requests': 'a page of what waits for an administrator, by an index that holds nothing else',
  'account-deletion-count-requests': 'the same',
  'action-run-latest': 'the latest few, for an operator',
  'managed-log-find': 'partitions without records; lib/server/endpoints/large-tenant.test.ts',
  'rank-mighty-at': 'who has rights over a tenant is rare, which no plan without the values knows; the same',
  'login-erase-names':
    'the names of a user in the log, before they are erased; where days have few records, they are walked',
  'audit-erase': 'what a user did without being signed in is found by an address in the whole log; rare',
}

/**
 * The reads of every login and every token. A connection keeps the plan of its first executions until the table is analyzed, so
 * they must find their rows by a key also in a database that was empty at that time.
 */
const HOT = [
  'account-find',
  'attempt-count-guess',
  'attempt-give-back',
  'attempt-reserve-unless-known',
  'attempt-settle',
  'attempt-tallies',
  'code-user-find',
  'family-find',
  'family-redeem',
  'family-user',
  'session-find',
  'transaction-find',
  'transaction-finish-known',
  'transaction-finish-plain',
]

let database: TestDatabase
let client: PoolClient
let tableOf: TableOf
let statements: Statement[]
let faultsWhenEmpty: string[]

beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
  const all = [...statementsIn(SOURCES), ...(await everyStatement())]
  statements = [...new Map(all.map((statement) => [statement.name, statement])).values()]
  client = await database.pool.connect()
  tableOf = await readTables(database.pool)
  await client.query('SET plan_cache_mode = force_generic_plan')
  faultsWhenEmpty = await faultsIn(statements.filter(({ name }) => HOT.includes(name)))
  await grow(database.pool, SIZE)
  // Growth adds days of the audit log.
  tableOf = await readTables(database.pool)
  if (process.env.GROWTH_USERS) process.stdout.write(await bytesPerRow())
}, 1_800_000)
afterAll(async () => {
  client.release()
  await database.drop()
})

const SOURCES = storeSources()

/**
 * Statements read from the source text, for those that no call below reaches. The list of columns is replaced, because it does
 * not affect how rows are found.
 */
function statementsIn(sources: string[]): Statement[] {
  const written = sources.flatMap((source) => [
    ...source.matchAll(/name: '(?<name>[a-z-]+)',\s+text: (?:`(?<text>[^`]+)`|'(?<line>[^'\n]+)')/g),
  ])
  return written.flatMap(({ groups: { name = '', text, line } = {} }) => {
    const sql = (text ?? line ?? '').replaceAll(/\$\{USER_COLUMNS\}/g, '1')
    return sql.includes('${') ? [] : [{ name, text: sql }]
  })
}

function nullsFor(text: string): string {
  const count = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  return count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`
}

async function planOf({ name, text }: Statement): Promise<QueryPlan> {
  await client.query(`PREPARE probe AS ${text}`)
  try {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE probe ${nullsFor(text)}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } catch (error) {
    throw new Error(`${name}: ${String(error)}`)
  } finally {
    await client.query('DEALLOCATE probe')
  }
}

/** The faults in how the plan finds its rows. */
function faultsOf(plan: QueryPlan): string[] {
  return nodesOf(plan).flatMap((node) => {
    const table = tableOf(node)
    if (table === undefined) return []
    if (node['Node Type'] === 'Seq Scan') return [`walks all of ${table}`]
    if (!/Index (Only )?Scan/.test(node['Node Type'])) return []
    const selects = (node['Index Cond'] ?? '').replaceAll(/\(?\w*\.?tenant_id = [^)]*\)/g, '')
    // A column, or an expression such as `lower(email)`.
    return /[a-z_]\)* ?(=|<|>|IS)/.test(selects)
      ? []
      : [`walks ${node['Index Name']} by ${node['Index Cond'] ?? 'nothing'}`]
  })
}

async function bytesPerRow(): Promise<string> {
  const lines = await Promise.all(
    [...GROWING].map(async (table) => {
      const { rows } = await database.pool.query(
        `SELECT (SELECT count(*)::int FROM "${table}") AS rows, sum(pg_table_size(oid)) AS data, sum(pg_indexes_size(oid)) AS indexes
         FROM pg_class WHERE relkind = 'r' AND (oid = '"${table}"'::regclass
         OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '"${table}"'::regclass))`,
      )
      const { rows: count, data, indexes } = rows[0]
      return `${table}: ${count} rows, ${Math.round(data / count)} + ${Math.round(indexes / count)} bytes each\n`
    }),
  )
  return lines.join('')
}

async function faultsIn(some: readonly Statement[]): Promise<string[]> {
  const found: string[] = []
  for (const statement of some) {
    found.push(...faultsOf(await planOf(statement)).map((fault) => `${statement.name} ${fault}`))
  }
  return found
}

const faults = () => faultsIn(statements.filter(({ name }) => !(name in MAY_WALK)))

describe('every statement of the stores', () => {
  it('is known here', () => {
    const names = new Set(statements.map(({ name }) => name))
    const written = SOURCES.flatMap((source) =>
      Array.from(source.matchAll(/\bname: '([a-z-]+)',\s+text:/g), ([, name]) => name),
    )
    expect(written.filter((name) => !names.has(name ?? ''))).toEqual([])
    expect(names.size).toBeGreaterThan(100)
  })

  it('continues with its prepared statement when a migration adds columns (ADR 25)', async () => {
    const { rows: tables } = await client.query(
      "SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
    )
    await client.query('BEGIN; PREPARE whole AS SELECT * FROM consent')
    for (const { name, text } of statements) await client.query(`PREPARE "${name}" AS ${text}`)
    for (const { name } of tables) await client.query(`ALTER TABLE ${name} ADD added int`)
    for (const { name, text } of statements) await client.query(`EXPLAIN EXECUTE "${name}" ${nullsFor(text)}`)
    await expect(client.query('EXPLAIN EXECUTE whole')).rejects.toMatchObject({ code: '0A000' })
    await client.query('ROLLBACK')
    await client.query('DEALLOCATE ALL')
  })

  it.each([
    ['of a table that is walked', 'SELECT * FROM token_family WHERE sid = $1', 'walks all of token_family'],
    ['of a tenant that is walked', 'SELECT * FROM attempt_counter WHERE tenant_id = $1 AND count = $2', 'walks'],
    [
      'of an index that is walked to its end',
      'SELECT id FROM outbox_message ORDER BY id LIMIT 1',
      'walks outbox_message_pkey',
    ],
  ])('a plan %s is reported', async (_what, text, fault) => {
    expect((await faultsOf(await planOf({ name: 'bad', text })))[0]).toContain(fault)
  })

  it('finds its rows by its condition in an empty database, for each of a login and a token', () => {
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(HOT))
    expect(faultsWhenEmpty).toEqual([])
  })

  it('finds its rows by its condition, without statistics', async () => {
    expect(await faults()).toEqual([])
  })

  it('finds its rows by its condition, with statistics', async () => {
    await client.query('ANALYZE')
    expect(await faults()).toEqual([])
  }, 600_000)
})
