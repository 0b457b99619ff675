// What the API shows of a user finds the user, by the name and the value that it shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { leavesOf, quoted, wordOf } from '../../../testing/search-queries'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

type Row = Record<string, unknown>

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.setTenant({ tenant: { rate_limits: { management: { burst: 100_000, per_minute: 100_000 } } } })
  const social = { options: { client_id: 'x', client_secret: 'y' } }
  await server.addConnection('google', social, 'con_google', 'google-oauth2')
  const { pool } = server.database
  const add = async (id: string, columns: Row, accounts: readonly Row[] = []) => {
    const insert = (table: string, row: Row) =>
      pool.query(
        `INSERT INTO ${table} (tenant_id, ${Object.keys(row).join(', ')})
         VALUES ('default'${Object.keys(row)
           .map((_, index) => `, $${index + 1}`)
           .join('')})`,
        Object.values(row),
      )
    await insert('"user"', { id, ...columns })
    for (const account of accounts) await insert('identity', { user_id: id, ...account })
  }
  await add(
    'auth0|whole',
    {
      email: 'Whole.Person+tag@Mail.test',
      email_verified: true,
      phone_number: '+4915112345678',
      phone_verified: true,
      username: 'Whole_Person',
      name: 'Zoë "Z" O’Hara (QA) \\ AND [x] 100%_/?*',
      given_name: 'Zoë',
      family_name: 'O’Hara',
      nickname: 'Zed: the ~^!',
      picture: 'https://cdn.test/Pictures/a.png?size=1&x=2',
      blocked: true,
      last_ip: '2001:db8::1',
      last_login_at: '2026-03-31T23:30:00.123Z',
      logins_count: 42,
      created_at: '2026-01-01T00:00:00.001Z',
      updated_at: '2026-04-01T00:00:00.999Z',
      profile: { locale: 'De-AT', address: { country: 'Österreich' }, zoneinfo: 'Europe/Vienna' },
      user_metadata: {
        Theme: 'Dark Blue',
        'a key': 'x',
        'https://acme.test/plan': 'Gold',
        '': 'nameless',
        none: null,
        empty: [],
        path: '/a/b',
        text: '$.x || true "quoted" \\d+ [a-z] 🦊 \u0001',
      },
      app_metadata: {
        plan: 'GOLD',
        level: 3,
        ratio: -0.25,
        large: 12345678901234567000,
        tiny: 1e-7,
        zero: 0,
        on: true,
        off: false,
        digits: '007',
        truth: 'true',
        date: '2026-05-01T10:00:00Z',
        tags: ['One', 'two'],
        deep: { list: [{ City: 'Köln' }, { City: 'Paris' }], levels: { a: { b: { c: 'D' } } } },
      },
    },
    [
      {
        connection_id: 'con_database',
        provider: 'auth0',
        provider_user_id: 'whole',
        password_changed_at: '2026-06-01T00:00:00Z',
      },
      {
        connection_id: 'con_google',
        provider: 'google-oauth2',
        provider_user_id: '1077',
        is_social: true,
        profile: { email: 'Other@Mail.test', email_verified: true, address: { region: 'Wien' }, secret: 'hidden' },
      },
    ],
  )
  await add('auth0|bare', { email: 'local-part@Bare.test' })
  await add('auth0|named', { username: 'OnlyName' })
  await add('sms|number', { phone_number: '+4915199999999' })
  await pool.query(
    `INSERT INTO authenticator (tenant_id, id, user_id, type, active) VALUES ('default', 'aut_1', 'auth0|whole', 'otp', true)`,
  )
  const organization = (await manager.post('/organizations', { name: 'acme' })).json()
  organizationId = String(organization.id)
  await manager.post(`/organizations/${organizationId}/members`, { members: ['auth0|whole'] })
})
afterAll(() => server.close())

let organizationId = ''

const read = async (id: string): Promise<Row> => (await manager.get(`/users/${encodeURIComponent(id)}`)).json()
const search = (q: string) => manager.get('/users', { query: { q, per_page: '100' } })
async function idsOf(q: string): Promise<unknown[]> {
  const answer = await search(q)
  expect(answer.status, `${q}: ${answer.text}`).toBe(200)
  return (JSON.parse(answer.text) as Row[]).map(({ user_id }) => user_id)
}

const SEARCHED = ['auth0|whole', 'auth0|bare', 'auth0|named', 'sms|number']

