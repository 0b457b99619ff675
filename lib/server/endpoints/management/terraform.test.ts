// What the vendor's Terraform provider calls for each resource: create, read back, change one attribute, read back, destroy. What comes
// back differently would be drift, and planned again for ever.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managementAudience } from '../../../data/apis/built-in'
import { MANAGEMENT_SCOPES } from '../../../data/apis/management-scopes'
import { OPERATIONS } from '../../../management'
import { BASE_URL } from '../../../testing/database'
import { addManager, type Manager, VENDOR_SCOPES } from '../../../testing/management'
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
const read = async (path: string): Promise<Body> => (await manager.get(path)).json()
const encoded = encodeURIComponent

const TRIGGERS = [{ id: 'post-login', version: 'v3' }]

const CLIENT = {
  name: 'Shop',
  description: 'From a plan',
  app_type: 'regular_web',
  callbacks: ['https://shop.test/b', 'https://shop.test/a'],
  allowed_logout_urls: ['https://shop.test/bye'],
  grant_types: ['authorization_code', 'refresh_token'],
  oidc_conformant: true,
  is_first_party: true,
  jwt_configuration: { alg: 'RS256', lifetime_in_seconds: 600 },
  client_metadata: { team: 'shop' },
  refresh_token: {
    rotation_type: 'rotating',
    expiration_type: 'expiring',
    leeway: 15,
    token_lifetime: 84600,
    idle_token_lifetime: 72000,
    infinite_token_lifetime: false,
    infinite_idle_token_lifetime: false,
  },
  organization_usage: 'deny',
}

it('auth0_client has no drift, and a partial jwt_configuration keeps the rest', async () => {
  const { client_id } = await created('/clients', CLIENT)
  const before = await read(`/clients/${client_id}`)
  expect(before).toMatchObject(CLIENT)
  await manager.patch(`/clients/${client_id}`, { jwt_configuration: { alg: 'RS256' }, description: 'Changed' })
  const after = await read(`/clients/${client_id}`)
  expect(after).toMatchObject({ ...CLIENT, description: 'Changed' })
  expect(after.client_secret).toBe(before.client_secret)
  expect(after.signing_keys).toMatchObject([
    { cert: expect.any(String), pkcs7: expect.any(String), subject: expect.any(String) },
  ])
  await manager.remove(`/clients/${client_id}`)
  expect((await manager.get(`/clients/${client_id}`)).status).toBe(404)
})

describe('initiate_login_uri', () => {
  const https = 'https://app.test/start'

  it.each(['http://app.test/start', 'http://localhost:4242/start', 'app.test:x', 'https:'])(
    'is not set to %j',
    async (initiate_login_uri) => {
      expect((await manager.post('/clients', { name: 'Insecure', initiate_login_uri })).status).toBe(400)
      const { client_id } = await created('/clients', { name: 'Secure', initiate_login_uri: https })
      expect((await manager.patch(`/clients/${client_id}`, { initiate_login_uri })).status).toBe(400)
      expect(await read(`/clients/${client_id}`)).toMatchObject({ initiate_login_uri: https })
    },
  )

  it('with http from an older version is read, kept by other changes and unset', async () => {
    const initiate_login_uri = 'http://localhost:4242/start'
    await server.addClient({ clientId: 'older', settings: { initiate_login_uri } })
    await manager.patch('/clients/older', { description: 'Changed' })
    expect(await read('/clients/older')).toMatchObject({ description: 'Changed', initiate_login_uri })
    await manager.patch('/clients/older', { initiate_login_uri: '' })
    expect(await read('/clients/older')).not.toHaveProperty('initiate_login_uri')
  })
})

it('auth0_client_credentials sets the method, and resets it when it is destroyed', async () => {
  const { client_id } = await created('/clients', { name: 'Methods', app_type: 'non_interactive' })
  await manager.patch(`/clients/${client_id}`, { token_endpoint_auth_method: 'client_secret_basic' })
  expect(await read(`/clients/${client_id}`)).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic' })
  await manager.patch(`/clients/${client_id}`, { token_endpoint_auth_method: 'client_secret_post' })
  expect(await read(`/clients/${client_id}`)).toMatchObject({ token_endpoint_auth_method: 'client_secret_post' })
})

