import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { makePartner, type Partner } from '../../testing/saml'
import { writtenRows } from '../../testing/written-rows'
import { NOTHING } from './configuration'
import type { Configuration, Json, JsonObject, Plan } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')

const CLIENT = { clientId: 'web-1', name: 'Web', isFirstParty: true, settings: {} }
const STORED = {
  ...NOTHING,
  tenant: { name: 'main', settings: {}, kept: {} },
  clients: [CLIENT],
} as unknown as Configuration

let idp: Partner
beforeAll(async () => {
  idp = await makePartner()
})

const plan = async (options: Record<string, Json>): Promise<Plan> =>
  planOf({ connections: [{ name: 'acme', strategy: 'samlp', options }] })

const planOf = async (document: JsonObject): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document,
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: STORED,
    users: [],
    vault,
    random: seededRandom('saml'),
    templateFault: () => null,
    unusedTexts: () => [],
  })

const byHand = (): Record<string, Json> => ({
  signInEndpoint: 'https://idp.test/sso',
  signingCert: Buffer.from(idp.certificatePem).toString('base64'),
})

const rowOf = (planned: Plan) => writtenRows(planned, 'connections')[0]

describe('a SAML connection', () => {
  it('is applied in the names of an export, and exported again', async () => {
    const options = {
      ...byHand(),
      signSAMLRequest: true,
      protocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
      digestAlgorithm: 'sha256',
      signatureAlgorithm: 'rsa-sha256',
      fieldsMap: { email: 'mail', given_name: ['a', 'b'] },
      signOutEndpoint: 'https://idp.test/slo',
      idpinitiated: { enabled: true, client_id: 'Web', client_protocol: 'oidc', client_authorizequery: 'scope=openid' },
    }
    const planned = await plan(options)
    const kept = { ...options, idpinitiated: { ...options.idpinitiated, client_id: 'web-1' } }
    expect(planned.notApplied).toEqual([])
    expect(rowOf(planned)).toMatchObject({ name: 'acme', strategy: 'samlp', settings: { options: kept } })
    const section = SECTIONS.find(({ name }) => name === 'connections')
    const row = rowOf(planned)
    const exported = section?.export({ ...STORED, connections: row ? [row] : [] }, [], vault)
    expect(exported).toEqual([{ name: 'acme', strategy: 'samlp', options: kept }])
  })

  it.each(['oidc', 'oauth2', 'samlp', 'wsfed'])(
    'leads logins that begin at the provider on by %s',
    async (client_protocol) => {
      const planned = await plan({ ...byHand(), idpinitiated: { enabled: true, client_id: 'Web', client_protocol } })
      expect(planned.notApplied).toEqual([])
      expect(rowOf(planned)?.settings.options).toMatchObject({ idpinitiated: { client_protocol, client_id: 'web-1' } })
    },
  )

  it('reports missing required options and unsupported ones', async () => {
    expect((await plan({ signInEndpoint: 'https://idp.test/sso' })).notApplied[0]).toContain(
      'needs options.metadataXml',
    )
    const unknown = { enabled: true, client_id: 'Nobody' }
    expect((await plan({ ...byHand(), idpinitiated: unknown })).notApplied[0]).toContain('no client "Nobody"')
    expect((await plan({ ...byHand(), requestTemplate: '<x/>' })).notApplied[0]).toContain('options.requestTemplate')
  })

  it.each<[string, Record<string, Json>]>([
    ['signingCert', { signInEndpoint: 'https://idp.test/sso', signingCert: 'nonsense' }],
    ['signInEndpoint', { signInEndpoint: 'javascript:alert(1)', metadataUrl: 'https://idp.test/' }],
    ['metadataXml', { metadataXml: '<a/>' }],
    ['metadataUrl', { metadataUrl: 'file:///etc/passwd' }],
    ['metadataXml: is the path of a file', { metadataXml: './idp-metadata.xml' }],
    ['signingCert: is the path of a file', { signInEndpoint: 'https://idp.test/sso', signingCert: 'certs/idp.pem' }],
  ])('refuses a wrong %s', async (field, options) => {
    await expect(plan(options)).rejects.toThrow(field)
  })

  it.each<[string, Record<string, Json>]>([
    ['metadataXml', { metadataXml: '@@IDP@@' }],
    ['signingCert', { signInEndpoint: 'https://idp.test/sso', signingCert: '@@IDP@@' }],
    ['signInEndpoint', { signInEndpoint: '@@IDP@@', metadataUrl: 'https://idp.test/metadata' }],
  ])('names the variable of %s that is not set', async (field, options) => {
    const text = JSON.stringify({ connections: [{ name: 'acme', strategy: 'samlp', options }] })
    const named = `connections["acme"].options.${field}: needs the environment variable IDP, which is not set`
    await expect(planOf(readTenantFile('tenant.yaml', text, {}))).rejects.toThrow(named)
  })
})
