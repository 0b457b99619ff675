// Searches for users: what each finds, and that it finds it by an index on a large table.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainError } from '../../../../kernel/errors'
import type { UserFilter } from '../../../../management/resources/user-list'
import { parseQuery } from '../../../../management/search/query'
import { type TestDatabase, testDatabase } from '../../../../testing/database'
import { searchOf } from './user-list'

const USERS = 20_000

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase({ bootstrapped: true })
  await database.pool.query(
    `INSERT INTO connection (tenant_id, id, name, strategy, settings, updated_at)
     VALUES ('default', 'con_database', 'Users', 'auth0', '{}', now())`,
  )
  await database.pool.query(`WITH made AS (
    INSERT INTO "user" (tenant_id, id, email, name, nickname, user_metadata, last_login_at, created_at)
    SELECT 'default', 'auth0|' || n, 'person' || n || '@mail.test', 'Person ' || n, 'person' || n, '{"theme":"dark"}',
      now() - n % 5000 * interval '1 hour', now() - n % 5000 * interval '1 hour' FROM generate_series(1, ${USERS}) n
    RETURNING id
  )
  INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id)
  SELECT 'default', 'con_database', id, 'auth0', id FROM made`)
  await database.pool.query("INSERT INTO tenant (id, name, settings, updated_at) VALUES ('far', 'Far', '{}', now())")
  for (const [id, columns] of Object.entries(PEOPLE)) {
    const names = Object.keys(columns)
    await database.pool.query(
      `INSERT INTO "user" (tenant_id, id${names.map((name) => `, ${name}`).join('')})
       VALUES ('far', '${id}'${names.map((_, index) => `, $${index + 1}`).join('')})`,
      Object.values(columns),
    )
  }
  await database.pool.query(
    `INSERT INTO connection (tenant_id, id, name, strategy, settings, updated_at)
     VALUES ('far', 'con_1', 'Users', 'auth0', '{}', now()), ('far', 'con_2', 'google', 'google-oauth2', '{}', now())`,
  )
  await database.pool.query(
    `INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id, password_changed_at) VALUES
     ('far', 'con_1', '1', 'auth0', 'ann', '2026-06-01'), ('far', 'con_2', '2', 'google-oauth2', 'ann', NULL),
     ('far', 'con_2', '3', 'google-oauth2', 'bob', NULL)`,
  )
  await database.pool.query(
    `UPDATE "user" SET app_metadata = '{"plan":"gold"}', given_name = 'Zoe', family_name = 'Zuse', username = 'zoe',
     phone_number = '+4930123456' WHERE id = (SELECT max(id) FROM "user" WHERE tenant_id = 'default')`,
  )
  await database.pool.query('ANALYZE')
}, 240_000)
afterAll(() => database.drop())

const PEOPLE: Readonly<Record<string, Record<string, unknown>>> = {
  ann: {
    email: 'Ann@mail.test',
    email_verified: true,
    name: 'Ann Lee',
    nickname: 'annie',
    logins_count: 5,
    last_login_at: '2026-03-31T23:30:00Z',
    created_at: '2026-01-01T00:00:00Z',
    app_metadata: { plan: 'gold', level: 3, tags: ['a', 'b'], deep: { list: [{ city: 'Paris' }] }, on: true },
    user_metadata: { theme: 'dark', "it's": 'quoted', empty: null },
  },
  bob: {
    email: 'bob@other.test',
    name: 'Bob 100%_\\',
    username: 'bob',
    blocked: true,
    logins_count: 0,
    created_at: '2026-02-01T00:00:00Z',
    app_metadata: { plan: 'Gold', level: '3' },
    profile: { locale: 'de' },
  },
  cid: { phone_number: '+4915112345678', phone_verified: true, name: 'Cid', created_at: '2026-02-01T12:00:00Z' },
}

const CONNECTIONS = [
  { id: 'con_1', name: 'Users' },
  { id: 'con_2', name: 'google' },
]

