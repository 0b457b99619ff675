// Clients in the Management API: what a new one may do, which of them a query finds, and their public keys.
import { readFile } from 'node:fs/promises'
import { calculateJwkThumbprint } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FOREIGN_APP_TYPES } from '../../../data/clients/client'
import { makeClientKey } from '../../../testing/client-key'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

type Body = Record<string, unknown>

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const created = async (path: string, body: unknown): Promise<Body> => {
  const answer = await manager.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json()
}
const read = async (id: unknown): Promise<Body> => (await manager.get(`/clients/${id}`)).json()

describe('cross-origin login', () => {
  it('is off for a new client, by both of its names', async () => {
    const { client_id } = await created('/clients', { name: 'New', app_type: 'spa' })
    expect(await read(client_id)).toMatchObject({ cross_origin_authentication: false, cross_origin_auth: false })
  })

  it('is switched by its older name, which gives way to the newer one', async () => {
    const { client_id } = await created('/clients', { name: 'Older', app_type: 'spa', cross_origin_auth: true })
    expect(await read(client_id)).toMatchObject({ cross_origin_authentication: true, cross_origin_auth: true })
    const both = { cross_origin_auth: true, cross_origin_authentication: false }
    await manager.patch(`/clients/${client_id}`, both)
    expect(await read(client_id)).toMatchObject({ cross_origin_authentication: false, cross_origin_auth: false })
  })
})

it('cross-origin login stays on for a client of an earlier version', async () => {
  for (const [clientId, own] of [
    ['silent', {}],
    ['off', { cross_origin_authentication: false }],
  ] as const)
    await server.addClient({ clientId, settings: { app_type: 'spa', ...own } })
  const migration = new URL(
    '../../../../prisma/migrations/20261125203000_keep_cross_origin_login/migration.sql',
    import.meta.url,
  )
  await server.database.pool.query(await readFile(migration, 'utf8'))
  expect(await read('silent')).toMatchObject({ cross_origin_authentication: true })
  expect(await read('off')).toMatchObject({ cross_origin_authentication: false })
})

describe('a type of application of the vendor’s catalogue', () => {
  const changes = async (id: unknown) =>
    (await server.audited()).filter(({ details }) => (details as { target?: unknown } | undefined)?.target === id)

  it.each([...FOREIGN_APP_TYPES])('is kept, shown and reported: %s', async (app_type) => {
    const client = await created('/clients', { name: 'Integration', app_type })
    expect(client).toMatchObject({ app_type, grant_types: [], token_endpoint_auth_method: 'client_secret_post' })
    expect(await read(client.client_id)).toMatchObject({ app_type })
    expect(await changes(client.client_id)).toMatchObject([{ details: { not_applied: ['app_type'] } }])
    expect((await manager.patch(`/clients/${client.client_id}`, { app_type: 'regular_web' })).json()).toMatchObject({
      app_type: 'regular_web',
      grant_types: ['authorization_code', 'refresh_token'],
    })
  })

  it('opens no login and gives no token unless the application has the grant', async () => {
    const callbacks = ['https://integration.test/cb']
    const sent = { name: 'Integration', app_type: 'office365', callbacks }
    const { client_id, client_secret } = await created('/clients', sent)
    const login = { client_id: String(client_id), response_type: 'code', redirect_uri: 'https://integration.test/cb' }
    const refused = await server.browser().get('/authorize', { query: login })
    expect(refused.header('location')).toContain('error=unauthorized_client')
    const ask = { grant_type: 'client_credentials', client_id, client_secret, audience: 'https://id.test/api/v2/' }
    expect((await server.browser().post('/oauth/token', { json: ask })).json().error).toBe('unauthorized_client')
  })

  it('is refused where the vendor has no such type', async () => {
    const answer = await manager.post('/clients', { name: 'X', app_type: 'office' })
    expect([answer.status, answer.json().errorCode]).toEqual([400, 'invalid_body'])
  })
})

it('refuses a leeway above a minute, because it protects', async () => {
  const answer = await manager.post('/clients', { name: 'X', refresh_token: { leeway: 61 } })
  expect([answer.status, answer.json().message]).toEqual([400, expect.stringContaining('at most 60 seconds')])
})