it('auth0_resource_server and its scopes are found by the identifier in the path', async () => {
  const api = {
    identifier: 'https://plan.test/a b/',
    name: 'Plan',
    token_lifetime: 3600,
    skip_consent_for_verifiable_first_party_clients: true,
  }
  const { id } = await created('/resource-servers', api)
  const scopes = [{ value: 'read:it', description: 'Read it' }]
  const path = `/resource-servers/${encoded(api.identifier)}`
  expect((await manager.patch(path, { scopes })).status).toBe(200)
  expect(await read(path)).toMatchObject({ ...api, id, scopes })
  expect(await read(`/resource-servers/${encoded(encoded(api.identifier))}`)).toMatchObject({ id })
  await manager.patch(path, { scopes: [] })
  expect(await read(`/resource-servers/${id}`)).toMatchObject({ scopes: [] })
})

it('auth0_resource_server has a consent policy, and no details of authorizations', async () => {
  const policy = { consent_policy: 'transactional-authorization-with-mfa', authorization_details: null }
  const { id } = await created('/resource-servers', { identifier: 'https://policy.test', ...policy })
  expect(await read(`/resource-servers/${id}`)).toMatchObject({ consent_policy: policy.consent_policy })
  for (const refused of [{ consent_policy: 'never' }, { authorization_details: [{ type: 'payment' }] }])
    expect((await manager.patch(`/resource-servers/${id}`, refused)).status).toBe(400)
  expect((await manager.patch(`/resource-servers/${id}`, { consent_policy: null })).status).toBe(200)
  expect(await read(`/resource-servers/${id}`)).not.toHaveProperty('consent_policy')
})

it('auth0_client_grant is looked for, made, read by its id and changed', async () => {
  const { client_id } = await created('/clients', { name: 'Granted', app_type: 'non_interactive' })
  await created('/resource-servers', { identifier: 'https://granted.test', scopes: [{ value: 'a' }, { value: 'b' }] })
  const query = {
    audience: 'https://granted.test',
    client_id: String(client_id),
    include_totals: 'true',
    per_page: '50',
  }
  expect((await manager.get('/client-grants', { query })).json()).toMatchObject({ total: 0, client_grants: [] })
  const { id } = await created('/client-grants', { audience: 'https://granted.test', client_id, scope: ['b', 'a'] })
  expect(await read(`/client-grants/${id}`)).toMatchObject({ scope: ['b', 'a'] })
  await manager.patch(`/client-grants/${id}`, { scope: ['a'] })
  expect(await read(`/client-grants/${id}`)).toMatchObject({ scope: ['a'], client_id })
  expect((await manager.get('/client-grants', { query })).json()).toMatchObject({ total: 1 })
})

describe('auth0_connection', () => {
  const OPTIONS = {
    password_policy: undefined,
    passwordPolicy: 'good',
    brute_force_protection: true,
    disable_signup: false,
    requires_username: true,
  }

  it('has no drift in the options of a database', async () => {
    const { id } = await created('/connections', { name: 'Plan-Users', strategy: 'auth0', options: OPTIONS })
    expect(await read(`/connections/${id}`)).toMatchObject({
      strategy: 'auth0',
      options: JSON.parse(JSON.stringify(OPTIONS)),
    })
    await manager.patch(`/connections/${id}`, { options: { ...OPTIONS, disable_signup: true } })
    expect(await read(`/connections/${id}`)).toMatchObject({
      options: { disable_signup: true, passwordPolicy: 'good' },
    })
  })

  it('says its id whatever fields are asked for, and lists its clients', async () => {
    const { client_id } = await created('/clients', { name: 'Enabled', app_type: 'spa' })
    const { id } = await created('/connections', { name: 'Plan-Clients', strategy: 'auth0' })
    const few = (await manager.get(`/connections/${id}`, { query: { fields: 'strategy,name' } })).json()
    expect(few).toEqual({ id, strategy: 'auth0', name: 'Plan-Clients' })
    expect((await manager.get(`/connections/${id}/clients`)).json()).toEqual({ clients: [] })
    expect((await manager.patch(`/connections/${id}/clients`, [{ client_id, status: true }])).status).toBe(204)
    expect((await manager.get(`/connections/${id}/clients`)).json()).toEqual({ clients: [{ client_id }] })
    await manager.patch(`/connections/${id}/clients`, [{ client_id, status: false }])
    expect((await manager.get(`/connections/${id}/clients`)).json()).toEqual({ clients: [] })
  })
})

