// Every list and look-up on a tenant with many users, as requests send it: it reads little more than it answers. Rows, not times, so the
// result does not depend on the machine.
// A plan depends on what the planner believes of the values. Where sorting is to be avoided, it takes each index in whose order it could
// walk until a page is full, as it does by itself where it believes that many rows match: what reads little even so reads little
// whatever the statistics say.
// `npm run growth` does the same with a million users.
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grow } from '../../testing/growth'
import { type ListCall, listCalls, prepareListCalls, withoutValues } from '../../testing/list-calls'
import { readingsOf, readTables, type TableOf } from '../../testing/plans'
import { type SentStatement, sentDuring } from '../../testing/sent-statements'
import { type TestServer, testServer } from '../../testing/server'

const USERS = Number(process.env.GROWTH_USERS ?? 50_000)

/** Calls that may read more than they answer, as patterns, and the reason. */
const MAY_READ: Readonly<Record<string, string>> = {
  'clients\\.list .*(is_first_party|app_type|name_filter|q)=.*':
    'applications are configuration: a filter reads those of a tenant',
  '(clients|organizations)\\.search( .*)?':
    'applications and organizations are configuration: a search reads those of a tenant',
  '(users|logs)\\.list .*q=(email\\.domain|identities\\.provider|multifactor|client_id)%3A.*':
    'a search without an index (docs/management-api.md)',
  'users\\.list .*sort=(updated_at|last_ip|logins_count|email_verified|blocked)%3A.*':
    'an order without an index (lib/adapters/store/sql/management/user-list.ts)',
  'users\\.list sort=last_login%3A.*': 'the users of a day, because the index has days',
  'configuration of the tenant file': 'the whole configuration',
  'stats\\..*': 'counts of a month',
  'logs\\.read': 'the records of an hour, whose numbers are known and whose ids have no index',
}

/** In rows that a part of a statement may read: some multiple of a page, or of a batch of clean-up. */
const MAX_READ = 1000

const UNSORTED = ['enable_sort = off']

type Ask = Pick<ListCall, 'name' | 'counts'> & { sent: SentStatement[] }

let server: TestServer
let client: PoolClient
let tableOf: TableOf
const asks: Ask[] = []
const failures: string[] = []

beforeAll(async () => {
  server = await testServer()
  const { pool } = server.database
  const manager = await prepareListCalls(server)
  await grow(pool, { users: USERS, families: USERS })
  await pool.query('VACUUM ANALYZE')
  for (const { run, ...call } of await listCalls(server, manager)) {
    const answered = () =>
      run().catch((error: unknown) => {
        // What reads every user may take longer than a statement may.
        if (!mayRead(call.name)) failures.push(`${call.name}: ${String(error)}`)
      })
    asks.push({ ...call, sent: await sentDuring(pool, answered) })
  }
  client = await pool.connect()
  tableOf = await readTables(pool)
}, 3_600_000)
afterAll(async () => {
  client?.release()
  await server?.close()
})

const mayRead = (name: string): boolean =>
  Object.keys(MAY_READ).some((pattern) => new RegExp(`^${pattern}$`).test(name))

/** A count reads what it counts, in the answer to a request for a total alone. */
const isCount = ({ counts }: Ask, { text }: SentStatement): boolean =>
  counts === true && /count\((\*|DISTINCT)/i.test(text)

/** What reads more than it answers, with these settings of the planner. */
async function wasteful(settings: readonly string[], from: readonly Ask[] = asks): Promise<string[]> {
  const found: string[] = []
  const known = new Set<string>()
  for (const ask of from.filter(({ name }) => !mayRead(name))) {
    for (const sent of ask.sent) {
      const key = JSON.stringify([isCount(ask, sent), sent.text, sent.values])
      if (known.has(key)) continue
      known.add(key)
      const most = (used: number): number => (isCount(ask, sent) ? Math.max(2 * used, MAX_READ) : MAX_READ)
      for (const { table, by, found: used, passed } of await readingsOf(client, sent, settings, tableOf)) {
        if (used > most(used) || passed > most(used))
          found.push(`${ask.name} reads ${used} and passes ${passed} rows of ${table} by ${by}: ${sent.text}`)
      }
    }
  }
  return found
}

describe('every list and look-up', () => {
  it('has a value for each filter and order', () => {
    expect(withoutValues()).toEqual([])
  })

  it('is answered', () => {
    expect(failures).toEqual([])
  })

  it('is noticed where it walks through all users until a page is full', async () => {
    const walk = `SELECT id FROM "user" WHERE lower(email) = 'none' AND tenant_id = 'default' ORDER BY id LIMIT 100`
    const bad = [{ name: 'bad', sent: [{ name: '', text: walk, values: [] }] }]
    expect((await wasteful(UNSORTED, bad))[0]).toMatch(
      /^bad reads 0 and passes \d+ rows of user by Index Scan of user_pkey/,
    )
    expect(asks.flatMap(({ sent }) => sent).length).toBeGreaterThan(1000)
  })

  it.each([
    ['with statistics', []],
    ['where sorting is to be avoided', UNSORTED],
  ])(
    'reads little more than it answers, %s',
    async (_name, settings) => {
      expect(await wasteful(settings)).toEqual([])
    },
    1_800_000,
  )
})
