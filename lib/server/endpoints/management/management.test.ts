// The Management API as a whole: who may call it, how it refuses, and how it reads paths, queries and bodies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPA, signInForTokens } from '../../../testing/journey'
import { addManager, MANAGER, type Manager } from '../../../testing/management'
import { organizationsOf } from '../../../testing/organizations'
import { type TestServer, testServer } from '../../../testing/server'

const AUDIENCE = 'https://id.test/api/v2/'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient({ ...SPA, settings: { ...SPA.settings, organization_usage: 'allow' } })
  await server.addUser({ id: 'kim', email: 'kim@mail.test' })
})
afterAll(() => server.close())

const unauthorized = (message: string) => ({
  statusCode: 401,
  error: 'Unauthorized',
  message,
  attributes: { error: message },
})

describe('a caller', () => {
  it('needs a token', async () => {
    const answer = await server.browser().get('/api/v2/roles')
    expect(answer.status).toBe(401)
    expect(answer.json()).toEqual(unauthorized('Missing authentication'))
  })

  it('needs a token of this server for this API', async () => {
    expect((await manager.get('/roles', { token: 'nonsense' })).json()).toEqual(unauthorized('Invalid token'))
    await server.addApi('https://other.test', { scopes: [{ value: 'read:roles' }] })
    await server.addClientGrant(MANAGER, 'https://other.test', ['read:roles'])
    const form = {
      grant_type: 'client_credentials',
      client_id: MANAGER,
      client_secret: 'the secret of the manager',
      audience: 'https://other.test',
    }
    const foreign = String((await server.browser().post('/oauth/token', { form })).json().access_token)
    expect((await manager.get('/roles', { token: foreign })).json()).toEqual(
      unauthorized('Bad audience: https://other.test'),
    )
  })

  it('needs a scope of the operation, in the words that tools look for', async () => {
    const answer = await manager.get('/roles/none', { token: await manager.token(['read:clients']) })
    expect(answer.status).toBe(403)
    expect(answer.json()).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'Insufficient scope, expected any of: read:roles',
      errorCode: 'insufficient_scope',
    })
  })

  it('is refused as soon as its grant is gone or narrower, although the token has not expired', async () => {
    await server.addClient({
      clientId: 'brief',
      secret: 'a secret that is long',
      settings: { app_type: 'non_interactive' },
    })
    await server.addClientGrant('brief', AUDIENCE, ['read:roles'])
    const form = {
      grant_type: 'client_credentials',
      client_id: 'brief',
      client_secret: 'a secret that is long',
      audience: AUDIENCE,
    }
    const token = String((await server.browser().post('/oauth/token', { form })).json().access_token)
    expect((await manager.get('/roles', { token })).status).toBe(200)
    const [grant] = (await manager.get('/client-grants', { query: { client_id: 'brief' } })).json() as unknown as [
      { id: string },
    ]
    expect((await manager.patch(`/client-grants/${grant.id}`, { scope: ['read:clients'] })).status).toBe(200)
    expect((await manager.get('/roles', { token })).status).toBe(403)
    expect((await manager.remove(`/client-grants/${grant.id}`)).status).toBe(204)
    expect((await manager.get('/roles', { token })).json()).toEqual(unauthorized('Invalid token'))
  })

  it('a person gets what the roles allow, and personal scopes open nothing here', async () => {
    const scope = 'openid read:current_user read:roles'
    const before = await signInForTokens(server.browser(), 'kim@mail.test', { audience: AUDIENCE, scope })
    expect(String(before.scope).split(' ')).not.toContain('read:roles')
    expect((await manager.get('/roles', { token: String(before.access_token) })).status).toBe(403)
    await server.addRole('Readers', { [AUDIENCE]: ['read:roles'] })
    await server.giveRole('auth0|kim', 'Readers')
    const after = await signInForTokens(server.browser(), 'kim@mail.test', { audience: AUDIENCE, scope })
    expect((await manager.get('/roles', { token: String(after.access_token) })).status).toBe(200)
    expect((await manager.get('/clients', { token: String(after.access_token) })).status).toBe(403)
    await server.takeRole('auth0|kim', 'Readers')
    expect((await manager.get('/roles', { token: String(after.access_token) })).status).toBe(403)
  })

  it('of a login to an organization is worth what the person holds in that organization at this moment', async () => {
    const roles = { 'auth0|kim': ['Readers'] }
    const organization = await organizationsOf(server).add('acme', { members: ['auth0|kim'], roles })
    const query = { audience: AUDIENCE, scope: 'openid read:roles', organization }
    const tokens = await signInForTokens(server.browser(), 'kim@mail.test', query)
    const token = String(tokens.access_token)
    expect((await manager.get('/roles', { token })).status).toBe(200)
    expect((await manager.remove(`/organizations/${organization}/members`, { members: ['auth0|kim'] })).status).toBe(
      204,
    )
    expect((await manager.get('/roles', { token })).status).toBe(403)
  })
})