describe('placeholders in URLs', () => {
  const WORKS = {
    callbacks: ['https://shop-*-team.example.com/cb', 'https://{organization_name}.example.com/cb'],
    allowed_logout_urls: ['https://shop-*-team.example.com/bye'],
    web_origins: ['https://shop-*-team.example.com'],
    allowed_origins: ['https://{organization_name}.example.com', 'https://*.example.com'],
  }

  it('are taken where they can match', async () => {
    expect(await created('/clients', { name: 'Patterns', ...WORKS })).toMatchObject(WORKS)
  })

  it.each([
    ['callbacks', 'https://app.example.com/*'],
    ['callbacks', 'https://*.com/cb'],
    ['callbacks', 'https://{custom_domain.metadata.public_app}.example.com/cb'],
    ['allowed_logout_urls', 'https://{organization_name}.example.com/bye'],
    ['web_origins', 'https://sub.*.example.com'],
    ['web_origins', 'https://{organization_name}.example.com'],
    ['allowed_origins', 'https://*'],
  ])('are refused where they never match: %s %s', async (member, value) => {
    const { client_id } = await created('/clients', { name: 'Patterns', ...WORKS })
    for (const answer of [
      await manager.post('/clients', { name: 'X', [member]: ['https://app.example.com', value] }),
      await manager.patch(`/clients/${client_id}`, { [member]: [value] }),
    ]) {
      expect([answer.status, answer.json().errorCode]).toEqual([400, 'invalid_body'])
      expect(answer.json().message).toContain(member)
      expect(answer.json().message).toMatch(/placeholder|organization_name/)
    }
    expect(await read(client_id)).toMatchObject(WORKS)
  })

  it('of an earlier version do not hold up other changes', async () => {
    await server.addClient({ clientId: 'old', settings: { callbacks: ['https://sub.*.example.com/cb'] } })
    expect((await manager.patch('/clients/old', { description: 'x' })).status).toBe(200)
  })

  it('are judged in the logout URLs of the tenant, too', async () => {
    const set = (url: string) => manager.patch('/tenants/settings', { allowed_logout_urls: [url] })
    const refused = await set('https://{organization_name}.example.com/bye')
    expect([refused.status, refused.json().errorCode]).toEqual([400, 'invalid_body'])
    expect((await set('https://pr-*.example.com/bye')).status).toBe(200)
  })
})

describe('the origins of hybrid apps and extensions', () => {
  it('are accepted as the vendor’s quickstarts have them', async () => {
    const origins = { allowed_origins: ['capacitor://localhost'], web_origins: ['chrome-extension://abc'] }
    expect(await created('/clients', { name: 'Hybrid', app_type: 'native', ...origins })).toMatchObject(origins)
  })

  it.each(['null', 'file://', 'data:text/html,x', 'javascript://localhost', 'capacitor://*'])(
    'are not %s',
    async (origin) => {
      for (const member of ['allowed_origins', 'web_origins'])
        expect((await manager.post('/clients', { name: 'X', [member]: [origin] })).status).toBe(400)
    },
  )
})