describe('what is shown of a user', () => {
  it.each(SEARCHED)('finds %s by each value, and by its being there', async (id) => {
    const leaves = leavesOf(await read(id)).filter(
      ([path, value]) => value !== null && !path.includes('') && !(path[0] === 'picture' && id !== 'auth0|whole'),
    )
    expect(leaves.length).toBeGreaterThan(5)
    const lost: string[] = []
    for (const [path, value] of leaves) {
      const field = path.map(wordOf).join('.')
      const queries = [`${field}:${quoted(value)}`, `${field}:${wordOf(String(value))}`, `_exists_:${field}`]
      for (const q of queries) if (!(await idsOf(q)).includes(id)) lost.push(q)
      if ((await idsOf(`NOT ${queries[0]}`)).includes(id)) lost.push(`NOT ${queries[0]}`)
      if (path.includes('identities') || typeof value !== 'string' || !path[0]?.endsWith('metadata')) continue
      for (const q of [value.toUpperCase(), value.toLowerCase()].map((text) => `${field}:${quoted(text)}`))
        if (!(await idsOf(q)).includes(id)) lost.push(q)
    }
    expect(lost).toEqual([])
  })

  it.each([
    ['name:"LOCAL-PART@bare.test"', ['auth0|bare']],
    ['name:local*', ['auth0|bare']],
    ['nickname:local-part', ['auth0|bare']],
    ['nickname:LOCAL*', ['auth0|bare']],
    ['nickname:*part', ['auth0|bare']],
    ['nickname:bare', []],
    ['name:onlyname', ['auth0|named']],
    ['nickname:only*', ['auth0|named']],
    ['local-part', ['auth0|bare']],
    ['NOT _exists_:name', ['sms|number']],
    ['NOT _exists_:nickname', ['sms|number']],
    ['email_verified:false OR NOT _exists_:email_verified', ['auth0|bare', 'auth0|named', 'sms|number']],
    ['NOT _exists_:email_verified OR email_verified:false', ['auth0|bare', 'auth0|named', 'sms|number']],
    ['NOT _exists_:logins_count OR logins_count:0', ['auth0|bare', 'auth0|named', 'sms|number']],
    ['blocked:true OR NOT username:*', ['auth0|bare', 'auth0|whole', 'sms|number']],
    ['*', ['auth0|bare', 'auth0|named', 'auth0|whole', 'sms|number']],
    ['*:*', ['auth0|bare', 'auth0|named', 'auth0|whole', 'sms|number']],
    ['user_id:auth0*', ['auth0|bare', 'auth0|named', 'auth0|whole']],
    ['app_metadata.plan:g*', ['auth0|whole']],
    ['app_metadata.plan:*old', ['auth0|whole']],
    ['app_metadata.plan:[FAKE TO hold]', ['auth0|whole']],
    ['app_metadata.level:[2 TO 4]', ['auth0|whole']],
    ['app_metadata.date:[2026-05-01 TO 2026-05-02]', ['auth0|whole']],
    ['app_metadata.deep.list.city:köln', ['auth0|whole']],
    ['_exists_:app_metadata.deep', ['auth0|whole']],
    ['_exists_:user_metadata.empty', []],
    ['_exists_:user_metadata.none', []],
    ['user_metadata.theme:"dark"', []],
    ['last_login:2026-03*', ['auth0|whole']],
    ['last_login:>=2026-03-31T23:30:00Z', ['auth0|whole']],
    ['multifactor:guardian', ['auth0|whole']],
    ['multifactor:duo', []],
    ['identities.profileData.secret:hidden', []],
    ['identities.profileData.address.region:wien', ['auth0|whole']],
    ['identities.isSocial:true', ['auth0|whole']],
    ['locale:de-at', ['auth0|whole']],
    ['address.country:ÖSTERREICH', ['auth0|whole']],
    ['GOLD', []],
  ])('the query %s finds %j', async (q, ids) => {
    expect((await idsOf(q)).filter((id) => SEARCHED.includes(String(id)))).toEqual(ids)
  })

  it('is searched within an organization', async () => {
    expect(await idsOf(`organization_id:"${organizationId}" AND email:whole*`)).toEqual(['auth0|whole'])
    expect(await idsOf(`email.domain:"mail.test" AND NOT organization_id:"${organizationId}"`)).toEqual([])
    expect(await idsOf('organization_id:none')).toEqual([])
  })

  it.each([
    ' ',
    'name:',
    'a\0b',
    'user_metadata.\0:x',
    `${'('.repeat(50)}a${')'.repeat(50)}`,
    `${'NOT '.repeat(900)}a`,
    Array.from({ length: 200 }, () => 'a').join(' '),
    'name:a*b*c*d*e*',
    'user_metadata.x:a*b*c*d*e*',
    'last_login:2026-0*',
    `user_metadata.${'a.'.repeat(40)}a:1`,
  ])('%# is refused', async (q) => {
    expect((await search(q)).json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_query_string' })
  })
})
