// Signing keys, the audit log and its numbers in the Management API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIGNING_ALGORITHMS } from '../../../crypto/keys/algorithms'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

type Row = Record<string, unknown>
const list = async (path: string, query: Record<string, string> = {}): Promise<Row[]> =>
  JSON.parse((await manager.get(path, { query })).text) as Row[]

describe('signing keys', () => {
  let server: TestServer
  let manager: Manager
  const list = async (path: string): Promise<Row[]> => JSON.parse((await manager.get(path)).text) as Row[]

  beforeAll(async () => {
    server = await testServer()
    manager = await addManager(server)
  })
  afterAll(() => server.close())

  it.each(SIGNING_ALGORITHMS)('of %s are not revoked while they sign, with the advice to rotate', async (algorithm) => {
    const alg = { jwt_configuration: { alg: algorithm } }
    expect((await manager.post('/clients', { name: algorithm, app_type: 'spa', ...alg })).status).toBe(201)
    const keyOf = async (state: string) =>
      (await list('/keys/signing')).find((key) => key.alg === algorithm && key[state] === true)?.kid
    const [current, next] = [await keyOf('current'), await keyOf('next')]
    const refused = await manager.send('PUT', `/keys/signing/${String(current)}/revoke`)
    expect([refused.status, refused.json().errorCode]).toEqual([409, 'signing_key_in_use'])
    expect(refused.json().message).toContain('Rotate')
    expect([await keyOf('current'), await keyOf('next')]).toEqual([current, next])
    expect((await manager.send('PUT', `/keys/signing/${String(next)}/revoke`)).status).toBe(200)
  })

  it('are listed with their states, rotated and revoked', async () => {
    const before = await list('/keys/signing')
    expect(before.map(({ current, next }) => [current, next])).toEqual(
      expect.arrayContaining([
        [true, false],
        [false, true],
      ]),
    )
    const next = before.find((key) => key.next === true)
    const old = before.find((key) => key.current === true)
    expect(old?.cert).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect(String(old?.fingerprint).replaceAll(':', '')).toBe(old?.thumbprint)
    const rotated = await manager.send('POST', '/keys/signing/rotate')
    expect([rotated.status, rotated.json()]).toEqual([201, { kid: next?.kid, cert: next?.cert }])
    expect((await manager.get(`/keys/signing/${String(old?.kid)}`)).json()).toMatchObject({
      current: false,
      previous: true,
      revoked: false,
    })
    expect((await manager.send('PUT', `/keys/signing/${String(old?.kid)}/revoke`)).json()).toMatchObject({
      kid: old?.kid,
    })
    const { signingKeys } = await (await server.runtime()).management()
    expect((await signingKeys.list()).find(({ kid }) => kid === old?.kid)?.revokedAt).toEqual(server.clock.now())
  })

  it('a revoked signing key ends the tokens that it signed', async () => {
    server.clock.advance(2)
    expect((await manager.get('/keys/signing')).status).toBe(401)
  })

  it('of an unknown id do not exist, and no private part is shown', async () => {
    const token = await manager.token()
    const shown = await manager.get('/keys/signing', { token })
    expect(shown.status).toBe(200)
    expect(shown.text).not.toMatch(/PRIVATE KEY|"d":|sealed/)
    expect((await manager.get('/keys/signing/none', { token })).status).toBe(404)
    expect((await manager.send('PUT', '/keys/signing/none/revoke', { token })).status).toBe(404)
  })
})

