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
  friendly_name: z.string().min(1).max(200).optional(),
  picture_url: webUrl.optional(),
  support_email: z.email().optional(),
  support_url: webUrl.optional(),
  allowed_logout_urls: z.array(redirectTarget).max(100).default([]),
  /** Ours: exact redirect URIs that clients may register for themselves though their scheme is not named after a domain. */
  private_use_redirect_uris: privateUseUris.default([]),
  default_audience: z.string().max(600).optional(),
  /** `compatibility`: where a request has no `audience`, its `resource` names the API (RFC 8707). */
  resource_parameter_profile: z.enum(['audience', 'compatibility']).default('audience'),
  /** Ours: the profile of all clients of the tenant (lib/data/clients/fapi2.ts). */
  security_profile: z.enum(SECURITY_PROFILES).optional(),
  /** The connection of the `password` grant and the login page if a request names none. */
  default_directory: z.string().max(128).optional(),
  default_redirection_uri: webUrl.optional(),
  /** Whether requests may give an organization by its name, and tokens contain the name. */
  allow_organization_name_in_authentication_api: z.boolean().default(false),
  enabled_locales: z.array(z.string().max(20)).optional(),
  /** In hours, as at the vendor. */
  session_lifetime: z.number().positive().max(8760).default(168),
  idle_session_lifetime: z.number().positive().max(8760).default(72),
  /** The same for sessions whose cookie ends with the browser; without them the two above hold. */
  ephemeral_session_lifetime: z.number().positive().max(8760).optional(),
  idle_ephemeral_session_lifetime: z.number().positive().max(8760).optional(),
  session_cookie: z.object({ mode: z.enum(['persistent', 'non-persistent']).default('persistent') }).prefault({}),
  flags: z
    .object({
      /** Whether any client may register itself at /oidc/register. */
      enable_dynamic_client_registration: z.boolean().default(false),
      /** Whether sign-up reports a taken address; otherwise the response does not reveal which accounts exist. */
      enable_public_signup_user_exists_error: z.boolean().default(false),
    })
    .prefault({}),
  /** Ours: when a user who has another account with the same verified address is offered to link the two (docs/adr/0019). */
  suggest_account_linking: z.enum(['on_each_login', 'on_first_login', 'never_on_login']).default('on_each_login'),
  /** Ours: the picture of a user who has none: drawn initials, or Gravatar, which is sent a digest of the verified address. */
  default_picture: z.enum(['initials', 'gravatar']).default('initials'),
  /** Ours: whether browsers remember who signed in, for the picker of accounts; never where the session cookie ends with them. */
  remember_accounts: z.boolean().default(true),
  /** Ours: whether a user who adds a second factor in the account portal is asked for it, where the policy is never (docs/adr/0051). */
  ask_for_own_factors: z.boolean().default(true),
  /** Ours: days from a user's request until the account is deleted; false if users cannot delete their accounts themselves. */
  account_deletion_days: z.union([z.literal(false), z.number().int().min(1).max(90)]).default(7),
  /** Ours: whether an administrator has to approve each of these deletions first. */
  account_deletion_approval: z.boolean().default(false),
  /** Ours: whether administrators of an organization connect an identity provider of its own in the account portal. */
  organization_connections: z.boolean().default(false),
  /** Ours: whether administrators prove a second factor to enter the console, where the tenant has enabled one. */
  console_second_factor: z.boolean().default(true),
  /** Ours: selects between two published behaviours for clients. */
  compat: z
    .object({
      errors: z.enum(['vendor', 'rfc']).default('vendor'),
      updated_at: z.enum(['contract', 'iso8601', 'epoch']).default('contract'),
      /** `core`: claims of scopes are in ID tokens only where no access token is issued (OIDC Core 5.4). */
      id_token_claims: z.enum(['contract', 'core']).default('contract'),
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
    .default({}),
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

const breachShields = z.object({ shields: z.array(shield('block')).default(['block']) }).prefault({})

/** `auth_challenge` is a proof of work of our own origin, and `turnstile` is ours; the others are the vendor's. */
export const CAPTCHA_PROVIDERS = [
  'auth_challenge',
  'recaptcha_v2',
  'recaptcha_enterprise',
  'hcaptcha',
  'turnstile',
] as const

const captchaKey = z.string().min(1).max(2000)
const keyed = z.object({ site_key: captchaKey, secret: captchaKey })

export const captchaSection = z
  .object({
    active_provider_id: z.enum(CAPTCHA_PROVIDERS).optional(),
    /** The secrets are sealed (lib/identity/captcha/secrets.ts). */
    recaptcha_v2: keyed.optional(),
    recaptcha_enterprise: z
      .object({ site_key: captchaKey, api_key: captchaKey, project_id: captchaKey.max(200) })
      .optional(),
    hcaptcha: keyed.optional(),
    turnstile: keyed.optional(),
  })
  .refine(
    ({ active_provider_id: active = 'auth_challenge', ...keys }) => active === 'auth_challenge' || keys[active],
    'needs the keys of the active provider',
  )

export type CaptchaSettings = z.output<typeof captchaSection>

const captchaPolicy = z.enum(['never', 'when_risky', 'always']).default('never')

export const botDetectionSection = z.object({
  /** How many signs make a request risky (lib/identity/captcha/demand.ts). */
  bot_detection_level: z.enum(['low', 'medium', 'high']).default('medium'),
  /** Of logins and sign-ups. */
  challenge_password_policy: captchaPolicy,
  challenge_passwordless_policy: captchaPolicy,
  challenge_password_reset_policy: captchaPolicy,
  /** Addresses that are never challenged. */
  allowlist: z.array(z.string().max(100)).max(1000).default([]),
  /** Requests are assessed and recorded, and not challenged. */
  monitoring_mode_enabled: z.boolean().default(false),
})

export const attackProtectionSection = z.object({
  bruteForceProtection: z
    .object({
      enabled: z.boolean().default(true),
      max_attempts: z.number().int().min(1).max(100).default(10),
      allowlist: z.array(z.string()).default([]),
      /** Without `block` nothing is refused; without `user_notification` the owner of a blocked account gets no mail. */
      shields: z.array(z.enum(['block', 'user_notification'])).default(['block', 'user_notification']),
      /** Whether failures of an account count separately per network, or together. */
      mode: z.enum(['count_per_identifier', 'count_per_identifier_and_ip']).default('count_per_identifier_and_ip'),
    })
    .prefault({}),
  suspiciousIpThrottling: z
    .object({
      enabled: z.boolean().default(true),
      allowlist: z.array(z.string()).default([]),
      /** Without `block` nothing is refused. */
      shields: z.array(shield('block')).default(['block']),
      stage: z
        .object({
          'pre-login': z.object({ max_attempts: z.number().int().positive().default(100) }).prefault({}),
          /** Per minute. */
          'pre-user-registration': z.object({ max_attempts: z.number().int().positive().default(50) }).prefault({}),
        })
        .prefault({}),
    })
    .prefault({}),
  breachedPasswordDetection: z
    .object({
      enabled: z.boolean().default(true),
      /** For logins: `block` refuses the login, `user_notification` then mails a link to choose a new password. */
      shields: z.array(shield('block', 'user_notification')).default([]),
      stage: z.object({ 'pre-user-registration': breachShields, 'pre-change-password': breachShields }).prefault({}),
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
  message_types: z.array(z.enum(['sms', 'voice'])).default(['sms']),
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
  userVerification: z.enum(['discouraged', 'preferred', 'required']).default('discouraged'),
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
