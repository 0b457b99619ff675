import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { toClient } from '../../data/clients/client'
import { openSecret, openValues, type SealedByName } from '../../data/connections/upstream/secrets'
import { BLANK_PERSON } from '../../data/users/user'
import { seededRandom } from '../../kernel/random'
import { createVault } from '../../kernel/secret'
import { faultOf } from '../../pages/messages/liquid'
import { makeClientKey } from '../../testing/client-key'
import { writtenRows } from '../../testing/written-rows'
import { unusedTexts } from '../../text/custom'
import { NO_EARLIER_SECRET } from '../resources/clients'
import { NOTHING } from './configuration'
import { type Configuration, type Plan, type StoredUser, TenantFileError, type UserWrite } from './model'
import { planTenant } from './plan'
import { describePlan } from './print'
import { readTenantFile } from './read'
import { SECTIONS } from './sections'
import type { Variables } from './variables'

const vault = createVault('a secret of thirty-two characters')
const EMPTY: Configuration = { ...NOTHING, tenant: { name: 'main', settings: {}, kept: {} } }
/** What a client has besides its id, name and settings. */
const CLIENT = {
  secretDigest: null,
  sealedSecret: null,
  ...NO_EARLIER_SECRET,
  isRegistered: false,
  isGlobal: false,
  kept: {},
}
const DATABASE = { id: 'con_1', name: 'Users', strategy: 'auth0', settings: {}, kept: {} }

type Given = { stored?: Partial<Configuration>; users?: StoredUser[]; variables?: Variables; seed?: string }

const plan = async (text: string, { stored, users = [], variables = {}, seed = 'plan' }: Given = {}): Promise<Plan> =>
  planTenant({
    file: 'tenant.yaml',
    document: readTenantFile('tenant.yaml', text, variables),
    tenantId: 'main',
    baseUrl: 'https://id.test',
    stored: { ...EMPTY, ...stored },
    users,
    vault,
    random: seededRandom(seed),
    templateFault: faultOf,
    unusedTexts,
  })

