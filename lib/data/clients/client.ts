// An application (client): its registered settings, and the comparisons that decide where a browser may be sent.
// - A redirect URI matches as an exact string (RFC 9700 2.1). The one exception is RFC 8252 7.3: a native app's registered http
//   loopback address matches on any port. So does `localhost`, which most command line tools register.
// - The left-most label of a host may have a placeholder (url-patterns.ts).
// - The logout URL of /v2/logout is compared without query and fragment, that of /oidc/logout as a whole; scheme and host are
//   case-insensitive.
import * as z from 'zod'
import {
  CLIENT_JWT_ALGORITHMS,
  DEFAULT_ALGORITHM,
  type SigningAlgorithm,
  signingAlgorithm,
} from '../../crypto/keys/algorithms'
import { orMeant, problemOfAddress, webUrl } from '../../kernel/address'
import { isAppOrigin, originOf } from '../../kernel/origin'
import { parseRedirectTarget, redirectTarget } from '../../kernel/redirect-target'
import { withoutEffect } from '../../kernel/schema'
import { credentials, jwkSet } from './credentials'
import { SECURITY_PROFILES, type SecurityProfile, underFapi2 } from './fapi2'
import { type MobileApps, mobileApps } from './mobile-apps'
import { samlSettings, writtenSaml } from './saml'
import { problemOfPattern } from './url-patterns'
import { wsfedSettings } from './wsfed'

const DAY = 86400

/** A longer leeway hides the theft of a token for as long. */
export const MAX_LEEWAY_SECONDS = 60

/** Seconds; `infinite_…` sets a longer lifetime. */
const lifetime = z
  .number()
  .int()
  .positive()
  .max(3650 * DAY)

export const APP_TYPES = ['spa', 'native', 'regular_web', 'non_interactive'] as const
export const DEFAULT_APP_TYPE: (typeof APP_TYPES)[number] = 'regular_web'
/**
 * The vendor's other types: integrations of its catalogue. Here they are names without a meaning of their own. Such a client is
 * confidential, and has the grants that its record lists and no others.
 */
export const FOREIGN_APP_TYPES = [
  'box',
  'cloudbees',
  'concur',
  'dropbox',
  'echosign',
  'egnyte',
  'express_configuration',
  'mscrm',
  'newrelic',
  'oag',
  'office365',
  'resource_server',
  'rms',
  'salesforce',
  'sentry',
  'sharepoint',
  'slack',
  'springcm',
  'sso_integration',
  'zendesk',
  'zoom',
] as const
export const CLIENT_AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'] as const
const AUTH_METHOD_LABELS = {
  none: 'Not at all (none)',
  client_secret_post: 'By its secret, in the body (client_secret_post)',
  client_secret_basic: 'By its secret, in a header (client_secret_basic)',
  private_key_jwt: 'By a signature with its key (private_key_jwt)',
}
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number]

/** At most 512 characters (OIDC Core 6.2), with a fragment that may identify the content. */
const requestUris = z
  .array(
    z
      .url({ protocol: /^https$/, error: orMeant('must be an https URL', { secure: true }) })
      .max(512)
      .refine((value) => !/[\s*]/.test(value), 'must have no wildcard'),
  )
  .max(10)

/** An address of the application that the server calls or frames: no fragment, no user info. */
const webAddress = redirectTarget.refine((value) => /^https?:/i.test(value), {
  error: orMeant('must begin with https:// or http://'),
})

/** An address of the web counts by its origin; that of an app or an extension is its origin itself. */
const origin = z
  .string()
  .max(2000)
  .refine((value) => webUrl.safeParse(value).success || isAppOrigin(value), {
    error: orMeant('must be an origin such as https://app.example'),
  })
const origins = z.array(origin).max(100).default([])
const targets = z.array(redirectTarget).max(100).default([])

type Placeholders = { organization: boolean }

