// The settings of a tenant, under the names of the vendor's tenant, branding and attack-protection records, with our defaults.
// Read from the database through `tenantSettings.parse`, so a field that a newer version adds has its default on an older row.
import * as z from 'zod'
import { webUrl } from '../../kernel/address'
import { HEX_COLOUR } from '../../kernel/hex-colour'
import type { Json } from '../../kernel/json'
import { redirectTarget } from '../../kernel/redirect-target'
import { withoutEffect } from '../../kernel/schema'
import { webResource } from '../../kernel/web-resource'
import { privateUseUris } from '../clients/client'
import { SECURITY_PROFILES } from '../clients/fapi2'
import { LIMIT_NAMES } from '../rate-limit/limits'
import { claimRulesSection } from './claim-rule'
import type { CustomDomain } from './custom-domain'
import type { Theme } from './theme'
import { triggersSection } from './triggers'

const HOURS = 3600

/** A text of five or seven digits is no colour, and was taken as one before. */
const isNoColour = (value: Json): boolean => typeof value === 'string' && !HEX_COLOUR.test(value)
const color = withoutEffect(z.string().regex(/^#[0-9a-fA-F]{3,8}$/, 'must be a hex colour like #1f6feb'), isNoColour)
export const tenantSection = z.object({
  friendly_name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ title: 'Name', help: 'Login pages and mails show it.', group: 'basics', order: 11 }),
  picture_url: webUrl.optional().meta({
    format: 'address',
    title: 'Logo',
    help: 'The address of an image, used where the branding has no logo.',
    group: 'basics',
    order: 12,
  }),
  support_email: z
    .email()
    .optional()
    .meta({ format: 'e-mail', title: 'Support address', help: 'Mails name it.', group: 'basics', order: 13 }),
  support_url: webUrl.optional().meta({
    format: 'address',
    title: 'Support page',
    help: 'Login pages and mails link it.',
    group: 'basics',
    order: 14,
  }),
  allowed_logout_urls: z.array(redirectTarget).max(100).default([]).meta({
    title: 'Allowed logout URLs',
    format: 'address',
    help: 'Where users may return after a logout that names no application. The first is used if the request names none.',
    group: 'login',
    order: 44,
  }),
  /** Ours: exact redirect URIs that clients may register for themselves though their scheme is not named after a domain. */
  private_use_redirect_uris: privateUseUris.default([]).meta({
    title: 'Redirect URIs of apps',
    format: 'address',
    help: 'Exact URIs that clients may register for themselves although their scheme is not named after a domain.',
    group: 'protocols',
    order: 62,
  }),
  default_audience: z
    .string()
    .max(600)
    .optional()
    .meta({ title: 'API', help: 'The audience of tokens, if a request names none.', group: 'login', order: 42 }),
  /** `compatibility`: where a request has no `audience`, its `resource` names the API (RFC 8707). */
  resource_parameter_profile: z
    .enum(['audience', 'compatibility'])
    .default('audience')
    .meta({
      title: 'How requests name an API',
      group: 'protocols',
      order: 64,
      options: { audience: 'By audience', compatibility: 'By audience, or by resource (RFC 8707)' },
    }),
  /** Ours: the profile of all clients of the tenant (lib/data/clients/fapi2.ts). */
  security_profile: z
    .enum(SECURITY_PROFILES)
    .optional()
    .meta({
      title: 'Security profile of all applications',
      help: 'FAPI 2.0: an application without a registered key can no longer log users in.',
      unset: 'each application has its own, or none',
      group: 'protocols',
      order: 63,
      options: { fapi2: 'FAPI 2.0' },
    }),
  /** The connection of the `password` grant and the login page if a request names none. */
  default_directory: z.string().max(128).optional().meta({
    title: 'Database of users',
    help: 'Used by the password grant, and by the login page if a request names no connection.',
    unset: 'the password grant is refused, and the login page begins with the first database of the application',
    picker: 'databases',
    group: 'login',
    order: 41,
  }),
  default_redirection_uri: webUrl.optional().meta({
    format: 'address',
    title: 'Way back',
    help: 'Where users go from a page that does not know their application, such as an expired link.',
    group: 'login',
    order: 43,
  }),
  /** Whether requests may give an organization by its name, and tokens contain the name. */
  allow_organization_name_in_authentication_api: z.boolean().default(false).meta({
    title: 'Names of organizations',
    help: 'Requests may name an organization instead of its ID, and tokens contain the name.',
    group: 'login',
    order: 45,
  }),
  enabled_locales: z.array(z.string().max(20)).optional().meta({
    title: 'Languages',
    help: 'The first is the default; without any, all are offered.',
    picker: 'languages',
    group: 'languages',
    order: 21,
  }),
  /** In hours, as at the vendor. */
  session_lifetime: z.number().positive().max(8760).default(168).meta({
    title: 'Longest session',
    help: 'Counted from the login, however often it is used.',
    unit: 'hours',
    group: 'sessions',
    order: 31,
  }),
  idle_session_lifetime: z.number().positive().max(8760).default(72).meta({
    title: 'Session without use',
    help: 'An unused session ends after this time.',
    unit: 'hours',
    group: 'sessions',
    order: 32,
  }),
  /** The same for sessions whose cookie ends with the browser; without them the two above hold. */
  ephemeral_session_lifetime: z.number().positive().max(8760).optional().meta({
    title: 'Longest session of a browser',
    help: 'For sessions that end with the browser.',
    unset: 'the longest session above',
    unit: 'hours',
    group: 'sessions',
    order: 34,
  }),
  idle_ephemeral_session_lifetime: z.number().positive().max(8760).optional().meta({
    title: 'Session of a browser without use',
    help: 'For sessions that end with the browser.',
    unset: 'the session without use above',
    unit: 'hours',
    group: 'sessions',
    order: 35,
  }),
  session_cookie: z
    .object({
      mode: z
        .enum(['persistent', 'non-persistent'])
        .default('persistent')
        .meta({
          title: 'When the browser is closed',
          group: 'sessions',
          order: 33,
          options: { persistent: 'The session stays', 'non-persistent': 'The session ends' },
        }),
    })
    .prefault({}),
  flags: z
    .object({
      /** Whether any client may register itself at /oidc/register. */
      enable_dynamic_client_registration: z.boolean().default(false).meta({
        title: 'Applications register themselves',
        help: 'Anybody may register an application at /oidc/register. Its users are asked for consent.',
        group: 'protocols',
        order: 61,
      }),
      /** Whether sign-up reports a taken address; otherwise the response does not reveal which accounts exist. */
      enable_public_signup_user_exists_error: z.boolean().default(false).meta({
        title: 'Sign-up says that an account exists',
        help: 'Otherwise the answer does not tell strangers who has an account here.',
        group: 'accounts',
        order: 51,
      }),
    })
    .prefault({}),
  /** Ours: when a user who has another account with the same verified address is offered to link the two (docs/adr/0019). */
  suggest_account_linking: z
    .enum(['on_each_login', 'on_first_login', 'never_on_login'])
    .default('on_each_login')
    .meta({
      title: 'Linking accounts',
      help: 'When a user who has another account with the same verified address is asked to link the two.',
      group: 'accounts',
      order: 52,
      options: { on_each_login: 'At each login', on_first_login: 'At the first login', never_on_login: 'Never' },
    }),
  /** Ours: the picture of a user who has none: drawn initials, or Gravatar, which is sent a digest of the verified address. */
  default_picture: z
    .enum(['initials', 'gravatar'])
    .default('initials')
    .meta({
      title: 'Picture of users who have none',
      help: 'Gravatar gets a digest of the verified address.',
      group: 'accounts',
      order: 53,
      options: { initials: 'Initials', gravatar: 'Gravatar' },
    }),
  /** Ours: whether browsers remember who signed in, for the picker of accounts; never where the session cookie ends with them. */
  remember_accounts: z.boolean().default(true).meta({
    title: 'Browsers remember accounts',
    help: 'The login page offers the accounts that signed in before. Never where sessions end with the browser.',
    group: 'sessions',
    order: 36,
  }),
  /** Ours: whether a user who adds a second factor in the account portal is asked for it, where the policy is never (docs/adr/0051). */
  ask_for_own_factors: z.boolean().default(true).meta({
    title: 'Ask for second factors that users add themselves',
    help: 'A user who adds one in the account portal is asked for it at each login, also where the policy is never.',
    group: 'accounts',
    order: 54,
  }),
  /** Ours: days from a user's request until the account is deleted; false if users cannot delete their accounts themselves. */
  account_deletion_days: z
    .union([z.literal(false), z.number().int().min(1).max(90)])
    .default(7)
    .meta({
      title: 'Deleting accounts',
      help: 'A user who deletes the account can change their mind for this long.',
      group: 'accounts',
      order: 55,
    }),
  /** Ours: whether an administrator has to approve each of these deletions first. */
  account_deletion_approval: z.boolean().default(false).meta({
    title: 'Deletions of accounts need an approval',
    help: 'An administrator approves or refuses each of them on the page of the user.',
    group: 'accounts',
    order: 56,
  }),
  /** Ours: whether administrators of an organization connect an identity provider of its own in the account portal. */
  organization_connections: z.boolean().default(false).meta({
    title: 'Organizations connect their identity provider',
    help: 'Administrators of an organization set it up in the account portal.',
    group: 'accounts',
    order: 57,
  }),
  /** Ours: whether administrators prove a second factor to enter the console, also where the tenant has enabled none. */
  console_second_factor: z.boolean().default(true).meta({
    title: 'Second factor for this console',
    help: 'Every administrator proves one to enter, and sets it up at the first entry.',
    group: 'administrators',
    order: 71,
  }),
  /** Ours: how much the login inspector stores (docs/adr/0068). Failed logins are stored in any case. */
  login_inspector: z
    .object({
      successes_per_hour: z.number().int().min(0).max(100_000).default(120).meta({
        title: 'Logins with steps in an hour',
        help: 'So many are stored step by step whatever comes of them; beyond that only those that fail.',
        group: 'administrators',
        order: 72,
      }),
      days: z.number().int().min(1).max(90).default(7).meta({
        title: 'Days that steps of logins are kept',
        group: 'administrators',
        order: 73,
      }),
    })
    .prefault({}),
  /** Ours: selects between two published behaviours for clients. */
  compat: z
    .object({
      errors: z
        .enum(['vendor', 'rfc'])
        .default('vendor')
        .meta({
          title: 'Errors',
          group: 'protocols',
          order: 65,
          options: { vendor: 'As at Auth0', rfc: 'As in the standards' },
        }),
      updated_at: z
        .enum(['contract', 'iso8601', 'epoch'])
        .default('contract')
        .meta({
          title: 'Format of updated_at',
          group: 'protocols',
          order: 66,
          options: {
            contract: 'As at Auth0',
            iso8601: 'A text with date and time (ISO 8601)',
            epoch: 'A number of seconds (OpenID Connect)',
          },
        }),
      /** `core`: claims of scopes are in ID tokens only where no access token is issued (OIDC Core 5.4). */
      id_token_claims: z
        .enum(['contract', 'core'])
        .default('contract')
        .meta({
          title: 'Claims in ID tokens',
          group: 'protocols',
          order: 67,
          options: { contract: 'As at Auth0: always', core: 'As in OpenID Connect: only without an access token' },
        }),
    })
    .prefault({}),
  /** Ours: the name of a limit → its token bucket, or none; overrides lib/data/rate-limit/limits.ts. */
  rate_limits: z
    .partialRecord(
      z.enum(LIMIT_NAMES),
      z.union([
        z.literal(false),
        z.object({ burst: z.number().int().positive().max(1e9), per_minute: z.number().min(0.01).max(1e9) }),
      ]),
    )
    .default({})
    .meta({
      title: 'Limits',
      help: 'A limit with a row has other values than the default: so many at once, and so many a minute on the average; off, it has none.',
      merges: true,
      group: 'limits',
      order: 81,
    }),
})

