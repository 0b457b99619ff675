// Addresses that can match nothing, at every door of the Management API, and what the refusal says was meant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
  await server.addClient({
    clientId: 'old',
    settings: { callbacks: ['localhost:5173'], addons: { samlp: { destination: 'localhost:3000/acs' } } },
  })
})
afterAll(() => server.close())

const nested = (path: string, value: unknown): Record<string, unknown> => {
  const [first = '', ...rest] = path.split('.')
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) }
}

const refusal = async (send: Promise<{ status: number; json(): unknown }>) => {
  const answer = await send
  return [answer.status, (answer.json() as { message: string }).message]
}

const CLIENT = [
  ['callbacks', ['localhost:5173'], 'http://localhost:5173'],
  ['callbacks', ['https://app.example/cb', 'localhost:3000/cb'], 'http://localhost:3000/cb'],
  ['callbacks', ['example.com:8443/cb'], 'https://example.com:8443/cb'],
  ['callbacks', ['127.0.0.1:3000'], 'http://127.0.0.1:3000'],
  ['callbacks', ['http:/localhost:5173'], 'http://localhost:5173'],
  ['callbacks', ['htps://app.example'], 'https://app.example'],
  ['allowed_logout_urls', ['localhost:5173'], 'http://localhost:5173'],
  ['web_origins', ['localhost:5173'], 'http://localhost:5173'],
  ['allowed_origins', ['app.example'], 'https://app.example'],
  ['initiate_login_uri', 'localhost:5173/login', 'https://localhost:5173/login'],
  ['logo_uri', 'app.example:8443/logo.png', 'https://app.example:8443/logo.png'],
  ['client_uri', 'localhost:5173', 'http://localhost:5173'],
  ['jwks_uri', 'app.example:8443/jwks', 'https://app.example:8443/jwks'],
  ['frontchannel_logout_uri', 'localhost:5173/out', 'http://localhost:5173/out'],
  ['oidc_logout.backchannel_logout_urls', ['localhost:5173/out'], 'http://localhost:5173/out'],
  ['addons.samlp.destination', 'localhost:3000/acs', 'http://localhost:3000/acs'],
  ['addons.samlp.recipient', 'sp.example:8443/acs', 'https://sp.example:8443/acs'],
  ['addons.samlp.logout.callback', 'localhost:3000/slo', 'http://localhost:3000/slo'],
] as const

describe('of a client', () => {
  it.each(CLIENT)('a client refuses %s %j', async (path, value, meant) => {
    const body = nested(path, value)
    const member = path.split('.')[0] ?? ''
    for (const answer of [
      await refusal(manager.post('/clients', { name: 'X', app_type: 'regular_web', ...body })),
      await refusal(manager.patch('/clients/old', body)),
    ]) {
      expect(answer).toEqual([400, expect.stringContaining(`did you mean ${meant}?`)])
      expect(answer[1]).toContain(`on property '${member}`)
    }
  })

  it('an earlier address that matches nothing does not hold up other changes', async () => {
    const changed = await manager.patch('/clients/old', { description: 'x' })
    expect([changed.status, changed.json().callbacks]).toEqual([200, ['localhost:5173']])
  })

  it('with a scheme of its own is stored', async () => {
    const callbacks = ['myapp://cb', 'com.example.app:/cb', 'cursor://anysphere.cursor-mcp/oauth/callback']
    const made = await manager.post('/clients', { name: 'Native', app_type: 'native', callbacks })
    expect([made.status, made.json().callbacks]).toEqual([201, callbacks])
  })

  it('a client that registers itself may not use a scheme named after a domain', async () => {
    await server.setTenant({ tenant: { flags: { enable_dynamic_client_registration: true } } })
    const register = (uri: string) => server.browser().post('/oidc/register', { json: { redirect_uris: [uri] } })
    const refused = await register('example.com:8443/cb')
    expect([refused.status, refused.json().error]).toEqual([400, 'invalid_redirect_uri'])
    expect((await register('com.example.app:/cb')).status).toBe(201)
  })
})

const OIDC = { strategy: 'oidc', options: { client_id: 'x' } }