/** Schemes that address the browser or the system, and no application. */
const NO_APPLICATION = ['about:', 'intent:', 'filesystem:', 'view-source:']

const applicationTarget = redirectTarget.refine(
  (value) => !NO_APPLICATION.includes(parseRedirectTarget(value)?.protocol ?? ''),
  'must be the URL of an application',
)

const writtenTarget = (placeholders: Placeholders) =>
  applicationTarget.superRefine((value, context) =>
    report(problemOfAddress(value) ?? problemOfPattern(value, placeholders), context),
  )

const writtenOrigin = (placeholders: Placeholders) =>
  origin.superRefine((value, context) =>
    report(problemOfAddress(value) ?? problemOfPattern(originOf(value) ?? value, placeholders), context),
  )

function report(problem: string | null, context: z.RefinementCtx): void {
  if (problem !== null) context.addIssue(problem)
}

const isOfNoSystem = (value: string): boolean => !/^(?:https?|wss?|ftp|mailto|tel|sms):/i.test(value)

/** URIs of applications that may register themselves with them (registration-urls.ts): of no scheme that the web or the system has. */
const privateUse = (uri: z.ZodString) =>
  z.array(uri.refine(isOfNoSystem, 'must have the scheme of an application').max(2000)).max(100)
export const privateUseUris = privateUse(applicationTarget)

/** What may be written: nothing that could never match. Older records may have it. */
const writtenLogoutUrls = z.array(writtenTarget({ organization: false })).max(100)
export const writtenTenantUrls = {
  allowed_logout_urls: writtenLogoutUrls,
  private_use_redirect_uris: privateUse(writtenTarget({ organization: false })),
}
export const writtenUrls = {
  callbacks: z.array(writtenTarget({ organization: true })).max(100),
  allowed_logout_urls: writtenLogoutUrls,
  web_origins: z.array(writtenOrigin({ organization: false })).max(100),
  allowed_origins: z.array(writtenOrigin({ organization: true })).max(100),
}
/** OIDC Core 4. */
export const LOGIN_URI = orMeant('must be an https URL, also on loopback', { secure: true })
export const writtenLoginUri = z.url({ protocol: /^https$/, error: LOGIN_URI })
export const writtenAddons = z.object({ samlp: writtenSaml.optional(), wsfed: wsfedSettings.optional() })

/** On behalf of a person by an API: the vendor's other type does not exist here. */
const exchangeType = withoutEffect(
  z.enum(['custom_authentication', 'on_behalf_of_token_exchange']),
  (type) => type !== 'custom_authentication',
)

/** The stored record, with the vendor's field names. */
/** How long a pushed request can be used, where the client does not say. */
export const PUSHED_SECONDS = 30

