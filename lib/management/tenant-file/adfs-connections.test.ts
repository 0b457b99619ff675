import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { makePartner, type Partner } from '../../testing/saml'
import { writtenRows } from '../../testing/written-rows'
import { ADFS_IDP, federationMetadataOf } from '../../testing/wsfed-idp'
import { NOTHING } from './configuration'
import type { Configuration, Json, Plan } from './model'
import { planTenant } from './plan'
import { SECTIONS } from './sections'

const vault = createVault('a secret of thirty-two characters')

const STORED: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } }

let idp: Partner
beforeAll(async () => {
  idp = await makePartner()
})

const plan = async (options: Record<string, Json>, strategy = 'adfs'): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document: { connections: [{ name: 'acme', strategy, options }] },
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: STORED,
    users: [],
    vault,
    random: seededRandom('adfs'),
    templateFault: () => null,
    unusedTexts: () => [],
  })

const rowOf = (planned: Plan) => writtenRows(planned, 'connections')[0]

describe('a connection of ADFS', () => {
  it('is applied in the names of an export, and exported again', async () => {
    const options = {
      adfs_server: 'https://adfs.test/FederationMetadata/2007-06/FederationMetadata.xml',
      signInEndpoint: 'https://adfs.test/adfs/ls/',
      domain_aliases: ['acme.test'],
      icon_url: 'https://cdn.test/acme.svg',
      entityId: 'urn:auth0:main:acme',
      user_id_attribute: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
      upstream_params: { username: { alias: 'login_hint' } },
      set_user_root_attributes: 'on_first_login',
      should_trust_email_verified_connection: 'always_set_emails_as_verified',
    }
    const planned = await plan({ ...options, fedMetadataXml: '', thumbprints: ['00'], prev_thumbprints: [] })
    expect(planned.notApplied.join()).toMatch(/options\.thumbprints.*options\.prev_thumbprints/)
    expect(rowOf(planned)).toMatchObject({ name: 'acme', strategy: 'adfs', settings: { options } })
    const section = SECTIONS.find(({ name }) => name === 'connections')
    const row = rowOf(planned)
    const exported = section?.export({ ...STORED, connections: row ? [row] : [] }, [], vault)
    expect(exported).toEqual([{ name: 'acme', strategy: 'adfs', options }])
  })

  it('is known by its metadata, by the host that has it, or by hand', async () => {
    expect(rowOf(await plan({ fedMetadataXml: federationMetadataOf(idp) }))).toBeTruthy()
    expect(rowOf(await plan({ adfs_server: 'adfs.test' }))).toBeTruthy()
    const byHand = {
      signInEndpoint: 'https://adfs.test/adfs/ls/',
      signingCert: idp.certificatePem,
      idpEntityId: ADFS_IDP,
    }
    expect(rowOf(await plan(byHand))).toBeTruthy()
    const { idpEntityId: _, ...nameless } = byHand
    for (const options of [{}, nameless]) {
      expect((await plan(options)).notApplied[0]).toContain('needs options.adfs_server')
      expect(rowOf(await plan(options))).toBeUndefined()
    }
  })

  it.each<[string, Record<string, Json>]>([
    ['fedMetadataXml', { fedMetadataXml: '<a/>' }],
    ['adfs_server', { adfs_server: 'javascript:alert(1)' }],
    ['adfs_server', { adfs_server: 'adfs.test/../x y' }],
    ['signInEndpoint', { adfs_server: 'adfs.test', signInEndpoint: 'file:///etc/passwd' }],
    ['signingCert', { adfs_server: 'adfs.test', signingCert: 'nonsense' }],
  ])('refuses a wrong %s', async (field, options) => {
    await expect(plan(options)).rejects.toThrow(field)
  })
})

describe('a connection of Microsoft Entra ID by WS-Federation', () => {
  it('needs its tenant alone', async () => {
    const options = { waad_protocol: 'ws-federation', tenant_domain: 'acme.onmicrosoft.com' }
    expect((await plan(options, 'waad')).notApplied).toEqual([])
    expect(rowOf(await plan(options, 'waad'))).toMatchObject({ strategy: 'waad', settings: { options } })
    expect((await plan({ use_wsfed: true }, 'waad')).notApplied[0]).toContain('needs options.tenant_domain')
    const oidc = { waad_protocol: 'openid-connect', tenant_domain: 'acme.onmicrosoft.com' }
    expect((await plan(oidc, 'waad')).notApplied[0]).toContain('needs options.client_id')
  })
})