it('auth0_role and its permissions have no drift', async () => {
  await created('/resource-servers', {
    identifier: 'https://roles.test',
    name: 'Roles',
    scopes: [{ value: 'read:it', description: 'Read it' }],
  })
  const { id } = await created('/roles', { name: 'Planned', description: 'By a plan' })
  const permissions = [{ resource_server_identifier: 'https://roles.test', permission_name: 'read:it' }]
  await created(`/roles/${id}/permissions`, { permissions })
  const query = { include_totals: 'true', page: '0', per_page: '100' }
  expect((await manager.get(`/roles/${id}/permissions`, { query })).json()).toMatchObject({
    total: 1,
    permissions: [{ ...permissions[0], description: 'Read it', resource_server_name: 'Roles' }],
  })
  expect((await manager.remove(`/roles/${id}/permissions`, { permissions })).status).toBe(204)
  expect((await manager.get(`/roles/${id}/permissions`, { query })).json()).toMatchObject({ total: 0 })
})

it('auth0_action is built at once, deployed and read again', async () => {
  const body = {
    name: 'Planned',
    supported_triggers: [{ id: 'post-login', version: 'v3' }],
    code: 'exports.onExecutePostLogin = async (event, api) => {}',
    runtime: 'node22',
    dependencies: [],
    secrets: [{ name: 'KEY', value: 'of the plan' }],
  }
  const { id } = await created('/actions/actions', body)
  expect(await read(`/actions/actions/${id}`)).toMatchObject({ status: 'built', code: body.code, runtime: 'node22' })
  expect((await manager.send('POST', `/actions/actions/${id}/deploy`)).status).toBe(202)
  const bound = await manager.patch('/actions/triggers/post-login/bindings', {
    bindings: [{ ref: { type: 'action_id', value: id }, display_name: 'Planned' }],
  })
  expect(bound.status).toBe(200)
  expect(await read('/actions/triggers/post-login/bindings')).toMatchObject({
    bindings: [{ action: { id }, display_name: 'Planned' }],
  })
  await manager.patch('/actions/triggers/post-login/bindings', { bindings: [] })
  expect((await manager.remove(`/actions/actions/${id}`)).status).toBe(204)
})

/** As go-auth0, the provider's SDK: it reads on until this says no. Absent members are 0. */
const hasNext = ({ start = 0, limit = 0, total = 0, next = '' }: Body): boolean =>
  next !== '' || Number(total) > Number(start) + Number(limit)