const stop = z.string().regex(HEX_COLOUR, 'must be a hex colour like #1f6feb')
const gradient = z.object({
  type: z.literal('linear-gradient'),
  start: stop,
  end: stop,
  angle_deg: z.number().optional(),
})

export const brandingSection = z.object({
  logo_url: webUrl.optional(),
  favicon_url: webUrl.optional(),
  colors: z
    .object({
      primary: color.optional(),
      page_background: withoutEffect(z.union([color, gradient]), isNoColour).optional(),
    })
    .prefault({}),
  /** A font file. The theme's takes its place. */
  font: z.object({ url: webResource.optional() }).optional(),
})

/** No mail about attacks is sent, so `admin_notification` has no effect. */
const shield = <const S extends string>(...shields: S[]) =>
  withoutEffect(z.enum([...shields, 'admin_notification']), (value) => value === 'admin_notification')

const breachShields = (title: string, order: number) =>
  z
    .object({
      shields: z
        .array(shield('block'))
        .default(['block'])
        .meta({ title, group: 'breached_password_detection', order, options: { block: 'Refuse' } }),
    })
    .prefault({})

/** `auth_challenge` is a proof of work of this server, and only this server has `turnstile`; the others are the vendor's. */
export const CAPTCHA_PROVIDERS = [
  'auth_challenge',
  'recaptcha_v2',
  'recaptcha_enterprise',
  'hcaptcha',
  'turnstile',
] as const

