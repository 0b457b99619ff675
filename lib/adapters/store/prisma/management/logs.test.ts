// The log and its numbers, found by index on many records: plans, not times.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../testing/database'
import type { Database } from '../../database'
import { createDatabase } from '../client'
import { ACTIVE_SINCE, DAILY, FIND_BY_ID, logStore, statsStore } from './logs'

const RECORDS = 40_000
const FIRST_DAY = '2027-01-01'
/** Seconds between two records: four days in all. */
const STEP = 8

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
  const { pool } = database
  db = createDatabase(pool)
  for (const day of [1, 2, 3])
    await pool.query(
      `CREATE TABLE audit_record_2027010${day} PARTITION OF audit_record FOR VALUES FROM ('2027-01-0${day}') TO ('2027-01-0${day + 1}')`,
    )
  await pool.query(
    `INSERT INTO audit_record (tenant_id, seq, stored_at, log_id, type, at, content, personal_digest, hash)
     SELECT 'default', n, at + interval '1 second', '900' || to_char(at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || lpad(n::text, 27, '0'),
       CASE WHEN n % 100 = 0 THEN 's' WHEN n % 500 = 1 THEN 'ss' ELSE 'seacft' END, at, '{}', '\\x00', '\\x00'
     FROM generate_series(1, ${RECORDS}) n, LATERAL (SELECT '${FIRST_DAY}T00:00:00Z'::timestamptz + n * interval '${STEP} seconds' AS at) t`,
  )
  await pool.query(
    `INSERT INTO audit_chain (tenant_id, seq, hash, stored_at, anchor_seq, anchor_hash, mac)
     VALUES ('default', ${RECORDS}, '\\x00', now(), 0, '\\x00', '\\x00')
     ON CONFLICT (tenant_id) DO UPDATE SET seq = ${RECORDS}, anchor_seq = 0`,
  )
  await pool.query(
    `INSERT INTO "user" (tenant_id, id, last_login_at) SELECT 'default', 'u' || n, '2027-01-15T08:00:00Z'::timestamptz - n * interval '6 hours'
     FROM generate_series(1, 20000) n`,
  )
  await pool.query('ANALYZE')
}, 240_000)
afterAll(() => database.drop())

const timeOf = (n: number): Date => new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + n * STEP * 1000)
const idOf = (n: number): string =>
  `900${timeOf(n)
    .toISOString()
    .replace(/[-:TZ.]/g, '')}${String(n).padStart(27, '0')}`

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

async function scansOf(text: string, values: readonly unknown[], table: RegExp): Promise<string[]> {
  const { rows } = await database.pool.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values: [...values] })
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    .filter((node) => node['Node Type'] === 'Seq Scan' && table.test(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] ?? '')
}

describe('a record', () => {
  it.each([1, 2, 10_799, 10_800, 20_000, RECORDS - 1, RECORDS])('is found by its id: number %i', async (n) => {
    expect(await logStore(db, 'default').find(idOf(n))).toMatchObject({ log_id: idOf(n) })
  })

  it('is found behind what retention dropped, and is no other tenant’s', async () => {
    await database.pool.query('UPDATE audit_chain SET anchor_seq = 15000')
    expect(await logStore(db, 'default').find(idOf(15_001))).toMatchObject({ log_id: idOf(15_001) })
    expect(await logStore(db, 'default').find(idOf(14_000))).toBeNull()
    expect(await logStore(db, 'far').find(idOf(15_001))).toBeNull()
    await database.pool.query('UPDATE audit_chain SET anchor_seq = 0')
  })

  it.each([
    ['an unknown id', idOf(5).replace(/5$/, '6')],
    ['a time before all', idOf(-100)],
    ['a time after all', idOf(RECORDS + 9)],
    ['no id', 'none'],
  ])('is absent for %s', async (_what, id) => {
    expect(await logStore(db, 'default').find(id)).toBeNull()
  })

  it('is looked for by the primary key alone', async () => {
    const values = ['default', idOf(20_000), timeOf(20_000), new Date(timeOf(20_000).getTime() + 3_600_000)]
    expect(await scansOf(FIND_BY_ID.text, values, /^audit_record/)).toEqual([])
  })
})

describe('the numbers', () => {
  it('of active users are counted by the index of days', async () => {
    const since = new Date('2026-12-16T08:00:00Z')
    expect(await statsStore(db, 'default').activeSince(since)).toBe(120)
    expect(await statsStore(db, 'far').activeSince(since)).toBe(0)
    expect(await scansOf(ACTIVE_SINCE.text, ['default', since], /^user$/)).toEqual([])
  })

  it('of a day are counted by the index of types', async () => {
    const [from, until] = [new Date('2027-01-02T00:00:00Z'), new Date('2027-01-03T00:00:00Z')]
    const [day] = await statsStore(db, 'default').daily(from, until)
    expect(day).toMatchObject({ date: '2027-01-02', logins: 108, leakedPasswords: 0 })
    const values = ['default', from, until, [], ['s', 'ss']]
    expect(await scansOf(DAILY.text, values, /^audit_record/)).toEqual([])
  })
})
