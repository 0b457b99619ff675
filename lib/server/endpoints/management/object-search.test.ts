// Searches for clients and organizations, as the vendor has them: Lucene or SCIM, a cursor, and an order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

type Row = Record<string, unknown>
const ids: Record<string, string> = {}

async function make(path: string, key: string, body: Row): Promise<Row> {
  const answer = await manager.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  ids[String(answer.json()[key])] = String(body.name)
  server.clock.advance(10)
  return answer.json()
}

let shop: Row

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addApi('https://api.test', {})
  shop = await make('/clients', 'client_id', {
    name: 'Shop *Berlin*',
    description: 'Sells Things',
    app_type: 'spa',
    callbacks: ['https://shop.test/cb'],
    client_metadata: { Tier: 'Gold', 'acme.region': 'eu' },
    addons: { samlp: { audience: 'x' } },
  })
  await make('/clients', 'client_id', { name: 'shop paris', app_type: 'native' })
  await make('/clients', 'client_id', {
    name: 'Worker',
    app_type: 'non_interactive',
    client_metadata: { Tier: 'silver' },
  })
  await make('/clients', 'client_id', { name: 'Zed' })
  const acme = await make('/organizations', 'id', {
    name: 'acme',
    display_name: 'Big Holdings, Co.',
    metadata: { plan: 'Gold' },
  })
  await make('/organizations', 'id', {
    name: 'acme-two',
    display_name: 'Second',
    branding: { colors: { primary: '#123456' } },
  })
  await make('/organizations', 'id', { name: 'plain' })
  const grant = await manager.post('/client-grants', {
    client_id: shop.client_id,
    audience: 'https://api.test',
    scope: [],
    organization_usage: 'allow',
  })
  expect(grant.status, grant.text).toBe(201)
  const granted = await manager.post(`/organizations/${acme.id}/client-grants`, { grant_id: grant.json().id })
  expect(granted.status, granted.text).toBe(201)
})
afterAll(() => server.close())

async function found(path: string, query: Record<string, string>): Promise<unknown[]> {
  const answer = await manager.get(path, { query })
  expect(answer.status, `${JSON.stringify(query)}: ${answer.text}`).toBe(200)
  const [rows] = Object.values(answer.json()) as Row[][]
  return (rows ?? []).map(({ name }) => name).filter((name) => Object.values(ids).includes(String(name)))
}

const refusal = { statusCode: 400, errorCode: 'invalid_query_string' }

describe('GET /clients/search', () => {
  it.each<[string, string[]]>([
    ['name:shop*', ['Shop *Berlin*', 'shop paris']],
    ['name:"shop *berlin*"', ['Shop *Berlin*']],
    ['name:*paris', ['shop paris']],
    ['app_type:spa OR app_type:native', ['Shop *Berlin*', 'shop paris']],
    ['app_type:regular_web AND name:zed', ['Zed']],
    ['name:(Zed OR Worker) AND NOT app_type:non_interactive', ['Zed']],
    ['is_first_party:true AND name:z*', ['Zed']],
    ['is_first_party:false', []],
    ['description:"sells things"', ['Shop *Berlin*']],
    ['metadata.Tier:gold', ['Shop *Berlin*']],
    ['client_metadata.tier:*ilver', ['Worker']],
    ['metadata.acme.region:EU', ['Shop *Berlin*']],
    ['_exists_:metadata.Tier', ['Shop *Berlin*', 'Worker']],
    ['callbacks:"https://shop.test/cb"', ['Shop *Berlin*']],
    ['callbacks:*shop.test*', ['Shop *Berlin*']],
    ['client_grant.allow_any_organization:true', []],
    ['client_grant.allow_any_organization:false AND app_type:spa', ['Shop *Berlin*']],
    ['_exists_:client_grant.organization_id', ['Shop *Berlin*']],
    ['external_client_id:"https://a.test"', []],
    ['updated_at:[2100-01-01 TO *]', []],
    ['zed', ['Zed']],
  ])('the query %s finds %j', async (q, names) => {
    expect(await found('/clients/search', { q, parser: 'lucene' })).toEqual(names)
    expect(await found('/clients/search', { q })).toEqual(names)
  })

  it.each<[string, string[]]>([
    ['name eq "Zed"', ['Zed']],
    ['name sw "shop" and app_type eq "spa"', ['Shop *Berlin*']],
    ['name co "*berlin"', ['Shop *Berlin*']],
    ['metadata.Tier pr and not (metadata.Tier eq "gold")', ['Worker']],
  ])('%s as SCIM finds %j', async (q, names) => {
    expect(await found('/clients/search', { q, parser: 'scim' })).toEqual(names)
  })

  it('finds by ids of clients and organizations', async () => {
    expect(await found('/clients/search', { q: `client_id:${shop.client_id}` })).toEqual([shop.name])
    const organization = Object.keys(ids).find((id) => ids[id] === 'acme')
    const q = `client_grant.organization_id:"${organization}"`
    expect(await found('/clients/search', { q })).toEqual([shop.name])
  })

  it('answers in pages that a cursor continues, in the order asked for', async () => {
    for (const sort of [undefined, 'name', 'updated_at']) {
      const query: Record<string, string> = sort === undefined ? {} : { sort }
      const whole = await found('/clients/search', { ...query, take: '100' })
      expect(whole).toHaveLength(4)
      const names: unknown[] = []
      let next: unknown
      do {
        const answer = await manager.get('/clients/search', {
          query: { ...query, take: '2', ...(next === undefined ? {} : { from: String(next) }) },
        })
        expect(answer.status, answer.text).toBe(200)
        names.push(...(answer.json().clients as Row[]).map(({ name }) => name))
        next = answer.json().next
      } while (next !== undefined)
      expect(names.filter((name) => Object.values(ids).includes(String(name)))).toEqual(whole)
    }
    expect(await found('/clients/search', {})).toEqual(['Shop *Berlin*', 'shop paris', 'Worker', 'Zed'])
  })

  it('shows no secrets, keys and add-ons, and the members that are asked for', async () => {
    const [row] = (await manager.get('/clients/search', { query: { q: 'name:shop\\ \\*b*' } })).json().clients as Row[]
    expect(row).toMatchObject({ client_id: shop.client_id, app_type: 'spa' })
    for (const name of ['client_secret', 'encryption_key', 'signing_keys', 'owners', 'addons'])
      expect(row).not.toHaveProperty(name)
    const fields = await manager.get('/clients/search', { query: { q: 'name:zed', fields: 'name' } })
    expect(fields.json()).toEqual({ clients: [{ name: 'Zed' }] })
  })

  it('answers a scope of summaries with summaries, by what they show', async () => {
    const token = await manager.token(['read:client_summary'])
    const ask = (query: Record<string, string>) => manager.get('/clients/search', { query, token })
    expect((await ask({ q: 'name:zed' })).json().clients).toEqual([{ name: 'Zed', client_id: expect.any(String) }])
    expect(
      Object.keys(((await ask({ q: 'name:shop*', sort: 'name' })).json().clients as Row[])[0] ?? {}).sort(),
    ).toEqual([...['app_type', 'client_id', 'description', 'name']])
    for (const [name, value] of [
      ['q', 'metadata.Tier:gold'],
      ['q', 'name:a OR callbacks:*'],
      ['sort', 'updated_at'],
    ] as const)
      expect((await ask({ [name]: value })).json()).toMatchObject({ statusCode: 403, errorCode: 'insufficient_scope' })
    const other = await manager.token(['read:client_keys'])
    expect((await manager.get('/clients/search', { token: other })).status).toBe(403)
  })

  it.each<Record<string, string>>([
    { q: 'shoe_size:42' },
    { q: 'client_secret:a*' },
    { q: 'credentials.id:a' },
    { q: 'name:(a' },
    { q: 'name:*ab' },
    { q: 'name:a', parser: 'scim' },
    { q: 'name:a', parser: 'sql' },
    { q: 'a'.repeat(1001) },
    { q: `${'('.repeat(40)}a${')'.repeat(40)}` },
    { q: 'updated_at:yesterday' },
    { sort: 'client_id' },
    { sort: 'name:1' },
    { take: '101' },
    { from: 'none' },
    { from: Buffer.from('["name","a","b"]').toString('base64url') },
    { from: Buffer.from('["","a","b"]').toString('base64url') },
    { from: Buffer.from('["","2026","a"]').toString('base64url') },
    { from: Buffer.from('["","2026-01-01T00:00:00.000Z","\\u0000"]').toString('base64url') },
    { from: Buffer.from('\0').toString('base64url') },
    { color: 'red' },
  ])('%# is refused', async (query) => {
    expect((await manager.get('/clients/search', { query })).json()).toMatchObject(refusal)
  })
})