const captchaKey = z.string().min(1).max(2000)
const siteKey = captchaKey.meta({ title: 'Site key', help: 'Browsers see it.', order: 1 })
const captchaSecret = (title: string) =>
  captchaKey.meta({ title, help: 'Stored encrypted and never shown. Empty keeps it.', order: 3, secret: true })
const keyed = z.object({ site_key: siteKey, secret: captchaSecret('Secret') })

export const captchaSection = z
  .object({
    active_provider_id: z
      .enum(CAPTCHA_PROVIDERS)
      .optional()
      .meta({
        title: 'Captcha',
        standard: 'auth_challenge',
        group: 'captcha',
        order: 1,
        options: {
          auth_challenge: 'Built in',
          recaptcha_v2: 'reCAPTCHA v2',
          recaptcha_enterprise: 'reCAPTCHA Enterprise',
          hcaptcha: 'hCaptcha',
          turnstile: 'Turnstile',
        },
      }),
    /** The secrets are sealed (lib/identity/captcha/secrets.ts). */
    recaptcha_v2: keyed.optional(),
    recaptcha_enterprise: z
      .object({
        site_key: siteKey,
        api_key: captchaSecret('API key'),
        project_id: captchaKey.max(200).meta({ title: 'Project ID', order: 2 }),
      })
      .optional(),
    hcaptcha: keyed.optional(),
    turnstile: keyed.optional(),
  })
  .refine(
    ({ active_provider_id: active = 'auth_challenge', ...keys }) => active === 'auth_challenge' || keys[active],
    'needs the keys of the active provider',
  )