describe('the audit log', () => {
  const ids = (rows: Row[]) => rows.map(({ log_id }) => log_id)
  let all: Row[] = []

  beforeAll(async () => {
    for (const name of ['one', 'two', 'three', 'four']) await manager.post('/roles', { name })
    all = (await server.audited()).reverse()
    expect(all.length).toBeGreaterThan(4)
  })

  it('is listed newest first, by pages', async () => {
    const first = await list('/logs', { page: '0', per_page: '2' })
    const second = await list('/logs', { page: '1', per_page: '2', sort: 'date:-1' })
    expect(ids([...first, ...second])).toEqual(ids(all.slice(0, 4)))
    expect(ids(await list('/logs', { per_page: '2', sort: 'date:1' }))).toEqual(ids(all.slice(-2).reverse()))
    const counted = (await manager.get('/logs', { query: { per_page: '2', include_totals: 'true' } })).json()
    expect(counted).toMatchObject({ start: 0, limit: 2, length: 2, total: all.length })
  })

  it('goes on behind a record, oldest first', async () => {
    const start = String(all[3]?.log_id)
    expect(ids(await list('/logs', { from: start, take: '2' }))).toEqual(ids([all[2] as Row, all[1] as Row]))
    expect(await list('/logs', { from: String(all[0]?.log_id) })).toEqual([])
  })

  it('is searched by type, user and time', async () => {
    const changes = await list('/logs', { q: 'type:sapi' })
    expect(changes.length).toBeGreaterThan(2)
    expect(changes.every(({ type }) => type === 'sapi')).toBe(true)
    expect(await list('/logs', { q: 'type:"sapi" AND user_id:nobody' })).toEqual([])
    expect(await list('/logs', { search: 'type:sapi' })).toEqual(changes)
    expect(await list('/logs', { q: 'type:sapi', search: 'user_id:nobody' })).toEqual([])
    expect(await list('/logs', { q: 'date:[2100-01-01 TO *]' })).toEqual([])
  })

  it('shows one record, and members that are asked for', async () => {
    const id = String(all[0]?.log_id)
    expect((await manager.get(`/logs/${id}`)).json()).toMatchObject({ log_id: id })
    expect((await manager.get('/logs/none')).json()).toMatchObject({ statusCode: 404, errorCode: 'inexistent_log' })
    expect(await list('/logs', { per_page: '1', fields: 'type' })).toEqual([{ type: all[0]?.type }])
  })

  it.each([
    { q: 'shoe_size:42' },
    { q: 'name:*usa' },
    { q: 'user_name:*sa' },
    { q: 'type:s OR' },
    { q: 'type:a*b*c*d*e*' },
    { q: `${'('.repeat(50)}a${')'.repeat(50)}` },
    { q: Array.from({ length: 101 }, () => 'a').join(' ') },
    { q: 'a\0b' },
    { q: 'a', search: '(b' },
    { q: 'date:yesterday' },
    { q: 'type:s', from: '900', take: '5' },
    { from: '90020200101000000000000000000001000000000000001' },
    { from: 'none' },
    { sort: 'type:1' },
    { page: '20', per_page: '50' },
    { per_page: '101' },
  ])('the query %j is refused', async (query) => {
    expect((await manager.get('/logs', { query })).json()).toMatchObject({
      statusCode: 400,
      errorCode: 'invalid_query_string',
    })
  })

  it('is one tenant’s', async () => {
    await server.addTenant('other', 'https://other.test')
    const { logs } = await (await server.runtime('other.test')).management()
    expect(await logs.page({}, { offset: 0, limit: 10, oldestFirst: false })).toEqual([])
    expect(await logs.find(String(all[0]?.log_id))).toBeNull()
  })
})

describe('the numbers', () => {
  it('are counted by day', async () => {
    expect(await list('/stats/daily')).toEqual([])
    const today = server.clock.now().toISOString().slice(0, 10)
    const { audit, trail } = { audit: server, trail: (await server.runtime()).trail }
    trail.record('login', {})
    trail.record('sign_up', {})
    await audit.audited()
    expect(await list('/stats/daily')).toMatchObject([
      { date: `${today}T00:00:00.000Z`, logins: 1, signups: 1, leaked_passwords: 0 },
    ])
    expect(await list('/stats/daily', { from: '20200101', to: '20200102' })).toEqual([])
  })

  it('reach back a year', async () => {
    expect(await list('/stats/daily', { from: '20200101', to: '20201231' })).toEqual([])
    const answer = await manager.get('/stats/daily', { query: { from: '20200101', to: '20210101' } })
    expect(answer.json().message).toContain('a year at most')
  })

  it('of active users are a number', async () => {
    expect((await manager.get('/stats/active-users')).text).toBe('0')
    await server.addUser({ email: 'active@acme.test', data: { lastLoginAt: server.clock.now() } })
    expect((await manager.get('/stats/active-users')).text).toBe('1')
  })

  it.each([
    { from: '2020' },
    { from: '20201340' },
    { from: '20200102', to: '20200101' },
    { from: '20200101', to: '20210101' },
  ])('the period %j is refused', async (query) => {
    expect((await manager.get('/stats/daily', { query })).status).toBe(400)
  })
})
