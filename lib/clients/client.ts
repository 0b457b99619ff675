// An application (client): what is registered of it, and the two comparisons that decide where a browser may go.
// - A redirect URI matches as an exact string (RFC 9700 2.1). The one exception is RFC 8252 7.3: a native app's
//   registered http loopback IP address matches on any port.
// - A host may hold one `*` as its whole left-most label, as the vendor allows; never for the registrable part.
// - A logout URL is compared without query and fragment, scheme and host case-insensitive.
import * as z from 'zod'
import { parseTarget, redirectTarget } from '../kernel/redirect-target'
import { CLIENT_JWT_ALGORITHMS, credentials, jwkSet } from './credentials'
import { samlSettings } from './saml'
import { wsfedSettings } from './wsfed'

const DAY = 86400
/** Seconds; longer is said by `infinite_…`. */
const lifetime = z
  .number()
  .int()
  .positive()
  .max(3650 * DAY)

export const APP_TYPES = ['spa', 'native', 'regular_web', 'non_interactive'] as const
export const CLIENT_AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'] as const
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number]

/** An address of the application's that is called or framed: no fragment, no user info. */
const webAddress = redirectTarget.refine((value) => /^https?:/i.test(value), 'must begin with https:// or http://')

const origins = z
  .array(z.url({ protocol: /^https?$/ }))
  .max(100)
  .default([])
const targets = z.array(redirectTarget).max(100).default([])

/** The stored record, in the vendor's field names. */
export const clientSettings = z.object({
  description: z.string().max(140).optional(),
  app_type: z.enum(APP_TYPES).default('regular_web'),
  logo_uri: z.url({ protocol: /^https?$/ }).optional(),
  client_uri: z.url({ protocol: /^https?$/ }).optional(),
  initiate_login_uri: z.url({ protocol: /^https?$/ }).optional(),
  /** What operators note of it, for rules to read. */
  client_metadata: z
    .record(z.string().min(1).max(255), z.string().max(255))
    .refine((metadata) => Object.keys(metadata).length <= 10, 'must have at most 10 properties')
    .default({}),
  /** Of clients that registered themselves (registration.ts). */
  policy_uri: z.url({ protocol: /^https?$/ }).optional(),
  tos_uri: z.url({ protocol: /^https?$/ }).optional(),
  contacts: z.array(z.string().max(320)).max(20).optional(),
  /** Seconds; `max_age` of requests that send none (OIDC Dynamic Client Registration 2). */
  default_max_age: z.number().int().min(0).optional(),
  /** Whether ID tokens always tell `auth_time`. */
  require_auth_time: z.boolean().optional(),
  is_first_party: z.boolean().default(true),
  /** Whether /authorize takes only what was pushed to /oauth/par. */
  require_pushed_authorization_requests: z.boolean().default(false),
  callbacks: targets,
  allowed_logout_urls: targets,
  web_origins: origins,
  allowed_origins: origins,
  /** Whether pages of its origins may log people in themselves (origins.ts); never where it is not first-party. */
  cross_origin_authentication: z.boolean().default(true),
  /** The vendor's record of back-channel logout: one address, and which ends of a session it hears of. */
  oidc_logout: z
    .object({
      backchannel_logout_urls: z.array(webAddress).max(1).default([]),
      backchannel_logout_initiators: z
        .object({
          mode: z.enum(['custom', 'all']).default('custom'),
          selected_initiators: z.array(z.string()).default([]),
        })
        .optional(),
    })
    .prefault({}),
  frontchannel_logout_uri: webAddress.optional(),
  /** Whether that address is handed `iss` and `sid`. */
  frontchannel_logout_session_required: z.boolean().default(false),
  /** Further realms of WS-Federation that are this client's (lib/protocols/wsfed/target.ts). */
  client_aliases: z.array(z.string().max(600)).max(100).default([]),
  grant_types: z.array(z.string().max(200)).max(50).optional(),
  token_endpoint_auth_method: z.enum(CLIENT_AUTH_METHODS).optional(),
  /** The vendor's record of keys; where it has some, `token_endpoint_auth_method` does not count. */
  client_authentication_methods: z.object({ private_key_jwt: z.object({ credentials }).optional() }).optional(),
  /** Its keys as a set (RFC 7517): of clients that registered themselves, and for operators who have one. */
  jwks: jwkSet.optional(),
  /** The one algorithm of its assertions; any that a key of the set allows where nothing is said. */
  token_endpoint_auth_signing_alg: z.enum(CLIENT_JWT_ALGORITHMS).optional(),
  /** Whether its `auth0-forwarded-for` counts (lib/oauth/forwarded-for.ts); never of a public client. */
  is_token_endpoint_ip_header_trusted: z.boolean().default(false),
  /** The vendor's record of signed requests (lib/protocols/oidc/request-object.ts), and the registered words for it. */
  signed_request_object: z
    .object({ required: z.boolean().default(false), credentials: credentials.default([]) })
    .prefault({}),
  require_signed_request_object: z.boolean().default(false),
  request_object_signing_alg: z.enum(CLIENT_JWT_ALGORITHMS).optional(),
  /** The API that this client speaks for: it may ask what that API's access tokens are worth. */
  resource_server_identifier: z.string().max(600).optional(),
  jwt_configuration: z
    .object({
      alg: z.literal('RS256', 'only RS256 is supported').default('RS256'),
      lifetime_in_seconds: z.number().int().positive().max(2592000).default(36000),
    })
    .prefault({}),
  refresh_token: z
    .object({
      rotation_type: z.enum(['rotating', 'non-rotating']).default('rotating'),
      expiration_type: z.enum(['expiring', 'non-expiring']).default('expiring'),
      leeway: z.number().int().min(0).max(60).default(15),
      token_lifetime: lifetime.default(30 * DAY),
      idle_token_lifetime: lifetime.default(15 * DAY),
      infinite_token_lifetime: z.boolean().default(false),
      infinite_idle_token_lifetime: z.boolean().default(false),
    })
    .prefault({}),
  /** Ours: when a login for it needs a second factor; unset, the tenant's `guardianPolicies` decide. */
  mfa_policy: z.enum(['never', 'always', 'risky']).optional(),
  /** Ours (threat-model.md D9): lets this client's own tokens arrive as `?access_token=` at /userinfo. */
  allow_userinfo_query_token: z.boolean().default(false),
  /** What it says of protocols other than OAuth, in the vendor's names of add-ons. */
  addons: z.object({ samlp: samlSettings.optional(), wsfed: wsfedSettings.optional() }).prefault({}),
  /** Ours: overrides the tenant's `compat.errors` for this client. */
  compat: z.object({ errors: z.enum(['vendor', 'rfc']).optional() }).prefault({}),
})

