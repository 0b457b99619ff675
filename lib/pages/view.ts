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
  'wrong_user_code',
  'wrong_operator_token',
  'missing_fields',
  'invalid_email',
  'invalid_username',
  'invalid_signup',
  'weak_password',
  'username_taken',
  'user_exists',
  'verify_first',
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
  'upstream_failed',
  'upstream_denied',
  'upstream_no_account',
  'unknown_domain',
  'link_other_account',
  'link_failed',
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
  'no_device',
  'logout_url',
  'logout_hint',
  'link_expired',
  'access_denied',
  'foreign_page',
  'connection_unavailable',
  'upstream_answer',
  'method_not_allowed',
  'too_many_requests',
  'busy',
  'not_found',
  'server_error',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export type LoginAction = 'login' | 'identify' | 'federated' | 'cancel'
export type SelectAccountAction = 'continue' | 'switch' | 'cancel'
export type LinkAccountAction = 'link' | 'keep-apart'
export type ConsentAction = 'accept' | 'deny'
export type ConfirmLogoutAction = 'logout' | 'stay'
export type UnblockAction = 'unblock'
export type DoctorAction = 'examine'
export type ActivateAction = 'continue' | 'confirm' | 'deny'
export type SignUpAction = 'sign-up' | 'cancel'
export type ForgotPasswordAction = 'request-reset'
export type ResetPasswordAction = 'reset-password'
export type VerifyEmailAction = 'verify-email'
export type MfaChallengeAction = 'mfa-verify' | 'mfa-use' | 'cancel'
export type MfaEnrollAction = 'mfa-enroll' | 'mfa-confirm' | 'mfa-other' | 'cancel'
export type MfaRecoveryCodeAction = 'mfa-saved'
export type PushDeviceAction = 'connect' | 'approve' | 'reject'

export type PasswordlessAction = 'send-code' | 'cancel'
export type PasswordlessCodeAction = 'check-code' | 'check-link' | 'resend-code' | 'cancel'
export type PasswordlessLinkAction = 'login' | 'approve' | 'reject'

export type IdentifierKind = 'email' | 'username' | 'either'

/** A button that leads to another provider. Its form posts: state, connection, action=federated. */
export type ProviderView = {
  connection: string
  name: string
  /** Stands for it where there is no picture. */
  initial: string
  iconUrl?: string
}

/** Posts: state, username, password, action=login|cancel; or, before the password, state, username, action=identify. */
export type LoginView = {
  screen: 'login'
  /** Where the form posts. */
  action: string
  /** The transaction's handle, posted back as `state`. */
  state: string
  client: ClientView
  identifierKind: IdentifierKind
  /** What the form asks for; absent, identifier and password. */
  asks?: 'identifier' | 'nothing'
  /** In the order in which they are shown. */
  providers?: ProviderView[]
  /** Prefills the first field: the last attempt, or `login_hint`. */
  identifier?: string
  notice?: NoticeCode
  signUpUrl?: string
  resetUrl?: string
  /** Where a code takes the place of the password. */
  passwordlessUrl?: string
  /** Another account is to be proven, which is then linked. */
  linking?: true
  /** Offer a button that sends the person back to the app. */
  cancel: boolean
}

/** What a password has to be, each worded by us; `count` belongs to those that count. */
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
export type PasswordRule = (typeof PASSWORD_RULES)[number]
export type PasswordRuleView = {
  rule: PasswordRule
  count?: number
  /** The password that was sent last broke it. */
  unmet?: boolean
}

/** A field that the connection adds to the form. Posted under its name; a checkbox as `true`, or not at all. */
export type ExtraFieldView = {
  name: string
  /** One text, or one for each language with `en` for the rest. */
  label: string | Readonly<Record<string, string>>
  type: 'text' | 'checkbox'
  required: boolean
  value?: string
}

/** Posts: state, email, username (where asked for), password, the extra fields, action=sign-up|cancel. */
export type SignUpView = {
  screen: 'signup'
  action: string
  state: string
  client: ClientView
  email?: string
  /** Asked for where present; empty before it was typed. */
  username?: string
  rules: PasswordRuleView[]
  extra: ExtraFieldView[]
  notice?: NoticeCode
  /** Names of the fields that the notice is about. */
  invalid: string[]
  /** In place of the notice's own words: what the tenant has to say. */
  words?: string
  termsUrl?: string
  privacyUrl?: string
  loginUrl: string
  cancel: boolean
}