const filterOf = (q: string, more: Partial<UserFilter> = {}): Given => ({ query: parseQuery(q), totals: true, ...more })

type Given = Omit<UserFilter, 'connections'>

async function found(filter: Given, window: Parameters<typeof searchOf>[2] = { offset: 0, limit: 50 }) {
  const { rows } = await database.pool.query(searchOf('far', { connections: CONNECTIONS, ...filter }, window))
  return rows[0] as { total: number; ids: string[] }
}

describe('a search', () => {
  it.each<[string, string[]]>([
    ['email:ann@mail.test', ['ann']],
    ['email:"ANN@MAIL.TEST"', ['ann']],
    ['email:ann*', ['ann']],
    ['email:*mail*', ['ann']],
    ['email:?nn@mail.test', ['ann']],
    ['email:??nn@mail.test', []],
    ['email:*nn@mail.test', ['ann']],
    ['email.domain:other.test', ['bob']],
    ['name:"ann lee"', ['ann']],
    ['name:ann', []],
    ['name:bo?\\ *', ['bob']],
    ['name:"Bob 100%_\\\\"', ['bob']],
    ['name:*100%_*', ['bob']],
    ['name:*00__*', []],
    ['user_id:ann', ['ann']],
    ['user_id:ANN', []],
    ['username:BOB', ['bob']],
    ['phone_number:"+4915112345678"', ['cid']],
    ['phone_number:\\+49*', ['cid']],
    ['ann', ['ann']],
    ['annie', ['ann']],
    ['bo*', ['bob']],
    ['email_verified:true', ['ann']],
    ['email_verified:false', ['bob']],
    ['blocked:true', ['bob']],
    ['blocked:perhaps', []],
    ['NOT blocked:true', ['ann', 'cid']],
    ['NOT email:bob@other.test', ['ann', 'cid']],
    ['logins_count:5', ['ann']],
    ['logins_count:[1 TO 5]', ['ann']],
    ['logins_count:{5 TO *]', []],
    ['logins_count:<5', ['bob', 'cid']],
    ['last_login:2026-03-31', ['ann']],
    ['last_login:[2026-04-01 TO *]', []],
    ['last_login:[2026-03-31T23:00:00Z TO 2026-04-01T00:00:00Z}', ['ann']],
    ['last_login:[2026-03-31T19:30:00-04:00 TO 2026-03-31T19:30:00-04:00]', ['ann']],
    ['last_login:{2026-03-31 TO *]', []],
    ['NOT _exists_:last_login', ['bob', 'cid']],
    ['created_at:2026-02', ['bob', 'cid']],
    ['created_at:[* TO 2026-02-01]', ['ann', 'bob', 'cid']],
    ['created_at:[* TO 2026-02-01}', ['ann']],
    ['created_at:{2026-02-01T00:00:00Z TO *]', ['cid']],
    ['last_password_reset:[2026-05-01 TO *]', ['ann']],
    ['identities.connection:google', ['ann', 'bob']],
    ['identities.connection:goo*', ['ann', 'bob']],
    ['identities.provider:auth0', ['ann']],
    ['identities.user_id:3', ['bob']],
    ['_exists_:identities.provider', ['ann', 'bob']],
    ['app_metadata.plan:gold', ['ann', 'bob']],
    ['app_metadata.plan:g*', ['ann', 'bob']],
    ['app_metadata.plan:*old', ['ann', 'bob']],
    ['app_metadata.level:3', ['ann', 'bob']],
    ['app_metadata.level:[2 TO 4]', ['ann']],
    ['app_metadata.level:{3 TO 4]', []],
    ['app_metadata.tags:b', ['ann']],
    ['app_metadata.tags:c', []],
    ['app_metadata.deep.list.city:Paris', ['ann']],
    ['app_metadata.on:true', ['ann']],
    ['app_metadata.on:false', []],
    ['_exists_:app_metadata', ['ann', 'bob']],
    ['_exists_:app_metadata.tags', ['ann']],
    ['app_metadata:gold', []],
    ['NOT app_metadata.plan:gold', ['cid']],
    ['user_metadata.theme:dark', ['ann']],
    ["user_metadata.it's:quoted", ['ann']],
    ["_exists_:user_metadata.it's", ['ann']],
    ['_exists_:user_metadata.empty', []],
    ['locale:de', ['bob']],
    ['shoe_size:42', []],
    ['_exists_:shoe_size', []],
    ['(email:ann@mail.test OR blocked:true) AND NOT name:Bob*', ['ann']],
    ['email:"\' OR true --"', []],
    ['app_metadata.plan:"gold\' OR \'1"', []],
    ['app_metadata.plan:"\\" || true"', []],
  ])('the query %s finds %j', async (q, ids) => {
    expect(await found(filterOf(q))).toEqual({ total: ids.length, ids })
  })

  it.each([
    'logins_count:many',
    'logins_count:5*',
    'created_at:yesterday',
    'created_at:[a TO b]',
    'email:*nn',
    'email:a*b*c*d*e',
    'identities.connection:a*b*c*d*e',
    'app_metadata.plan:*ld',
    'app_metadata..plan:gold',
    'blocked:[true TO false]',
    `app_metadata.${'a.'.repeat(30)}a:1`,
  ])('the query %s is refused', (q) => {
    expect(() => searchOf('far', { connections: CONNECTIONS, ...filterOf(q) }, { offset: 0, limit: 1 })).toThrow(
      DomainError,
    )
  })

  it('is limited to a connection', async () => {
    expect((await found({ connection: 'google', totals: true })).ids).toEqual(['ann', 'bob'])
    expect((await found(filterOf('blocked:true', { connection: 'Users' }))).ids).toEqual([])
  })

  it('is ordered, without a value last', async () => {
    const by = async (field: string, descending: boolean) =>
      (await found({ totals: true, sort: { field, descending } })).ids
    expect(await by('created_at', true)).toEqual(['cid', 'bob', 'ann'])
    expect(await by('email', false)).toEqual(['ann', 'bob', 'cid'])
    expect(await by('email', true)).toEqual(['bob', 'ann', 'cid'])
    expect((await found(filterOf('_exists_:name', { sort: { field: 'name', descending: true } }))).ids).toEqual([
      'cid',
      'bob',
      'ann',
    ])
  })

  it('is ordered over its parts as it is in one, with users without a value behind the others', async () => {
    for (const sort of [
      { field: 'username', descending: false },
      { field: 'email', descending: true },
      { field: 'last_login', descending: true },
    ]) {
      const whole = (await found({ totals: true, sort })).ids
      const parts = [0, 1, 2, 3].map((offset) => found({ totals: true, sort }, { offset, limit: 1 }))
      expect((await Promise.all(parts)).flatMap(({ ids }) => ids)).toEqual(whole)
      expect(whole).toHaveLength(3)
      // The same order, where a query is what finds them.
      expect((await found(filterOf('user_id:*', { sort }))).ids).toEqual(whole)
    }
  })

  it('of a connection is shown in parts, and names a user with two accounts there once', async () => {
    await database.pool.query(
      "INSERT INTO identity (tenant_id, connection_id, provider_user_id, provider, user_id) VALUES ('far', 'con_2', '4', 'google-oauth2', 'ann')",
    )
    const google = { connection: 'google', totals: true }
    expect(await found(google)).toEqual({ total: 2, ids: ['ann', 'bob'] })
    expect(await found(google, { offset: 1, limit: 1 })).toEqual({ total: 2, ids: ['bob'] })
    expect(await found(google, { after: 'ann', limit: 5 })).toEqual({ total: 2, ids: ['bob'] })
    expect(await found({ ...google, connection: 'none' })).toEqual({ total: 0, ids: [] })
    const sort = { field: 'user_id', descending: true }
    expect(await found({ ...google, sort })).toEqual({ total: 2, ids: ['bob', 'ann'] })
    await database.pool.query("DELETE FROM identity WHERE tenant_id = 'far' AND provider_user_id = '4'")
  })

  it('is shown in parts, each with the number of all', async () => {
    expect(await found({ totals: true }, { offset: 1, limit: 1 })).toEqual({ total: 3, ids: ['bob'] })
    expect(await found(filterOf('_exists_:name'), { offset: 2, limit: 5 })).toEqual({ total: 3, ids: ['cid'] })
    expect(await found({ totals: false }, { after: 'ann', limit: 1 })).toEqual({ total: 0, ids: ['bob'] })
    expect(await found(filterOf('_exists_:name'), { after: 'bob', limit: 5 })).toEqual({ total: 3, ids: ['cid'] })
  })
})

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const SMALL = [{ id: 'con_small', name: 'Small' }]