export const clientSettings = z.object({
  description: z
    .string()
    .max(140)
    .optional()
    .meta({ title: 'Description', help: 'For administrators.', group: 'basics', order: 12, multiline: true }),
  app_type: z
    .enum([...APP_TYPES, ...FOREIGN_APP_TYPES], `Invalid option: expected one of "${APP_TYPES.join('"|"')}"`)
    .default(DEFAULT_APP_TYPE)
    .meta({
      title: 'Kind',
      help: 'Decides the safe defaults: how it authenticates and which grants it may use.',
      group: 'basics',
      order: 13,
      options: {
        regular_web: 'Regular web application',
        spa: 'Single-page application',
        native: 'Native application',
        non_interactive: 'Machine to machine',
      },
    }),
  logo_uri: webUrl.optional().meta({
    format: 'address',
    title: 'Logo',
    help: 'The https address of an image, shown on the login page.',
    group: 'basics',
    order: 14,
  }),
  client_uri: webUrl.optional().meta({
    title: 'Home page',
    help: 'The https address of the application, shown with a request for consent.',
    group: 'basics',
    order: 16,
  }),
  /** Older records may have http. */
  initiate_login_uri: webUrl.optional().meta({
    format: 'address',
    title: 'Login page of the application',
    help: 'Where a login starts that did not start in the application.',
    group: 'addresses',
    order: 25,
  }),
  /** Operators' metadata, which actions and claim rules can read. */
  client_metadata: z
    .record(z.string().min(1).max(255), z.string().max(255))
    .refine((metadata) => Object.keys(metadata).length <= 10, 'must have at most 10 properties')
    .default({})
    .meta({
      title: 'Metadata',
      help: 'Names and values that actions and claim rules can read.',
      group: 'metadata',
      order: 91,
    }),
  /** Set by dynamic client registration (registration.ts). */
  policy_uri: webUrl.optional().meta({
    title: 'Privacy policy',
    help: 'Its address, shown with a request for consent.',
    group: 'basics',
    order: 17,
  }),
  tos_uri: webUrl.optional().meta({
    title: 'Terms of service',
    help: 'Their address, shown with a request for consent.',
    group: 'basics',
    order: 18,
  }),
  contacts: z
    .array(z.string().max(320))
    .max(20)
    .optional()
    .meta({ title: 'Contacts', help: 'E-mail addresses of who is responsible for it.', group: 'basics', order: 19 }),
  /** Seconds; the `max_age` of requests without one (OIDC Dynamic Client Registration 2). */
  default_max_age: z.number().int().min(0).optional().meta({
    title: 'Oldest login',
    help: 'How old a login may be where a request does not say.',
    unset: 'of any age',
    unit: 'seconds',
    group: 'login',
    order: 35,
  }),
  /** The `acr_values` of requests that ask for no `acr`. */
  default_acr_values: z.array(z.string().max(200)).max(20).optional().meta({
    title: 'Authentication contexts',
    help: 'What a request without acr_values asks for.',
    group: 'login',
    order: 36,
  }),
  /** Whether ID tokens always contain `auth_time`. */
  require_auth_time: z.boolean().optional().meta({
    title: 'Time of the login in ID tokens',
    help: 'Always, not only where a request asks for it.',
    group: 'login',
    order: 37,
  }),
  is_first_party: z.boolean().default(true).meta({
    title: 'First-party application',
    help: 'Your own. One of a third party asks users for consent.',
    group: 'basics',
    order: 15,
  }),
  /** Ours: a profile that sets and forbids several settings at once (fapi2.ts); the tenant's setting is for all its clients. */
  security_profile: z
    .enum(SECURITY_PROFILES)
    .optional()
    .meta({
      title: 'Security profile',
      help: 'FAPI 2.0: keys instead of secrets, pushed requests, PKCE and bound tokens, together. Settings that contradict it are refused.',
      unset: 'the profile of the tenant, if it has one',
      group: 'login',
      order: 33,
      options: { fapi2: 'FAPI 2.0' },
    }),
  /** Whether /authorize accepts only requests pushed to /oauth/par. */
  require_pushed_authorization_requests: z
    .boolean()
    .default(false)
    .meta({ title: 'Pushed requests only', help: 'Logins must start at /oauth/par.', group: 'login', order: 34 }),
  /** Seconds for which a pushed request can be used. */
  par_request_expiry: z.number().int().min(10).max(600).optional().meta({
    title: 'Lifetime of pushed requests',
    unit: 'seconds',
    standard: PUSHED_SECONDS,
    group: 'login',
    order: 34.5,
  }),
  /** Whether logins may be, or must be, for an organization, and what is asked of a person where the request names none. */
  organization_usage: z
    .enum(['deny', 'allow', 'require'])
    .default('deny')
    .meta({
      title: 'Organizations',
      help: 'Whether users sign in to it as members of an organization.',
      group: 'login',
      order: 32,
      options: { deny: 'No', allow: 'Allowed', require: 'Required' },
    }),
  organization_require_behavior: z
    .enum(['no_prompt', 'pre_login_prompt', 'post_login_prompt'])
    .default('no_prompt')
    .meta({
      title: 'Which organization',
      help: 'What happens where a request names none and one is required.',
      group: 'login',
      order: 32.1,
      options: {
        no_prompt: 'The request is refused',
        pre_login_prompt: 'The user names it before the login',
        post_login_prompt: 'The user chooses it after the login',
      },
    }),
  /** How the pre-login prompt finds the organization; by its name if absent. */
  organization_discovery_methods: z
    .array(z.enum(['email', 'organization_name']))
    .min(1)
    .max(2)
    .optional()
    .meta({
      title: 'How users name it',
      help: 'Before the login; by its name if nothing is chosen.',
      group: 'login',
      order: 32.2,
      options: { email: 'By their e-mail address', organization_name: 'By its name' },
    }),
  /** The organization of tokens for the client itself where a request names none. */
  default_organization: z
    .object({
      organization_id: z.string().max(100).meta({
        title: 'Default organization',
        help: 'Of its tokens where a request names none. To have none, empty both.',
        unset: 'none',
        picker: 'organizations',
        group: 'login',
        order: 32.3,
      }),
      flows: z
        .array(z.enum(['client_credentials']))
        .max(1)
        .meta({
          title: 'Where the default organization holds',
          options: { client_credentials: 'For tokens of the application itself, without a user' },
          group: 'login',
          order: 32.4,
        }),
    })
    .nullish(),
  callbacks: targets.meta({
    title: 'Allowed callback URLs',
    format: 'address',
    help: 'Where users return after the login. Whole addresses; in place of one sub-domain, * is allowed.',
    group: 'addresses',
    order: 21,
  }),
  allowed_logout_urls: targets.meta({
    title: 'Allowed logout URLs',
    format: 'address',
    help: 'Where users may return after the logout.',
    group: 'addresses',
    order: 22,
  }),
  web_origins: origins.meta({
    title: 'Allowed web origins',
    format: 'origin',
    help: 'Origins whose pages renew tokens in the background, such as https://shop.example.',
    group: 'addresses',
    order: 23,
  }),
  allowed_origins: origins.meta({
    title: 'Allowed origins (CORS)',
    format: 'origin',
    help: 'Origins whose pages call this server directly.',
    group: 'addresses',
    order: 24,
  }),
  /** Whether pages of its origins may log people in themselves (origins.ts); never for a third-party client. */
  cross_origin_authentication: z.boolean().default(false).meta({
    title: 'Logins within its own pages',
    help: 'Pages of its origins may sign users in themselves. Never for a third-party application.',
    group: 'login',
    order: 38,
  }),
  /** The vendor's record of back-channel logout: one URL, and the causes of logout that it is notified of. */
  oidc_logout: z
    .object({
      backchannel_logout_urls: z.array(webAddress).max(1).default([]).meta({
        title: 'Back-channel logout URL',
        help: 'This server reports ended sessions there.',
        group: 'logout',
        order: 61,
      }),
      backchannel_logout_initiators: z
        .object({
          mode: z
            .enum(['custom', 'all'])
            .default('custom')
            .meta({
              title: 'Reported logouts',
              group: 'logout',
              order: 62,
              options: { custom: 'Those that are chosen', all: 'All' },
            }),
          selected_initiators: z.array(z.string()).default([]).meta({
            title: 'Chosen logouts',
            help: 'Causes, such as rp-logout or password-changed.',
            group: 'logout',
            order: 63,
          }),
        })
        .optional(),
    })
    .prefault({}),
  frontchannel_logout_uri: webAddress.optional().meta({
    title: 'Front-channel logout URL',
    help: 'A page that browsers load when the session ends.',
    group: 'logout',
    order: 64,
  }),
  /** Whether that URL receives `iss` and `sid`. */
  frontchannel_logout_session_required: z
    .boolean()
    .default(false)
    .meta({ title: 'Name the session to that page', help: 'It gets iss and sid.', group: 'logout', order: 65 }),
  /** Further WS-Federation realms of this client (lib/protocols/wsfed/target.ts). */
  client_aliases: z.array(z.string().max(600)).max(100).default([]).meta({
    title: 'Further realms',
    help: 'Names by which WS-Federation requests may name the application.',
    group: 'wsfed',
    order: 331,
  }),
  grant_types: z
    .array(z.string().max(200))
    .max(50)
    .optional()
    .meta({ title: 'Grants', help: 'The ways in which it may get tokens.', group: 'credentials', order: 52 }),
  /** Whether it may exchange tokens of elsewhere (lib/protocols/oauth/grants/token-exchange.ts); `grant_types` does not say so. */
  token_exchange: z
    .object({
      allow_any_profile_of_type: z
        .array(exchangeType)
        .max(10)
        .default([])
        .meta({
          title: 'Token exchange',
          help: 'It may exchange tokens of other issuers, by the profiles of the tenant.',
          group: 'credentials',
          order: 56,
          options: { custom_authentication: 'Custom profiles' },
        }),
    })
    .optional(),
  token_endpoint_auth_method: z.enum(CLIENT_AUTH_METHODS).optional().meta({
    title: 'How it authenticates',
    help: 'A browser or mobile app has no secret.',
    unset:
      'as its kind does: no secret for a single-page or native application, else its secret, in the body or a header',
    options: AUTH_METHOD_LABELS,
    group: 'credentials',
    order: 51,
  }),
  /** Public keys registered through the Management API; the authentication method refers to them by id. */
  credentials: credentials.default([]),
  /** The vendor's record of keys; if it has any, `token_endpoint_auth_method` is ignored. */
  client_authentication_methods: z.object({ private_key_jwt: z.object({ credentials }).optional() }).optional(),
  /** Its keys as a JWK Set (RFC 7517): of clients that registered themselves, or set by an operator. */
  jwks: jwkSet.optional(),
  /** Where it publishes that set instead (key-sets.ts). */
  jwks_uri: webAddress
    .refine((value) => /^https:/i.test(value), { error: orMeant('must be an https URL', { secure: true }) })
    .max(2000)
    .optional()
    .meta({
      title: 'Address of its keys',
      help: 'Where it publishes its public keys, as a JWK Set.',
      group: 'credentials',
      order: 53,
    }),
  /** The only algorithm of its assertions; if absent, any that a key of the set allows. */
  token_endpoint_auth_signing_alg: z.enum(CLIENT_JWT_ALGORITHMS).optional().meta({
    title: 'Algorithm of its assertions',
    unset: 'any that its keys allow',
    group: 'credentials',
    order: 54,
  }),
  /** Whether its `auth0-forwarded-for` header is trusted (lib/protocols/oauth/forwarded-for.ts); never for a public client. */
  is_token_endpoint_ip_header_trusted: z.boolean().default(false).meta({
    title: 'Trust auth0-forwarded-for',
    help: 'The header of its requests says the address of the user. Never for an application without a secret or key.',
    group: 'credentials',
    order: 55,
  }),
  /** The vendor's record of signed requests (lib/protocols/oidc/request-object.ts), and the registered metadata for it. */
  signed_request_object: z
    .object({
      required: z.boolean().default(false).meta({
        title: 'Signed requests only',
        help: 'Requests must be signed with one of its keys (RFC 9101).',
        group: 'requests',
        order: 71,
      }),
      credentials: credentials.default([]),
    })
    .prefault({}),
  /** It also limits how long they are valid. */
  require_signed_request_object: z.boolean().default(false).meta({
    title: 'Signed and short-lived requests only',
    help: 'It also limits how long they are valid.',
    group: 'requests',
    order: 72,
  }),
  /** Where it keeps request objects (lib/protocols/oidc/request-uri.ts). */
  request_uris: requestUris.default([]).meta({
    title: 'Addresses of its requests',
    help: 'Where it keeps request objects.',
    group: 'requests',
    order: 73,
  }),
  /** Whether its access tokens must be bound to a key (RFC 9449). */
  require_proof_of_possession: z.boolean().default(false).meta({
    title: 'Bound tokens (DPoP)',
    help: 'Access tokens must be bound to a key of the application.',
    group: 'tokens',
    order: 47,
  }),
  request_object_signing_alg: z
    .enum(CLIENT_JWT_ALGORITHMS)
    .optional()
    .meta({ title: 'Algorithm of its requests', unset: 'any that its keys allow', group: 'requests', order: 74 }),
  /** The API that this client is the resource server of: it may introspect that API's access tokens. */
  resource_server_identifier: z.string().max(600).optional().meta({
    title: 'Its own API',
    help: 'The audience of the API that it is: it may introspect that API’s access tokens.',
    group: 'credentials',
    order: 57,
  }),
  jwt_configuration: z
    .object({
      /** What signs its ID tokens and logout tokens. */
      alg: signingAlgorithm
        .default(DEFAULT_ALGORITHM)
        .meta({ title: 'Algorithm of ID tokens', group: 'tokens', order: 40 }),
      lifetime_in_seconds: z
        .number()
        .int()
        .positive()
        .max(2592000)
        .default(36000)
        .meta({ title: 'Lifetime of ID tokens', unit: 'seconds', group: 'tokens', order: 41 }),
    })
    .prefault({}),
  refresh_token: z
    .object({
      rotation_type: z
        .enum(['rotating', 'non-rotating'])
        .default('rotating')
        .meta({
          title: 'Rotation of refresh tokens',
          help: 'A rotating token is replaced at each use, so a stolen one is noticed.',
          group: 'tokens',
          order: 42,
          options: { rotating: 'Rotating', 'non-rotating': 'Not rotating' },
        }),
      expiration_type: z
        .enum(['expiring', 'non-expiring'])
        .default('expiring')
        .meta({
          title: 'Expiry of refresh tokens',
          group: 'tokens',
          order: 43,
          options: { expiring: 'Expiring', 'non-expiring': 'Never expiring' },
        }),
      leeway: z
        .number()
        .int()
        .min(0)
        .max(MAX_LEEWAY_SECONDS, `must be at most ${MAX_LEEWAY_SECONDS} seconds`)
        .default(15)
        .meta({
          title: 'Overlap of refresh tokens',
          help: 'How long the token before is still accepted.',
          unit: 'seconds',
          group: 'tokens',
          order: 44,
        }),
      token_lifetime: lifetime.default(30 * DAY).meta({
        title: 'Longest lifetime of refresh tokens',
        help: 'However often it is used.',
        unit: 'seconds',
        group: 'tokens',
        order: 45,
      }),
      idle_token_lifetime: lifetime
        .default(15 * DAY)
        .meta({ title: 'Lifetime of refresh tokens without use', unit: 'seconds', group: 'tokens', order: 46 }),
      infinite_token_lifetime: z
        .boolean()
        .default(false)
        .meta({ title: 'No longest lifetime', group: 'tokens', order: 45.5 }),
      infinite_idle_token_lifetime: z
        .boolean()
        .default(false)
        .meta({ title: 'No end without use', group: 'tokens', order: 46.5 }),
    })
    .prefault({}),
  /** Its apps on phones. */
  mobile: mobileApps.optional(),
  /** Ours: when a login needs a second factor; if absent, the tenant's `guardianPolicies` decide. */
  mfa_policy: z
    .enum(['never', 'always', 'risky', 'enrolled'])
    .optional()
    .meta({
      title: 'Second factor',
      unset: 'the policy of the tenant decides',
      group: 'login',
      order: 31,
      options: { never: 'Never', always: 'Always', risky: 'When a login is risky', enrolled: 'For users who have one' },
    }),
  /** Whether /userinfo answers this client with a signed JWT (OIDC Core 5.3.2). */
  userinfo_signed_response_alg: signingAlgorithm.optional().meta({
    title: 'Algorithm of /userinfo',
    help: 'If one is chosen, the answer is a signed JWT.',
    unset: 'the answer is JSON without a signature',
    group: 'tokens',
    order: 48,
  }),
  /** What signs its authorization responses of the modes that end in `jwt` (JARM 3). */
  authorization_signed_response_alg: signingAlgorithm.optional().meta({
    title: 'Algorithm of answers',
    help: 'Of answers to /authorize that are JWTs.',
    unset: `${DEFAULT_ALGORITHM}, or what its security profile asks for`,
    group: 'tokens',
    order: 49,
  }),
  /** Ours (threat-model.md D9): accepts this client's own tokens as `?access_token=` at /userinfo. */
  allow_userinfo_query_token: z.boolean().default(false).meta({
    title: 'Access token in the address of /userinfo',
    help: 'Its tokens may stand there, so they get into logs. Only for old software.',
    group: 'tokens',
    order: 49.5,
  }),
  /** Settings of protocols other than OAuth, under the vendor's add-on names. */
  addons: z.object({ samlp: samlSettings.optional(), wsfed: wsfedSettings.optional() }).prefault({}),
  /** Ours: overrides the tenant's `compat.errors` for this client. */
  compat: z
    .object({
      errors: z
        .enum(['vendor', 'rfc'])
        .optional()
        .meta({
          title: 'Form of errors',
          unset: 'that of the tenant',
          group: 'requests',
          order: 75,
          options: { vendor: 'As at Auth0', rfc: 'As in the RFCs' },
        }),
    })
    .prefault({}),
})