/** Asks for a link by mail; the same answer whether the address is known or not. Posts: state, email, action=request-reset. */
export type ForgotPasswordView = {
  screen: 'forgot-password'
  action: string
  state: string
  email?: string
  /** `sent` says that a link is on its way, if there is such an account. */
  phase: 'ask' | 'sent'
  notice?: NoticeCode
  loginUrl: string
  /** The same page, to ask once more. */
  againUrl: string
}

/** The link of a reset mail opens this; only the button changes the password. Posts: ticket, username, password, action=reset-password. */
export type ResetPasswordView =
  | {
      screen: 'reset-password'
      phase: 'ask'
      action: string
      ticket: string
      /** Whose password it is: shown, and told to the password manager. */
      user: string
      rules: PasswordRuleView[]
      notice?: NoticeCode
    }
  | { screen: 'reset-password'; phase: 'done'; continueUrl?: string }

/** The link of a verification mail opens this; only the button verifies. Posts: ticket, action=verify-email. */
export type VerifyEmailView =
  | { screen: 'verify-email'; phase: 'ask'; action: string; ticket: string; email: string }
  | { screen: 'verify-email'; phase: 'done'; email: string; continueUrl?: string }

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

/** How the other account is signed in to: at this server, or by a provider that people know by its name. */
export type LinkWayView = { kind: 'password' | 'email' | 'sms' } | { kind: 'provider'; name: string }

/** Suggests to make one account of two with the same verified address. Posts: state, action=link|keep-apart. */
export type LinkAccountView = {
  screen: 'link-account'
  action: string
  state: string
  client: ClientView
  /** The address that both have. */
  email: string
  ways: LinkWayView[]
  notice?: NoticeCode
}

/** `openid`, `profile`, `email`, `phone`, `address` and `offline_access` are worded by us, others by `description`. */
export type ScopeView = { value: string; description?: string }