describe('a list', () => {
  const PAGED = OPERATIONS.filter(({ method, query }) => method === 'GET' && query && 'page' in query.shape)
  const ids: Record<string, string> = { '/actions/triggers': 'post-login' }

  beforeAll(async () => {
    const code = 'exports.onExecutePostLogin = async () => {}'
    const { id } = await created('/actions/actions', { name: 'Listed', supported_triggers: TRIGGERS, code })
    ids['/actions/actions'] = String(id)
    expect((await manager.send('POST', `/actions/actions/${id}/deploy`)).status).toBe(202)
    const bindings = [{ ref: { type: 'action_id', value: id }, display_name: 'Listed' }]
    expect((await manager.patch('/actions/triggers/post-login/bindings', { bindings })).status).toBe(200)
    ids['/roles'] = String((await created('/roles', { name: 'Listed' })).id)
    ids['/users'] = await server.addUser({ email: 'listed@plan.test' })
    ids['/organizations'] = String((await created('/organizations', { name: 'listed' })).id)
  })

  it.each(PAGED.map(({ path }) => path))('of GET %s is read to its end', async (path) => {
    const filled = path.replace(/^(.*?)\/:\w+/, (_, kind: string) => `${kind}/${encoded(ids[kind] ?? 'none')}`)
    const place = filled.replace(/:\w+/g, encoded(ids['/users'] ?? ''))
    let more = true
    for (let page = 0; more; page += 1) {
      expect(page).toBeLessThan(4)
      const query = { page: String(page), per_page: '50', include_totals: 'true' }
      const answer = await manager.get(place, { query })
      expect([200, 404]).toContain(answer.status)
      more = hasNext(answer.json())
    }
  })

  it.each([
    ['/actions/actions', 'actions'],
    ['/actions/actions/:id/versions', 'versions'],
    ['/actions/triggers/:id/bindings', 'bindings'],
  ])('of GET %s says its total only with entries', async (path, key) => {
    const place = path.replace(/^(.*)\/:id/, (_, kind: string) => `${kind}/${ids[kind]}`)
    expect(await read(place)).toMatchObject({ total: expect.any(Number), page: 0, per_page: 50 })
    expect(await read(`${place}?page=9&per_page=10`)).toEqual({ [key]: [], page: 9, per_page: 10 })
  })
})

it('auth0_pages finds the one global client and changes its login page', async () => {
  const query = {
    fields: 'client_id',
    include_fields: 'true',
    include_totals: 'true',
    is_global: 'true',
    per_page: '50',
  }
  const { clients } = (await manager.get('/clients', { query })).json() as { clients: Body[] }
  expect(clients).toEqual([{ client_id: expect.any(String) }])
  const path = `/clients/${clients[0]?.client_id}`
  await manager.patch(path, { custom_login_page: '<html></html>', custom_login_page_on: true })
  expect(await read(path)).toMatchObject({
    global: true,
    custom_login_page: '<html></html>',
    custom_login_page_on: true,
  })
  expect((await manager.remove(path)).status).toBe(400)
  const all = (await manager.get('/clients', { query: { is_global: 'false', per_page: '100' } })).text
  expect(all).not.toContain('All Applications')
})

it('auth0_custom_domain has no drift, and its verification is asked for until it is ready', async () => {
  const domain = {
    domain: 'login.plan.example.com',
    type: 'self_managed_certs',
    tls_policy: 'recommended',
    custom_client_ip_header: 'cf-connecting-ip',
    domain_metadata: { team: 'shop' },
    relying_party_identifier: 'plan.example.com',
  }
  const { custom_domain_id: id } = await created('/custom-domains', domain)
  expect(await read(`/custom-domains/${id}`)).toMatchObject(domain)
  const changed = { tls_policy: 'recommended', custom_client_ip_header: '', domain_metadata: { team: 'web' } }
  await manager.patch(`/custom-domains/${id}`, changed)
  const { custom_client_ip_header, ...rest } = await read(`/custom-domains/${id}`)
  expect(custom_client_ip_header).toBeNull()
  expect(rest).toMatchObject({ domain_metadata: { team: 'web' }, relying_party_identifier: 'plan.example.com' })
  const verified = await manager.send('POST', `/custom-domains/${id}/verify`)
  expect([verified.status, verified.json().status]).toEqual([200, 'pending_verification'])
  expect(await read('/custom-domains/default')).toEqual({ domain: 'id.test' })
  await manager.remove(`/custom-domains/${id}`)
  expect((await manager.get(`/custom-domains/${id}`)).status).toBe(404)
})

