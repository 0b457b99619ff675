/**
 * The hosted pages as plain data: what a page shows, never how.
 *
 * Both doors (docs/adr/0002) build a `PageView` and hand it to the same components.
 * Must hold: every form posts `state` (where there is a transaction) and one named button, `action`, whose values are
 * the `…Action` types below; every string here is untrusted text and is escaped by the renderer; no HTML travels in.
 */

export const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

/** The look of one tenant. Colours are CSS hex; anything else is ignored by the renderer, as is a non-http(s) logo. */
export type Branding = {
  /** Shown in the title and beside the logo. */
  tenantName: string
  logoUrl?: string
  accent?: string
  pageBackground?: string
  /** Where people get help; offered on error pages. */
  supportUrl?: string
}

/** What every page needs, whichever screen it is. `nonce` is the one in the answer's Content-Security-Policy. */
export type PageCommon = {
  locale: Locale
  branding: Branding
  nonce: string | undefined
  assets: { stylesheet: string; script: string }
}

export type ClientView = {
  name: string
  logoUrl?: string
  homepage?: string
}

/** Something to say above a form. Those about a field mark that field invalid and link to it. */
export const NOTICE_CODES = [
  'wrong_credentials',
  'too_many_attempts',
  'missing_identifier',
  'missing_password',
  'missing_credentials',
  'session_changed',
  'reauthentication',
] as const
export type NoticeCode = (typeof NOTICE_CODES)[number]

/** Why a page of ours is shown instead of a redirect to the app; each has a title and a way on in the catalogue. */
export const ERROR_CODES = [
  'unknown_client',
  'callback_mismatch',
  'invalid_request',
  'expired_transaction',
  'finished_transaction',
  'cookies_off',
  'other_browser',
  'bookmarked',
  'logout_url',
  'link_expired',
  'access_denied',
  'connection_unavailable',
  'method_not_allowed',
  'too_many_requests',
  'busy',
  'not_found',
  'server_error',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export type LoginAction = 'login' | 'cancel'
export type SelectAccountAction = 'continue' | 'switch' | 'cancel'
export type ConsentAction = 'accept' | 'deny'
export type ConfirmLogoutAction = 'logout' | 'stay'
export type UnblockAction = 'unblock'

export type IdentifierKind = 'email' | 'username' | 'either'

/** Posts: state, username, password, action=login|cancel. */
export type LoginView = {
  screen: 'login'
  /** Where the form posts. */
  action: string
  /** The transaction's handle, posted back as `state`. */
  state: string
  client: ClientView
  identifierKind: IdentifierKind
  /** Prefills the first field: the last attempt, or `login_hint`. */
  identifier?: string
  notice?: NoticeCode
  signUpUrl?: string
  resetUrl?: string
  /** Offer a button that sends the person back to the app. */
  cancel: boolean
}

export type AccountView = {
  /** Posted back as `account` when there is more than one. */
  id: string
  name: string
  email?: string
  picture?: string
}

/** Posts: state, account, action=continue|switch|cancel. */
export type SelectAccountView = {
  screen: 'select-account'
  action: string
  state: string
  client: ClientView
  accounts: AccountView[]
  notice?: NoticeCode
  cancel: boolean
}

/** `openid`, `profile`, `email`, `phone`, `address` and `offline_access` are worded by us, others by `description`. */
export type ScopeView = { value: string; description?: string }

/** Posts: state, action=accept|deny. */
export type ConsentView = {
  screen: 'consent'
  action: string
  state: string
  client: ClientView & { thirdParty: boolean }
  user: { name: string; email?: string }
  /** Name of the API that the API scopes belong to. */
  audienceName?: string
  scopes: ScopeView[]
  notice?: NoticeCode
}

export type LoggedOutView = {
  screen: 'logged-out'
  /** A proven URL to go on to, where there is one. */
  returnUrl?: string
}

/** RP-initiated logout that proves nothing asks first. Posts: every field, action=logout|stay. */
export type ConfirmLogoutView = {
  screen: 'confirm-logout'
  action: string
  fields: Record<string, string>
  client?: ClientView
  user?: { name: string; email?: string }
}

export type ErrorView = {
  screen: 'error'
  status: number
  code: ErrorCode
  /** Facts for whoever has to fix it, shown as a list: parameter name → value. */
  detail?: Record<string, string>
  requestId?: string
  /** The one way on; without it the page says what to do in words. `label` defaults to the catalogue's. */
  back?: { href: string; label?: string }
  /** Where the same sign-in can begin anew; stands before `back`. */
  restartUrl?: string
}

/** The link of a blocked-account mail opens this; only the button lifts the block. Posts: ticket, action=unblock. */
export type UnblockView = {
  screen: 'unblock'
  action: string
  ticket: string
  /** `ask` shows the button, `done` says that it worked. */
  phase: 'ask' | 'done'
  continueUrl?: string
}

export type ScreenView =
  | LoginView
  | SelectAccountView
  | ConsentView
  | LoggedOutView
  | ConfirmLogoutView
  | ErrorView
  | UnblockView

export type PageView = PageCommon & ScreenView
