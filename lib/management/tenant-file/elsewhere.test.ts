import { describe, expect, it } from 'vitest'
import { toClient } from '../../data/clients/client'
import { openCaptcha, sealCaptcha } from '../../identity/captcha/secrets'
import { objectIn } from '../../kernel/json'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { writtenRows } from '../../testing/written-rows'
import { unusedTexts } from '../../text/custom'
import { NOTHING } from './configuration'
import { type Configuration, type Plan, TenantFileError } from './model'
import { planTenant } from './plan'
import { readTenantFile } from './read'

const vault = createVault('a secret of thirty-two characters')
const random = seededRandom('elsewhere')

const plan = async (text: string, stored: Partial<Configuration> = {}): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document: readTenantFile('tenant.yaml', text, {}),
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} }, ...stored },
    users: [],
    vault,
    random,
    templateFault: faultOf,
    unusedTexts,
  })

const problems = async (text: string): Promise<string> => {
  try {
    await plan(text)
  } catch (error) {
    if (error instanceof TenantFileError) return error.message
    throw error
  }
  return ''
}

describe('a value of the vendor that does not exist here', () => {
  it.each([
    ['tenant: { session_lifetime: 9000 }', 'tenant.session_lifetime: 9000 (8760 applies)'],
    [
      'branding: { colors: { page_background: { type: linear-gradient } } }',
      'branding.colors.page_background: {"type":"linear-gradient"}',
    ],
    [
      'attackProtection: { captcha: { active_provider_id: arkose } }',
      'attackProtection.captcha.active_provider_id: "arkose"',
    ],
    ['clients: [{ name: A, app_type: office365 }]', 'clients["A"].app_type: "office365"'],
    ['clients: [{ name: A, jwt_configuration: { alg: RS512 } }]', 'clients["A"].jwt_configuration.alg: "RS512"'],
    ['clients: [{ name: A, refresh_token: { leeway: 120 } }]', 'clients["A"].refresh_token.leeway: 120 (60 applies)'],
    [
      'resourceServers: [{ identifier: https://a.example, token_lifetime: 0 }]',
      'resourceServers["https://a.example"].token_lifetime: 0 (1 applies)',
    ],
    [
      'resourceServers: [{ identifier: https://a.example, proof_of_possession: { mechanism: mtls, required: true } }]',
      'resourceServers["https://a.example"].proof_of_possession: {"mechanism":"mtls","required":true}',
    ],
    [
      'databases: [{ name: D, options: { authentication_methods: { password: { enabled: false } } } }]',
      'databases["D"].options.authentication_methods.password.enabled: false',
    ],
    [
      'connections: [{ name: email, strategy: email, options: { totp: { length: 4, time_step: 86400 } } }]',
      'connections["email"].options.totp.length: 4 (6 applies)|connections["email"].options.totp.time_step: 86400 (300 applies)',
    ],
    [
      'emailProvider: { name: smtp, default_from_address: a@b.example, credentials: { smtp_host: m.example, smtp_port: 25 }, settings: { headers: { X-SES-Configuration-Set: a, X-Other: b }, message: { view_content_link: true } } }',
      'emailProvider.settings.headers.X-Other|emailProvider.settings.message',
    ],
    [
      'logStreams: [{ name: S, type: splunk, sink: { splunkDomain: s.example, splunkToken: t, splunkSecure: false } }]',
      'logStreams["S"].sink.splunkSecure: false',
    ],
  ])('is reported, and the rest is applied: %s', async (text, reports) => {
    const planned = await plan(`roles: [{ name: Kept }]\n${text}`)
    expect(planned.notApplied).toEqual(reports.split('|'))
    expect(planned.changes.map(({ section }) => section)).toContain('roles')
  })

  it.each([
    ['tenant: { session_lifetime: -1 }', 'tenant.session_lifetime'],
    ['attackProtection: { captcha: { active_provider_id: arkos } }', 'active_provider_id'],
    ['clients: [{ name: A, app_type: office }]', 'app_type: invalid option: expected one of "spa"|"native"'],
    ['clients: [{ name: A, jwt_configuration: { alg: RS384 } }]', 'jwt_configuration.alg'],
    ['clients: [{ name: A, jwt_configuration: { alg: none } }]', 'jwt_configuration.alg'],
    ['clients: [{ name: A, token_endpoint_auth_method: tls }]', 'token_endpoint_auth_method'],
    ['clients: [{ name: A, refresh_token: { leeway: -1 } }]', 'refresh_token.leeway'],
    ['clients: [{ name: A, refresh_token: { leeway: 60.5 } }]', 'refresh_token.leeway'],
    ['clients: [{ name: A, refresh_token: { leeway: "120" } }]', 'refresh_token.leeway'],
    ['connections: [{ name: email, strategy: email, options: { totp: { length: 41 } } }]', 'totp.length'],
    ['clientGrants: [{ client_id: A, audience: x, subject_type: group }]', 'subject_type'],
  ])('is refused with the file if the vendor does not have it either: %s', async (text, problem) => {
    expect(await problems(text)).toContain(problem)
  })

  it('beside a mistake does not hide it', async () => {
    expect(
      await problems('clients: [{ name: A, refresh_token: { leeway: 120 }, organization_usage: perhaps }]'),
    ).toMatch(/^tenant\.yaml: clients\["A"\]\.organization_usage: /)
  })
})

