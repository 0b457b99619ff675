// The search of the audit log: what the API shows of a record finds it, and the queries that the vendor's tools and documents have.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEvent, Source } from '../../../data/audit/audit'
import { composeRecord } from '../../../data/audit/record'
import { addManager, type Manager } from '../../../testing/management'
import { leavesOf, quoted, wordOf } from '../../../testing/search-queries'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

type Row = Record<string, unknown>

const FROM: Source = {
  ip: '2001:db8::7',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  requestId: 'req-1',
  languages: undefined,
} as Source

const user = (id: string, email: string) => ({ id, email, username: null, phoneNumber: null })

/** By the number in its id: when it was, and what. */
const EVENTS: readonly [string, AuditEvent, Source | null][] = [
  [
    '2018-12-18T09:30:00.123Z',
    {
      name: 'login',
      facts: {
        client: { clientId: 'Shop_1', name: 'My "Shop" (EU)' },
        connection: { name: 'Username-Password-Authentication', id: 'con_1', strategy: 'auth0' },
        organization: { id: 'org_1', name: 'acme' },
        user: user('auth0|123', 'jane.smith@mail.test'),
        audience: 'https://api.test/',
        scopes: ['openid', 'profile'],
        grant: 'authorization_code',
        factor: 'otp',
      },
    } as AuditEvent,
    FROM,
  ],
  [
    '2018-12-31T23:59:59.999Z',
    {
      name: 'password_wrong',
      facts: {
        client: { clientId: 'Shop_1', name: 'My "Shop" (EU)' },
        user: user('auth0|456', 'Fred@mail.test'),
        sentence: 'Username invalid',
      },
    } as AuditEvent,
    { ...FROM, ip: '10.0.0.1', userAgent: 'curl/8' },
  ],
  [
    '2019-01-01T01:30:00.000Z',
    {
      name: 'changed',
      facts: {
        client: { clientId: 'deploy', name: 'Deploy' },
        change: 'clients.update',
        target: 'Shop_1',
        difference: {
          name: { before: 'a', after: 'My "Shop" (EU)' },
          callbacks: { before: [], after: ['https://a.test'] },
        },
        notApplied: ['options.icon_url'],
      },
    } as unknown as AuditEvent,
    null,
  ],
  ['2019-01-02T00:00:00.000Z', { name: 'login', facts: { user: user('sms|1', '+491') } } as AuditEvent, null],
]

const logId = (at: string, n: number): string => `900${at.replaceAll(/\D/g, '')}${String(n).padStart(27, '0')}`
const IDS = EVENTS.map(([at], n) => logId(at, n))

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  await server.audited()
  for (const [n, [at, event, source]] of EVENTS.entries()) {
    const entry = { ...event, tenantId: 'default', hostname: 'id.test', at: new Date(at), source }
    const { type, content, personal, userId } = composeRecord(
      entry as Parameters<typeof composeRecord>[0],
      IDS[n] ?? '',
    )
    await server.database.pool.query(
      `INSERT INTO audit_record (tenant_id, seq, stored_at, log_id, type, at, content, personal, user_id, personal_digest, hash)
       VALUES ('default', $1, $2, $3, $4, $2, $5, $6, $7, '\\x00', '\\x00')`,
      [1_000_000 + n, new Date(at), IDS[n], type, content, personal, userId],
    )
  }
})
afterAll(() => server.close())

async function found(query: Record<string, string>): Promise<number[]> {
  const answer = await manager.get('/logs', { query: { per_page: '100', ...query } })
  expect(answer.status, `${query.q}: ${answer.text}`).toBe(200)
  return (JSON.parse(answer.text) as Row[]).map(({ log_id }) => IDS.indexOf(String(log_id))).filter((n) => n >= 0)
}