describe('of a connection', () => {
  it.each([
    ['oidc', 'discovery_url', 'id.example:8443', 'https://id.example:8443'],
    ['oidc', 'issuer', 'id.example', 'https://id.example'],
    ['oidc', 'icon_url', 'localhost:5173/icon.svg', 'http://localhost:5173/icon.svg'],
    ['oidc', 'domain', 'https://id.example/', 'id.example'],
    ['oidc', 'domain_aliases', ['https://example.com'], 'example.com'],
    ['oidc', 'domain_aliases', ['example.com:8443'], 'example.com'],
    ['oauth2', 'tokenURL', 'id.example:8443/token', 'https://id.example:8443/token'],
    ['samlp', 'signInEndpoint', 'idp.example:8443/sso', 'https://idp.example:8443/sso'],
    ['samlp', 'metadataUrl', 'idp.example/metadata', 'https://idp.example/metadata'],
    ['adfs', 'signInEndpoint', 'adfs.example:8443/ls', 'https://adfs.example:8443/ls'],
    ['sms', 'gateway_url', 'localhost:9000/sms', 'http://localhost:9000/sms'],
    ['auth0', 'signup_terms', { terms_url: 'app.example/terms' }, 'https://app.example/terms'],
  ])('a connection of %s refuses %s %j', async (strategy, option, value, meant) => {
    const options = { client_id: 'x', [option]: value }
    const name = `${strategy}-address`
    expect(await refusal(manager.post('/connections', { name, strategy, options }))).toEqual([
      400,
      expect.stringContaining(`did you mean ${meant}?`),
    ])
  })

  it('names the place of a domain that is part of no address', async () => {
    const made = await manager.post('/connections', { name: 'home', ...OIDC })
    const options = { ...OIDC.options, domain_aliases: ['example.com', 'example.com:8443'] }
    expect(await refusal(manager.patch(`/connections/${made.json().id}`, { options }))).toEqual([
      400,
      expect.stringContaining("on property 'options.domain_aliases.1'"),
    ])
    const right = { ...OIDC.options, domain_aliases: ['example.com', 'bücher.example'] }
    expect((await manager.patch(`/connections/${made.json().id}`, { options: right })).status).toBe(200)
  })
})

describe('elsewhere', () => {
  const TENANT = '/tenants/settings'
  it.each([
    ['PATCH', TENANT, { allowed_logout_urls: ['localhost:5173'] }, 'http://localhost:5173'],
    ['PATCH', TENANT, { private_use_redirect_uris: ['example.com:8443'] }, 'https://example.com:8443'],
    ['PATCH', TENANT, { default_redirection_uri: 'app.example:8443' }, 'https://app.example:8443'],
    ['PATCH', TENANT, { picture_url: 'localhost:5173/logo.svg' }, 'http://localhost:5173/logo.svg'],
    ['PATCH', TENANT, { support_url: 'help.example' }, 'https://help.example'],
    ['PATCH', '/branding', { logo_url: 'app.example/logo.svg' }, 'https://app.example/logo.svg'],
    ['PATCH', '/branding', { font: { url: 'http://app.example/f.woff2' } }, 'https://app.example/f.woff2'],
    ['PATCH', '/branding', { font: { url: 'app.example:8443/f.woff2' } }, 'https://app.example:8443/f.woff2'],
    [
      'POST',
      '/organizations',
      { name: 'acme', branding: { logo_url: 'acme.example/l.svg' } },
      'https://acme.example/l.svg',
    ],
    [
      'POST',
      '/log-streams',
      { name: 'x', type: 'http', sink: { httpEndpoint: 'logs.example:8443/in' } },
      'https://logs.example:8443/in',
    ],
    ['POST', '/custom-domains', { domain: 'https://id.example.com/', type: 'self_managed_certs' }, 'id.example.com'],
    ['POST', '/custom-domains', { domain: 'id.example.com:8443', type: 'self_managed_certs' }, 'id.example.com'],
    ['POST', '/tickets/password-change', { user_id: 'auth0|x', result_url: 'localhost:5173' }, 'http://localhost:5173'],
    [
      'POST',
      '/emails/provider',
      {
        name: 'smtp',
        default_from_address: 'id@example.com',
        credentials: { smtp_host: 'smtp.example.com:587', smtp_port: 587 },
      },
      'smtp.example.com',
    ],
  ])('an address is refused: %s %s %j', async (method, path, body, meant) => {
    const send = method === 'POST' ? manager.post(path, body) : manager.patch(path, body)
    expect(await refusal(send)).toEqual([400, expect.stringContaining(`did you mean ${meant}?`)])
  })

  it('the domain of an organization is refused as an address', async () => {
    const { id } = (await manager.post('/organizations', { name: 'shop' })).json()
    expect(
      await refusal(manager.post(`/organizations/${id}/discovery-domains`, { domain: 'https://shop.example' })),
    ).toEqual([400, expect.stringContaining('did you mean shop.example?')])
  })
})
