// Addresses that can match nothing, in a tenant file.
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { NOTHING } from './configuration'
import { type Configuration, type JsonObject, TenantFileError } from './model'
import { planTenant } from './plan'

const vault = createVault('a secret of thirty-two characters')
const STORED: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } }

async function problems(document: JsonObject): Promise<string[]> {
  try {
    await planTenant({
      file: 'tenant.yaml',
      document,
      tenantId: 'main',
      baseUrl: 'https://id.test',
      stored: STORED,
      users: [],
      vault,
      random: seededRandom('addresses'),
      templateFault: () => null,
      unusedTexts: () => [],
    })
  } catch (error) {
    if (error instanceof TenantFileError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('an address that can match nothing is refused with its place and what was meant', () => {
  const client = (members: JsonObject) => ({ clients: [{ name: 'Web', ...members }] })
  const connection = (strategy: string, options: JsonObject) => ({ connections: [{ name: 'x', strategy, options }] })

  it.each<[JsonObject, string, string]>([
    [client({ callbacks: ['localhost:5173'] }), 'clients["Web"].callbacks[0]', 'http://localhost:5173'],
    [client({ allowed_logout_urls: ['127.0.0.1:3000'] }), '.allowed_logout_urls[0]', 'http://127.0.0.1:3000'],
    [client({ web_origins: ['localhost:5173'] }), '.web_origins[0]', 'http://localhost:5173'],
    [client({ initiate_login_uri: 'app.example' }), '.initiate_login_uri', 'https://app.example'],
    [
      client({ addons: { samlp: { destination: 'localhost:3000/acs' } } }),
      '.addons.samlp.destination',
      'http://localhost:3000/acs',
    ],
    [{ tenant: { allowed_logout_urls: ['localhost:5173'] } }, 'tenant.allowed_logout_urls[0]', 'http://localhost:5173'],
    [
      { tenant: { private_use_redirect_uris: ['app.example:1'] } },
      'tenant.private_use_redirect_uris[0]',
      'https://app.example:1',
    ],
    [
      { tenant: { default_redirection_uri: 'localhost:5173' } },
      'tenant.default_redirection_uri',
      'http://localhost:5173',
    ],
    [connection('oidc', { client_id: 'x', issuer: 'id.example' }), '.options.issuer', 'https://id.example'],
    [
      connection('google-oauth2', { client_id: 'x', client_secret: 'y', domain_aliases: ['https://example.com'] }),
      '.options.domain_aliases[0]',
      'example.com',
    ],
    [
      connection('samlp', { metadataUrl: 'idp.example/metadata' }),
      '.options.metadataUrl',
      'https://idp.example/metadata',
    ],
    [
      { organizations: [{ name: 'acme', branding: { logo_url: 'acme.example/l.svg' } }] },
      '.branding.logo_url',
      'https://acme.example/l.svg',
    ],
    [
      { logStreams: [{ name: 'x', type: 'http', sink: { httpEndpoint: 'logs.example:8443' } }] },
      'httpEndpoint',
      'https://logs.example:8443',
    ],
  ])('the address is refused: %j', async (document, place, meant) => {
    const found = (await problems(document)).join('\n')
    expect(found).toContain(place)
    expect(found).toContain(`did you mean ${meant}?`)
  })
})

it('a scheme of an application’s own is applied', async () => {
  expect(
    await problems({
      clients: [{ name: 'Native', app_type: 'native', callbacks: ['myapp://cb', 'com.example.app:/cb'] }],
    }),
  ).toEqual([])
  expect(await problems({ tenant: { private_use_redirect_uris: ['cursor://app/cb'] } })).toEqual([])
})