describe('auth0_log_stream', () => {
  const filters = [{ type: 'category', name: 'auth.login.fail' }]

  /** The provider reads every attribute of a sink but Mixpanel's password, and not a key that its configuration writes only. */
  it.each([
    [
      'http',
      { httpEndpoint: 'https://logs.example.com/a', httpContentFormat: 'JSONLINES', httpContentType: 'a/b' },
      {},
    ],
    ['datadog', { datadogRegion: 'eu' }, { datadogApiKey: 'a'.repeat(32) }],
    [
      'mixpanel',
      { mixpanelRegion: 'eu', mixpanelProjectId: '12', mixpanelServiceAccountUsername: 'svc' },
      { mixpanelServiceAccountPassword: 'secret' },
    ],
  ])('has no drift with %s, and an update without the secret keeps it', async (type, shown, secret) => {
    const stream = { name: `Plan ${type}`, type, filters, sink: shown }
    const { id } = await created('/log-streams', { ...stream, sink: { ...shown, ...secret } })
    expect(await read(`/log-streams/${id}`)).toMatchObject({ ...stream, status: 'active' })
    const change = { name: `Planned ${type}`, status: 'paused', filters, sink: shown }
    expect((await manager.patch(`/log-streams/${id}`, change)).status).toBe(200)
    const after = await read(`/log-streams/${id}`)
    expect(after).toMatchObject({ ...stream, ...change })
    for (const name of Object.keys(secret)) expect(after.sink).toMatchObject({ [name]: '********' })
    await manager.remove(`/log-streams/${id}`)
    expect((await manager.get(`/log-streams/${id}`)).status).toBe(404)
  })
})

it('auth0_email_provider has no drift in what the provider reads', async () => {
  const provider = {
    name: 'smtp',
    enabled: true,
    default_from_address: 'login@plan.test',
    credentials: { smtp_host: 'smtp.example.com', smtp_port: 587, smtp_user: 'mailer' },
  }
  const sent = { ...provider, credentials: { ...provider.credentials, smtp_pass: 'secret' } }
  await created('/emails/provider', sent)
  expect(await read('/emails/provider')).toMatchObject(provider)
  const changed = { ...sent, default_from_address: 'other@plan.test' }
  expect((await manager.patch('/emails/provider', changed)).status).toBe(200)
  expect(await read('/emails/provider')).toMatchObject({ ...provider, default_from_address: 'other@plan.test' })
  await manager.remove('/emails/provider')
  expect((await manager.get('/emails/provider')).status).toBe(404)
})

it('auth0_organization and its connections have no drift', async () => {
  const organization = {
    name: 'planned',
    display_name: 'Planned',
    metadata: { tier: 'gold' },
    branding: { logo_url: 'https://plan.test/logo.png', colors: { primary: '#112233', page_background: '#ffffff' } },
  }
  const { id } = await created('/organizations', organization)
  expect(await read(`/organizations/${id}`)).toMatchObject(organization)
  const { id: connection_id } = await created('/connections', { name: 'Plan-Members', strategy: 'auth0' })
  const enabled = { connection_id, assign_membership_on_login: true, is_enabled: true }
  await created(`/organizations/${id}/connections`, enabled)
  expect(await read(`/organizations/${id}/connections/${connection_id}`)).toMatchObject(enabled)
  const change = { ...organization, display_name: 'Changed', metadata: { tier: 'silver' } }
  const { name: _name, ...sent } = change
  expect((await manager.patch(`/organizations/${id}`, sent)).status).toBe(200)
  expect(await read(`/organizations/${id}`)).toMatchObject(change)
  await manager.remove(`/organizations/${id}`)
  expect((await manager.get(`/organizations/${id}`)).status).toBe(404)
})

it('auth0_prompt, auth0_prompt_custom_text and auth0_email_template have no drift', async () => {
  const prompt = { universal_login_experience: 'new', identifier_first: true }
  expect((await manager.patch('/prompts', prompt)).status).toBe(200)
  expect(await read('/prompts')).toMatchObject(prompt)
  const text = { login: { title: 'Planned', description: 'By a plan' } }
  expect((await manager.put('/prompts/login/custom-text/en', text)).status).toBe(200)
  expect(await read('/prompts/login/custom-text/en')).toEqual(text)
  expect((await manager.put('/prompts/login/custom-text/en', {})).status).toBe(200)
  expect(await read('/prompts/login/custom-text/en')).toEqual({})
  const template = {
    template: 'verify_email',
    body: '<p>{{ url }}</p>',
    from: 'login@plan.test',
    result_url: 'https://plan.test/done',
    subject: 'Planned',
    syntax: 'liquid',
    url_lifetime_in_seconds: 3600,
    enabled: true,
  }
  const { result_url: resultUrl, url_lifetime_in_seconds: urlLifetimeInSeconds, ...rest } = template
  const sent = { ...rest, resultUrl, urlLifetimeInSeconds }
  await manager.post('/email-templates', sent)
  expect(await read('/email-templates/verify_email')).toMatchObject(sent)
  expect((await manager.patch('/email-templates/verify_email', { ...sent, subject: 'Changed' })).status).toBe(200)
  expect(await read('/email-templates/verify_email')).toMatchObject({ ...sent, subject: 'Changed' })
})