describe('on a large table', () => {
  const planOf = async (filter: Given): Promise<Plan[]> => {
    const { text, values } = searchOf('default', { connections: SMALL, ...filter }, { offset: 0, limit: 50 })
    const { rows } = await database.pool.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values })
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  }

  it.each([
    ['email:person7@mail.test', 'user_lower_email_idx'],
    ['email:person77*', 'user_lower_email_idx'],
    ['name:person\\ 777*', 'user_lower_name_idx'],
    ['nickname:person777', 'user_lower_nickname_idx'],
    ['nickname:person77*', 'user_lower_email_idx'],
    ['app_metadata.plan:GOLD', 'user_folded_app_metadata_idx'],
    ['given_name:zoe', 'user_lower_given_name_idx'],
    ['family_name:zus*', 'user_lower_family_name_idx'],
    ['username:zoe', 'user_lower_username_idx'],
    ['phone_number:"+4930123456"', 'user_phone_number_idx'],
    ['user_id:"auth0|1"', 'user_pkey'],
    ['app_metadata.plan:gold', 'user_folded_app_metadata_idx'],
    ['user_metadata.theme:light', 'user_folded_user_metadata_idx'],
    ['last_login:[2099-01-01 TO *]', 'user_last_login_day_idx'],
    ['last_login:2020-01-01', 'user_last_login_day_idx'],
    ['created_at:[2099-01-01 TO *]', 'user_created_at_idx'],
    ['created_at:[* TO 2020-01-01]', 'user_created_at_idx'],
    ['identities.connection:Small', 'identity_'],
    ['person777', 'user_lower_name_idx'],
    ['email:person7@mail.test OR app_metadata.plan:gold', 'user_lower_email_idx'],
    ['email:person7@mail.test AND NOT blocked:true', 'user_lower_email_idx'],
    ['blocked:true', 'user_blocked_idx'],
  ])('%s uses %s and walks through no user', async (q, index) => {
    const nodes = await planOf({ query: parseQuery(q), totals: false })
    expect(nodes.map((node) => node['Index Name'] ?? '').filter((name) => name.startsWith(index))).not.toEqual([])
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  })

  it('the first page of all users uses their key', async () => {
    const nodes = await planOf({ totals: false })
    expect(nodes.map((node) => node['Index Name'])).toContain('user_pkey')
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  })

  it('the newest users are found by their index', async () => {
    const nodes = await planOf({ totals: false, sort: { field: 'created_at', descending: true } })
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  })

  it('a login of the same day writes no index', async () => {
    const client = await database.pool.connect()
    try {
      await client.query('BEGIN')
      const count = async (): Promise<number> => {
        const { rows } = await client.query(
          `SELECT pg_stat_get_xact_tuples_hot_updated('"user"'::regclass)::int AS count`,
        )
        return rows[0].count
      }
      const login = (at: string) =>
        client.query(
          "UPDATE \"user\" SET last_login_at = $1, logins_count = logins_count + 1 WHERE tenant_id = 'far' AND id = 'cid'",
          [at],
        )
      await login('2026-05-01T08:00:00Z')
      const first = await count()
      await login('2026-05-01T09:00:00Z')
      expect(await count()).toBe(first + 1)
      await login('2026-05-02T09:00:00Z')
      expect(await count()).toBe(first + 1)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})