/** Posts: state, action=accept|deny. */
export type ConsentView = {
  screen: 'consent'
  action: string
  state: string
  /** `returnsTo`: the host, or the scheme of an app, that gets the answer; the one thing of a third party's that is proven. */
  client: ClientView & { thirdParty: boolean; returnsTo?: string; policyUrl?: string; termsUrl?: string }
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
  /** Addresses that sign the browser out of the applications it was in. */
  frames?: string[]
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

/** For operators. `ask` posts: token, action=examine; what was found is in English, like the log. */
export type DoctorView =
  | { screen: 'doctor'; action: string; phase: 'ask'; notice?: 'wrong_operator_token' }
  | {
      screen: 'doctor'
      phase: 'found'
      health: 'well' | 'doubtful' | 'ill'
      findings: readonly { about: string; health: 'well' | 'doubtful' | 'ill'; says: string }[]
    }

/** A device is connected by its code. `code` posts: user_code, action=continue; `confirm`: user_code, confirmation, action=confirm|deny. */
export type ActivateView =
  | { screen: 'activate'; action: string; phase: 'code'; userCode?: string; notice?: 'wrong_user_code' }
  | ConfirmDeviceView
  | { screen: 'activate'; action: string; phase: 'connected' | 'refused' }

export type ConfirmDeviceView = {
  screen: 'activate'
  action: string
  phase: 'confirm'
  /** Shown, to be compared with the device's. */
  userCode: string
  /** Ties the button to this browser. */
  confirmation: string
  client: ClientView
  /** Who is signed in here, and would be on the device. */
  user?: { name: string; email?: string }
}

/** What a code can be sent to. */
export type AddressKind = 'email' | 'phone' | 'either'

/** Posts: state, address, action=send-code|cancel. */
export type PasswordlessView = {
  screen: 'passwordless'
  action: string
  state: string
  client: ClientView
  kind: AddressKind
  /** What is sent holds a link and no code. */
  sendsLink?: true
  address?: string
  /** Another account is to be proven, which is then linked. */
  linking?: true
  notice?: NoticeCode
  /** The way in by password, where there is one. */
  loginUrl?: string
  cancel: boolean
}

/**
 * The same page whoever has the address. Posts: state, code, action=check-code|cancel; state, action=check-link|cancel;
 * or state, action=resend-code.
 */
export type PasswordlessCodeView = {
  screen: 'passwordless-code'
  action: string
  state: string
  client: ClientView
  address: string
  sends: 'code' | 'link' | 'both'
  /** Where one was sent that is still good. `number`: what another browser is asked for. `answered`: a submit goes on. */
  link?: { phase: 'waiting' | 'answered'; number: string }
  /** Until another can be sent. */
  waitSeconds: number
  notice?: NoticeCode
  /** Where another address can be given. */
  addressUrl: string
  loginUrl?: string
  cancel: boolean
}

/**
 * The link of a mail opens this; only a button acts. `here` posts: every field, action=login. `elsewhere`, in another browser
 * than the one that waits, posts: every field, number, action=approve|reject.
 */
export type PasswordlessLinkView = { screen: 'passwordless-link'; client: ClientView } & (
  | {
      phase: 'here' | 'elsewhere'
      action: string
      fields: Record<string, string>
      /** Address that the link or code was sent to. */
      email: string
      /** A code was typed elsewhere, instead of a link that was opened. */
      typed?: true
      /** Who is signed in in this browser, where that is somebody else. */
      replaces?: string
    }
  | { phase: 'approved' | 'rejected' }
)

/** Kinds of second factor, as a person tells them apart. */
export type FactorKind = 'otp' | 'push' | 'sms' | 'voice' | 'email' | 'recovery-code'

/** One that is enrolled. `name` is masked. */
export type FactorView = { id: string; kind: FactorKind; name?: string }

/** Posts: state, code, remember=true, action=mfa-verify|cancel; or state, authenticator, action=mfa-use, which also sends (anew). */
export type MfaChallengeView = {
  screen: 'mfa-challenge'
  action: string
  state: string
  client: ClientView
  factor: FactorView
  /** `send`: nothing went out yet; `code`: one is expected; `wait`: the device is asked; `answered`: it answered, a submit goes on. */
  phase: 'send' | 'code' | 'wait' | 'answered'
  /** What the device asks for, so that nobody approves a login they do not see. */
  number?: string
  others: FactorView[]
  /** Offered where present. */
  rememberDays?: number
  notice?: NoticeCode
  cancel: boolean
}

/**
 * Posts: state, factor, phone, action=mfa-enroll; state, code, action=mfa-confirm; or state, action=mfa-other|cancel.
 * `push` waits for the device; its form is mfa-confirm without a code.
 */
export type MfaEnrollView = {
  screen: 'mfa-enroll'
  action: string
  state: string
  client: ClientView
  notice?: NoticeCode
  /** Another factor can be had. */
  other: boolean
  cancel: boolean
} & (
  | { phase: 'choose'; factors: FactorKind[] }
  | { phase: 'phone'; kind: 'sms' | 'voice'; phone?: string }
  | { phase: 'otp'; uri: string; secret: string }
  | { phase: 'code'; kind: FactorKind; name: string }
  | { phase: 'push'; uri: string; answered: boolean }
)

/** The one time that it is shown. Posts: state, action=mfa-saved. */
export type MfaRecoveryCodeView = {
  screen: 'mfa-recovery-code'
  action: string
  state: string
  client: ClientView
  code: string
  user: string
}

/**
 * On the phone that approves logins. `connect` posts: ticket, confirmation, action=connect; `prompt` posts: prompt, number,
 * action=approve|reject. `idle` and `approved`, `rejected` lead to the page that shows what waits next.
 */
export type PushDeviceView = { screen: 'push-device' } /** `confirmation` ties the buttons to this browser. */ & (
  | { phase: 'connect'; action: string; ticket: string; confirmation: string }
  | {
      phase: 'prompt'
      action: string
      prompt: string
      confirmation: string
      user: string
      client: string
      /** Network address of the browser that asks. */
      ip: string
      /** Asks for the number that the other screen shows. */
      number: boolean
    }
  | { phase: 'idle'; user: string; nextUrl: string }
  | { phase: 'connected' | 'approved' | 'rejected'; nextUrl: string }
)

export type ScreenView =
  | LoginView
  | SelectAccountView
  | LinkAccountView
  | ConsentView
  | LoggedOutView
  | ConfirmLogoutView
  | ErrorView
  | UnblockView
  | DoctorView
  | ActivateView
  | SignUpView
  | ForgotPasswordView
  | ResetPasswordView
  | VerifyEmailView
  | PasswordlessView
  | PasswordlessCodeView
  | PasswordlessLinkView
  | MfaChallengeView
  | MfaEnrollView
  | MfaRecoveryCodeView
  | PushDeviceView

export type PageView = PageCommon & ScreenView