export type ClientSettings = z.output<typeof clientSettings>

/** What signs for a client. */
export const algorithmsOf = (settings: ClientSettings): SigningAlgorithm[] =>
  [
    settings.jwt_configuration.alg,
    settings.userinfo_signed_response_alg,
    settings.authorization_signed_response_alg,
  ].filter((algorithm) => algorithm !== undefined)

export type RefreshPolicy = {
  rotating: boolean
  leewaySeconds: number
  /** Seconds, or null if the client's tokens have no such expiry. */
  absoluteSeconds: number | null
  idleSeconds: number | null
}

export type Client = {
  clientId: string
  name: string
  secretDigest: Uint8Array | null
  /** The secret before, which authenticates until then. */
  earlierSecret: { digest: Uint8Array; expiresAt: Date } | null
  /** The client registered itself (RFC 7591): no operator has reviewed it. */
  isRegistered: boolean
  settings: ClientSettings
  /** Derived once, when the record is read. */
  authMethod: ClientAuthMethod
  /** The allowed methods: the registered one, or both post and basic if none is registered. */
  authMethods: ReadonlySet<ClientAuthMethod>
  isPublic: boolean
  grantTypes: ReadonlySet<string>
  refresh: RefreshPolicy
  /** The profile that the members above follow. */
  profile: SecurityProfile | null
}