const problems = async (text: string, given?: Given): Promise<string[]> => {
  try {
    await plan(text, given)
  } catch (error) {
    if (error instanceof TenantFileError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('the keys of a client', () => {
  const KEY = makeClientKey()
  const withKeys = (...credentials: object[]) =>
    JSON.stringify({
      clients: [{ name: 'Orders', client_authentication_methods: { private_key_jwt: { credentials } } }],
    })

  it('apply in the vendor’s shape, and no secret is made', async () => {
    const credential = { name: '2027', credential_type: 'public_key', pem: KEY.pem, alg: 'PS256', kid: 'k1' }
    const planned = await plan(withKeys(credential))
    expect([planned.notApplied, planned.secrets]).toEqual([[], []])
    const exported = SECTIONS.find(({ name }) => name === 'clients')?.export(planned.after, [], vault)
    expect(exported).toMatchObject([
      { client_authentication_methods: { private_key_jwt: { credentials: [credential] } } },
    ])
    expect((await plan(withKeys(credential), { stored: planned.after })).changes).toEqual([])
    const keys = (made: Plan) => made.after.clients.map(({ settings }) => settings.credentials)
    const changed = await plan(withKeys(credential).replace('"Orders"', '"Orders","description":"more"'), {
      stored: planned.after,
    })
    expect([changed.changes.length, keys(changed)]).toEqual([1, keys(planned)])
  })

  it('of which an export has the ids alone are reported, and open the client to no secret', async () => {
    const planned = await plan(withKeys({ id: 'cred_1' }))
    const at = 'clients["Orders"].client_authentication_methods.private_key_jwt.credentials[0]'
    expect([planned.notApplied, planned.secrets]).toEqual([[`${at}.id`], []])
    const [row] = writtenRows(planned, 'clients') as { settings: unknown }[]
    const record = { clientId: 'x', name: 'x', secretDigest: null, settings: row?.settings }
    expect([...toClient(record).authMethods]).toEqual(['private_key_jwt'])
  })

  it('a client whose keys were removed gets a secret', async () => {
    expect((await plan(withKeys())).secrets).toMatchObject([{ name: 'Orders' }])
  })

  it.each<[string, object]>([
    ['a private key', { pem: KEY.privatePem }],
    ['a short key', { pem: makeClientKey(1024).pem }],
    ['no key', { pem: 'hello' }],
    ['another algorithm', { pem: KEY.pem, alg: 'HS256' }],
    ['an end that is no time', { pem: KEY.pem, expires_at: 'soon' }],
    ['a secret', { credential_type: 'shared_secret', pem: KEY.pem }],
  ])('are refused with %s', async (_name, credential) => {
    expect((await problems(withKeys(credential)))[0]).toContain('private_key_jwt.credentials[0].')
  })
})

describe('the profile fapi2', () => {
  const client = (settings: string) => `clients: [{ name: Bank, ${settings} }]`
  const TENANT = 'tenant: { security_profile: fapi2 }\n'

  it.each([
    ['of the client', client('security_profile: fapi2, grant_types: [implicit]')],
    ['of the tenant in the same file', TENANT + client('grant_types: [implicit]')],
  ])('%s refuses what contradicts it', async (_whose, text) => {
    expect((await problems(text)).join()).toContain('clients["Bank"].grant_types[0]')
  })

  it('makes no secret', async () => {
    expect((await plan(client('security_profile: fapi2'))).secrets).toEqual([])
    expect((await plan(TENANT + client('app_type: regular_web'))).secrets).toEqual([])
  })
})

describe('what a database asks of new passwords', () => {
  const OPTIONS = `databases:
  - name: Users
    options:
      passwordPolicy: excellent
      password_complexity_options: { min_length: 14 }
      password_history: { enable: true, size: 24 }
      password_dictionary: { enable: true, dictionary: [acme] }
      password_no_personal_info: { enable: true }
      validation: { username: { min: 3, max: 20 } }
`

  it('applies in the vendor’s names, whole', async () => {
    const planned = await plan(OPTIONS)
    expect(planned.notApplied).toEqual([])
    expect(writtenRows(planned, 'connections')).toMatchObject([
      { settings: { options: { passwordPolicy: 'excellent', password_history: { enable: true, size: 24 } } } },
    ])
  })

  it.each([
    ['passwordPolicy: excellent', 'passwordPolicy: strong'],
    ['min_length: 14', 'min_length: 0'],
    ['size: 24', 'size: 25'],
    ['max: 20', 'max: 200'],
    ['[acme]', 'acme'],
  ])('is refused with %s turned into %s', async (from, to) => {
    expect((await problems(OPTIONS.replace(from, to)))[0]).toContain('tenant.yaml: databases["Users"].options.')
  })
})

const FIXTURE_VARIABLES = {
  ENV: 'prod',
  SPA_CALLBACKS: '["https://app.acme.example/cb"]',
  SMTP_PASSWORD: 'of the relay',
  DATADOG_KEY: '0123456789abcdef',
}

describe('an export of the Deploy CLI', () => {
  it('applies unchanged and names exactly what means nothing here', async () => {
    const text = await readFile(new URL('./fixtures/deploy-cli-export.yaml', import.meta.url), 'utf8')
    const planned = await plan(text, { variables: FIXTURE_VARIABLES })
    expect(planned.notApplied).toMatchInlineSnapshot(`
      [
        "guardianFactorProviders",
        "customDomains",
        "tenant.flags.allow_legacy_delegation_grant_types",
        "tenant.flags.enable_sso",
        "tenant.flags.universal_login",
        "tenant.oidc_logout",
        "tenant.sandbox_version",
        "tenant.universal_login",
        "branding.templates",
        "themes["Acme"]: needs borders.button_border_weight, borders.buttons_style, borders.input_border_radius, borders.input_border_weight, borders.inputs_style, borders.show_widget_shadow, borders.widget_border_weight, borders.widget_corner_radius, colors, fonts, page_background, widget",
        "emailProvider: needs default_from_address, credentials.smtp_port",
        "emailTemplates["verify_email"]: ./emailTemplates/verify_email.html cannot be read beside the tenant file",
        "attackProtection.breachedPasswordDetection.method",
        "attackProtection.suspiciousIpThrottling.shields[0]",
        "attackProtection.suspiciousIpThrottling.stage.pre-login.rate",
        "attackProtection.suspiciousIpThrottling.stage.pre-user-registration.rate",
        "clients["All Applications"]",
        "clients["Acme Web"].allowed_clients",
        "clients["Acme Web"].custom_login_page_on",
        "clients["Acme Web"].jwt_configuration.secret_encoded",
        "clients["Acme Web"].native_social_login",
        "clients["Acme Web"].oidc_conformant",
        "clients["Acme Web"].sso_disabled",
        "clients["Acme SPA"].jwt_configuration.alg: "HS256"",
        "clients["Orders API Client"].app_type: "resource_server"",
        "resourceServers["https://acme.eu.auth0.com/api/v2/"]",
        "clientGrants["Nightly Jobs"].scope: export:orders is no scope of https://orders.acme.example/",
        "clientGrants["Nightly Jobs"]: no API https://acme.eu.auth0.com/api/v2/",
        "clientGrants["Deploy CLI"]: no client of this name",
        "databases["Username-Password-Authentication"].options.customScripts.login: ./databases/Username-Password-Authentication/login.js cannot be read beside the tenant file",
        "databases["Username-Password-Authentication"].options.mfa",
        "databases["Username-Password-Authentication"].options.passwordHistory",
        "databases["Username-Password-Authentication"].options.strategy_version",
        "databases["Username-Password-Authentication"].enabled_clients: no client "Deploy CLI"",
        "connections["google-oauth2"]: needs options.client_id",
        "connections["acme-okta"]: needs options.domain",
        "actions["Add roles"]: ./actions/Add roles/code.js cannot be read beside the tenant file",
        "triggers.post-login["Add roles"]: there is no such action here, so it fails and denies",
        "logStreams["Datadog"]: needs datadogRegion",
      ]
    `)
    expect(describePlan({ ...planned, notApplied: [] }).join('\n')).toMatchInlineSnapshot(`
      "  ~ tenant
            friendly_name: "Acme Identity"
            picture_url: "https://cdn.acme.example/logo.svg"
            support_email: "help@acme.example"
            default_directory: "Username-Password-Authentication"
            allowed_logout_urls: ["https://acme.example/bye"]
            enabled_locales: ["en","de"]
            flags: {}
            idle_session_lifetime: 72
            session_lifetime: 168
            session_cookie: {"mode":"non-persistent"}
        ~ branding
            colors: {"primary":"#0a84ff","page_background":{"type":"linear-gradient","start":"#ffffff","end":"#eeeeee","angle_deg":35}}
            favicon_url: "https://cdn.acme.example/favicon.ico"
            logo_url: "https://cdn.acme.example/logo.svg"
            font: {"url":"https://cdn.acme.example/inter.woff2"}
        ~ prompts
            identifier_first: true
        + prompts: login/en
            login: {"title":"Welcome"}
        ~ attackProtection
            breachedPasswordDetection: {"enabled":false,"shields":[]}
            bruteForceProtection: {"enabled":true,"shields":["block","user_notification"],"mode":"count_per_identifier_and_ip","allowlist":[],"max_attempt…
            suspiciousIpThrottling: {"enabled":true,"shields":["admin_notification"],"allowlist":["192.0.2.0/24"],"stage":{"pre-login":{"max_attempts":100},…
        ~ guardianFactors
            otp: true
            sms: false
        ~ guardianPolicies
            policies: ["confidence-score"]
        ~ guardianPhoneFactorMessageTypes
            message_types: ["sms"]
        ~ guardianPhoneFactorSelectedProvider
            provider: "auth0"
        + clients: Acme Web (MqVfxoJyCAZrZdoYohLYWgbu4HeD0dWQ)
            name: "Acme Web"
            app_type: "regular_web"
            allowed_logout_urls: ["https://prod.acme.example"]
            callbacks: ["https://prod.acme.example/callback"]
            client_aliases: []
            cross_origin_authentication: false
            grant_types: ["authorization_code","refresh_token","client_credentials"]
            is_first_party: true
            is_token_endpoint_ip_header_trusted: false
            jwt_configuration: {"alg":"RS256","lifetime_in_seconds":36000}
            refresh_token: {"expiration_type":"non-expiring","leeway":0,"infinite_token_lifetime":true,"infinite_idle_token_lifetime":true,"token_l…
            token_endpoint_auth_method: "client_secret_post"
            client_secret: made
        + clients: Acme SPA (E4J1jsEdDky9schQNIvCQ0CTzKDMkfDH)
            name: "Acme SPA"
            app_type: "spa"
            callbacks: ["https://app.acme.example/cb"]
            allowed_origins: ["https://app.acme.example"]
            web_origins: ["https://app.acme.example"]
            grant_types: ["authorization_code","implicit","refresh_token"]
            jwt_configuration: {"lifetime_in_seconds":36000}
            organization_usage: "deny"
            token_endpoint_auth_method: "none"
        + clients: Acme iOS (DQuCav0kmVb4TKF88BLvBbusjzHRh8nA)
            name: "Acme iOS"
            app_type: "native"
            callbacks: ["com.acme.app://login.acme.example/ios/com.acme.app/callback"]
            mobile: {"ios":{"team_id":"ABCDE12345","app_bundle_identifier":"com.acme.app"}}
            token_endpoint_auth_method: "none"
        + clients: Nightly Jobs (t0Jl0DKRiUd8PYWfR7B8iGRWundhOMgV)
            name: "Nightly Jobs"
            app_type: "non_interactive"
            grant_types: ["client_credentials"]
            token_endpoint_auth_method: "client_secret_basic"
            client_secret: made
        + clients: Orders API Client (5takdd3bXrtA9gBaNLmQajE9E2XUtju9)
            name: "Orders API Client"
            app_type: "resource_server"
            resource_server_identifier: "https://orders.acme.example/"
            client_secret: made
        + resourceServers: https://orders.acme.example/
            name: "Orders"
            scopes: [{"value":"read:orders","description":"Read orders"},{"value":"write:orders","description":"Write orders"}]
            signing_alg: "RS256"
            allow_offline_access: true
            enforce_policies: true
            skip_consent_for_verifiable_first_party_clients: true
            token_dialect: "access_token_authz"
            token_lifetime: 86400
            token_lifetime_for_web: 7200
        + clientGrants: t0Jl0DKRiUd8PYWfR7B8iGRWundhOMgV → https://orders.acme.example/
            scope: ["read:orders"]
        + databases: Username-Password-Authentication
            enabled_clients: ["MqVfxoJyCAZrZdoYohLYWgbu4HeD0dWQ","E4J1jsEdDky9schQNIvCQ0CTzKDMkfDH","DQuCav0kmVb4TKF88BLvBbusjzHRh8nA"]
            options: {"passwordPolicy":"good","requires_username":false,"brute_force_protection":true,"customScripts":{}}
            is_domain_connection: false
            realms: ["Username-Password-Authentication"]
        + organizations: acme-north
            name: "acme-north"
            display_name: "Acme North"
            connections: []
            client_grants: []
        ~ triggers
            post-login: [{"action_name":"Add roles","display_name":"Add roles"}]
        + roles: Clerk
            name: "Clerk"
            description: "Handles orders"
            permissions: [{"permission_name":"read:orders","resource_server_identifier":"https://orders.acme.example/"}]"
    `)
    expect(planned.secrets.map(({ name }) => name)).toEqual(['Acme Web', 'Nightly Jobs', 'Orders API Client'])
  })

  it('grants scopes of the Management API by the address of this tenant, but no personal ones', async () => {
    const planned = await plan(
      'clients: [{ name: Tool, app_type: non_interactive }]\n' +
        'clientGrants: [{ client_id: Tool, audience: https://id.test/api/v2/, scope: [read:clients, read:current_user] }]\n' +
        'roles: [{ name: Admin, permissions: [{ permission_name: read:users, resource_server_identifier: https://id.test/api/v2/ }] }]\n',
    )
    expect(writtenRows(planned, 'clientGrants')).toMatchObject([
      { audience: 'https://id.test/api/v2/', scopes: ['read:clients'] },
    ])
    expect(writtenRows(planned, 'rolePermissions')).toMatchObject([{ permissions: [{ permission: 'read:users' }] }])
    expect(planned.notApplied).toEqual([
      'clientGrants["Tool"].scope: read:current_user is no scope of https://id.test/api/v2/',
    ])
  })

  it('has the audit record of each operation, and none for what stays', async () => {
    const text = `roles: [{ name: Admin, permissions: [{ permission_name: read:users, resource_server_identifier: https://id.test/api/v2/ }] }]`
    const planned = await plan(text)
    expect(planned.changes.map(({ records }) => records)).toMatchObject([
      [{ change: 'roles.create', difference: { name: [null, 'Admin'] } }, { change: 'roles.permissions.add' }],
    ])
    expect((await plan(text, { stored: planned.after })).changes).toEqual([])
  })

  it('marks roles for the administration of organizations', async () => {
    const text = 'roles: [{ name: Owner, administers_organization: true, assignable_by_organization: true }]'
    const planned = await plan(text)
    expect(writtenRows(planned, 'roles')).toMatchObject([
      { administersOrganization: true, assignableByOrganization: true },
    ])
    const exported = SECTIONS.find(({ name }) => name === 'roles')?.export(planned.after, [], vault)
    expect(exported).toMatchObject([{ administers_organization: true, assignable_by_organization: true }])
    expect((await plan(text, { stored: planned.after })).changes).toEqual([])
    const changed = await plan(text.replace('assignable_by_organization: true', 'assignable_by_organization: false'), {
      stored: planned.after,
    })
    expect(changed.changes.map(({ details }) => details)).toEqual([['assignable_by_organization: true → unset']])
    expect(writtenRows(changed, 'roles')).toMatchObject([
      { administersOrganization: true, assignableByOrganization: false },
    ])
  })

  it('applies the consent policy of an API, and reports another one and details of authorizations', async () => {
    const policy = 'consent_policy: transactional-authorization-with-mfa'
    const planned = await plan(`
resourceServers:
  - { identifier: urn:one, ${policy}, authorization_details: [{ type: payment }] }
  - { identifier: urn:two, consent_policy: another, authorization_details: [] }
  - { identifier: urn:three, consent_policy: null, authorization_details: null }
`)
    expect(writtenRows(planned, 'apis')).toMatchObject([
      { settings: { consent_policy: 'transactional-authorization-with-mfa' } },
      { settings: {} },
      { settings: {} },
    ])
    expect(planned.notApplied).toEqual([
      'resourceServers["urn:one"].authorization_details: [{"type":"payment"}]',
      'resourceServers["urn:two"].consent_policy: "another"',
    ])
  })

  it('reports URLs with a placeholder that can match nothing, and applies the others', async () => {
    const planned = await plan(`
tenant: { allowed_logout_urls: ['https://*.com/bye', 'https://pr-*.acme.example/bye'] }
clients:
  - name: Web
    callbacks: ['https://sub.*.acme.example/cb', 'https://shop-*-team.acme.example/cb', 'https://{organization_name}.acme.example/cb']
    allowed_logout_urls: ['https://{organization_name}.acme.example']
    web_origins: ['https://{custom_domain.metadata.public_app}.acme.example', 'https://*.acme.example']
    allowed_origins: ['https://{organization_name}.acme.example']
`)
    expect(writtenRows(planned, 'tenant')).toMatchObject([
      { settings: { tenant: { allowed_logout_urls: ['https://pr-*.acme.example/bye'] } } },
    ])
    const [client] = writtenRows(planned, 'clients') as unknown as [{ settings: object }]
    expect(client.settings).toMatchObject({
      callbacks: ['https://shop-*-team.acme.example/cb', 'https://{organization_name}.acme.example/cb'],
      web_origins: ['https://*.acme.example'],
      allowed_origins: ['https://{organization_name}.acme.example'],
    })
    expect(client.settings).not.toHaveProperty('allowed_logout_urls')
    expect(planned.notApplied).toEqual([
      'tenant.allowed_logout_urls[0]: "https://*.com/bye"',
      'clients["Web"].callbacks[0]: "https://sub.*.acme.example/cb"',
      'clients["Web"].allowed_logout_urls[0]: "https://{organization_name}.acme.example"',
      'clients["Web"].web_origins[0]: "https://{custom_domain.metadata.public_app}.acme.example"',
    ])
  })

  it('needs the variables of what is applied, and only those', async () => {
    const text = await readFile(new URL('./fixtures/deploy-cli-export.yaml', import.meta.url), 'utf8')
    expect(await problems(text)).toEqual([
      'tenant.yaml: emailProvider.credentials.smtp_pass: needs the environment variable SMTP_PASSWORD, which is not set',
      'tenant.yaml: clients["Acme Web"].allowed_logout_urls[0]: needs the environment variable ENV, which is not set',
      'tenant.yaml: clients["Acme Web"].callbacks[0]: needs the environment variable ENV, which is not set',
      'tenant.yaml: clients["Acme SPA"].callbacks: needs the environment variable SPA_CALLBACKS, which is not set',
      'tenant.yaml: logStreams["Datadog"].sink.datadogApiKey: needs the environment variable DATADOG_KEY, which is not set',
    ])
  })
})

describe('a wrong value', () => {
  it('is named with file, path and reason, together with all others', async () => {
    const text = `
tenant: { session_lifetime: -1 }
branding: { colors: { primary: blue } }
clients:
  - { name: One, callbacks: ['https://a.example/#x'], app_type: website }
  - { callbacks: [] }
  - text
databases: yes
resourceServers: [{ name: No identifier }]
`
    expect(await problems(text)).toMatchInlineSnapshot(`
      [
        "tenant.yaml: tenant.session_lifetime: too small: expected number to be >0",
        "tenant.yaml: branding.colors.primary: must be a hex colour like #1f6feb",
        "tenant.yaml: clients[2]: must be a map of fields",
        "tenant.yaml: clients["One"].app_type: invalid option: expected one of "spa"|"native"|"regular_web"|"non_interactive"",
        "tenant.yaml: clients["One"].callbacks[0]: must be an absolute URL without fragment or user info",
        "tenant.yaml: clients[1].name: is missing",
        "tenant.yaml: resourceServers[0].identifier: is missing",
        "tenant.yaml: databases: must be a list",
      ]
    `)
  })

  it.each([
    [
      'a short client secret',
      'clients: [{ name: A, client_secret: short }]',
      /client_secret: must have at least 16 characters/,
    ],
    [
      'a page that begins a login over plain http',
      'clients: [{ name: A, initiate_login_uri: "http://localhost:4242/login" }]',
      /initiate_login_uri: must be an https URL/,
    ],
    [
      'a strategy under databases',
      'databases: [{ name: A, strategy: waad }]',
      /databases\["A"\]\.strategy: must be auth0/,
    ],
    [
      'two clients of one id',
      'clients: [{ name: A, client_id: x }, { name: B, client_id: x }]',
      /is in the file twice/,
    ],
    [
      'two clients of one alias',
      'clients: [{ name: A, client_aliases: [x, x] }, { name: B, client_aliases: [y, x] }]',
      /clients: "x" is an alias of A and B/,
    ],
    [
      'a kind of token that there is not',
      'clients: [{ name: A, addons: { wsfed: { tokenType: jws } } }]',
      /clients\["A"\]\.addons\.wsfed\.tokenType: /,
    ],
    ['a user without a database', 'users: [{ email: a@b.example }]', /there is no database connection/],
    ['an e-mail address', 'users: [{ email: nobody }]', /users\["nobody"\]\.email: invalid email/],
    [
      'two passwords',
      `users: [{ email: a@b.example, password: x, password_hash: '$2b$10$${'a'.repeat(53)}' }]`,
      /more than one of password/,
    ],
    [
      'a hash that cannot be verified',
      'users: [{ email: a@b.example, custom_password_hash: { algorithm: md4, hash: { value: x } } }]',
      /md4 hashes/,
    ],
    [
      'a factor of two kinds',
      "users: [{ email: a@b.example, mfa_factors: [{ totp: { secret: JBSWY3DPEHPK3PXP }, phone: { value: '+12125550001' } }] }]",
      /exactly one/,
    ],
  ])('a wrong value is refused: %s', async (_, text, reason) => {
    expect((await problems(text)).join('\n')).toMatch(reason)
  })

  it('never repeats a secret', async () => {
    const message = (
      await problems(
        'clients: [{ name: A, client_secret: hunter2 }]\nusers: [{ email: a@b.example, password: [hunter2] }]',
      )
    ).join()
    expect(message).not.toContain('hunter2')
  })
})

describe('clients', () => {
  const stored = {
    ...CLIENT,
    clientId: 'abc',
    name: 'App',
    settings: { app_type: 'spa', callbacks: ['https://a.example/cb'] },
  }

  it('is the one of the same name, and keeps what the file does not mention', async () => {
    const planned = await plan('clients: [{ name: App, web_origins: [https://a.example] }]', {
      stored: { clients: [stored] },
    })
    expect(writtenRows(planned, 'clients')).toEqual([
      { ...stored, settings: { ...stored.settings, web_origins: ['https://a.example'] } },
    ])
  })

  it('is left alone when nothing differs', async () => {
    const text = 'clients: [{ app_type: spa, name: App, callbacks: [https://a.example/cb], logo_uri: "" }]'
    expect((await plan(text, { stored: { clients: [stored] } })).changes).toEqual([])
  })

  it('with a client_id is that client, whatever its name', async () => {
    const planned = await plan('clients: [{ name: Renamed, client_id: abc }]', { stored: { clients: [stored] } })
    expect(planned.changes[0]).toMatchObject({ action: 'update', details: ['name: "App" → "Renamed"'] })
  })

  it('gets an id of letters and digits, and a secret only where it needs one', async () => {
    const planned = await plan('clients: [{ name: Web }, { name: Spa, app_type: spa }]')
    const [web, spa] = writtenRows(planned, 'clients')
    expect(web).toMatchObject({
      clientId: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      secretDigest: expect.any(Uint8Array),
    })
    expect(spa).toMatchObject({ secretDigest: null })
    expect(planned.secrets).toEqual([
      { name: 'Web', clientId: expect.any(String), secret: expect.stringMatching(/^.{64}$/) },
    ])
  })

  it('keeps its secret as a keyed digest and does not show it', async () => {
    const planned = await plan('clients: [{ name: Web, client_secret: sixteen-characters }]')
    expect(writtenRows(planned, 'clients')[0]).toMatchObject({
      secretDigest: vault.mac('client-secret', 'sixteen-characters'),
    })
    expect(planned.secrets).toEqual([])
    expect(JSON.stringify(planned)).not.toContain('sixteen-characters')
  })

  it('keeps no earlier secret that a read would show', async () => {
    const shown = { ...stored, ...{ secretDigest: new Uint8Array([1]), sealedSecret: new Uint8Array([1]) } }
    const planned = await plan('clients: [{ name: App, client_secret: sixteen-characters }]', {
      stored: { clients: [shown] },
    })
    expect(planned.after.clients).toMatchObject([{ sealedSecret: null }])
  })

  it('asks which one is meant when a name is not enough', async () => {
    const twins = [stored, { ...stored, clientId: 'def' }]
    expect((await problems('clients: [{ name: App }]', { stored: { clients: twins } }))[0]).toContain(
      'several clients have this name',
    )
  })
})

describe('a client that registered itself under the name of another', () => {
  const stranger = { ...CLIENT, clientId: 'x1', name: 'Web', settings: {}, isRegistered: true }
  const stored = { clients: [stranger], connections: [DATABASE] }

  it('is not the one that a file names', async () => {
    const planned = await plan('clients: [{ name: Web }]', { stored })
    expect(planned.changes).toMatchObject([{ section: 'clients', action: 'create' }])
    expect((await plan('databases: [{ name: Users, enabled_clients: [Web] }]', { stored })).notApplied).toEqual([
      'databases["Users"].enabled_clients: no client "Web"',
    ])
  })

  it('leaves the name to the one that an operator made', async () => {
    const own = { ...CLIENT, clientId: 'c1', name: 'Web', settings: { app_type: 'spa' } }
    const planned = await plan('clients: [{ name: Web, description: Ours }]', { stored: { clients: [stranger, own] } })
    expect(writtenRows(planned, 'clients')).toMatchObject([{ clientId: 'c1' }])
  })

  it('is changed by its id', async () => {
    const planned = await plan('clients: [{ name: Web, client_id: x1, description: Known }]', { stored })
    expect(writtenRows(planned, 'clients')).toMatchObject([{ clientId: 'x1', settings: { description: 'Known' } }])
  })
})

describe('references', () => {
  it('finds clients of the same file by name, and reports those that are not there', async () => {
    const planned = await plan(`
clients: [{ name: Jobs, app_type: non_interactive, client_id: jobs }]
resourceServers: [{ identifier: urn:api, name: API, scopes: [{ value: read }] }]
clientGrants:
  - { client_id: Jobs, audience: urn:api, scope: [read, write] }
  - { client_id: Jobs, audience: urn:other }
  - { client_id: Jobs, audience: urn:api, scope: [read], subject_type: user }
databases: [{ name: Users, enabled_clients: [Jobs, jobs, Nobody] }]
`)
    const grant = {
      id: expect.stringMatching(/^cgr_/),
      clientId: 'jobs',
      audience: 'urn:api',
      scopes: ['read'],
      kept: {},
    }
    const use = { organizationUsage: 'deny', allowAnyOrganization: false }
    expect(writtenRows(planned, 'clientGrants')).toEqual([
      { ...grant, ...use, subjectType: 'client' },
      { ...grant, ...use, subjectType: 'user' },
    ])
    expect(writtenRows(planned, 'connections')).toMatchObject([{ settings: { enabled_clients: ['jobs'] } }])
    expect(planned.notApplied).toEqual([
      'clientGrants["Jobs"].scope: write is no scope of urn:api',
      'clientGrants["Jobs"]: no API urn:other',
      'databases["Users"].enabled_clients: no client "Nobody"',
    ])
  })
})

describe('users', () => {
  const connections = [DATABASE]

  it('has a subject, an account under its canonical names, and metadata', async () => {
    const planned = await plan('users: [{ email: Ada@Example.COM }]', { stored: { connections } })
    expect(writtenRows(planned, 'user')).toMatchObject([
      {
        user: { id: expect.stringMatching(/^auth0\|[0-9a-f]{24}$/), email: 'ada@example.com' },
        account: {
          connectionId: 'con_1',
          providerUserId: expect.stringMatching(/^[0-9a-f]{24}$/),
          emailKey: 'ada@example.com',
        },
      },
    ])
  })

  it('goes to the default directory unless it names a connection', async () => {
    const both = [DATABASE, { ...DATABASE, id: 'con_2', name: 'Staff' }]
    const text = 'tenant: { default_directory: Staff }\nusers: [{ username: a }, { username: b, connection: Users }]'
    const planned = await plan(text, { stored: { connections: both } })
    expect(writtenRows(planned, 'user')).toMatchObject([
      { account: { connectionId: 'con_2' } },
      { account: { connectionId: 'con_1' } },
    ])
  })

  it('refuses two entries of one account', async () => {
    const text = 'users: [{ email: a@b.example, username: x }, { email: A@B.example }]'
    expect((await problems(text, { stored: { connections } }))[0]).toContain('shares its user_id, email or username')
  })

  const person = (fields: object = {}, account: object = {}): StoredUser => ({
    user: {
      id: 'auth0|1',
      ...BLANK_PERSON,
      email: 'a@b.example',
      emailVerified: true,
      createdAt: new Date(0),
      ...fields,
    },
    accounts: [
      {
        ...{ connectionId: 'con_1', providerUserId: '1', emailKey: 'a@b.example', usernameKey: null },
        ...{ fileCredential: null, profile: {}, ...account },
      },
    ],
    factors: [],
    roles: [],
  })

  it('verifies no address that it changes, unless it says so', async () => {
    const text =
      'users: [{ user_id: "1", email: new@b.example }, { user_id: "2", email: c@b.example, email_verified: true }]'
    const other = person({ id: 'auth0|2' }, { providerUserId: '2', emailKey: 'other@b.example' })
    const planned = await plan(text, { stored: { connections }, users: [person(), other] })
    expect(writtenRows(planned, 'user')).toMatchObject([
      { user: { email: 'new@b.example', emailVerified: false }, account: { emailKey: 'new@b.example' } },
      { user: { email: 'c@b.example', emailVerified: true } },
    ])
  })

  it('replaces metadata whole, however deep', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`)
    const text = JSON.stringify({ users: [{ email: 'a@b.example', user_metadata: deep, app_metadata: {} }] })
    const users = [person({ userMetadata: { old: 1 }, appMetadata: { plan: 'gold' } })]
    const planned = await plan(text, { stored: { connections }, users })
    expect(writtenRows(planned, 'user')).toMatchObject([{ user: { appMetadata: {} } }])
    expect((writtenRows(planned, 'user')[0] as UserWrite).user.userMetadata).toEqual(deep)
  })

  it('gains and loses more roles than one request of the API takes', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `Role ${index}`)
    const text = JSON.stringify({
      roles: names.map((name) => ({ name })),
      users: [{ email: 'a@b.example', roles: names }],
    })
    const given = await plan(text, { stored: { connections } })
    expect((writtenRows(given, 'user')[0] as UserWrite).roles).toHaveLength(250)
    const all = { ...person(), roles: given.after.roles.map(({ id }) => id).sort() }
    const none = JSON.stringify({ users: [{ email: 'a@b.example', roles: [] }] })
    const taken = await plan(none, { stored: { connections, roles: given.after.roles }, users: [all] })
    expect((writtenRows(taken, 'user')[0] as UserWrite).roles).toEqual([])
  })

  it('reports what belongs to another account of the user, and applies the rest', async () => {
    const users = [person({ id: 'google-oauth2|9', email: 'kim@mail.example' })]
    const text = 'users: [{ email: a@b.example, email_verified: false, name: Kim }]'
    const planned = await plan(text, { stored: { connections }, users })
    expect(planned.notApplied).toEqual(['users["a@b.example"].email_verified: belongs to another account of the user'])
    expect(planned.changes).toMatchObject([{ details: ['name'] }])
  })

  it.each([
    ['a number that gets no messages', 'email: a@b.example, phone_number: "+19005551234"', 'phone_number'],
    [
      'a short seed',
      'email: a@b.example, mfa_factors: [{ totp: { secret: JBSWY3DP } }]',
      'must be 16 or more characters',
    ],
    [
      'a user of another connection',
      'user_id: "1", username: x, connection: Staff',
      'the user has no account at Staff',
    ],
  ])('refuses %s', async (_what, entry, reason) => {
    const both = [DATABASE, { ...DATABASE, id: 'con_2', name: 'Staff' }]
    const text = `users: [{ ${entry} }]`
    expect((await problems(text, { stored: { connections: both }, users: [person()] }))[0]).toContain(reason)
  })

  it('reports fields that it does not know', async () => {
    const planned = await plan('users: [{ email: a@b.example, organizations: [x] }]', { stored: { connections } })
    expect(planned.notApplied).toEqual(['users["a@b.example"].organizations'])
  })
})

describe('nothing is silent', () => {
  it('reports unknown sections that hold something', async () => {
    expect((await plan('rules: []\nflows: [{ name: x }]\nlogStreams:\n')).notApplied).toEqual(['flows'])
  })
})

describe('a passwordless connection', () => {
  const EMAIL = `connections:
  - name: email
    strategy: email
    enabled_clients: []
    options:
      name: email
      from: '{{ application.name }}'
      totp: { length: 8, time_step: 240 }
      disable_signup: true
      brute_force_protection: true
      message_limits: { per_address_hour: 3 }
`

  it('says what a mail holds, and nothing of that for text messages', async () => {
    const file = (strategy: string) =>
      `connections: [{ name: mine, strategy: ${strategy}, enabled_clients: [], options: { send: both } }]`
    expect(writtenRows(await plan(file('email')), 'connections')).toMatchObject([
      { settings: { options: { send: 'both' } } },
    ])
    expect((await plan(file('sms'))).notApplied).toEqual(['connections["mine"].options.send'])
  })

  it('applies in the vendor’s names, and names what means nothing here', async () => {
    const planned = await plan(EMAIL)
    expect(planned.notApplied).toEqual(['connections["email"].options.name', 'connections["email"].options.from'])
    expect(writtenRows(planned, 'connections')).toMatchObject([
      {
        name: 'email',
        strategy: 'email',
        settings: { options: { totp: { length: 8, time_step: 240 }, disable_signup: true } },
      },
    ])
  })

  it('takes a text gateway and the countries that are served', async () => {
    const options =
      '{ gateway_url: https://sms.example.com/in, from: Acme, countries: [DE, AT], provider: sms_gateway }'
    const planned = await plan(`connections: [{ name: sms, strategy: sms, options: ${options} }]`)
    expect(planned.notApplied).toEqual(['connections["sms"].options.provider'])
    expect(writtenRows(planned, 'connections')).toMatchObject([
      { strategy: 'sms', settings: { options: { from: 'Acme' } } },
    ])
  })

  it.each([
    ['length: 8', 'length: 3'],
    ['time_step: 240', 'time_step: 20'],
    ['per_address_hour: 3', 'per_address_hour: 1000'],
    ['disable_signup: true', 'disable_signup: maybe'],
  ])('is refused with %s turned into %s', async (from, to) => {
    expect((await problems(EMAIL.replace(from, to)))[0]).toContain('tenant.yaml: connections["email"].options.')
  })

  it('does not take the place of a database of its name', async () => {
    const stored = { connections: [{ ...DATABASE, name: 'email' }] }
    expect((await problems(EMAIL, { stored }))[0]).toContain('a connection of strategy auth0 has this name')
  })

  it('comes back from an export', async () => {
    const [row] = writtenRows(await plan(EMAIL), 'connections')
    const stored = { ...EMPTY, connections: [row as (typeof EMPTY)['connections'][number]] }
    const exported = SECTIONS.find(({ name }) => name === 'connections')?.export(stored, [], vault)
    expect(exported).toMatchObject([{ name: 'email', strategy: 'email', options: { disable_signup: true } }])
    expect((await plan(`connections: ${JSON.stringify(exported)}`, { stored })).changes).toEqual([])
  })
})

describe('second factors', () => {
  const settings = async (text: string, stored?: Configuration['tenant']) =>
    writtenRows(await plan(text, { stored: { tenant: stored ?? null } }), 'tenant').at(-1)
  const FACTORS = 'guardianFactors: [{ name: otp, enabled: true }, { name: sms, enabled: false }]'

  it('are switched by name: what the file does not name stays', async () => {
    const before = { name: 'main', settings: { guardianFactors: [{ name: 'email', enabled: true }] }, kept: {} }
    expect(await settings(FACTORS, before)).toMatchObject({
      settings: {
        guardianFactors: [
          { name: 'email', enabled: true },
          { name: 'otp', enabled: true },
          { name: 'sms', enabled: false },
        ],
      },
    })
    const planned = await plan(FACTORS, { stored: { tenant: before } })
    expect(planned.changes[0]?.details).toEqual(['otp: true', 'sms: false'])
  })

  it('are required by the tenant’s policy and by a client’s', async () => {
    const text = `${FACTORS}\nguardianPolicies: { policies: [all-applications] }\nclients: [{ name: A, mfa_policy: risky }]`
    const planned = await plan(text)
    expect(planned.notApplied).toEqual([])
    expect(writtenRows(planned, 'tenant').at(-1)).toMatchObject({
      settings: { guardianPolicies: { policies: ['all-applications'] } },
    })
    expect(writtenRows(planned, 'clients')).toMatchObject([{ settings: { mfa_policy: 'risky' } }])
    const [change] = (
      await plan('guardianPolicies: { policies: [] }', {
        stored: {
          tenant: { name: 'main', settings: { guardianPolicies: { policies: ['all-applications'] } }, kept: {} },
        },
      })
    ).changes
    expect(change?.details).toEqual(['policies: ["all-applications"] → []'])
  })

  it('unsupported and ineffective second factors are reported', async () => {
    const planned = await plan(
      'guardianFactors: [{ name: duo, enabled: true }, { name: webauthn-roaming, enabled: false }]\nguardianPolicies: { policies: [confidence-score] }',
    )
    expect(planned.notApplied).toEqual([
      'guardianFactors["duo"]',
      'guardianPolicies: no factor is switched on, so no login asks for one',
    ])
  })

  it('of a user count, unless their kind is disabled', async () => {
    const users = `databases: [{ name: Users, strategy: auth0 }]\nusers: [{ email: a@b.example, mfa_factors: [{ totp: { secret: JBSWY3DPEHPK3PXP } }, { phone: { value: '+12125550001' } }] }]`
    expect((await plan(`${FACTORS}\n${users}`)).notApplied).toEqual([
      'users["a@b.example"].mfa_factors: kept, but guardianFactors has sms switched off',
    ])
  })

  it.each([
    ['guardianFactors: { otp: true }', 'guardianFactors: must be a list'],
    ['guardianFactors: [{ name: otp, enabled: 1 }]', 'guardianFactors["otp"].enabled'],
    ['guardianFactors: [{ enabled: true }]', 'guardianFactors[0].name'],
    ['guardianPolicies: { policies: [sometimes] }', 'guardianPolicies.policies[0]'],
    ['guardianPhoneFactorMessageTypes: { message_types: [fax] }', 'guardianPhoneFactorMessageTypes.message_types[0]'],
    ['clients: [{ name: A, mfa_policy: often }]', 'clients["A"].mfa_policy'],
  ])('are refused in %s', async (text, place) => {
    expect((await problems(text)).join()).toContain(place)
  })
})

describe('an identity provider connection', () => {
  const OKTA = `connections:
  - name: acme-okta
    strategy: okta
    display_name: Acme
    show_as_button: true
    options:
      client_id: 0oa1
      client_secret: @@OKTA_SECRET@@
      domain: acme.okta.com
      scope: openid profile
      domain_aliases: [acme.example]
      set_user_root_attributes: on_first_login
      upstream_params: { screen: { alias: hint }, access_type: { value: offline } }
      icon_url: https://cdn.acme.example/okta.svg
      type: back_channel
`
  const planned = async (secret: string, stored: Partial<Configuration> = {}, seed = 'plan') =>
    plan(OKTA, { variables: { OKTA_SECRET: secret }, stored, seed })
  const rowOf = (made: Plan) => writtenRows(made, 'connections')[0] as Configuration['connections'][number]

  it('applies in the vendor’s names; its secret is sealed, and shown nowhere', async () => {
    const made = await planned('hush hush')
    expect(made.notApplied).toEqual(['connections["acme-okta"].options.type'])
    expect(rowOf(made)).toMatchObject({
      strategy: 'okta',
      settings: { display_name: 'Acme', options: { domain: 'acme.okta.com', domain_aliases: ['acme.example'] } },
    })
    expect(JSON.stringify(rowOf(made))).not.toContain('hush hush')
    const { sealed } = rowOf(made).settings as { sealed: SealedByName }
    expect(openSecret('client_secret', sealed, vault)).toBe('hush hush')
    const shown = describePlan(made).join('\n')
    expect(shown).toContain('client_secret: set')
    expect(shown).not.toContain(sealed.client_secret)
  })

  it('changes when its secret does, and not before', async () => {
    const stored = { connections: [rowOf(await planned('hush hush'))] }
    expect((await planned('hush hush', stored, 'again')).changes).toEqual([])
    expect((await planned('a new one', stored, 'again')).changes).toMatchObject([{ details: ['client_secret: set'] }])
  })

  it('has its request headers sealed: shown as masks, changed by a value, kept by a mask', async () => {
    const entry = (headers: object) =>
      JSON.stringify({
        name: 'own',
        strategy: 'oauth2',
        options: {
          client_id: 'x',
          authorizationURL: 'https://a.test/a',
          tokenURL: 'https://a.test/t',
          userinfo_endpoint: 'https://a.test/me',
          customHeaders: headers,
        },
      })
    const of = async (headers: object, stored: Partial<Configuration> = {}) =>
      plan(`connections: [${entry(headers)}]`, { stored })
    const made = await of({ 'X-Key': 'hush hush' })
    expect(JSON.stringify(made)).not.toContain('hush hush')
    const stored = { ...EMPTY, connections: [rowOf(made)] }
    const headersOf = (row: Configuration['connections'][number]) =>
      openValues('customHeaders', (row.settings as { sealed: SealedByName }).sealed, vault)
    expect(headersOf(rowOf(made))).toEqual({ 'X-Key': 'hush hush' })
    expect((await of({ 'X-Key': 'hush hush' }, stored)).changes).toEqual([])
    const exported = SECTIONS.find(({ name }) => name === 'connections')?.export(stored, [], vault)
    expect(JSON.stringify(exported)).toContain('"X-Key":"********"')
    expect((await plan(`connections: ${JSON.stringify(exported)}`, { stored })).changes).toEqual([])
    expect(headersOf(rowOf(await of({ 'X-Key': 'another', 'X-Other': 'y' }, stored)))).toEqual({
      'X-Key': 'another',
      'X-Other': 'y',
    })
    expect((await problems(`connections: [${entry({ 'X-Key': 'a\nb' })}]`)).join()).toContain('customHeaders')
  })

  it('keeps its secret and what the API keeps without effect when other options change', async () => {
    const row = { ...rowOf(await planned('hush hush')), kept: { options: { type: 'back_channel' } } }
    const text = 'connections: [{ name: acme-okta, strategy: okta, options: { scope: openid } }]'
    const changed = await plan(text, { stored: { connections: [row] } })
    expect(changed.changes).toMatchObject([
      { details: ['options.scope: "openid profile" → "openid"'], records: [{ change: 'connections.update' }] },
    ])
    const { sealed, options } = row.settings as { sealed: SealedByName; options: object }
    expect(rowOf(changed)).toMatchObject({
      settings: { sealed, options: { ...options, scope: 'openid' } },
      kept: row.kept,
    })
  })

  it('comes back from an export without its secret, and keeps it when that is applied', async () => {
    const stored = { ...EMPTY, connections: [rowOf(await planned('hush hush'))] }
    const exported = SECTIONS.find(({ name }) => name === 'connections')?.export(stored, [], vault)
    expect(JSON.stringify(exported)).not.toMatch(/sealed|client_secret/)
    expect((await plan(`connections: ${JSON.stringify(exported)}`, { stored })).changes).toEqual([])
  })

  it.each([
    ['google-oauth2', {}, 'options.client_id'],
    ['oidc', { client_id: 'x' }, 'options.issuer or options.discovery_url or options.domain'],
    ['oauth2', { client_id: 'x', authorizationURL: 'https://a.test' }, 'options.token_endpoint or options.tokenURL'],
    ['waad', { client_id: 'x' }, 'options.tenant_domain or options.use_common_endpoint'],
    ['apple', { client_id: 'x', app_secret: 'y', kid: 'z' }, 'options.team_id'],
  ])('of strategy %s is skipped and reported without a required option: %o', async (strategy, options, what) => {
    const made = await plan(`connections: [${JSON.stringify({ name: 'one', strategy, options })}]`)
    expect(made.notApplied).toEqual([`connections["one"]: needs ${what}`])
    expect(made.changes).toEqual([])
  })

  it.each([
    ['domain: acme.okta.com', 'domain: https://acme.okta.com'],
    ['domain: acme.okta.com', 'domain: a@b.test'],
    ['[acme.example]', '[kim@acme.example]'],
    ['on_first_login', 'sometimes'],
    ['{ value: offline }', '{ other: offline }'],
    ['icon_url: https:', 'icon_url: javascript:'],
  ])('is refused with %s turned into %s', async (from, to) => {
    const text = OKTA.replace(from, to)
    expect((await problems(text, { variables: { OKTA_SECRET: 'x' } }))[0]).toContain(
      'connections["acme-okta"].options.',
    )
  })

  it('is refused while its secret is nowhere', async () => {
    expect((await problems(OKTA))[0]).toContain('OKTA_SECRET')
  })
})
