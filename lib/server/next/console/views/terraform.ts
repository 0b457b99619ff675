// Objects as resources of the vendor's Terraform provider (auth0/auth0 1.x, docs/resources of its repository). A member that no resource has is
// left out; a secret becomes a variable.
import { isJsonObject, type Json, type JsonObject, objectIn, textsIn } from '../../../../kernel/json'
import { MASK } from '../../../../kernel/secret'
import { say } from '../../../../text/console'
import { type Block, encoded, identifierOf, quoted, type Value, writeBlock } from './hcl'

type Shape = {
  /** Members whose attributes have the same name. */
  same?: string
  /** Attributes of another name, by member. */
  named?: Readonly<Record<string, string>>
  /** Attributes that are JSON, by member. */
  json?: Readonly<Record<string, string>>
  /** Blocks, by member: the name of the block, and its shape. */
  blocks?: Readonly<Record<string, readonly [string, Shape]>>
  /** Attributes that are secrets, by member. */
  secrets?: Readonly<Record<string, string>>
}

export type TerraformKind = {
  resource: string
  shape: Shape
  /** What the import names the object by. A text of one's choice where there is one of it in a tenant. */
  id(object: JsonObject): string
  /** Parts that are resources of their own. */
  more?(object: JsonObject, reference: string): Block[]
  /** The same of lists that are read for it, each with an import of its own. */
  lists?: Readonly<Record<string, ListKind>>
}

/** What an object has of something else. Null where it has more than is written: the resource would take the others away. */
export type Lists = Readonly<Record<string, readonly JsonObject[] | null>>

type ListKind = {
  resource: string
  /** The attribute that names the object. */
  of: string
  attribute(entries: readonly JsonObject[]): Pick<Block, 'attributes' | 'blocks'>
}

const block = (name: string, same: string, more: Shape = {}): readonly [string, Shape] => [name, { same, ...more }]

const ENABLED = 'enabled'
const SHIELDS = { pre_user_registration: block('pre_user_registration', 'shields') }

const CLIENT: TerraformKind = {
  resource: 'auth0_client',
  id: ({ client_id }) => String(client_id),
  shape: {
    same: `name description app_type logo_uri is_first_party callbacks allowed_logout_urls web_origins allowed_origins
      allowed_clients client_aliases grant_types initiate_login_uri oidc_conformant organization_usage
      organization_require_behavior organization_discovery_methods require_pushed_authorization_requests
      require_proof_of_possession is_token_endpoint_ip_header_trusted cross_origin_loc client_metadata sso sso_disabled
      custom_login_page_on custom_login_page form_template`,
    named: { cross_origin_authentication: 'cross_origin_auth' },
    blocks: {
      jwt_configuration: block('jwt_configuration', 'alg lifetime_in_seconds secret_encoded scopes'),
      refresh_token: block(
        'refresh_token',
        `rotation_type expiration_type leeway token_lifetime idle_token_lifetime infinite_token_lifetime
        infinite_idle_token_lifetime`,
      ),
      oidc_logout: block('oidc_logout', 'backchannel_logout_urls', {
        blocks: {
          backchannel_logout_initiators: block('backchannel_logout_initiators', 'mode selected_initiators'),
          backchannel_logout_session_metadata: block('backchannel_logout_session_metadata', 'include'),
        },
      }),
      default_organization: block('default_organization', 'organization_id flows'),
      mobile: block('mobile', '', {
        blocks: {
          android: block('android', 'app_package_name sha256_cert_fingerprints'),
          ios: block('ios', 'team_id app_bundle_identifier'),
        },
      }),
      native_social_login: block('native_social_login', '', {
        blocks: {
          apple: block('apple', ENABLED),
          facebook: block('facebook', ENABLED),
          google: block('google', ENABLED),
        },
      }),
      token_exchange: block('token_exchange', 'allow_any_profile_of_type'),
      addons: block('addons', '', {
        blocks: {
          samlp: block('samlp', 'audience binding destination issuer mappings recipient', {
            named: {
              authnContextClassRef: 'authn_context_class_ref',
              createUpnClaim: 'create_upn_claim',
              digestAlgorithm: 'digest_algorithm',
              includeAttributeNameFormat: 'include_attribute_name_format',
              lifetimeInSeconds: 'lifetime_in_seconds',
              mapIdentities: 'map_identities',
              mapUnknownClaimsAsIs: 'map_unknown_claims_as_is',
              nameIdentifierFormat: 'name_identifier_format',
              nameIdentifierProbes: 'name_identifier_probes',
              passthroughClaimsWithNoMapping: 'passthrough_claims_with_no_mapping',
              signResponse: 'sign_response',
              signatureAlgorithm: 'signature_algorithm',
              signingCert: 'signing_cert',
              typedAttributes: 'typed_attributes',
            },
            blocks: { logout: block('logout', 'callback slo_enabled') },
          }),
          wsfed: block('wsfed', ''),
        },
      }),
    },
  },
  more: ({ token_endpoint_auth_method: method }, reference) =>
    typeof method === 'string'
      ? [
          {
            head: headOf('auth0_client_credentials', reference),
            attributes: [
              ['client_id', { expression: `auth0_client.${reference}.client_id` }],
              ['authentication_method', method],
            ],
          },
        ]
      : [],
}