describe('GET /organizations/search', () => {
  it.each<[string, string[]]>([
    ['name:acme*', ['acme', 'acme-two']],
    ['name:acme', ['acme']],
    ['display_name:*hold*', ['acme']],
    ['display_name:"big holdings, co."', ['acme']],
    ['second', ['acme-two']],
    ['plain', ['plain']],
    ['NOT _exists_:display_name', ['plain']],
    ['metadata.plan:gold', ['acme']],
    ['branding.colors.primary:"#123456"', ['acme-two']],
    ['created_at:[2100-01-01 TO *] OR name:plain', ['plain']],
    ['*', ['acme', 'acme-two', 'plain']],
  ])('the query %s finds %j', async (q, names) => {
    expect(await found('/organizations/search', { q, parser: 'lucene' })).toEqual(names)
  })

  it('takes SCIM, orders and ids', async () => {
    const scim = { parser: 'scim', sort: 'display_name' }
    expect(await found('/organizations/search', { q: 'name sw "acme" or not (display_name pr)', ...scim })).toEqual([
      ...['plain', 'acme', 'acme-two'],
    ])
    const id = Object.keys(ids).find((each) => ids[each] === 'plain')
    expect(await found('/organizations/search', { q: `id:${id}` })).toEqual(['plain'])
    const first = (await manager.get('/organizations/search', { query: { take: '1', sort: 'created_at' } })).json()
    expect((first.organizations as Row[]).map(({ name }) => name)).toEqual(['acme'])
    expect(await found('/organizations/search', { from: String(first.next), sort: 'created_at' })).toEqual([
      ...['acme-two', 'plain'],
    ])
  })

  it('needs its scope, and shows one tenant', async () => {
    const token = await manager.token(['read:clients'])
    expect((await manager.get('/organizations/search', { token })).status).toBe(403)
    await server.addTenant('other', 'https://other.test')
    const { organizations, managedClients } = await (await server.runtime('other.test')).management()
    const all = { query: undefined, sort: undefined, after: null, limit: 10 }
    expect(await organizations.search(all)).toEqual([])
    expect((await managedClients.search(all)).map(({ row }) => row.name)).not.toContain('Zed')
  })

  it.each<Record<string, string>>([{ q: 'members:a' }, { q: 'branding:a' }, { q: 'display_name:*ab' }, { sort: 'id' }])(
    'the query %j is refused',
    async (query) => {
      expect((await manager.get('/organizations/search', { query })).json()).toMatchObject(refusal)
    },
  )
})