export type ClientSettings = z.output<typeof clientSettings>

export type RefreshPolicy = {
  rotating: boolean
  leewaySeconds: number
  /** Seconds, or null where the client's tokens never end by that rule. */
  absoluteSeconds: number | null
  idleSeconds: number | null
}

export type Client = {
  clientId: string
  name: string
  secretDigest: Uint8Array | null
  /** It registered itself (RFC 7591): no operator has looked at it. */
  isRegistered: boolean
  settings: ClientSettings
  /** Derived once when the record is read. */
  authMethod: ClientAuthMethod
  /** How it may authenticate: what is registered, or post and basic alike where nothing is. */
  authMethods: ReadonlySet<ClientAuthMethod>
  isPublic: boolean
  grantTypes: ReadonlySet<string>
  refresh: RefreshPolicy
}

export type ClientPort = {
  find(clientId: string): Promise<Client | null>
  /** Whose alias it is; null where several have it, since then it names nobody. */
  findByAlias(alias: string): Promise<Client | null>
  /** Every origin from which some client lets people log in. */
  loginOrigins(): Promise<readonly string[]>
  /** Of all first-party clients, whether people log in from them or not. */
  registeredOrigins(): Promise<readonly string[]>
}

export type ClientRecord = {
  clientId: string
  name: string
  secretDigest: Uint8Array | null
  settings: unknown
  isRegistered?: boolean
}

export function toClient(record: ClientRecord): Client {
  const settings = clientSettings.parse(record.settings)
  const named = namedMethod(settings)
  const authMethod = named ?? defaultAuthMethod(settings.app_type)
  const isPublic = authMethod === 'none'
  return {
    clientId: record.clientId,
    name: record.name,
    secretDigest: record.secretDigest,
    isRegistered: record.isRegistered ?? false,
    settings,
    authMethod,
    authMethods: new Set(named === undefined && !isPublic ? SECRET_METHODS : [authMethod]),
    isPublic,
    grantTypes: new Set(settings.grant_types ?? defaultGrantTypes(settings.app_type)),
    refresh: refreshPolicy(settings.refresh_token, isPublic),
  }
}