const API: TerraformKind = {
  resource: 'auth0_resource_server',
  id: ({ id }) => String(id),
  shape: {
    same: `identifier name signing_alg allow_offline_access token_lifetime token_lifetime_for_web token_dialect
      enforce_policies skip_consent_for_verifiable_first_party_clients verification_location consent_policy`,
    blocks: {
      subject_type_authorization: block('subject_type_authorization', '', {
        blocks: { user: block('user', 'policy'), client: block('client', 'policy') },
      }),
      proof_of_possession: block('proof_of_possession', 'mechanism required required_for'),
    },
  },
  more({ scopes }, reference) {
    const listed = Array.isArray(scopes) ? scopes.map(objectIn) : []
    if (listed.length === 0) return []
    return [
      {
        head: headOf('auth0_resource_server_scopes', reference),
        attributes: [['resource_server_identifier', { expression: `auth0_resource_server.${reference}.identifier` }]],
        blocks: listed.map(({ value, description }) => ({
          head: 'scopes',
          attributes: [['name', String(value)], ...given('description', description)],
        })),
      },
    ]
  },
}

const OPTIONS: Shape = {
  same: `adfs_server authorization_endpoint client_id disable_self_service_change_password disable_signup discovery_url
    domain domain_aliases enable_script_context from gateway_url icon_url id_token_signed_response_algs import_mode issuer
    jwks_uri pkce_enabled requires_username send_back_channel_nonce set_user_root_attributes
    should_trust_email_verified_connection team_id tenant_domain token_endpoint token_endpoint_auth_method
    token_endpoint_auth_signing_alg token_endpoint_jwtca_aud_format use_wsfed user_id_attribute userinfo_endpoint
    waad_protocol brute_force_protection scripts scopes`,
  named: {
    authParams: 'auth_params',
    authorizationURL: 'authorization_endpoint',
    customScripts: 'custom_scripts',
    digestAlgorithm: 'digest_algorithm',
    enabledDatabaseCustomization: 'enabled_database_customization',
    entityId: 'entity_id',
    fedMetadataXml: 'fed_metadata_xml',
    kid: 'key_id',
    metadataUrl: 'metadata_url',
    metadataXml: 'metadata_xml',
    passwordPolicy: 'password_policy',
    protocolBinding: 'protocol_binding',
    signInEndpoint: 'sign_in_endpoint',
    signOutEndpoint: 'sign_out_endpoint',
    signSAMLRequest: 'sign_saml_request',
    signatureAlgorithm: 'signature_algorithm',
    signingCert: 'signing_cert',
    tokenURL: 'token_endpoint',
    useOauthSpecScope: 'use_oauth_spec_scope',
    use_common_endpoint: 'waad_common_endpoint',
  },
  json: { fieldsMap: 'fields_map', oidc_metadata: 'oidc_metadata', upstream_params: 'upstream_params' },
  secrets: { client_secret: 'client_secret', app_secret: 'client_secret' },
  blocks: {
    attribute_map: block('attribute_map', 'mapping_mode', { json: { attributes: 'attributes' } }),
    authentication_methods: block('authentication_methods', '', {
      blocks: { password: block('password', ENABLED), passkey: block('passkey', ENABLED) },
    }),
    connection_settings: block('connection_settings', 'pkce'),
    idpinitiated: block('idp_initiated', 'enabled client_id client_protocol', {
      named: { client_authorizequery: 'client_authorize_query' },
    }),
    passkey_options: block('passkey_options', 'challenge_ui progressive_enrollment_enabled local_enrollment_enabled'),
    password_complexity_options: block('password_complexity_options', 'min_length'),
    password_dictionary: block('password_dictionary', 'enable dictionary'),
    password_history: block('password_history', 'enable size'),
    password_no_personal_info: block('password_no_personal_info', 'enable'),
    totp: block('totp', 'time_step length'),
    validation: block('validation', '', { blocks: { username: block('username', 'min max') } }),
  },
}