export type CaptchaSettings = z.output<typeof captchaSection>

const captchaPolicy = (title: string, order: number) =>
  z
    .enum(['never', 'when_risky', 'always'])
    .default('never')
    .meta({
      title,
      group: 'bot_detection',
      order,
      options: { never: 'Never', when_risky: 'When risky', always: 'Always' },
    })

export const botDetectionSection = z.object({
  /** How many signs make a request risky (lib/identity/captcha/demand.ts). */
  bot_detection_level: z
    .enum(['low', 'medium', 'high'])
    .default('medium')
    .meta({
      title: 'How soon a request is risky',
      group: 'bot_detection',
      order: 1,
      options: { low: 'Late', medium: 'Medium', high: 'Early' },
    }),
  /** Of logins and sign-ups. */
  challenge_password_policy: captchaPolicy('Logins and sign-ups', 2),
  challenge_passwordless_policy: captchaPolicy('Logins without a password', 3),
  challenge_password_reset_policy: captchaPolicy('Password resets', 4),
  /** Addresses that are never challenged. */
  allowlist: z.array(z.string().max(100)).max(1000).default([]).meta({
    title: 'Exempt network addresses',
    format: 'network',
    help: 'IP addresses that never get a captcha.',
    group: 'bot_detection',
    order: 6,
  }),
  /** Requests are assessed and recorded, and not challenged. */
  monitoring_mode_enabled: z.boolean().default(false).meta({
    title: 'Only watch',
    help: 'Requests are judged and logged, and no captcha is shown.',
    group: 'bot_detection',
    order: 5,
  }),
})