it('a second apply with the vendor’s scopes alone passes, also for what holds scopes over administrators', async () => {
  const vendor = await addManager(server, { clientId: 'vendor', granted: VENDOR_SCOPES })
  const audience = managementAudience(BASE_URL)
  const config = { ...CLIENT, name: 'Mighty', app_type: 'non_interactive', grant_types: ['client_credentials'] }
  const { client_id } = await created('/clients', config)
  const scope = [...MANAGEMENT_SCOPES.keys()]
  const grant = await created('/client-grants', { client_id, audience, scope })
  const role = await created('/roles', { name: 'Keeper' })
  const permissions = [{ resource_server_identifier: audience, permission_name: 'update:administrators' }]
  await created(`/roles/${role.id}/permissions`, { permissions })
  const user = encoded(await server.addUser({ email: 'keeper@plan.test' }))
  await manager.post(`/users/${user}/roles`, { roles: [role.id] })
  const applies: [string, string, Body][] = [
    ['PATCH', `/clients/${client_id}`, config],
    ['PATCH', `/clients/${client_id}`, { token_endpoint_auth_method: 'client_secret_post' }],
    ['PATCH', `/client-grants/${grant.id}`, { scope }],
    ['PATCH', `/roles/${role.id}`, { name: 'Keeper', description: '' }],
    ['POST', `/roles/${role.id}/permissions`, { permissions }],
    ['POST', `/users/${user}/roles`, { roles: [role.id] }],
    ['PATCH', `/users/${user}`, { email: 'keeper@plan.test', blocked: false, user_metadata: {}, app_metadata: {} }],
  ]
  const paths = [...applies.map(([, path]) => path), `/users/${user}/permissions`]
  const state = () => Promise.all(paths.map(read))
  const before = await state()
  for (const [method, path, json] of applies) {
    const { status, text } = await vendor.send(method, path, { json })
    expect([path, status, text]).toEqual([path, expect.toSatisfy((code) => code < 300), text])
  }
  expect(await state()).toEqual(before)
  expect((await vendor.patch(`/client-grants/${grant.id}`, { scope: ['read:users'] })).status).toBe(403)
})

/**
 * What the provider creates of each type with the required attributes alone, and its optional attributes for which it takes no value of a
 * server: what a read shows of them is planned to be unset again, for ever.
 */