describe('an application', () => {
  const clientOf = async (text: string) => {
    const [row] = writtenRows(await plan(text), 'clients')
    return toClient({ clientId: 'a', name: 'A', secretDigest: null, settings: row?.settings })
  }

  it('of a foreign type is confidential and has the grants of its entry alone', async () => {
    const none = await clientOf('clients: [{ name: A, app_type: salesforce }]')
    const some = await clientOf('clients: [{ name: A, app_type: salesforce, grant_types: [client_credentials] }]')
    expect([none.isPublic, none.authMethod, [...none.grantTypes]]).toEqual([false, 'client_secret_post', []])
    expect([...some.grantTypes]).toEqual(['client_credentials'])
  })

  it.each([
    ['token_endpoint_auth_method: tls_client_auth'],
    ['token_endpoint_auth_method: self_signed_tls_client_auth'],
    ['client_authentication_methods: { tls_client_auth: { credentials: [{ credential_type: cert_subject_dn }] } }'],
    ['app_type: spa, client_authentication_methods: { self_signed_tls_client_auth: { credentials: [] } }'],
  ])('that authenticates by its certificate is opened by nothing else: %s', async (members) => {
    const planned = await plan(`clients: [{ name: A, ${members} }]`)
    expect([...(await clientOf(`clients: [{ name: A, ${members} }]`)).authMethods]).toEqual(['private_key_jwt'])
    expect(planned.secrets).toEqual([])
    expect(planned.notApplied.join()).toContain('tls_client_auth')
  })
})

describe('the origins of hybrid apps and extensions', () => {
  it('apply as the vendor’s quickstarts have them', async () => {
    const text =
      'clients: [{ name: A, allowed_origins: [capacitor://localhost, http://localhost], web_origins: [ionic://localhost, chrome-extension://abc] }]'
    const planned = await plan(text)
    expect(planned.notApplied).toEqual([])
    expect(writtenRows(planned, 'clients')).toMatchObject([
      { settings: { allowed_origins: ['capacitor://localhost', 'http://localhost'] } },
    ])
  })

  it.each(['"null"', 'file://', 'javascript://localhost', 'data:x'])('never are %s', async (origin) => {
    expect(await problems(`clients: [{ name: A, allowed_origins: [${origin}] }]`)).toContain(
      'allowed_origins[0]: must be an origin',
    )
  })
})