export type ClientPort = {
  find(clientId: string): Promise<Client | null>
  /** The client with this alias; null if several clients have it, because it is ambiguous. */
  findByAlias(alias: string): Promise<Client | null>
  /** Every origin from which a client lets people log in. */
  loginOrigins(): Promise<readonly string[]>
  /** The origins of all first-party clients, with or without cross-origin login. */
  registeredOrigins(): Promise<readonly string[]>
  /** The apps of all first-party clients. */
  mobileApps(): Promise<readonly MobileApps[]>
}

export type ClientRecord = {
  clientId: string
  name: string
  secretDigest: Uint8Array | null
  earlierSecretDigest?: Uint8Array | null
  earlierSecretExpiresAt?: Date | null
  settings: unknown
  isRegistered?: boolean
}

export function toClient(record: ClientRecord): Client {
  const settings = clientSettings.parse(record.settings)
  const named = namedMethod(settings)
  const authMethod = named ?? defaultAuthMethod(settings.app_type)
  const isPublic = authMethod === 'none'
  const client: Client = {
    clientId: record.clientId,
    name: record.name,
    secretDigest: record.secretDigest,
    earlierSecret: earlierSecretOf(record),
    isRegistered: record.isRegistered ?? false,
    settings,
    authMethod,
    authMethods: new Set(named === undefined && !isPublic ? SECRET_METHODS : [authMethod]),
    isPublic,
    grantTypes: grantTypesOf(settings),
    refresh: refreshPolicy(settings.refresh_token, isPublic),
    profile: null,
  }
  return settings.security_profile === 'fapi2' ? underFapi2(client) : client
}