const CONNECTION: TerraformKind = {
  resource: 'auth0_connection',
  id: ({ id }) => String(id),
  shape: {
    same: 'name strategy display_name is_domain_connection realms show_as_button metadata',
    blocks: { options: ['options', OPTIONS] },
  },
  more({ enabled_clients }, reference) {
    const enabled = textsIn(enabled_clients)
    return enabled.length === 0
      ? []
      : [
          {
            head: headOf('auth0_connection_clients', reference),
            attributes: [
              ['connection_id', { expression: `auth0_connection.${reference}.id` }],
              ['enabled_clients', [...enabled]],
            ],
          },
        ]
  },
}

const PROTECTION: Shape = {
  blocks: {
    brute_force_protection: block('brute_force_protection', 'enabled shields allowlist mode max_attempts'),
    suspicious_ip_throttling: block('suspicious_ip_throttling', 'enabled shields allowlist', {
      blocks: {
        pre_login: block('pre_login', 'max_attempts rate'),
        pre_user_registration: block('pre_user_registration', 'max_attempts rate'),
      },
    }),
    breached_password_detection: block(
      'breached_password_detection',
      'enabled shields admin_notification_frequency method',
      { blocks: { ...SHIELDS, pre_change_password: block('pre_change_password', 'shields') } },
    ),
    bot_detection: block(
      'bot_detection',
      `bot_detection_level challenge_password_policy challenge_passwordless_policy challenge_password_reset_policy
      allowlist monitoring_mode_enabled`,
    ),
    captcha: block('captcha', 'active_provider_id', {
      blocks: {
        arkose: block('arkose', 'site_key fail_open client_subdomain verify_subdomain', {
          secrets: { secret: 'secret' },
        }),
        auth_challenge: block('auth_challenge', 'fail_open'),
        friendly_captcha: block('friendly_captcha', 'site_key', { secrets: { secret: 'secret' } }),
        hcaptcha: block('hcaptcha', 'site_key', { secrets: { secret: 'secret' } }),
        recaptcha_enterprise: block('recaptcha_enterprise', 'site_key project_id', { secrets: { api_key: 'api_key' } }),
        recaptcha_v2: block('recaptcha_v2', 'site_key', { secrets: { secret: 'secret' } }),
      },
    }),
  },
}

const SINK: Shape = {
  named: {
    datadogRegion: 'datadog_region',
    httpContentFormat: 'http_content_format',
    httpContentType: 'http_content_type',
    httpCustomHeaders: 'http_custom_headers',
    httpEndpoint: 'http_endpoint',
    mixpanelProjectId: 'mixpanel_project_id',
    mixpanelRegion: 'mixpanel_region',
    mixpanelServiceAccountUsername: 'mixpanel_service_account_username',
    splunkDomain: 'splunk_domain',
    splunkPort: 'splunk_port',
    splunkSecure: 'splunk_secure',
  },
  secrets: {
    datadogApiKey: 'datadog_api_key',
    httpAuthorization: 'http_authorization',
    mixpanelServiceAccountPassword: 'mixpanel_service_account_password',
    segmentWriteKey: 'segment_write_key',
    splunkToken: 'splunk_token',
    sumoSourceAddress: 'sumo_source_address',
  },
}