export const attackProtectionSection = z.object({
  bruteForceProtection: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .meta({ title: 'Count wrong passwords', group: 'brute_force_protection', order: 1 }),
      max_attempts: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(10)
        .meta({ title: 'Wrong passwords in a row', help: '1 to 100.', group: 'brute_force_protection', order: 3 }),
      allowlist: z.array(z.string()).default([]).meta({
        title: 'Exempt network addresses',
        format: 'network',
        help: 'IP addresses that are never counted.',
        group: 'brute_force_protection',
        order: 5,
      }),
      /** Without `block` nothing is refused; without `user_notification` the owner of a blocked account gets no mail. */
      shields: z
        .array(z.enum(['block', 'user_notification']))
        .default(['block', 'user_notification'])
        .meta({
          title: 'What happens',
          group: 'brute_force_protection',
          order: 2,
          options: { block: 'Refuse', user_notification: 'Mail the user' },
        }),
      /** Whether failures of an account count separately per network, or together. */
      mode: z
        .enum(['count_per_identifier', 'count_per_identifier_and_ip'])
        .default('count_per_identifier_and_ip')
        .meta({
          title: 'How they are counted',
          help: 'Per network, an attacker elsewhere does not lock the owner out.',
          group: 'brute_force_protection',
          order: 4,
          options: {
            count_per_identifier_and_ip: 'Per account and network',
            count_per_identifier: 'Per account, over all networks',
          },
        }),
    })
    .prefault({}),
  suspiciousIpThrottling: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .meta({ title: 'Count failures of network addresses', group: 'suspicious_ip_throttling', order: 1 }),
      allowlist: z.array(z.string()).default([]).meta({
        title: 'Exempt network addresses',
        format: 'network',
        help: 'IP addresses that are never counted.',
        group: 'suspicious_ip_throttling',
        order: 5,
      }),
      /** Without `block` nothing is refused. */
      shields: z
        .array(shield('block'))
        .default(['block'])
        .meta({ title: 'What happens', group: 'suspicious_ip_throttling', order: 2, options: { block: 'Refuse' } }),
      stage: z
        .object({
          'pre-login': z
            .object({
              max_attempts: z
                .number()
                .int()
                .positive()
                .default(100)
                .meta({ title: 'Failed logins a day', group: 'suspicious_ip_throttling', order: 3 }),
            })
            .prefault({}),
          /** Per minute. */
          'pre-user-registration': z
            .object({
              max_attempts: z
                .number()
                .int()
                .positive()
                .default(50)
                .meta({ title: 'Sign-ups a minute', group: 'suspicious_ip_throttling', order: 4 }),
            })
            .prefault({}),
        })
        .prefault({}),
    })
    .prefault({}),
  breachedPasswordDetection: z
    .object({
      enabled: z
        .boolean()
        .default(true)
        .meta({ title: 'Compare passwords', group: 'breached_password_detection', order: 1 }),
      /** For logins: `block` refuses the login, `user_notification` then mails a link to choose a new password. */
      shields: z
        .array(shield('block', 'user_notification'))
        .default([])
        .meta({
          title: 'At logins',
          group: 'breached_password_detection',
          order: 2,
          options: { block: 'Refuse', user_notification: 'Mail the user' },
        }),
      stage: z
        .object({
          'pre-user-registration': breachShields('At sign-ups', 3),
          'pre-change-password': breachShields('When a password is changed', 4),
        })
        .prefault({}),
    })
    .prefault({}),
  botDetection: botDetectionSection.prefault({}),
  captcha: captchaSection.prefault({}),
})

