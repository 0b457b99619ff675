// The Idempotency-Key of the Management API: repeated requests, parallel ones, and what is stored (threat-model.md MG25).
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as store from '../../../adapters/store/prisma/management/roles'
import { addSeconds } from '../../../kernel/clock'
import { temporarilyUnavailable } from '../../../kernel/errors'
import { digest } from '../../../kernel/secret'
import { MAX_KEYS } from '../../../management/operations/idempotency'
import { addManager, MANAGER, type Manager } from '../../../testing/management'
import { type TestResponse, type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const post = (path: string, json: unknown, key: string, token?: string): Promise<TestResponse> =>
  manager.send('POST', path, { json, headers: { 'idempotency-key': key }, ...(token === undefined ? {} : { token }) })
const rolesNamed = async (name: string): Promise<number> =>
  (await server.database.pool.query('SELECT 1 FROM role WHERE name = $1', [name])).rowCount ?? 0

it('answers a repeated request as the first one, with the secret, and stores neither in the clear', async () => {
  const body = { name: 'Once', app_type: 'regular_web' }
  const first = await post('/clients', body, 'client-1')
  expect(first.status, first.text).toBe(201)
  expect(first.header('idempotency-replayed')).toBeUndefined()
  const again = await post('/clients', body, '"client-1"')
  expect(again.status).toBe(201)
  expect(again.text).toBe(first.text)
  expect(again.header('idempotency-replayed')).toBe('true')
  const { rows } = await server.database.pool.query('SELECT * FROM idempotency_key')
  const stored = JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
  expect(stored).not.toContain(first.json().client_secret)
  expect(stored).not.toContain('client-1')
})

it('is one change in the audit log', async () => {
  const changes = (await server.audited()).filter(
    ({ details }) => (details as { change?: string }).change === 'clients.create',
  )
  expect(changes).toHaveLength(1)
})

it('refuses a key that was used for another body, query or path', async () => {
  expect((await post('/roles', { name: 'First' }, 'role-1')).status).toBe(201)
  const conflict = { statusCode: 409, errorCode: 'idempotency_key_reused' }
  expect((await post('/roles', { name: 'Second' }, 'role-1')).json()).toMatchObject(conflict)
  expect((await post('/clients', { name: 'First' }, 'role-1')).json()).toMatchObject(conflict)
  expect(await rolesNamed('Second')).toBe(0)
})

it('creates once for parallel callers on two instances', async () => {
  const token = await manager.token()
  const ask = { json: { name: 'Parallel' }, headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'race' } }
  const browsers = [server.browser(), server.instance().browser()]
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => browsers[n % 2]?.send('POST', '/api/v2/roles', ask) as Promise<TestResponse>),
  )
  expect(await rolesNamed('Parallel')).toBe(1)
  const made = answers.filter(({ status }) => status === 201)
  expect(made.length).toBeGreaterThan(0)
  expect(new Set(made.map(({ text }) => text)).size).toBe(1)
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer.json()).toMatchObject({ statusCode: 409, errorCode: 'idempotency_key_in_use' })
})

it('releases the key of a request that was refused', async () => {
  await manager.post('/roles', { name: 'Taken' })
  expect((await post('/roles', { name: 'Taken' }, 'role-2')).json()).toMatchObject({ errorCode: 'role_conflict' })
  expect((await post('/roles', { name: 'Free' }, 'role-2')).status).toBe(201)
})

it('does not execute a request again whose outcome is not known', async () => {
  const insert = vi.fn(() => Promise.reject(temporarilyUnavailable('The service is temporarily unavailable')))
  const broken = vi.spyOn(store, 'managedRoles').mockImplementation(() => ({ insert }) as never)
  const other = server.instance().browser()
  const token = await manager.token()
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'unknown' }
  expect((await other.send('POST', '/api/v2/roles', { json: { name: 'Unknown' }, headers })).status).toBe(503)
  broken.mockRestore()
  expect((await post('/roles', { name: 'Unknown' }, 'unknown')).json()).toMatchObject({
    errorCode: 'idempotency_key_in_use',
  })
  const { rows } = await server.database.pool.query('SELECT created_at FROM idempotency_key WHERE sealed IS NULL')
  await server.database.pool.query('UPDATE idempotency_key SET created_at = $1 WHERE sealed IS NULL', [
    addSeconds(rows[0].created_at, -61),
  ])
  expect((await post('/roles', { name: 'Unknown' }, 'unknown')).json()).toMatchObject({
    statusCode: 409,
    errorCode: 'idempotency_outcome_unknown',
  })
  expect(await rolesNamed('Unknown')).toBe(0)
})

it('belongs to one caller, and needs the scope each time', async () => {
  expect((await post('/roles', { name: 'Mine' }, 'shared')).status).toBe(201)
  const narrow = await manager.token(['read:roles'])
  expect((await post('/roles', { name: 'Mine' }, 'shared', narrow)).json()).toMatchObject({
    errorCode: 'insufficient_scope',
  })
  const audience = 'https://id.test/api/v2/'
  const settings = { app_type: 'non_interactive', grant_types: ['client_credentials'] }
  await server.addClient({ clientId: 'other', secret: 'the secret of the other', settings })
  await server.addClientGrant('other', audience, ['create:roles'])
  const form = {
    grant_type: 'client_credentials',
    client_id: 'other',
    client_secret: 'the secret of the other',
    audience,
  }
  const other = String((await server.browser().post('/oauth/token', { form })).json().access_token)
  expect((await post('/roles', { name: 'Theirs' }, 'shared', other)).status).toBe(201)
})

it('ends after a day, and its row with it', async () => {
  expect((await post('/roles', { name: 'Today' }, 'daily')).status).toBe(201)
  await server.database.pool.query(
    "UPDATE idempotency_key SET expires_at = created_at, created_at = created_at - interval '1 day'",
  )
  expect((await post('/roles', { name: 'Tomorrow' }, 'daily')).status).toBe(201)
})

it('takes a bounded number of keys of a caller, and still answers the known ones', async () => {
  expect((await post('/roles', { name: 'Known' }, 'known')).status).toBe(201)
  await server.database.pool.query(
    `INSERT INTO idempotency_key (tenant_id, caller, key, request, created_at, expires_at)
     SELECT 'default', $2, sha256(n::text::bytea), '', $3, $3 FROM generate_series(1, $1) n`,
    [MAX_KEYS, digest(JSON.stringify([MANAGER, null])), server.clock.now()],
  )
  await server.database.pool.query('UPDATE idempotency_key SET expires_at = $1', [addSeconds(server.clock.now(), 3600)])
  expect((await post('/roles', { name: 'Too many' }, 'one-more')).status).toBe(429)
  expect(await rolesNamed('Too many')).toBe(0)
  expect((await post('/roles', { name: 'Known' }, 'known')).header('idempotency-replayed')).toBe('true')
})

it.each(['', 'a b', 'with "quotes" inside', 'x'.repeat(256), 'ü'])('refuses the key %j', async (key) => {
  const answer = await post('/roles', { name: 'Never' }, key)
  expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_idempotency_key' })
})