const TENANT: Shape = {
  same: `acr_values_supported allow_organization_name_in_authentication_api allowed_logout_urls
    customize_mfa_in_postlogin_action default_audience default_directory default_redirection_uri enabled_locales
    ephemeral_session_lifetime friendly_name idle_ephemeral_session_lifetime idle_session_lifetime picture_url
    pushed_authorization_requests_supported sandbox_version session_lifetime support_email support_url`,
  blocks: {
    error_page: block('error_page', 'html show_log_link url'),
    flags: block(
      'flags',
      `disable_clickjack_protection_headers enable_client_connections enable_custom_domain_in_emails
      enable_dynamic_client_registration enable_public_signup_user_exists_error mfa_show_factor_list_on_enrollment
      no_disclose_enterprise_connections revoke_refresh_token_grant use_scope_descriptions_for_consent`,
    ),
    mtls: block('mtls', 'enable_endpoint_aliases'),
    oidc_logout: block('oidc_logout', 'rp_logout_end_session_endpoint_discovery'),
    session_cookie: block('session_cookie', 'mode'),
    sessions: block('sessions', 'oidc_logout_prompt_enabled'),
  },
}

const ENABLED_CONNECTION = [
  'connection_id',
  'assign_membership_on_login',
  'is_signup_enabled',
  'show_as_button',
] as const

/** There is one of it in a tenant, and its import may name it by any text. */
const only = (resource: string, name: string, shape: Shape): TerraformKind => ({ resource, shape, id: () => name })

export const TERRAFORM = {
  clients: CLIENT,
  apis: API,
  connections: CONNECTION,
  roles: {
    resource: 'auth0_role',
    id: ({ id }) => String(id),
    shape: { same: 'name description' },
    lists: {
      permissions: {
        resource: 'auth0_role_permissions',
        of: 'role_id',
        attribute: (entries) => ({
          attributes: [],
          blocks: entries.map(({ permission_name, resource_server_identifier }) => ({
            head: 'permissions',
            attributes: [
              ['name', String(permission_name)],
              ['resource_server_identifier', String(resource_server_identifier)],
            ],
          })),
        }),
      },
    },
  },
  organizations: {
    resource: 'auth0_organization',
    id: ({ id }) => String(id),
    shape: {
      same: 'name display_name metadata',
      blocks: { branding: block('branding', 'logo_url colors') },
    },
    lists: {
      members: {
        resource: 'auth0_organization_members',
        of: 'organization_id',
        attribute: (entries) => ({ attributes: [['members', entries.map(({ user_id }) => String(user_id))]] }),
      },
      connections: {
        resource: 'auth0_organization_connections',
        of: 'organization_id',
        attribute: (entries) => ({
          attributes: [],
          blocks: entries.map((entry) => ({
            head: 'enabled_connections',
            attributes: ENABLED_CONNECTION.flatMap((name) => given(name, entry[name])),
          })),
        }),
      },
    },
  },
  streams: {
    resource: 'auth0_log_stream',
    id: ({ id }) => String(id),
    shape: { same: 'name type status filters', blocks: { sink: ['sink', SINK] } },
  },
  tenant: only('auth0_tenant', 'tenant', TENANT),
  'attack-protection': only('auth0_attack_protection', 'attack_protection', PROTECTION),
} satisfies Readonly<Record<string, TerraformKind>>

const headOf = (resource: string, name: string): string => `resource ${quoted(resource)} ${quoted(name)}`

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

const given = (name: string, value: Json | undefined): [string, Value][] =>
  value === undefined || isEmpty(value) ? [] : [[name, value]]

type Variables = { prefix: string; names: Set<string> }