describe('a request', () => {
  it('to an unknown path or with an unknown method is refused in the same shape', async () => {
    const unknown = await manager.get('/nothing/here')
    expect(unknown.json()).toEqual({ statusCode: 404, error: 'Not Found', message: 'Not Found' })
    expect((await manager.put('/roles', {})).status).toBe(405)
  })

  it('says how much of its limit is left, in a bucket of its own', async () => {
    const answer = await manager.get('/roles')
    expect(answer.header('x-ratelimit-limit')).toBe('600')
    expect(Number(answer.header('x-ratelimit-reset'))).toBeGreaterThan(0)
  })

  it('with a query that is no query names what is wrong', async () => {
    const answer = await manager.get('/roles', { query: { per_page: '101' } })
    expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_query_string' })
    expect((await manager.get('/roles', { query: { from: '***' } })).json().errorCode).toBe('invalid_query_string')
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a missing member', '{}'],
    ['a member of another type', '{"name":5}'],
    ['a character that cannot be stored', '{"name":"\\u0000"}'],
    ['a name that changes objects', '{"name":"a","__proto__":{"a":1}}'],
    ['too deep nesting', `{"name":"a","deep":${'['.repeat(200)}${']'.repeat(200)}}`],
  ])('with a body that has %s is refused', async (_what, json) => {
    const answer = await manager.send('POST', '/roles', { json })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      errorCode: 'invalid_body',
      message: expect.stringMatching(/^Payload validation error: '/),
    })
  })

  it('names a missing member as the vendor does', async () => {
    expect((await manager.post('/roles', {})).json().message).toBe(
      "Payload validation error: 'Missing required property: name'.",
    )
  })

  it('with a form instead of JSON is refused', async () => {
    expect((await manager.send('POST', '/roles', { form: { name: 'Form' } })).status).toBe(415)
  })

  it('a change is in the audit log with before and after', async () => {
    const { id } = (await manager.post('/roles', { name: 'Audited', description: 'one' })).json()
    await manager.patch(`/roles/${id}`, { description: 'two' })
    const log = (await server.audited()).filter(({ details }) => (details as { target?: string }).target === id)
    expect(log.map(({ details }) => details)).toMatchObject([
      { change: 'roles.create', difference: { name: [null, 'Audited'] } },
      { change: 'roles.update', difference: { description: ['one', 'two'] } },
    ])
    expect(log[0]).toMatchObject({ type: 'sapi', client_id: MANAGER })
  })

  it('a member without effect is in the audit log with its path, once', async () => {
    await manager.patch('/tenants/settings', { unknown_here: { deep: 1 } })
    await manager.patch('/tenants/settings', { friendly_name: 'Shop', unknown_here: { deep: 1 } })
    const log = (await server.audited()).filter(
      ({ details }) => (details as { change?: string }).change === 'tenant_settings.update',
    )
    expect(log.map(({ details }) => (details as { not_applied?: string[] }).not_applied)).toEqual([
      ['unknown_here'],
      undefined,
    ])
  })
})
