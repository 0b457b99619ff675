// A test token of an API: what an application would get for itself, for ten minutes, without its secret.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bindAction } from '../../../testing/bind-action'
import { payloadOf } from '../../../testing/journey'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

const API = 'https://stock.test'
const MACHINE = { app_type: 'non_interactive', grant_types: ['client_credentials'] }

let server: TestServer
let manager: Manager
let apiId: string

const issue = (body: object, token?: string) =>
  manager.send('POST', `/resource-servers/${apiId}/test-token`, { json: body, ...(token && { token }) })

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  const scopes = [{ value: 'read' }, { value: 'write' }]
  const made = await manager.post('/resource-servers', { identifier: API, name: 'Stock', scopes, token_lifetime: 7200 })
  apiId = String(made.json().id)
  await server.addClient({ clientId: 'machine', secret: 'the secret of the machine', settings: MACHINE })
  await server.addClient({ clientId: 'stranger', secret: 'the secret of another', settings: MACHINE })
  await server.addClient({ clientId: 'spa', settings: { app_type: 'spa' } })
  await server.addClientGrant('machine', API, ['read'])
  await server.addClientGrant('spa', API, ['read'])
})
afterAll(() => server.close())

it('is what the application gets for itself, and ends after ten minutes', async () => {
  const answer = await issue({ client_id: 'machine' })
  expect(answer.status).toBe(201)
  const { access_token, ...rest } = answer.json()
  expect(rest).toEqual({ token_type: 'Bearer', expires_in: 600, scope: 'read' })
  const { iat, exp, ...claims } = payloadOf(String(access_token))
  expect(claims).toMatchObject({ aud: API, sub: 'machine@clients', azp: 'machine', scope: 'read' })
  expect(Number(exp) - Number(iat)).toBe(600)
})

it('lives no longer than the tokens of the API', async () => {
  await manager.patch(`/resource-servers/${apiId}`, { token_lifetime: 60 })
  server.clock.advance(2)
  expect((await issue({ client_id: 'machine' })).json().expires_in).toBe(60)
  await manager.patch(`/resource-servers/${apiId}`, { token_lifetime: 7200 })
  server.clock.advance(2)
})

it.each([
  [{ client_id: 'machine', scope: ['write'] }, 'Client has not been granted scopes: write'],
  [{ client_id: 'stranger' }, 'Client is not authorized to access'],
  [{ client_id: 'spa' }, "Grant type 'client_credentials' not allowed for the client."],
  [{ client_id: 'none' }, 'is the id of no application'],
])('is refused for %j in the words of the token endpoint', async (body, message) => {
  const answer = await issue(body)
  expect([answer.status, answer.json().statusCode]).toEqual([400, 400])
  expect(String(answer.json().message)).toContain(message)
  expect(answer.text).not.toContain('access_token')
})

it('is refused for the Management API, whose tokens would act by the rights of another', async () => {
  await server.addClientGrant('machine', 'https://id.test/api/v2/', ['read:users'])
  const answer = await manager.send(
    'POST',
    `/resource-servers/${encodeURIComponent('https://id.test/api/v2/')}/test-token`,
    { json: { client_id: 'machine' } },
  )
  expect([answer.status, String(answer.json().message)]).toEqual([400, expect.stringContaining('no test token')])
})

it('needs the right to make the secret of the application', async () => {
  const token = await manager.token(['update:clients', 'update:resource_servers', 'read:client_grants'])
  expect((await issue({ client_id: 'machine' }, token)).status).toBe(403)
})

it('is refused for an API that does not exist, and where a proof of possession is required', async () => {
  expect((await manager.post('/resource-servers/none/test-token', { client_id: 'machine' })).status).toBe(404)
  await manager.patch(`/resource-servers/${apiId}`, { proof_of_possession: { mechanism: 'dpop', required: true } })
  server.clock.advance(2)
  const answer = await issue({ client_id: 'machine' })
  expect([answer.status, answer.text.includes('access_token')]).toEqual([400, false])
  await manager.patch(`/resource-servers/${apiId}`, { proof_of_possession: null })
  server.clock.advance(2)
})

it('passes the actions of the tenant, which may deny it', async () => {
  const code = `exports.onExecuteCredentialsExchange = async (event, api) => {
    if (event.request.body.client_secret) throw new Error('a secret')
    api.accessToken.setCustomClaim('https://stock.test/by', event.client.client_id)
    if (event.request.body.scope === 'read') api.access.deny('invalid_request', 'not today')
  }`
  await bindAction(server, 'credentials-exchange', code)
  const allowed = await issue({ client_id: 'machine' })
  expect(payloadOf(String(allowed.json().access_token))).toMatchObject({ 'https://stock.test/by': 'machine' })
  const denied = await issue({ client_id: 'machine', scope: ['read'] })
  expect([denied.status, String(denied.json().message)]).toEqual([400, expect.stringContaining('not today')])
})

it('leaves an entry in the log, without the token', async () => {
  const token = String((await issue({ client_id: 'machine' })).json().access_token)
  const entries = await manager.get('/logs', { query: { q: 'type:sapi', per_page: '1' } })
  const wanted = {
    change: 'resource_servers.test_token',
    difference: { client_id: [null, 'machine'], scope: [null, 'read'] },
  }
  expect(entries.json()).toMatchObject([{ details: wanted }])
  expect(entries.text).not.toContain(token)
})
