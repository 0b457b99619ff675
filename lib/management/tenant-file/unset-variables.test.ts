// A variable that is not set, at places that a section looks at before its schema does.
import { expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { NOTHING } from './configuration'
import { type Configuration, TenantFileError } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'

const STORED: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } }

async function problems(document: object): Promise<string> {
  try {
    await planTenant({
      file: 'tenant.yaml',
      document: readTenantFile('tenant.yaml', JSON.stringify(document), {}),
      tenantId: 'main',
      baseUrl: 'https://id.test',
      stored: STORED,
      users: [],
      vault: createVault('a secret of thirty-two characters'),
      random: seededRandom('unset'),
      templateFault: () => null,
      unusedTexts: () => [],
    })
  } catch (error) {
    if (error instanceof TenantFileError) return error.message
    throw error
  }
  return ''
}

it.each<[string, object]>([
  [
    '.options.fedMetadataXml',
    { connections: [{ name: 'x', strategy: 'adfs', options: { fedMetadataXml: '@@IDP@@' } }] },
  ],
  ['.strategy', { connections: [{ name: 'x', strategy: '@@IDP@@' }] }],
  ['.callbacks', { clients: [{ name: 'x', callbacks: '@@IDP@@' }] }],
  ['.callbacks[0]', { clients: [{ name: 'x', callbacks: ['##IDP##'] }] }],
  ['.addons.samlp.signingCert', { clients: [{ name: 'x', addons: { samlp: { signingCert: '@@IDP@@' } } }] }],
  ['.code', { actions: [{ name: 'x', code: '@@IDP@@', supported_triggers: [{ id: 'post-login', version: 'v3' }] }] }],
  ['prompts', { prompts: { customText: { en: { login: { login: { title: '@@IDP@@' } } } } } }],
  [
    '.body',
    {
      emailTemplates: [
        { template: 'verify_email', body: '@@IDP@@', from: '', subject: 'x', syntax: 'liquid', enabled: true },
      ],
    },
  ],
  ['.sink.httpEndpoint', { logStreams: [{ name: 'x', type: 'http', sink: { httpEndpoint: '@@IDP@@' } }] }],
  ['tenant.friendly_name', { tenant: { friendly_name: 'Shop ##IDP##' } }],
])('%s names the variable', async (place, document) => {
  expect(await problems(document)).toContain(place)
  expect(await problems(document)).toContain('needs the environment variable IDP, which is not set')
})

it.each<[string, object]>([
  ['metadataXml', { connections: [{ name: 'x', strategy: 'samlp', options: { metadataXml: 'idp.xml' } }] }],
  ['fedMetadataXml', { connections: [{ name: 'x', strategy: 'adfs', options: { fedMetadataXml: './fed.xml' } }] }],
  ['encryptionCert', { clients: [{ name: 'x', addons: { samlp: { encryptionCert: '/etc/sp.pem' } } }] }],
  [
    'pem',
    {
      clients: [
        {
          name: 'x',
          client_authentication_methods: {
            private_key_jwt: { credentials: [{ credential_type: 'public_key', pem: 'keys/one.pem' }] },
          },
        },
      ],
    },
  ],
])('%s says that a path was given', async (member, document) => {
  expect(await problems(document)).toMatch(new RegExp(`${member}: is the path of a file: give the content of the file`))
})