describe('what would give more than the file says', () => {
  const API =
    'resourceServers: [{ identifier: https://a.example, scopes: [{ value: read }] }]\nclients: [{ name: A }]\n'
  it.each([
    [
      'a grant to users who have not signed in',
      `${API}clientGrants: [{ client_id: A, audience: https://a.example, scope: [read], subject_type: anonymous_user }]`,
      'clientGrants["A"].subject_type: "anonymous_user"',
      'clientGrants',
    ],
    [
      'a grant that demands an organization for tokens that are for none',
      'clients: [{ name: A }]\nclientGrants: [{ client_id: A, audience: https://id.test/api/v2/, scope: [read:clients], organization_usage: require }]',
      'clientGrants["A"].organization_usage: "require"',
      'clientGrants',
    ],
    [
      'a connection that is for no login',
      'connections: [{ name: email, strategy: email, authentication: { active: false } }]',
      'connections["email"].authentication.active: false',
      'connections',
    ],
    [
      'a stream whose records are masked',
      'logStreams: [{ name: S, type: http, sink: { httpEndpoint: https://a.example }, pii_config: { log_fields: [email] } }]',
      'logStreams["S"].pii_config: {"log_fields":["email"]}',
      'logStreams',
    ],
  ] as const)('is left out: %s', async (_what, text, report, table) => {
    const planned = await plan(text)
    expect(planned.notApplied).toEqual([report])
    expect(writtenRows(planned, table)).toEqual([])
  })

  it('includes no grant for organizations, which is applied as the file says', async () => {
    const text = `${API}clientGrants: [{ client_id: A, audience: https://a.example, scope: [read], organization_usage: require, allow_any_organization: true }]`
    const planned = await plan(text)
    expect(planned.notApplied).toEqual([])
    expect(writtenRows(planned, 'clientGrants')).toMatchObject([
      { organizationUsage: 'require', allowAnyOrganization: true },
    ])
  })
})

describe('a captcha provider', () => {
  const keys = { site_key: 'site', secret: 'hush' }
  const sealed = sealCaptcha({ active_provider_id: 'hcaptcha', hcaptcha: keys }, vault, random)
  const stored = { tenant: { name: 'main', settings: { attackProtection: { captcha: sealed } }, kept: {} } }

  it.each([
    'attackProtection: { captcha: { active_provider_id: hcaptcha, hcaptcha: { site_key: site } } }',
    'attackProtection: { captcha: { active_provider_id: hcaptcha } }',
    'attackProtection: { captcha: { hcaptcha: { site_key: site, secret: hush } } }',
  ])('keeps the secret that a file, as an export, does not have: %s', async (text) => {
    const planned = await plan(text, stored)
    expect([planned.changes, planned.notApplied]).toEqual([[], []])
  })

  it('gets another secret, which the plan does not show', async () => {
    const text = 'attackProtection: { captcha: { hcaptcha: { secret: louder } } }'
    const planned = await plan(text, stored)
    expect(planned.changes.map(({ details }) => details)).toEqual([['captcha.hcaptcha.secret: set']])
    const [row] = writtenRows(planned, 'tenant')
    const { captcha } = objectIn(objectIn(row?.settings).attackProtection)
    expect(openCaptcha(objectIn(captcha), vault).hcaptcha).toEqual({ ...keys, secret: 'louder' })
    expect((await plan(text, { tenant: planned.after.tenant })).changes).toEqual([])
  })

  it('without a secret anywhere is reported, and the captcha that needs none stands in', async () => {
    const planned = await plan(
      'attackProtection: { captcha: { active_provider_id: recaptcha_v2, recaptcha_v2: { site_key: a } }, botDetection: { challenge_password_policy: always } }',
    )
    expect(planned.notApplied).toEqual([
      'attackProtection.captcha.recaptcha_v2: needs secret',
      'attackProtection.captcha.active_provider_id: "recaptcha_v2"',
    ])
    const [row] = writtenRows(planned, 'tenant')
    expect(objectIn(objectIn(row?.settings).attackProtection)).toEqual({
      botDetection: { challenge_password_policy: 'always' },
    })
  })
})
