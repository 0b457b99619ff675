// Every member that the vendor's SDK can send and this server does not have: refused where it protects something, else kept, shown
// and reported. A member that a later SDK adds has no place here, and fails.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isStrategy, settingsOf } from '../../../data/connections/connection'
import type { Json, JsonObject } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { OPERATIONS } from '../../../management'
import { addManager, lastReported, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'
import { vendorTypes } from '../../../testing/vendor-types'

type Kind = {
  /** The SDK's types of the body. */
  types: readonly string[]
  /** The operation that describes the body, or the strategy whose options it has. */
  known: string
  /** The path of the object that is changed. */
  path: string
  method?: 'PUT'
  /**
   * Kept and reported, by words; `name=value` where the value of the test must be another than usual, because that one holds here
   * anyway. `*`: all the others, which are scopes that the provider is asked for.
   */
  reported?: string
  /** What asks for a protection, by path. */
  refused?: Readonly<Record<string, Json>>
}

const IDENTIFIER_OPTIONS = `attributes.email.identifier attributes.email.profile_required attributes.email.signup
  attributes.email.unique attributes.phone_number attributes.username precedence mfa.active=false mfa.return_enroll_settings realm_fallback authentication_methods.password.api_behavior
  authentication_methods.email_otp authentication_methods.phone_otp`
const NO_ATTRIBUTES = { non_persistent_attrs: ['phone'] }
const OF_OPENID = 'pushed_authorization_request_endpoint attribute_map.userinfo_scope type'
const REFUSED_OF_OPENID = {
  ...NO_ATTRIBUTES,
  dpop_signing_alg: 'ES256',
  enable_pushed_authorization_requests: true,
  id_token_session_expiry_supported: true,
}
const social = (strategy: string, type: string): Record<string, Kind> => ({
  [`options of ${strategy}`]: {
    types: [type],
    known: strategy,
    path: `/connections/${strategy}`,
    reported: '*',
    refused: NO_ATTRIBUTES,
  },
})

const KINDS: Record<string, Kind> = {
  clients: {
    types: ['CreateClientRequestContent', 'UpdateClientRequestContent'],
    known: 'clients.update',
    path: '/clients/app',
    reported: `addons.* allowed_clients anonymous_sessions async_approval_notification_channels b2b_integration_configuration
      cross_origin_loc custom_login_page custom_login_page_on=false custom_login_page_preview express_configuration fedcm_login
      form_template identity_assertion_authorization_grant jwt_configuration.scopes jwt_configuration.secret_encoded
      my_organization_configuration native_social_login oidc_conformant=false
      oidc_logout.backchannel_logout_session_metadata refresh_token.policies session_transfer sso
      token_vault_privileged_access`,
    refused: {
      compliance_level: 'fapi2_sp_pkj_mtls',
      encryption_key: { pub: 'x', cert: 'x' },
      oidc_backchannel_logout: { backchannel_logout_urls: ['https://app.test/out'] },
      redirection_policy: 'open_redirect_protection',
      skip_non_verifiable_callback_uri_confirmation_prompt: false,
      sso_disabled: true,
      third_party_security_mode: 'strict',
      token_quota: { client_credentials: { enforce: true, per_day: 1 } },
      'client_authentication_methods.tls_client_auth': { credentials: [{ id: 'cred_1' }] },
      'client_authentication_methods.self_signed_tls_client_auth': { credentials: [{ id: 'cred_1' }] },
    },
  },
  'resource servers': {
    types: ['CreateResourceServerRequestContent', 'UpdateResourceServerRequestContent'],
    known: 'resource_servers.update',
    path: '/resource-servers/https%3A%2F%2Fapi.test%2F',
    reported: `allow_online_access allow_online_access_with_ephemeral_sessions token_lifetime_for_anonymous_access_tokens
      signing_secret subject_type_authorization.anonymous_user`,
    refused: {
      authorization_policy: { policy_id: 'x' },
      token_encryption: { format: 'compact-nested-jwe', encryption_key: { alg: 'RSA-OAEP-256', pem: 'x' } },
    },
  },
  'client grants': {
    types: ['CreateClientGrantRequestContent', 'UpdateClientGrantRequestContent'],
    known: 'client_grants.update',
    path: '/client-grants/<grant>',
    reported: 'allow_all_scopes default_for',
    refused: { authorization_details_types: ['payment'] },
  },
  roles: {
    types: ['CreateRoleRequestContent', 'UpdateRoleRequestContent'],
    known: 'roles.update',
    path: '/roles/<role>',
    refused: { type: 'organization', owner_id: 'org_1' },
  },
  organizations: {
    types: ['CreateOrganizationRequestContent', 'UpdateOrganizationRequestContent'],
    known: 'organizations.create',
    path: '/organizations/<organization>',
    refused: {
      is_app_entitlement_active: true,
      third_party_client_access: 'block',
      token_quota: { client_credentials: { enforce: true, per_hour: 1 } },
    },
  },
  'connections of an organization': {
    types: ['CreateOrganizationAllConnectionRequestParameters', 'UpdateOrganizationConnectionRequestParameters'],
    known: 'organizations.connections.create',
    path: '/organizations/<organization>/connections/auth0',
  },
  actions: {
    types: ['CreateActionRequestContent', 'UpdateActionRequestContent'],
    known: 'actions.create',
    path: '/actions/actions/<action>',
    reported: `supported_triggers[]={"id":"post-login","status":"CURRENT"}
      dependencies[]={"name":"lodash","registry_url":"https://r.test"}`,
  },
  'custom domains': {
    types: ['CreateCustomDomainRequestContent', 'UpdateCustomDomainRequestContent'],
    known: 'custom_domains.create',
    path: '/custom-domains/<domain>',
  },
  'tenant settings': {
    types: ['UpdateTenantSettingsRequestContent'],
    known: 'tenant_settings.update',
    path: '/tenants/settings',
    reported: `acr_values_supported authorization_response_iss_parameter_supported=false change_password
      client_id_metadata_document_supported customize_mfa_in_postlogin_action=false device_flow enable_ai_guide error_page
      flags.allow_changing_enable_sso flags.allow_legacy_delegation_grant_types flags.allow_legacy_ro_grant_types
      flags.allow_legacy_tokeninfo_endpoint flags.change_pwd_flow_v1 flags.custom_domains_provisioning
      flags.dashboard_insights_view flags.dashboard_log_streams_next flags.disable_clickjack_protection_headers
      flags.disable_fields_map_fix flags.disable_impersonation=false flags.disable_management_api_sms_obfuscation
      flags.enable_apis_section flags.enable_client_connections flags.enable_idtoken_api2 flags.enable_legacy_profile
      flags.enable_pipeline2 flags.enforce_client_authentication_on_passwordless_start=false flags.genai_trial
      flags.improved_signup_bot_detection_in_classic flags.local_resource_discovery flags.mfa_show_factor_list_on_enrollment
      flags.no_disclose_enterprise_connections=false flags.remove_alg_from_jwks flags.revoke_refresh_token_grant=false
      flags.trust_azure_adfs_email_verified_connection_property=false guardian_mfa_page include_session_metadata_in_tenant_logs
      legacy_sandbox_version oidc_logout.rp_logout_end_session_endpoint_discovery=false phone_consolidated_experience
      pushed_authorization_requests_supported=false sandbox_version sessions.anonymous`,
    refused: {
      country_codes: { mode: 'allow', list: ['DE'] },
      default_token_quota: { clients: { client_credentials: { enforce: true } } },
      dynamic_client_registration_security_mode: 'strict',
      'flags.enable_adfs_waad_email_verification': true,
      'flags.enable_sso': false,
      'mtls.enable_endpoint_aliases': true,
      security_headers: { x_xss_protection: { enabled: true } },
      'sessions.oidc_logout_prompt_enabled': true,
      skip_non_verifiable_callback_uri_confirmation_prompt: false,
    },
  },
  prompts: { types: ['UpdateSettingsRequestContent'], known: 'prompts.update', path: '/prompts' },
  'brute-force protection': {
    types: ['UpdateBruteForceSettingsRequestContent'],
    known: 'brute_force_protection.update',
    path: '/attack-protection/brute-force-protection',
  },
  'throttling of addresses': {
    types: ['UpdateSuspiciousIpThrottlingSettingsRequestContent'],
    known: 'suspicious_ip_throttling.update',
    path: '/attack-protection/suspicious-ip-throttling',
    reported: 'stage.pre-login.rate stage.pre-user-registration.rate stage.pre-custom-token-exchange',
  },
  'breached passwords': {
    types: ['UpdateBreachedPasswordDetectionSettingsRequestContent'],
    known: 'breached_password_detection.update',
    path: '/attack-protection/breached-password-detection',
  },
  'bot detection': {
    types: ['UpdateBotDetectionSettingsRequestContent'],
    known: 'bot_detection.update',
    path: '/attack-protection/bot-detection',
  },
  captcha: {
    types: ['UpdateAttackProtectionCaptchaRequestContent'],
    known: 'captcha.update',
    path: '/attack-protection/captcha',
    reported: 'arkose auth_challenge friendly_captcha simple_captcha',
  },
  connections: {
    types: ['CreateConnectionRequestContent', 'UpdateConnectionRequestContent'],
    known: 'connection of samlp',
    path: '/connections/samlp',
    reported: `metadata connected_accounts cross_app_access_requesting_app cross_app_access_resource_app`,
    refused: { authentication: { active: false } },
  },
  'options of auth0': {
    types: ['ConnectionOptionsAuth0'],
    known: 'auth0',
    path: '/connections/auth0',
    reported: IDENTIFIER_OPTIONS,
    refused: {
      ...NO_ATTRIBUTES,
      'authentication_methods.password.signup_behavior': 'block',
      password_options: { history: { active: true, size: 3 } },
    },
  },
  'options of email': {
    types: ['ConnectionOptionsEmail'],
    known: 'email',
    path: '/connections/email',
    reported: 'authParams email name',
    refused: NO_ATTRIBUTES,
  },
  'options of sms': {
    types: ['ConnectionOptionsSms'],
    known: 'sms',
    path: '/connections/sms',
    reported: 'forward_req_info messaging_service_sid name provider syntax template twilio_sid twilio_token',
    refused: { ...NO_ATTRIBUTES, gateway_authentication: { method: 'bearer', secret: 'x', audience: 'y' } },
  },
  'options of samlp': {
    types: ['ConnectionOptionsSaml'],
    known: 'samlp',
    path: '/connections/samlp',
    reported: `cert debug decryptionKey deflate destinationUrl disableSignout discovery_url global_token_revocation_jwt_iss
      global_token_revocation_jwt_sub oidc_metadata recipientUrl requestTemplate signing_key tenant_domain thumbprints
      upstream_params`,
    refused: { ...NO_ATTRIBUTES, assertion_decryption_settings: { algorithm_profile: 'v2026-1' } },
  },
  'options of adfs': {
    types: ['ConnectionOptionsAdfs'],
    known: 'adfs',
    path: '/connections/adfs',
    reported: 'prev_thumbprints tenant_domain thumbprints',
    refused: NO_ATTRIBUTES,
  },
  'options of waad': {
    types: ['ConnectionOptionsAzureAd'],
    known: 'waad',
    path: '/connections/waad',
    reported: '*',
    refused: NO_ATTRIBUTES,
  },
  'options of oidc': {
    types: ['ConnectionOptionsOidc'],
    known: 'oidc',
    path: '/connections/oidc',
    reported: OF_OPENID,
    refused: REFUSED_OF_OPENID,
  },
  'options of okta': {
    types: ['ConnectionOptionsOkta'],
    known: 'okta',
    path: '/connections/okta',
    reported: OF_OPENID,
    refused: REFUSED_OF_OPENID,
  },
  'options of oauth2': {
    types: ['ConnectionOptionsOAuth2'],
    known: 'oauth2',
    path: '/connections/oauth2',
    reported: 'scripts.getLogoutUrl',
    refused: NO_ATTRIBUTES,
  },
  ...social('google-oauth2', 'ConnectionOptionsGoogleOAuth2'),
  ...social('apple', 'ConnectionOptionsApple'),
  ...social('github', 'ConnectionOptionsGitHub'),
  ...social('facebook', 'ConnectionOptionsFacebook'),
  ...social('linkedin', 'ConnectionOptionsLinkedin'),
  ...social('windowslive', 'ConnectionOptionsWindowsLive'),
}

const vendor = vendorTypes()

/** Sealed, and shown as a mask. */
const SECRETS = ['client_secret', 'app_secret']

/** The members that the schema does not know, while it knows what they are in. */
function unknownIn({ types, known }: Kind): Map<string, string> {
  const schema = schemaOf(known)
  const all = [...new Map(types.flatMap((type) => [...vendor.membersOf(type)]))]
  const found = all.filter(([path]) => !knows(schema, path) && !SECRETS.includes(path))
  return new Map(found.filter(([path]) => !found.some(([outer]) => path !== outer && isWithin(path, outer))))
}

const isWithin = (path: string, outer: string): boolean => path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`)
const isRelated = (a: string, b: string): boolean => a === b || isWithin(a, b) || isWithin(b, a)

function schemaOf(known: string): z.ZodType {
  if (isStrategy(known)) return settingsOf(known).shape.options
  const [, strategy = ''] = /^connection of (\w+)$/.exec(known) ?? []
  if (isStrategy(strategy))
    return settingsOf(strategy).extend({ name: z.string(), strategy: z.string(), options: z.unknown() })
  const { body, describedBody = body } = OPERATIONS.find(({ name }) => name === known) ?? {}
  if (!describedBody) throw new Error(`${known} has no body`)
  return describedBody
}

function knows(schema: z.ZodType, path: string): boolean {
  let at = unwrapped(schema)
  for (const part of path.split('.')) {
    if (!(at instanceof z.ZodObject)) return true
    const name = part.replace('[]', '')
    if (!Object.hasOwn(at.shape, name)) return false
    at = unwrapped(at.shape[name] as z.ZodType)
    if (at instanceof z.ZodArray) at = unwrapped(at.element as z.ZodType)
  }
  return true
}

type Marked = { path: string; value: Json }

/** What the test sends for the members that are reported. */
function reportedIn(kind: Kind): Marked[] {
  const unknown = unknownIn(kind)
  const refused = Object.keys(kind.refused ?? {})
  return (kind.reported ?? '').split(/\s+/).flatMap((word): Marked[] => {
    const [, name = '', given] = /^([^=]*)(?:=(.*))?$/.exec(word) ?? []
    if (name === '') return []
    if (!name.endsWith('*'))
      return [{ path: name, value: given ? JSON.parse(given) : sampleOf(unknown.get(name) ?? '') }]
    const outer = name.slice(0, -1)
    const paths = [...unknown.keys()].filter((path) => path.startsWith(outer) && !refused.includes(path))
    return paths.map((path) => ({ path, value: sampleOf(unknown.get(path) ?? '') }))
  })
}

function sampleOf(type: string): Json {
  if (/^boolean/.test(type)) return true
  if (/^number/.test(type)) return 1
  if (/\[\]/.test(type)) return ['x']
  return /^\(?(Management|Record)/.test(type) ? { of: 'any' } : 'x'
}

const placed = (path: string, value: Json): JsonObject =>
  path
    .split('.')
    .reduceRight<Json>(
      (inner, name) => (name.endsWith('[]') ? { [name.slice(0, -2)]: [inner] } : { [name]: inner }),
      value,
    ) as JsonObject

const merged = (a: JsonObject, b: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => {
      const [one, other] = [a[name], b[name]]
      const both = typeof one === 'object' && typeof other === 'object' && one && other
      return [name, (both ? merged(one as JsonObject, other as JsonObject) : (other ?? one)) as Json]
    }),
  )

describe.each(Object.entries(KINDS))('members of %s', (_name, kind) => {
  it('are each known, refused or reported', () => {
    const decided = [...reportedIn(kind).map(({ path }) => path), ...Object.keys(kind.refused ?? {})]
    const isDecided = (path: string): boolean => decided.some((each) => isRelated(path, each))
    expect([...unknownIn(kind).keys()].filter((path) => !isDecided(path))).toEqual([])
    const isUnknown = (path: string): boolean => [...unknownIn(kind).keys()].some((each) => isRelated(path, each))
    expect(decided.filter((path) => !isUnknown(path))).toEqual([])
  })
})

const OBJECTS: [path: string, body: JsonObject][] = [
  ['/resource-servers', { identifier: 'https://api.test/', scopes: [{ value: 'read:it' }] }],
  ['/client-grants', { client_id: 'app', audience: 'https://api.test/', scope: [] }],
  ['/roles', { name: 'Editors' }],
  ['/organizations', { name: 'acme', enabled_connections: [] }],
  ['/actions/actions', { name: 'Claim', supported_triggers: [{ id: 'post-login' }] }],
  ['/custom-domains', { domain: 'login.example.com', type: 'self_managed_certs' }],
]

describe('a body', () => {
  let server: TestServer
  let manager: Manager
  const ids = new Map<string, string>()

  beforeAll(async () => {
    server = await testServer()
    manager = await addManager(server)
    await server.addClient({ clientId: 'app', secret: 'the secret of the app', settings: {} })
    for (const [path, body] of OBJECTS) {
      const made = (await manager.post(path, body)).json()
      ids.set(path, String(made.id ?? made.custom_domain_id))
    }
    for (const { known } of Object.values(KINDS).filter((each) => isStrategy(each.known))) {
      const made = await manager.post('/connections', { name: `of-${known}`, strategy: known })
      expect(made.status, made.text).toBe(201)
      ids.set(known, String(made.json().id))
    }
    const organization = ids.get('/organizations')
    await manager.post(`/organizations/${organization}/connections`, { connection_id: ids.get('auth0') })
  })
  afterAll(() => server.close())

  const pathOf = (path: string): string =>
    path
      .replace('<grant>', ids.get('/client-grants') ?? '')
      .replace('<role>', ids.get('/roles') ?? '')
      .replace('<organization>', ids.get('/organizations') ?? '')
      .replace('<action>', ids.get('/actions/actions') ?? '')
      .replace('<domain>', ids.get('/custom-domains') ?? '')
      .replace(/\/connections\/([\w-]+)$/, (_, strategy: string) => `/connections/${ids.get(strategy)}`)

  const within = ({ known }: Kind, path: string): string => (isStrategy(known) ? `options.${path}` : path)

  const refusals = Object.entries(KINDS).flatMap(([name, kind]) =>
    Object.entries(kind.refused ?? {}).map(([path, value]) => ({ name, kind, path, value })),
  )

  it('of breached passwords that asks for a stage that does not exist is refused', async () => {
    const stage = { 'pre-login': { shields: ['block'] } }
    const answer = await manager.patch('/attack-protection/breached-password-detection', { stage })
    expect(answer.json()).toMatchObject({ statusCode: 400, message: expect.stringContaining("'stage'") })
  })

  it.each(refusals)('of $name that asks for the protection of $path is refused', async ({ kind, path, value }) => {
    const place = within(kind, path)
    const answer = await manager.patch(pathOf(kind.path), placed(place, value))
    expect(answer.json(), answer.text).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
    const [, named = ''] = /on property '([\w.]+)'/.exec(String(answer.json().message)) ?? []
    expect(isRelated(named, place), answer.text).toBe(true)
  })

  it.each(Object.entries(KINDS).filter(([, { reported }]) => reported))(
    'of %s has its other members kept, shown and reported',
    async (_name, kind) => {
      const sent = reportedIn(kind).map(({ path, value }) => ({ path: within(kind, path), value }))
      const body = sent.map(({ path, value }) => placed(path, value)).reduce(merged)
      const answer = await manager.patch(pathOf(kind.path), body)
      expect(answer.status, answer.text).toBe(200)
      const reported = (await lastReported(server)).map((path) => path.replaceAll(/\[\d+\]/g, '[]'))
      const isReported = (path: string): boolean => reported.some((each) => isRelated(path, each))
      expect(sent.map(({ path }) => path).filter((path) => !isReported(path))).toEqual([])
    },
  )
})