function blockOf(head: string, shape: Shape, object: JsonObject, variables: Variables): Block {
  const same = (shape.same ?? '').split(/\s+/).filter((name) => name !== '')
  const attributes = new Map<string, Value>()
  for (const [member, attribute] of [
    ...same.map((name) => [name, name] as const),
    ...Object.entries(shape.named ?? {}),
  ])
    for (const [name, value] of given(attribute, withoutMasks(object[member]))) attributes.set(name, value)
  for (const [member, attribute] of Object.entries(shape.json ?? {})) {
    const value = object[member]
    if (value !== undefined && !isEmpty(value)) attributes.set(attribute, encoded(value))
  }
  for (const [member, attribute] of Object.entries(shape.secrets ?? {})) {
    if (isEmpty(object[member])) continue
    const name = `${variables.prefix}_${attribute}`
    variables.names.add(name)
    attributes.set(attribute, { expression: `var.${name}` })
  }
  const blocks = Object.entries(shape.blocks ?? {}).flatMap(([member, [name, inner]]) => {
    const value = object[member]
    if (!isJsonObject(value as Json)) return []
    const within = { prefix: `${variables.prefix}_${member}`, names: variables.names }
    const written = blockOf(
      name,
      inner,
      value as JsonObject,
      name === 'options' || name === 'sink' ? variables : within,
    )
    const isMeant = written.attributes.length > 0 || (written.blocks ?? []).length > 0 || isFlag(inner)
    return isMeant ? [written] : []
  })
  return { head, attributes: [...attributes], blocks }
}

/** A block without attributes turns something on by being there. */
const isFlag = ({ same = '', named, blocks }: Shape): boolean => same === '' && !named && !blocks

/** An object with a secret among its values has no attribute: which of them are secrets is not known. */
const withoutMasks = (value: Json | undefined): Json | undefined =>
  value !== undefined && JSON.stringify(value).includes(MASK) ? undefined : value

/** A protection with the members of its stages, as the provider has them. */
function withStages(value: Json | undefined): JsonObject {
  const { stage, ...protection } = objectIn(value)
  const stages = Object.entries(objectIn(stage)).map(([name, each]) => [name.replaceAll('-', '_'), each])
  return { ...protection, ...(Object.fromEntries(stages) as JsonObject) }
}

/** The scopes of a connection are a list. */
function prepared(kind: keyof typeof TERRAFORM, object: JsonObject): JsonObject {
  if (kind === 'attack-protection')
    return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, withStages(value)]))
  if (kind !== 'connections') return object
  const options = objectIn(object.options)
  const { scope } = options
  const scopes = typeof scope === 'string' ? scope.split(/\s+/).filter((each) => each !== '') : scope
  return { ...object, options: { ...options, ...(isEmpty(scopes) ? {} : { scopes }) } as JsonObject }
}

const importOf = (resource: string, reference: string, id: string): Block => ({
  head: 'import',
  attributes: [
    ['to', { expression: `${resource}.${reference}` }],
    ['id', id],
  ],
})

/** Variables, the import of the object, its resource and what belongs to it. `name`: what the object is called. */
export function asTerraform(kind: keyof typeof TERRAFORM, object: JsonObject, name: string, found: Lists = {}): string {
  const { resource, shape, id, more, lists = {} }: TerraformKind = TERRAFORM[kind]
  const reference = identifierOf(name)
  const variables: Variables = { prefix: reference, names: new Set() }
  const own = blockOf(headOf(resource, reference), shape, prepared(kind, object), variables)
  const parts = [
    ...[...variables.names].map(
      (variable): Block => ({
        head: `variable ${quoted(variable)}`,
        attributes: [
          ['type', { expression: 'string' }],
          ['sensitive', true],
        ],
      }),
    ),
    importOf(resource, reference, id(object)),
    own,
    ...(more?.(object, reference) ?? []),
  ]
  const written = parts.map((each) => writeBlock(each))
  for (const [member, list] of Object.entries(lists)) {
    const entries = found[member]
    if (entries === null) written.push(`# ${say('views.terraform.long', { resource: list.resource })}\n`)
    if (!entries || entries.length === 0) continue
    const { attributes, blocks = [] } = list.attribute(entries)
    const owner: [string, Value] = [list.of, { expression: `${resource}.${reference}.id` }]
    const block = { head: headOf(list.resource, reference), attributes: [owner, ...attributes], blocks }
    written.push(writeBlock(importOf(list.resource, reference, id(object))), writeBlock(block))
  }
  return written.join('\n')
}
