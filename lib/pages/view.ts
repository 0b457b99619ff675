/**
 * The parts of a hosted page's data that several screens share; the view of each screen is in its file (screens.ts).
 *
 * Invariants of every view: it is plain data, without presentation; its form posts `state` (where there is a transaction) and
 * one named button, `action`; every string is untrusted text that the renderer escapes; no field contains HTML.
 */
import type { FactorName } from '../identity/mfa/factors/index'
import type { Unreached } from '../kernel/network-failure'
import type { Reason } from '../kernel/reasons'
import type { OwnTexts } from '../text/catalogue'
import type { Locale } from '../text/locale'

/**
 * The branding of one tenant. Colours are CSS hex; the renderer ignores any other text, a picture that is not http(s), and a font that
 * is not https.
 */
export type Branding = {
  /** Shown in the title and beside the logo. */
  tenantName: string
  logoUrl?: string
  faviconUrl?: string
  fontUrl?: string
  accent?: string
  /** A colour, or a linear gradient. */
  pageBackground?: string | { start: string; end: string; angle_deg?: number | undefined }
  /** The help address, shown on error pages. */
  supportUrl?: string
}

/** The data of every page. `nonce` is the nonce of the response's Content-Security-Policy. */
export type PageCommon = {
  locale: Locale
  branding: Branding
  nonce: string | undefined
  assets: PageAssets
  /** The texts of this page that the tenant changed. */
  texts?: OwnTexts
  theme?: PageTheme
}

/** `themed` is the style sheet that the pages of a tenant with a theme have beside the other. */
export type PageAssets = { stylesheet: string; themed: string; script: string }

/** How a tenant's pages look, beside the style sheets of all. */
export type Look = {
  /** The style sheet for the style element with the nonce. */
  css: string
  /** The colour of a phone's browser bars. */
  bar: { light: string; dark: string }
  /** The colour schemes of the page. */
  schemes: 'light dark' | 'light' | 'dark'
}

/** The look of the tenant's theme, and what it changes in the structure of pages. `id` differs for each theme. */
export type PageTheme = Look & {
  id: string
  showsLogo: boolean
  /** Whether buttons for other providers come before the form. */
  providersFirst: boolean
  /** The look of a third party's captcha. */
  captcha: 'light' | 'dark'
}

export type ClientView = {
  name: string
  /** The account portal, which the pages name in their own language. */
  isPortal?: true
  logoUrl?: string
  homepage?: string
}

/** A message above a form. A message about a field marks that field invalid and links to it. */
export const NOTICE_CODES = [
  'wrong_credentials',
  'too_many_attempts',
  'missing_identifier',
  'missing_password',
  'missing_database',
  'missing_credentials',
  'session_changed',
  'reauthentication',
  'session_old',
  'session_ended',
  'step_up',
  'unblock_sent',
  'wrong_user_code',
  'wrong_operator_token',
  'missing_fields',
  'picture_missing',
  'picture_type',
  'picture_size',
  'invalid_email',
  'invalid_username',
  'invalid_signup',
  'weak_password',
  'username_taken',
  'user_exists',
  'verify_first',
  'password_leaked',
  'captcha_missing',
  'captcha_wrong',
  'captcha_sent',
  'captcha_code',
  'reset_sent',
  'wait_for_code',
  'code_exhausted',
  'link_waiting',
  'link_rejected',
  'link_over',
  'wrong_code',
  'code_sent',
  'too_many_codes',
  'too_many_messages',
  'invalid_phone',
  'unserved_phone',
  'push_waiting',
  'push_rejected',
  'push_expired',
  'key_failed',
  'upstream_failed',
  'upstream_denied',
  'upstream_no_account',
  'unknown_domain',
  'unknown_organization',
  'no_organization_found',
  'link_other_account',
  'link_failed',
  'link_last_owner',
  'passkey_failed',
  'passkey_unknown',
  'passkey_not_added',
  'passkey_name',
  'passkey_model',
  'portal_saved',
  'portal_unproven',
  'portal_connected',
  'connection_taken',
  'connection_failed',
  'portal_removed',
  'portal_ended',
  'portal_repeat',
  'portal_gone',
  'portal_above',
  'last_owner',
  'portal_reset_sent',
  'portal_invited',
  'portal_provider_failed',
  'invalid_name',
] as const
export type NoticeCode = (typeof NOTICE_CODES)[number]

/** The reasons for an error page instead of a redirect to the app; the catalogue has a title and an instruction for each. */
export const ERROR_CODES = [
  'unknown_client',
  'callback_mismatch',
  'invalid_request',
  'expired_transaction',
  'finished_transaction',
  'cookies_off',
  'other_browser',
  'other_address',
  'bookmarked',
  'no_device',
  'logout_url',
  'logout_hint',
  'link_expired',
  'access_denied',
  'foreign_page',
  'connection_unavailable',
  'upstream_answer',
  'upstream_unfit',
  'method_not_allowed',
  'too_many_requests',
  'busy',
  'not_found',
  'server_error',
] as const
export type ErrorPageCode = (typeof ERROR_CODES)[number]

/**
 * The reasons for which an answer of an identity provider is refused, as far as its page may say them: not `upstream_undecryptable`, because
 * whether an answer could be decrypted would be an oracle.
 */
