/**
 * The hosted pages as plain data: their content, without presentation.
 *
 * Both adapters (docs/adr/0002) build a `PageView` and pass it to the same components. Invariants: every form posts `state`
 * (where there is a transaction) and one named button, `action`, whose values are the `…Action` types below; every string here
 * is untrusted text that the renderer escapes; no field contains HTML.
 */

export const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

/** The branding of one tenant. Colours are CSS hex; the renderer ignores any other text, and a logo that is not http(s). */
export type Branding = {
  /** Shown in the title and beside the logo. */
  tenantName: string
  logoUrl?: string
  accent?: string
  pageBackground?: string
  /** The help address, shown on error pages. */
  supportUrl?: string
}

/** The data of every page. `nonce` is the nonce of the response's Content-Security-Policy. */
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

/** A message above a form. A message about a field marks that field invalid and links to it. */
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

/** The reasons for an error page instead of a redirect to the app; the catalogue has a title and an instruction for each. */
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

/** A button for another provider. Its form posts: state, connection, action=federated. */
export type ProviderView = {
  connection: string
  name: string
  /** Shown where there is no picture. */
  initial: string
  iconUrl?: string
}

/** Posts: state, username, password, action=login|cancel; or, before the password, state, username, action=identify. */
export type LoginView = {
  screen: 'login'
  /** The address that the form posts to. */
  action: string
  /** The transaction's handle, posted back as `state`. */
  state: string
  client: ClientView
  identifierKind: IdentifierKind
  /** The fields of the form; absent means identifier and password. */
  asks?: 'identifier' | 'nothing'
  /** In display order. */
  providers?: ProviderView[]
  /** Prefills the first field: the last attempt, or `login_hint`. */
  identifier?: string
  notice?: NoticeCode
  signUpUrl?: string
  resetUrl?: string
  /** The address of the login by code instead of a password. */
  passwordlessUrl?: string
  /** The user proves another account, which is then linked. */
  linking?: true
  /** Offers a button that sends the user back to the app. */
  cancel: boolean
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
export type PasswordRule = (typeof PASSWORD_RULES)[number]
export type PasswordRuleView = {
  rule: PasswordRule
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

/** Posts: state, email, username (where present), password, the extra fields, action=sign-up|cancel. */
export type SignUpView = {
  screen: 'signup'
  action: string
  state: string
  client: ClientView
  email?: string
  /** The field is shown where this is present; empty before input. */
  username?: string
  rules: PasswordRuleView[]
  extra: ExtraFieldView[]
  notice?: NoticeCode
  /** Names of the fields that the notice is about. */
  invalid: string[]
  /** The tenant's own text, in place of the notice's text. */
  words?: string
  termsUrl?: string
  privacyUrl?: string
  loginUrl: string
  cancel: boolean
}

/**
 * Requests a reset link by mail; the answer is the same for known and unknown addresses. Posts: state, email,
 * action=request-reset.
 */
export type ForgotPasswordView = {
  screen: 'forgot-password'
  action: string
  state: string
  email?: string
  /** `sent` states that a link was sent if the account exists. */
  phase: 'ask' | 'sent'
  notice?: NoticeCode
  loginUrl: string
  /** The same page, to request another link. */
  againUrl: string
}

/**
 * Opened by the link of a reset mail; only the button changes the password. Posts: ticket, username, password,
 * action=reset-password.
 */
export type ResetPasswordView =
  | {
      screen: 'reset-password'
      phase: 'ask'
      action: string
      ticket: string
      /** The account's name, shown, and given to the password manager. */
      user: string
      rules: PasswordRuleView[]
      notice?: NoticeCode
    }
  | { screen: 'reset-password'; phase: 'done'; continueUrl?: string }

/** Opened by the link of a verification mail; only the button verifies. Posts: ticket, action=verify-email. */
export type VerifyEmailView =
  | { screen: 'verify-email'; phase: 'ask'; action: string; ticket: string; email: string }
  | { screen: 'verify-email'; phase: 'done'; email: string; continueUrl?: string }

export type AccountView = {
  /** Posted back as `account` where there are several. */
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

/** How the user signs in to the other account: at this server, or with a provider, by its display name. */
export type LinkWayView = { kind: 'password' | 'email' | 'sms' } | { kind: 'provider'; name: string }

/** Suggests linking two accounts with the same verified address. Posts: state, action=link|keep-apart. */
export type LinkAccountView = {
  screen: 'link-account'
  action: string
  state: string
  client: ClientView
  /** The address of both accounts. */
  email: string
  ways: LinkWayView[]
  notice?: NoticeCode
}

/**
 * The catalogue has texts for `openid`, `profile`, `email`, `phone`, `address` and `offline_access`; other scopes use
 * `description`.
 */
export type ScopeView = { value: string; description?: string }

/** Posts: state, action=accept|deny. */
export type ConsentView = {
  screen: 'consent'
  action: string
  state: string
  /** `returnsTo`: the host or the app's scheme that gets the response; the only proven fact about a third party. */
  client: ClientView & { thirdParty: boolean; returnsTo?: string; policyUrl?: string; termsUrl?: string }
  user: { name: string; email?: string }
  /** Name of the API that the API scopes belong to. */
  audienceName?: string
  scopes: ScopeView[]
  notice?: NoticeCode
}

export type LoggedOutView = {
  screen: 'logged-out'
  /** A proven return URL, where there is one. */
  returnUrl?: string
  /** Front-channel logout addresses of the applications in the session. */
  frames?: string[]
}

/** Asks the user to confirm an RP-initiated logout without proof. Posts: every field, action=logout|stay. */
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
  /** Details for the developer, shown as a list: parameter name → value. */
  detail?: Record<string, string>
  requestId?: string
  /** The link to continue; without it the page explains what to do. `label` defaults to the catalogue's text. */
  back?: { href: string; label?: string }
  /** The address that restarts the same sign-in; shown before `back`. */
  restartUrl?: string
}

/** Opened by the link of a blocked-account mail; only the button lifts the block. Posts: ticket, action=unblock. */
export type UnblockView = {
  screen: 'unblock'
  action: string
  ticket: string
  /** `ask` shows the button, `done` confirms the result. */
  phase: 'ask' | 'done'
  continueUrl?: string
}

/** For operators. `ask` posts: token, action=examine. The findings are in English, like the log. */
export type DoctorView =
  | { screen: 'doctor'; action: string; phase: 'ask'; notice?: 'wrong_operator_token' }
  | {
      screen: 'doctor'
      phase: 'found'
      health: 'well' | 'doubtful' | 'ill'
      findings: readonly { about: string; health: 'well' | 'doubtful' | 'ill'; says: string }[]
    }

/**
 * Connects a device by its user code. `code` posts: user_code, action=continue; `confirm`: user_code, confirmation,
 * action=confirm|deny.
 */
export type ActivateView =
  | { screen: 'activate'; action: string; phase: 'code'; userCode?: string; notice?: 'wrong_user_code' }
  | ConfirmDeviceView
  | { screen: 'activate'; action: string; phase: 'connected' | 'refused' }

export type ConfirmDeviceView = {
  screen: 'activate'
  action: string
  phase: 'confirm'
  /** Shown for comparison with the device's code. */
  userCode: string
  /** Binds the button to this browser. */
  confirmation: string
  client: ClientView
  /** The user who is signed in in this browser, and would be on the device. */
  user?: { name: string; email?: string }
}

/** The kinds of addresses that a code can be sent to. */
export type AddressKind = 'email' | 'phone' | 'either'

/** Posts: state, address, action=send-code|cancel. */
export type PasswordlessView = {
  screen: 'passwordless'
  action: string
  state: string
  client: ClientView
  kind: AddressKind
  /** The message contains a link and no code. */
  sendsLink?: true
  address?: string
  /** The user proves another account, which is then linked. */
  linking?: true
  notice?: NoticeCode
  /** The address of the login by password, where there is one. */
  loginUrl?: string
  cancel: boolean
}

/**
 * The page is the same for known and unknown addresses. Posts: state, code, action=check-code|cancel; state,
 * action=check-link|cancel; or state, action=resend-code.
 */
export type PasswordlessCodeView = {
  screen: 'passwordless-code'
  action: string
  state: string
  client: ClientView
  address: string
  sends: 'code' | 'link' | 'both'
  /**
   * Present while a sent link is valid. `number`: the number that another browser requires. `answered`: submitting the form
   * continues.
   */
  link?: { phase: 'waiting' | 'answered'; number: string }
  /** Seconds until another message can be sent. */
  waitSeconds: number
  notice?: NoticeCode
  /** The page that accepts another address. */
  addressUrl: string
  loginUrl?: string
  cancel: boolean
}

/**
 * Opened by the link of a mail; only a button acts. `here` posts: every field, action=login. `elsewhere`, in a browser other
 * than the waiting one, posts: every field, number, action=approve|reject.
 */
export type PasswordlessLinkView = { screen: 'passwordless-link'; client: ClientView } & (
  | {
      phase: 'here' | 'elsewhere'
      action: string
      fields: Record<string, string>
      /** The address that the link or code was sent to. */
      email: string
      /** A code was typed elsewhere, instead of a link that was opened. */
      typed?: true
      /** The user who is signed in in this browser, if it is another user. */
      replaces?: string
    }
  | { phase: 'approved' | 'rejected' }
)

/** Kinds of second factor, as users distinguish them. */
export type FactorKind = 'otp' | 'push' | 'sms' | 'voice' | 'email' | 'recovery-code'

/** An enrolled factor. `name` is masked. */
export type FactorView = { id: string; kind: FactorKind; name?: string }

/**
 * Posts: state, code, remember=true, action=mfa-verify|cancel; or state, authenticator, action=mfa-use, which also sends a code
 * (again).
 */
export type MfaChallengeView = {
  screen: 'mfa-challenge'
  action: string
  state: string
  client: ClientView
  factor: FactorView
  /**
   * `send`: nothing was sent yet; `code`: a code is expected; `wait`: waiting for the device; `answered`: the device has
   * answered, and submitting the form continues.
   */
  phase: 'send' | 'code' | 'wait' | 'answered'
  /** The number to type on the device, so that users approve only logins that they see. */
  number?: string
  others: FactorView[]
  /** Days to remember the browser; offered where present. */
  rememberDays?: number
  notice?: NoticeCode
  cancel: boolean
}

/**
 * Posts: state, factor, phone, action=mfa-enroll; state, code, action=mfa-confirm; or state, action=mfa-other|cancel. `push`
 * waits for the device; its form is mfa-confirm without a code.
 */
export type MfaEnrollView = {
  screen: 'mfa-enroll'
  action: string
  state: string
  client: ClientView
  notice?: NoticeCode
  /** Whether another factor is available. */
  other: boolean
  cancel: boolean
} & (
  | { phase: 'choose'; factors: FactorKind[] }
  | { phase: 'phone'; kind: 'sms' | 'voice'; phone?: string }
  | { phase: 'otp'; uri: string; secret: string }
  | { phase: 'code'; kind: FactorKind; name: string }
  | { phase: 'push'; uri: string; answered: boolean }
)

/** Shows the recovery code once. Posts: state, action=mfa-saved. */
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
 * action=approve|reject. `idle`, `approved` and `rejected` lead to the page that shows the next pending login.
 */
export type PushDeviceView = { screen: 'push-device' } /** `confirmation` binds the buttons to this browser. */ & (
  | {
      phase: 'connect'
      action: string
      ticket: string
      confirmation: string
      /** Whose sign-ins the device would approve, masked, and the application of the enrolment. */
      user: string
      client: string
      /** The connection of this browser that ends then; `since` is in ISO 8601. */
      replaces?: { user: string; since: string }
    }
  | {
      phase: 'prompt'
      action: string
      prompt: string
      confirmation: string
      user: string
      client: string
      /** The IP address of the browser that requests the login. */
      ip: string
      /** Requires the number that the other screen shows. */
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
