// Which members of an operation each scope opens, and which secrets of an answer it shows (threat-model.md MG54).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

/** A manager whose token has these scopes alone. */
async function withScopes(...scopes: string[]) {
  const token = await manager.token(scopes)
  return {
    get: (path: string, query?: Record<string, string>) => manager.get(path, { token, ...(query && { query }) }),
    send: (method: string, path: string, json?: unknown) => manager.send(method, path, { token, json }),
  }
}

const newClient = async (name: string): Promise<string> =>
  String((await manager.post('/clients', { name, app_type: 'regular_web', description: 'Sells' })).json().client_id)

describe('the scope update:client_keys', () => {
  it.each([
    { callbacks: ['https://thief.test/cb'] },
    { grant_types: ['client_credentials'] },
    { is_first_party: true },
    { name: 'Other' },
    { client_metadata: { a: 'b' } },
    { a_member_to_come: true },
    { client_secret: 'a secret of forty letters for the client', callbacks: [] },
    { client_authentication_methods: null },
  ])('does not open %j of a client', async (body) => {
    const keys = await withScopes('update:client_keys')
    const answer = await keys.send('PATCH', `/clients/${await newClient('Keys')}`, body)
    expect(answer.json()).toMatchObject({ statusCode: 403, errorCode: 'insufficient_scope' })
  })

  it('opens the secret of a client, and its answer shows nothing else', async () => {
    const id = await newClient('Secret')
    const keys = await withScopes('update:client_keys')
    const secret = 'a secret of forty letters for the client'
    const answer = await keys.send('PATCH', `/clients/${id}`, { client_secret: secret })
    expect([answer.status, answer.json()]).toEqual([200, { client_id: id }])
    expect((await manager.get(`/clients/${id}`)).json().client_secret).toBe(secret)
  })

  it('is needed for the secret beside update:clients, as for its rotation', async () => {
    const clients = await withScopes('update:clients')
    const secret = { client_secret: 'a secret of forty letters for the client' }
    const answer = await clients.send('PATCH', `/clients/${await newClient('Both')}`, secret)
    expect(answer.json()).toMatchObject({
      statusCode: 403,
      message: 'Insufficient scope, expected any of: update:client_keys',
    })
  })
})

it('keys of a client are set by the scopes of its credentials alone', async () => {
  const id = await newClient('Credentials')
  const methods = { client_authentication_methods: { private_key_jwt: { credentials: [] } } }
  const clients = await withScopes('create:clients', 'update:clients')
  expect((await clients.send('PATCH', `/clients/${id}`, methods)).status).toBe(403)
  expect((await clients.send('POST', '/clients', { name: 'Keyed', ...methods })).status).toBe(403)
  const credentials = await withScopes('update:client_credentials')
  expect((await credentials.send('PATCH', `/clients/${id}`, { name: 'Other' })).status).toBe(403)
})

describe('the scope read:client_summary', () => {
  it('shows the id, name, type and description of clients, one or many', async () => {
    const id = await newClient('Summary')
    const summary = await withScopes('read:client_summary')
    const shown = { client_id: id, name: 'Summary', app_type: 'regular_web', description: 'Sells' }
    const one = await summary.get(`/clients/${id}`)
    expect([one.json(), one.header('etag')]).toEqual([shown, undefined])
    expect((await summary.get(`/clients/${id}`, { fields: 'callbacks,name' })).json()).toEqual({ name: 'Summary' })
    const shapes: Record<string, string>[] = [
      {},
      { include_totals: 'true' },
      { take: '50' },
      { fields: 'name,callbacks' },
    ]
    for (const query of shapes) {
      const body = (await summary.get('/clients', query)).json() as unknown
      const list = Array.isArray(body) ? body : (body as { clients: object[] }).clients
      expect(list.length).toBeGreaterThan(0)
      for (const each of list) expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(each)))
    }
  })

  it.each(['is_first_party', 'is_global'])('does not open the filter %s', async (name) => {
    const summary = await withScopes('read:client_summary')
    expect((await summary.get('/clients', { [name]: 'true' })).status).toBe(403)
    expect((await summary.get('/clients', { name_filter: 'Summ' })).status).toBe(200)
  })
})

it('the scope update:users_app_metadata opens the metadata of applications alone, and shows no more of the user', async () => {
  await server.addUser({ id: 'meta', email: 'meta@mail.test' })
  const metadata = await withScopes('update:users_app_metadata')
  const path = '/users/auth0%7Cmeta'
  for (const other of [{ blocked: true }, { email: 'a@b.test', connection: 'Users' }, { user_metadata: {} }])
    expect((await metadata.send('PATCH', path, { app_metadata: { a: 1 }, ...other })).status).toBe(403)
  const answer = await metadata.send('PATCH', path, { app_metadata: { plan: 'gold' } })
  expect(answer.json()).toEqual({ user_id: 'auth0|meta', app_metadata: { plan: 'gold' } })
})

it('the scope read:logs_users shows what happened to users, and no changes by this API', async () => {
  const userId = await server.addUser({ id: 'logged', email: 'logged@mail.test' })
  const runtime = await server.runtime()
  runtime.trail.record('password_changed', { user: { id: userId, email: 'logged@mail.test' } })
  runtime.trail.record('changed', { user: { id: userId, email: 'logged@mail.test' }, change: 'tenant_settings.update' })
  await newClient('Logged')
  const all = await server.audited()
  const users = await withScopes('read:logs_users')
  const path = '/users/auth0%7Clogged/logs'
  const lists = [
    ...[
      await users.get('/logs'),
      await users.get('/logs', { q: 'type:sapi' }),
      await users.get('/logs', { take: '100' }),
    ],
    await users.get(path),
  ].map((answer) => JSON.parse(answer.text) as { type: string; user_id?: string }[])
  for (const each of lists.flat())
    expect(each).toMatchObject({ user_id: expect.any(String), type: expect.not.stringMatching(/api$/) })
  expect(lists.map((list) => list.length > 0)).toEqual([true, false, true, true])
  const change = all.findLast(({ type }) => type === 'sapi')
  expect((await users.get(`/logs/${change?.log_id}`)).status).toBe(404)
  expect((await (await withScopes('read:logs')).get(`/logs/${change?.log_id}`)).status).toBe(200)
})

it('an organization is made with connections by the scope that adds them', async () => {
  const made = { name: 'with-connections', enabled_connections: [{ connection_id: 'con_any' }] }
  const organizations = await withScopes('create:organizations')
  expect((await organizations.send('POST', '/organizations', made)).status).toBe(403)
})

it('an answer is repeated for an idempotency key only with the scopes that it was made for', async () => {
  const ask = async (scopes: string[]) =>
    manager.send('POST', '/clients', {
      token: await manager.token(scopes),
      json: { name: 'Once' },
      headers: { 'idempotency-key': 'once-of-scopes' },
    })
  expect((await ask(['create:clients', 'read:client_keys'])).status).toBe(201)
  expect((await ask(['create:clients', 'read:client_keys'])).header('idempotency-replayed')).toBe('true')
  expect((await ask(['create:clients'])).status).toBe(409)
})

it.each(['constructor', '__proto__', 'toString'])('a member called %s is guarded by nothing', async (name) => {
  const body = JSON.stringify({ name: 'Odd' }).replace('{', `{"${name}":{},`)
  const answer = await manager.send('POST', '/clients', {
    body: Buffer.from(body),
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBeLessThan(500)
})