const SECRET_METHODS: ClientAuthMethod[] = ['client_secret_post', 'client_secret_basic']

/** What is registered; undefined where nothing is. */
const namedMethod = (settings: ClientSettings): ClientAuthMethod | undefined =>
  settings.client_authentication_methods?.private_key_jwt?.credentials.length
    ? 'private_key_jwt'
    : settings.token_endpoint_auth_method

/** Whether it asks for nothing in its own name but by requests that it signed. */
export const mustSign = ({ settings }: Client): boolean =>
  settings.signed_request_object.required || settings.require_signed_request_object

/** Whether it proves itself by something that we have to make and keep. */
export const usesSecret = ({ authMethod }: Client): boolean => SECRET_METHODS.includes(authMethod)

const defaultAuthMethod = (type: ClientSettings['app_type']): ClientAuthMethod =>
  type === 'spa' || type === 'native' ? 'none' : 'client_secret_post'

const defaultGrantTypes = (type: ClientSettings['app_type']): string[] =>
  type === 'non_interactive' ? ['client_credentials'] : ['authorization_code', 'refresh_token']

/** A public client's refresh tokens always rotate (RFC 9700 4.14.2), whatever the record says. */
function refreshPolicy(settings: ClientSettings['refresh_token'], isPublic: boolean): RefreshPolicy {
  const endless = settings.expiration_type === 'non-expiring'
  return {
    rotating: isPublic || settings.rotation_type === 'rotating',
    leewaySeconds: settings.leeway,
    absoluteSeconds: endless || settings.infinite_token_lifetime ? null : settings.token_lifetime,
    idleSeconds: endless || settings.infinite_idle_token_lifetime ? null : settings.idle_token_lifetime,
  }
}

export const matchRedirectUri = ({ settings }: Client, uri: string): boolean =>
  settings.callbacks.some(
    (registered) => admits(registered, uri) || (settings.app_type === 'native' && matchesLoopback(registered, uri)),
  )

/** Where an answer goes that was asked for without an address: the first that is one, not a pattern. */
export const firstCallback = ({ settings }: Client): string | undefined =>
  settings.callbacks.find((entry) => !isPattern(entry))

/** RP-initiated logout compares the whole URL, query included. */
export const matchPostLogoutUri = ({ settings }: Client, uri: string): boolean =>
  settings.allowed_logout_urls.some((registered) => admits(registered, uri))

/** Whether an entry, which may be a pattern, admits this very text. */
export const admits = (registered: string, uri: string): boolean =>
  (registered === uri && !isPattern(registered)) || matchesWildcard(registered, uri)

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(\/[^#]*)?$/

function matchesLoopback(registered: string, uri: string): boolean {
  const [expected, actual] = [LOOPBACK.exec(registered), LOOPBACK.exec(uri)]
  if (!expected || !actual || Number(actual[2] ?? 80) > 65535) return false
  return expected[1] === actual[1] && expected[3] === actual[3]
}

/** A star in the host makes an entry a pattern, which is never itself a target. */
const isPattern = (entry: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\*/i.test(entry)

/** `https://*.example.com/cb` matches one label in place of the star, the rest exactly. */
function matchesWildcard(registered: string, uri: string): boolean {
  const split = /^(https?:\/\/)\*(\.[^/*]+\.[^/*]+)(\/[^*]*)?$/.exec(registered)
  if (!split) return false
  const [, scheme = '', host = '', rest = ''] = split
  if (!uri.startsWith(scheme) || !uri.endsWith(`${host}${rest}`)) return false
  const label = uri.slice(scheme.length, uri.length - host.length - rest.length)
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)
}

/** Whether an entry of `allowed` admits `url`; an entry may hold a sub-domain star. */
export function matchLogoutUrl(allowed: readonly string[], url: string): boolean {
  const target = comparable(url)
  if (target === null || isPattern(target)) return false
  return allowed.map(comparable).some((entry) => entry !== null && (entry === target || matchesWildcard(entry, target)))
}

/** Where a browser goes that named no logout URL: the first that is one, not a pattern. */
export const firstLogoutUrl = ({ settings }: Client): string | undefined =>
  settings.allowed_logout_urls.find((entry) => !isPattern(entry))

/** Scheme and host in lower case, path as it is, no query or fragment; null when it is no plain absolute URL. */
function comparable(url: string): string | null {
  const parsed = parseTarget(url)
  return parsed && `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}