describe('a search of the log', () => {
  it.each(IDS.map((id, n) => [n, id]))('finds record %i by each value that is shown of it', async (n, id) => {
    const [record] = JSON.parse((await manager.get('/logs', { query: { q: `log_id:${id}` } })).text) as Row[]
    const leaves = leavesOf(record).filter(([path]) => path[0] !== '_id')
    expect(leaves.length).toBeGreaterThan(4)
    const lost: string[] = []
    for (const [path, value] of leaves) {
      const field = path.map(wordOf).join('.')
      for (const q of [`${field}:${quoted(value)}`, `${field}:${wordOf(String(value))}`, `_exists_:${field}`])
        if (!(await found({ q })).includes(Number(n))) lost.push(q)
      if ((await found({ q: `NOT ${field}:${quoted(value)}` })).includes(Number(n))) lost.push(`NOT ${field}`)
    }
    expect(lost).toEqual([])
  })

  it.each<[string, number[]]>([
    // Those of the vendor's documents.
    ['connection:*pass*', [0]],
    ['user_name:*fred*', [1]],
    ['user_id:"auth0|123"', [0]],
    ['user_name:jane*smith*', [0]],
    ['date:[2018-12 TO 2019-01-01}', [1, 0]],
    ['date:[2018-12-19 TO 2019-01-01]', [2, 1]],
    ['date:[* TO 2018-12-19}', [0]],
    ['date:[2019-01-01T01:00:00 TO 2019-01-01T12:23:45}', [2]],
    ['date:2018-12-18', [0]],
    ['description:"Username invalid"', [1]],
    ['description:rule', []],
    ['description:*invalid', [1]],
    // Those of its command line.
    ['client_id:Shop_1', [1, 0]],
    ['client_id:shop_1', []],
    [`client_name:${quoted('My "Shop" (EU)')}`, [1, 0]],
    ['client_name:my*', [1, 0]],
    ['user_name:Fred@mail.test', [1]],
    ['ip:10.0.0.1', [1]],
    ['ip:"2001:db8::7"', [0]],
    ['ip:2001\\:db8*', [0]],
    [`log_id:[${IDS[2]} TO *]`, [3, 2]],
    [`log_id:{${IDS[2]} TO ${IDS[3]}]`, [3]],
    [`log_id:900201901*`, [3, 2]],
    ['log_id:none', []],
    // Operators.
    ['type:fp OR type:sapi', [2, 1]],
    ['type:(s OR fp) AND client_id:Shop_1', [1, 0]],
    ['type:s OR user_id:"auth0|123" OR user_id:"auth0|456"', [3, 1, 0]],
    ['type:s OR NOT _exists_:user_id', [3, 2, 0]],
    ['(strategy:auth0 OR hostname:id.test) AND NOT type:s', [2, 1]],
    ['strategy_type:database', [0]],
    ['connection_id:con_1 AND organization_id:org_1 AND audience:"https://api.test/"', [0]],
    ['scope:*profile*', [0]],
    ['user_agent:*iPhone*', [0]],
    ['isMobile:true', [0]],
    ['isMobile:false', [1]],
    ['details.event:changed', [2]],
    ['details.difference.callbacks.after:"https://a.test"', [2]],
    ['details.request_id:req*', [1, 0]],
    // Without a field.
    ['fp', [1]],
    ['jane*', [0]],
    ['Deploy', [2]],
    ['"auth0|123"', []],
    ['*', [3, 2, 1, 0]],
    ['type:s* -user_id:"auth0|123"', [3, 2]],
  ])('the query %s finds %j', async (q, expected) => {
    const newest = `(${q}) AND date:[* TO 2020]`
    expect(await found({ q: newest })).toEqual(expected)
    expect(await found({ q: newest, sort: 'date:1' })).toEqual([...expected].reverse())
    expect((await found({ search: q })).filter((n) => n >= 0)).toEqual(expected)
    const counted = (await manager.get('/logs', { query: { q: newest, include_totals: 'true', per_page: '2' } })).json()
    expect(counted).toMatchObject({ total: expected.length, length: Math.min(2, expected.length) })
  })

  it('reads alternatives as one list', async () => {
    const q = 'type:s OR type:fp OR user_id:"auth0|123"'
    const pages = await Promise.all(['0', '1', '2'].map((page) => found({ q, page, per_page: '1', sort: 'date:1' })))
    expect(pages.flat()).toHaveLength(3)
    expect(new Set(pages.flat()).size).toBe(3)
  })

  it('has no person in what was erased', async () => {
    await server.database.pool.query('UPDATE audit_record SET personal = NULL, user_id = NULL WHERE log_id = $1', [
      IDS[3],
    ])
    expect(await found({ q: 'user_id:"sms|1"' })).toEqual([])
    expect(await found({ q: 'user_name:*491*' })).toEqual([])
    expect(await found({ q: 'details.erased:true' })).toEqual([3])
    expect(await found({ q: 'NOT _exists_:details.erased AND date:[* TO 2020]' })).toEqual([2, 1, 0])
  })

  it('reaches what the scopes do', async () => {
    const token = await manager.token(['read:logs_users'])
    const rows = async (q: string) => JSON.parse((await manager.get('/logs', { query: { q }, token })).text) as Row[]
    expect(await rows('type:sapi OR type:fp')).toHaveLength(1)
    expect(await rows('details.event:changed')).toEqual([])
  })
})