const earlierSecretOf = ({ earlierSecretDigest: digest, earlierSecretExpiresAt: expiresAt }: ClientRecord) =>
  digest && expiresAt ? { digest, expiresAt } : null

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

function grantTypesOf({ grant_types, app_type, token_exchange }: ClientSettings): Set<string> {
  const types = (grant_types ?? defaultGrantTypes(app_type)).filter((type) => type !== TOKEN_EXCHANGE)
  const exchanges = token_exchange?.allow_any_profile_of_type.includes('custom_authentication') ?? false
  return new Set(exchanges ? [...types, TOKEN_EXCHANGE] : types)
}

const SECRET_METHODS: ClientAuthMethod[] = ['client_secret_post', 'client_secret_basic']

/** Grants without a login. */
const NO_LOGIN = ['client_credentials', 'refresh_token', TOKEN_EXCHANGE]

export const signsUsersIn = ({ grantTypes }: { grantTypes: Iterable<string> }): boolean =>
  [...grantTypes].some((grant) => !NO_LOGIN.includes(grant))

/** The registered method; undefined if there is none. */
const namedMethod = (settings: ClientSettings): ClientAuthMethod | undefined =>
  settings.client_authentication_methods?.private_key_jwt?.credentials.length
    ? 'private_key_jwt'
    : settings.token_endpoint_auth_method