/** The names are those of lib/identity/mfa/factors/; a name of a later release enables nothing. */
export const guardianFactorsSection = z
  .array(z.object({ name: z.string().max(100), enabled: z.boolean().default(false) }))
  .max(20)

export const guardianPoliciesSection = z.object({
  /** An empty list means never; `confidence-score` means if the login is risky. Ours: `enrolled`, of users who have one. */
  policies: z
    .array(z.enum(['all-applications', 'confidence-score', 'enrolled']))
    .refine((policies) => policies.length < 2 || !policies.includes('enrolled'), 'enrolled must be the only policy')
    .default([]),
})

export const guardianPhoneFactorMessageTypesSection = z.object({
  message_types: z
    .array(z.enum(['sms', 'voice']))
    .default(['sms'])
    .meta({ title: 'Codes come by', group: 'messages', order: 1, options: { sms: 'Text message', voice: 'Call' } }),
})

/** `phone-message-hook`: an action delivers the codes of second factors. Of the other two, the provider of messages decides. */
export const guardianPhoneFactorSelectedProviderSection = z.object({
  provider: z.enum(['auth0', 'twilio', 'phone-message-hook']).default('auth0'),
})

export const isPhoneMessageHook = ({
  guardianPhoneFactorSelectedProvider: { provider },
}: Pick<TenantSettings, 'guardianPhoneFactorSelectedProvider'>): boolean => provider === 'phone-message-hook'

export const guardianWebauthnRoamingSection = z.object({
  /** Whether a security key has to recognize the person, by a PIN or a fingerprint. */
  userVerification: z
    .enum(['discouraged', 'preferred', 'required'])
    .default('discouraged')
    .meta({
      title: 'The key recognizes its holder',
      group: 'security_keys',
      order: 1,
      options: { discouraged: 'Not needed', preferred: 'If it can', required: 'Always' },
    }),
})

export const promptsSection = z.object({
  /** Whether the login page asks for the name first, and for the password on its next page. */
  identifier_first: z.boolean().default(false),
})

export const tenantSettings = z.object({
  tenant: tenantSection.prefault({}),
  branding: brandingSection.prefault({}),
  attackProtection: attackProtectionSection.prefault({}),
  prompts: promptsSection.prefault({}),
  guardianFactors: guardianFactorsSection.default([]),
  guardianPolicies: guardianPoliciesSection.prefault({}),
  guardianPhoneFactorMessageTypes: guardianPhoneFactorMessageTypesSection.prefault({}),
  guardianPhoneFactorSelectedProvider: guardianPhoneFactorSelectedProviderSection.prefault({}),
  guardianWebauthnRoaming: guardianWebauthnRoamingSection.prefault({}),
  /** Ours: the claims that rules add to tokens. */
  claimRules: claimRulesSection.default([]),
  /** The actions per trigger; their code is in the table `action`. */
  triggers: triggersSection.default({}),
})

export type TenantSettings = z.output<typeof tenantSettings>

/** The id of the first tenant, which a new database contains. */
export const FIRST_TENANT = 'default'
export const FIRST_NAME = 'Latchkey'

export type Tenant = {
  id: string
  name: string
  baseUrl: string | null
  settings: TenantSettings
  /** Changes with its custom texts and mail templates; null while it has none. */
  wording: string | null
  theme: Theme | null
  /** The verified ones. */
  domains: readonly CustomDomain[]
}

export type SessionPolicy = { idleSeconds: number; absoluteSeconds: number; persistent: boolean }

export function sessionPolicy({ tenant }: TenantSettings): SessionPolicy {
  const persistent = tenant.session_cookie.mode === 'persistent'
  const ephemeral = persistent ? undefined : tenant
  const idle = ephemeral?.idle_ephemeral_session_lifetime ?? tenant.idle_session_lifetime
  const absolute = ephemeral?.ephemeral_session_lifetime ?? tenant.session_lifetime
  return { idleSeconds: idle * HOURS, absoluteSeconds: absolute * HOURS, persistent }
}