describe('a list by the grants for organizations', () => {
  const found = async (query: Record<string, string>) => {
    const answer = await manager.get('/clients', { query })
    return answer.status === 200 ? answer.json().clients : [answer.status, answer.json().errorCode]
  }
  const listed = (client_id: unknown) => [expect.objectContaining({ client_id })]
  let own: unknown
  let every: unknown
  let organization: unknown

  beforeAll(async () => {
    const audience = 'https://granted.test'
    await created('/resource-servers', { identifier: audience })
    const add = async (name: string, grant: Body) => {
      const { client_id } = await created('/clients', { name, app_type: 'non_interactive' })
      const usage = { organization_usage: 'allow', ...grant }
      return [client_id, (await created('/client-grants', { client_id, audience, scope: [], ...usage })).id]
    }
    let granted: unknown
    ;[own, granted] = await add('Own', {})
    ;[every] = await add('Every', { allow_any_organization: true })
    organization = (await created('/organizations', { name: 'acme' })).id
    await created(`/organizations/${organization}/client-grants`, { grant_id: granted })
  })

  it('finds the clients whose grant an organization has', async () => {
    expect(await found({ q: `client_grant.organization_id:${organization}`, take: '10' })).toEqual(listed(own))
    expect(await found({ q: `client_grant.organization_id:"${organization}"`, take: '10' })).toEqual(listed(own))
    expect(await found({ q: 'client_grant.organization_id:org_none', take: '10' })).toEqual([])
  })

  it('finds the clients with a grant for every organization', async () => {
    expect(await found({ q: 'client_grant.allow_any_organization:true', take: '10' })).toEqual(listed(every))
  })

  it.each([
    { q: 'name:Own' },
    { q: 'client_grant.allow_any_organization:false' },
    { q: 'client_grant.organization_id:' },
    { q: 'client_grant.organization_id:a OR client_grant.organization_id:b' },
    { q: 'client_grant.audience:https' },
    { q: 'Own' },
    { q: 'client_grant.allow_any_organization:true', app_type: 'spa' },
    { q: 'client_grant.allow_any_organization:true', is_global: 'false' },
    { q: 'client_grant.allow_any_organization:true', is_first_party: 'true' },
  ])('the list refuses %j', async (query) => {
    expect(await found({ take: '10', ...JSON.parse(JSON.stringify(query)) })).toEqual([400, 'invalid_query_string'])
  })
})

describe('a list by type', () => {
  const idsOf = async (query: Record<string, string>) =>
    (JSON.parse((await manager.get('/clients', { query: { per_page: '100', ...query } })).text) as Body[]).map(
      ({ client_id }) => client_id,
    )

  it('has the clients that name no type as regular web applications', async () => {
    const { client_id } = await created('/clients', { name: 'Typeless' })
    const { client_id: spa } = await created('/clients', { name: 'Typed', app_type: 'spa' })
    expect(await read(client_id)).not.toHaveProperty('app_type')
    expect(await idsOf({ app_type: 'regular_web' })).toContain(client_id)
    expect(await idsOf({ app_type: 'regular_web' })).not.toContain(spa)
    expect(await idsOf({ app_type: 'spa,native' })).toContain(spa)
    expect(await idsOf({ app_type: 'spa,native' })).not.toContain(client_id)
  })

  it('applies its other filters to the global client', async () => {
    expect(await idsOf({ is_global: 'true' })).toHaveLength(1)
    expect(await idsOf({ is_global: 'true', is_first_party: 'false' })).toEqual([])
    expect(await idsOf({ is_global: 'true', name_filter: 'none' })).toEqual([])
    const first = (await manager.get('/clients', { query: { is_global: 'true', take: '1' } })).json()
    expect(first.clients).toHaveLength(1)
    const rest = (
      await manager.get('/clients', { query: { is_global: 'true', take: '1', from: String(first.next) } })
    ).json()
    expect(rest).toEqual({ clients: [] })
  })
})

describe('a public key of a client', () => {
  const { pem, jwk } = makeClientKey()

  it('is shown with the kid that selects it, calculated or its own', async () => {
    const { client_id } = await created('/clients', { name: 'Keys', app_type: 'non_interactive' })
    const path = `/clients/${client_id}/credentials`
    const calculated = await created(path, { credential_type: 'public_key', name: 'one', pem })
    expect(calculated.kid).toBe(await calculateJwkThumbprint(jwk))
    const own = await created(path, { credential_type: 'public_key', name: 'two', pem, kid: 'own' })
    expect(own.kid).toBe('own')
    expect(JSON.parse((await manager.get(path)).text)).toEqual([calculated, own])
    expect((await manager.get(`${path}/${calculated.id}`)).json()).toEqual(calculated)
  })

  it('expires at a date alone', async () => {
    const { client_id } = await created('/clients', { name: 'Dated', app_type: 'non_interactive' })
    const path = `/clients/${client_id}/credentials`
    const { id } = await created(path, { credential_type: 'public_key', pem, expires_at: '2095-05-13T09:33:13Z' })
    expect((await manager.get(`${path}/${id}`)).json().expires_at).toBe('2095-05-13T09:33:13Z')
    expect((await manager.patch(`${path}/${id}`, { expires_at: 'tomorrow' })).status).toBe(400)
  })
})