const BARE: readonly [type: string, path: string, body: Body, optional: readonly string[]][] = [
  [
    'auth0_client',
    '/clients',
    { name: 'Bare' },
    `description client_aliases app_type logo_uri allowed_logout_urls organization_discovery_methods allowed_origins
      allowed_clients web_origins jwt_configuration.scopes jwt_configuration.alg encryption_key sso sso_disabled
      cross_origin_authentication cross_origin_loc custom_login_page form_template client_metadata
      require_pushed_authorization_requests mobile.android.app_package_name mobile.ios.team_id initiate_login_uri
      native_social_login refresh_token.policies addons.samlp.audience addons.samlp.mappings addons.wsfed token_exchange
      compliance_level require_proof_of_possession oidc_logout.backchannel_logout_urls session_transfer fedcm_login
      skip_non_verifiable_callback_uri_confirmation_prompt resource_server_identifier my_organization_configuration
      express_configuration`.split(/\s+/),
  ],
  ['auth0_resource_server', '/resource-servers', { identifier: 'https://bare.test' }, ['verificationLocation']],
  [
    'auth0_connection of a database',
    '/connections',
    { name: 'Bare-Users', strategy: 'auth0' },
    `metadata show_as_button options.validation options.password_history.enable options.password_history.size
      options.password_no_personal_info.enable options.password_dictionary.enable
      options.password_complexity_options.min_length options.enable_script_context options.enabledDatabaseCustomization
      options.import_mode options.disable_signup options.disable_self_service_change_password options.requires_username
      options.customScripts options.configuration options.precedence options.attributes options.realm_fallback
      options.mfa.active options.mfa.return_enroll_settings`.split(/\s+/),
  ],
  [
    'auth0_connection of a provider',
    '/connections',
    // Null is what a configuration leaves out.
    {
      name: 'Bare-OIDC',
      strategy: 'oidc',
      options: {
        client_id: 'bare',
        client_secret: 'a secret',
        discovery_url: 'https://idp.test/.well-known/openid-configuration',
        authorization_endpoint: null,
        token_endpoint: null,
        userinfo_endpoint: null,
        jwks_uri: null,
        issuer: null,
        icon_url: '',
      },
    },
    `options.icon_url options.tenant_domain options.upstream_params options.send_back_channel_nonce
      options.token_endpoint_auth_method options.token_endpoint_auth_signing_alg options.fields_map options.debug
      options.pkce_enabled options.should_trust_email_verified_connection`.split(/\s+/),
  ],
  [
    'auth0_connection of a social provider with the vendor’s own keys',
    '/connections',
    { name: 'bare-google', strategy: 'google-oauth2', options: { client_id: '', client_secret: '', tokenURL: null } },
    ['options.client_id', 'options.client_secret', 'options.icon_url', 'options.upstream_params'],
  ],
  ['auth0_role', '/roles', { name: 'Bare' }, ['description']],
  [
    'auth0_organization',
    '/organizations',
    { name: 'bare' },
    ['display_name', 'branding.logo_url', 'branding.colors', 'metadata'],
  ],
  [
    'auth0_action',
    '/actions/actions',
    { name: 'Bare', supported_triggers: TRIGGERS, code: 'exports.onExecutePostLogin = async () => {}' },
    ['dependencies', 'secrets', 'modules'],
  ],
  [
    'auth0_custom_domain',
    '/custom-domains',
    { domain: 'bare.plan.example.com', type: 'auth0_managed_certs' },
    ['custom_client_ip_header', 'domain_metadata', 'relying_party_identifier'],
  ],
  [
    'auth0_log_stream',
    '/log-streams',
    { name: 'Bare', type: 'datadog', sink: { datadogRegion: 'eu', datadogApiKey: 'b'.repeat(32) } },
    ['isPriority', 'pii_config', 'startFrom', 'sink.httpEndpoint', 'sink.httpCustomHeaders'],
  ],
  [
    'auth0_user',
    '/users',
    { connection: 'Bare-Users', email: 'bare@plan.test', password: 'a long Passw0rd!' },
    `username family_name given_name email_verified verify_email phone_number phone_verified user_metadata app_metadata
      blocked`.split(/\s+/),
  ],
]

const isZero = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  Object.keys(Object(value)).length === 0

it.each(BARE)('%s with the required attributes alone has an empty second plan', async (_type, path, body, optional) => {
  const made = await created(path, body)
  const id = made.client_id ?? made.user_id ?? made.custom_domain_id ?? made.id
  const shown = await read(`${path}/${encoded(String(id))}`)
  const valueAt = (name: string): unknown =>
    name.split('.').reduce<unknown>((at, part) => (at as Body | undefined)?.[part], shown)
  expect(optional.filter((name) => !isZero(valueAt(name))).map((name) => [name, valueAt(name)])).toEqual([])
})

it('auth0_custom_domain removes an entry of its metadata by null', async () => {
  const metadata = { kept: 'one', removed: 'two' }
  const domain = { domain: 'metadata.plan.example.com', type: 'auth0_managed_certs', domain_metadata: metadata }
  const { custom_domain_id: id } = await created('/custom-domains', domain)
  const change = { domain_metadata: { kept: 'three', removed: null } }
  expect((await manager.patch(`/custom-domains/${id}`, change)).status).toBe(200)
  expect(await read(`/custom-domains/${id}`)).toMatchObject({ domain_metadata: { kept: 'three' } })
})