export const UPSTREAM_CAUSES = [
  'upstream_audience',
  'upstream_expired',
  'upstream_early',
  'upstream_issuer',
  'upstream_address',
  'upstream_other_request',
  'upstream_replayed',
  'signature_missing',
  'signature_invalid',
  'signature_algorithm',
] as const satisfies readonly Reason[]
export type UpstreamCause = (typeof UPSTREAM_CAUSES)[number]

/** The provider that did not answer, by its display name, and why. */
export type UnreachedView = { provider: string; why: Unreached }

/** What a link was mailed for, as far as the page of a dead one differs by it. */
export const MAILED_LINKS = ['reset-password', 'verify-email', 'unblock', 'enroll', 'login'] as const
export type MailedLink = (typeof MAILED_LINKS)[number]

/** A WebAuthn ceremony that the script of the page starts. Posted back: `passkey_session`, and the answer as `passkey_response`. */
export type PasskeyView = {
  session: string
  challenge: string
  /** The browser's options in JSON, without the challenge. */
  options: string
  /** A credential that the browser may stop suggesting, because no account has it. */
  stray?: string
}

/** What the script reports to the browser about one user handle: all its passkeys, and its names. */
export type PasskeySignal = { rpId: string; handle: string; ids: string[]; name: string; displayName: string }

/** A captcha within a form. The form's second button, `action=captcha-<its action>`, asks for a code by mail in its place. */
export type CaptchaView =
  /** Posted back: `captcha_session`, and as `captcha_number` the number below `max` that captcha.js finds. */
  | { kind: 'work'; session: string; salt: string; target: string; max: number }
  /** The script of a third party adds its own field to the form. */
  | { kind: 'widget'; script: string; place: string; siteKey: string; sources: WidgetSources }
  /** A code was mailed. Posted back: `captcha_code`. */
  | { kind: 'code' }

/** The origins that a third party's captcha needs. */
export type WidgetSources = { scripts: readonly string[]; frames: readonly string[]; styles?: readonly string[] }

export type IdentifierKind = 'email' | 'username' | 'either'

/** A button for another provider. Its form posts: state, connection, action=federated. */
/** A database to choose from. */
export type DatabaseView = { name: string; label: string; chosen?: true }

export type ProviderView = {
  connection: string
  name: string
  /** Shown where there is no picture. */
  initial: string
  iconUrl?: string
  /** The last login of this browser used it. */
  lastUsed?: true
}

/** Password rules, each with a text in the catalogue; `count` belongs to the rules that count. */
export const PASSWORD_RULES = [
  'length',
  'lower',
  'upper',
  'digit',
  'special',
  'classes',
  'identical',
  'common',
  'breached',
  'personal',
  'history',
  'max',
] as const
export type PasswordRuleName = (typeof PASSWORD_RULES)[number]
export type PasswordRuleView = {
  rule: PasswordRuleName
  count?: number
  /** The last submitted password broke this rule. */
  unmet?: boolean
}

/** A field that the connection adds to the form. Posted under its name; a checkbox as `true`, or not at all. */
export type ExtraFieldView = {
  name: string
  /** One text, or one for each language with `en` as the default. */
  label: string | Readonly<Record<string, string>>
  type: 'text' | 'checkbox'
  required: boolean
  value?: string
}

export type AccountView = {
  /** Posted back as `account` where there are several. */
  id: string
  name: string
  email?: string
  picture?: string
  /** The session of this browser is theirs. */
  signedIn?: true
}

/**
 * The catalogue has texts for `openid`, `profile`, `email`, `phone`, `address` and `offline_access`; other scopes use
 * `description`.
 */
export type ScopeView = { value: string; description?: string }

/** The kinds of addresses that a code can be sent to. */
export type AddressKind = 'email' | 'phone' | 'either'

/** Kinds of second factor, as users distinguish them; what their pages say is in components/factor-pages.ts. */
export type FactorKind = FactorName

/** The pages of the account portal, each at `/account/<name>`; the first is also at `/account`. */
export const PORTAL_PAGES = [
  'profile',
  'password',
  'passkeys',
  'factors',
  'sessions',
  'connections',
  'applications',
  'organizations',
  'activity',
  'data',
] as const
export type PortalPageName = (typeof PORTAL_PAGES)[number]

/** What all pages of the account portal have. Their forms post `confirmation` and the button's `action`. */
export type PortalView = {
  /** Binds the forms to the session. */
  confirmation: string
  account: AccountView
  /** Its pages, in order. */
  pages: readonly PortalPageName[]
  notice?: NoticeCode
}

/** Where something happened, as far as that is known. */
export type WhereView = { browser?: string; system?: string; ip?: string }

/** An enrolled factor. `name` is masked. */
export type FactorView = { id: string; kind: FactorKind; name?: string }

/** `isFixed`: it needs no enrolment, so it cannot be removed. `isOff`: the tenant has turned off its kind. */
export type OwnFactorView = FactorView & { isFixed?: boolean; isOff?: boolean }

/** When a second factor that the user has is asked for: at each login, at an unusual one, or at none. */
export type FactorOccasionView = 'each' | 'risky' | 'never'
