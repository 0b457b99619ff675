// Grants for logins of users, which this server does not have: they are refused and not stored, because such a grant must not give
// its client tokens of its own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addManager, type Manager } from '../../testing/management'
import { type TestServer, testServer } from '../../testing/server'

const API = 'https://stock.test'
const SECRET = 'the secret of the machine'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient({ clientId: 'machine', secret: SECRET, settings: { app_type: 'non_interactive' } })
  await server.addApi(API, { scopes: [{ value: 'read' }] })
})
afterAll(() => server.close())

const tokenStatus = async (): Promise<number> => {
  const form = { client_id: 'machine', client_secret: SECRET, audience: API }
  return (await server.browser().post('/oauth/token', { form: { ...form, grant_type: 'client_credentials' } })).status
}

it('are refused, and give no token', async () => {
  const grant = { client_id: 'machine', audience: API, scope: ['read'] }
  expect((await manager.post('/client-grants', { ...grant, subject_type: 'user' })).status).toBe(400)
  expect(await tokenStatus()).toBe(403)
  const made = await manager.post('/client-grants', { ...grant, subject_type: 'client' })
  expect(made.status).toBe(201)
  const { id } = made.json()
  expect((await manager.patch(`/client-grants/${id}`, { subject_type: 'user' })).status).toBe(400)
  expect((await manager.get(`/client-grants/${id}`)).json()).toMatchObject({ subject_type: 'client' })
  server.clock.advance(2)
  expect(await tokenStatus()).toBe(200)
})

it.each([
  ['user', 'require_client_grant'],
  ['user', 'deny_all'],
  ['client', 'deny_all'],
])('cannot be demanded by an API: %s, %s', async (subject, policy) => {
  const path = `/resource-servers/${encodeURIComponent(API)}`
  const restricts = { subject_type_authorization: { [subject]: { policy } } }
  expect((await manager.patch(path, restricts)).status).toBe(400)
  expect((await manager.post('/resource-servers', { identifier: 'https://new.test', ...restricts })).status).toBe(400)
  expect((await manager.get(path)).json()).not.toHaveProperty('subject_type_authorization')
})

it('are left to the applied policies, which the vendor’s tools send', async () => {
  const applied = { user: { policy: 'allow_all' }, client: { policy: 'require_client_grant' } }
  const sent = { identifier: 'https://sent.test', subject_type_authorization: applied }
  const made = await manager.post('/resource-servers', sent)
  expect([made.status, made.json().subject_type_authorization]).toEqual([201, applied])
})