/** Whether the client's requests must be signed. */
export const mustSign = ({ settings }: Client): boolean =>
  settings.signed_request_object.required || settings.require_signed_request_object

/** The purpose of the keyed digest of a client secret. */
export const SECRET_PURPOSE = 'client-secret'

/** A secret can be guessed online, however it is stored: 16 random characters are the minimum that resists it. */
export const MIN_SECRET_LENGTH = 16

/** Whether it authenticates with a secret that the server generates and stores. */
export const usesSecret = ({ authMethod }: Client): boolean => SECRET_METHODS.includes(authMethod)

const defaultAuthMethod = (type: ClientSettings['app_type']): ClientAuthMethod =>
  type === 'spa' || type === 'native' ? 'none' : 'client_secret_post'

function defaultGrantTypes(type: ClientSettings['app_type']): string[] {
  if (isForeignType(type)) return []
  return type === 'non_interactive' ? ['client_credentials'] : ['authorization_code', 'refresh_token']
}

export const isForeignType = (type: unknown): boolean => FOREIGN_APP_TYPES.some((each) => each === type)

/** A public client's refresh tokens always rotate (RFC 9700 4.14.2), regardless of the record. */
function refreshPolicy(settings: ClientSettings['refresh_token'], isPublic: boolean): RefreshPolicy {
  const endless = settings.expiration_type === 'non-expiring'
  return {
    rotating: isPublic || settings.rotation_type === 'rotating',
    leewaySeconds: settings.leeway,
    absoluteSeconds: endless || settings.infinite_token_lifetime ? null : settings.token_lifetime,
    idleSeconds: endless || settings.infinite_idle_token_lifetime ? null : settings.idle_token_lifetime,
  }
}
