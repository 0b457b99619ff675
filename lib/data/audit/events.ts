// The registry of audit events: name, vendor code and category, default description. docs/audit-log.md is held equal to it, and
// events.test.ts holds that a real endpoint causes each.
// - Names are ours; codes are the vendor's, so that dashboards for its logs work with ours.
// - Codes without a vendor equivalent start with `latchkey_`.
// - `kept`: the response waits until the record is stored (trail.ts).
// - `refusal`: something was refused, and each record names the reason. Where one reason is behind every such event, `reason` names it.
// - `replaces`: the vendor has a code of its own for one reason of this refusal, so the request records that event in its place (trail.ts).
import type { Reason } from '../../kernel/reasons'

/** The vendor's categories of log events, by which a stream selects. Some have no events here. */
export const CATEGORIES = [
  'actions',
  'auth.ancillary.fail',
  'auth.ancillary.success',
  'auth.login.fail',
  'auth.login.notification',
  'auth.login.success',
  'auth.logout.fail',
  'auth.logout.success',
  'auth.signup.fail',
  'auth.signup.success',
  'auth.silent_auth.fail',
  'auth.silent_auth.success',
  'auth.token_exchange.fail',
  'auth.token_exchange.success',
  'management.fail',
  'management.success',
  'scim.event',
  'system.notification',
  'user.fail',
  'user.notification',
  'user.success',
  'other',
] as const

export type Category = (typeof CATEGORIES)[number]

type Row = {
  code: string
  category: Category
  says: string
  kept?: true
  refusal?: true
  reason?: Reason
  replaces?: string
}

export const EVENTS = {
  // Signing in
  login: { code: 's', category: 'auth.login.success', says: 'Successful login' },
  login_silent: { code: 'ssa', category: 'auth.silent_auth.success', says: 'Successful silent authentication' },
  login_refused: { code: 'f', category: 'auth.login.fail', says: 'Failed login', refusal: true },
  login_silent_refused: {
    code: 'fsa',
    category: 'auth.silent_auth.fail',
    says: 'Failed silent authentication',
    refusal: true,
  },
  password_wrong: { code: 'fp', category: 'auth.login.fail', says: 'Wrong password', reason: 'wrong_password' },
  user_unknown: {
    code: 'fu',
    category: 'auth.login.fail',
    says: 'Unknown address or username',
    reason: 'user_unknown',
  },
  cross_origin_login: { code: 'scoa', category: 'auth.login.success', says: 'Successful cross-origin authentication' },
  cross_origin_refused: {
    code: 'fcoa',
    category: 'auth.login.fail',
    says: 'Failed cross-origin authentication',
    refusal: true,
  },
  code_sent: { code: 'cs', category: 'auth.login.notification', says: 'A code was sent' },
  code_or_link_sent: { code: 'cls', category: 'auth.login.notification', says: 'A code or link was sent' },
  logout: { code: 'slo', category: 'auth.logout.success', says: 'Successful logout' },
  logout_refused: { code: 'flo', category: 'auth.logout.fail', says: 'Failed logout', refusal: true },
  // The keys are stored in records (`details.event`), so they cannot change.
  backchannel_told: {
    code: 'oidc_backchannel_logout_succeeded',
    category: 'auth.logout.success',
    says: 'An application was notified of a logout',
  },
  backchannel_refused: {
    code: 'oidc_backchannel_logout_failed',
    category: 'auth.logout.fail',
    says: 'An application could not be notified of a logout',
    reason: 'backchannel_logout_failed',
  },

  // Attack protection
  account_blocked: {
    code: 'limit_wc',
    category: 'user.notification',
    says: 'The account is blocked for this address after too many failures',
    reason: 'account_locked',
  },
  login_hurried: {
    code: 'limit_sul',
    category: 'user.notification',
    says: 'Too many logins of one account from one address in a short time',
    reason: 'login_hurried',
  },
  address_blocked: {
    code: 'limit_mu',
    category: 'user.notification',
    says: 'The address is blocked after too many failures',
    reason: 'address_locked',
  },
  account_unblocked: {
    code: 'ublkdu',
    category: 'user.success',
    says: 'The block was lifted by its owner',
    kept: true,
  },
  login_password_leaked: {
    code: 'pwd_leak',
    category: 'auth.login.notification',
    says: 'A login with a leaked password was refused',
    reason: 'leaked_password',
  },
  sign_up_password_leaked: {
    code: 'signup_pwd_leak',
    category: 'user.notification',
    says: 'Signing up with a leaked password was refused',
    reason: 'leaked_password',
    replaces: 'sign_up_refused',
  },
  reset_password_leaked: {
    code: 'reset_pwd_leak',
    category: 'user.notification',
    says: 'A leaked password was refused',
    reason: 'leaked_password',
  },
  bot_suspected: {
    code: 'pla',
    category: 'user.notification',
    says: 'A request looks like that of a bot',
    reason: 'requires_verification',
  },
  captcha_refused: {
    code: 'latchkey_captcha_refused',
    category: 'user.notification',
    says: 'A captcha was not solved',
    reason: 'invalid_captcha',
  },
  rate_limited: {
    code: 'api_limit',
    category: 'system.notification',
    says: 'Too many requests',
    reason: 'too_many_requests',
  },
  userinfo_limited: {
    code: 'limit_ui',
    category: 'system.notification',
    says: 'Too many calls to /userinfo',
    reason: 'too_many_requests',
  },

  passkey_copied: {
    code: 'latchkey_passkey_copied',
    category: 'user.notification',
    says: 'A passkey was refused: another device has its key',
    reason: 'passkey_copied',
  },
  passkey_uncounted: {
    code: 'latchkey_passkey_uncounted',
    category: 'user.notification',
    says: 'A passkey that may be backed up did not count up: another device may have its key',
  },

  // Accounts
  sign_up: { code: 'ss', category: 'auth.signup.success', says: 'Successful sign-up' },
  sign_up_refused: { code: 'fs', category: 'auth.signup.fail', says: 'Failed sign-up', refusal: true },
  reset_requested: { code: 'scpr', category: 'user.success', says: 'A link to set a password was asked for' },
  reset_request_refused: {
    code: 'fcpr',
    category: 'user.fail',
    says: 'A link to set a password was asked for, and not sent',
    refusal: true,
  },
  password_changed: { code: 'scp', category: 'user.success', says: 'The password was changed', kept: true },
  password_change_refused: { code: 'fcp', category: 'user.fail', says: 'The password was not changed', refusal: true },
  verification_sent: { code: 'svr', category: 'user.success', says: 'A link to verify an address was sent' },
  address_verified: { code: 'sv', category: 'user.success', says: 'The address was verified' },
  verification_refused: { code: 'fv', category: 'user.fail', says: 'The address was not verified', refusal: true },

  // Second factors
  factor_enrolling: {
    code: 'gd_start_enroll',
    category: 'user.notification',
    says: 'The enrolment of a second factor started',
  },
  factor_enrolled: {
    code: 'gd_enrollment_complete',
    category: 'user.success',
    says: 'A second factor was added',
    kept: true,
  },
  factor_removed: { code: 'gd_unenroll', category: 'user.success', says: 'A second factor was removed', kept: true },
  factor_asked: { code: 'gd_start_auth', category: 'auth.ancillary.success', says: 'A second factor was asked for' },
  factor_text_sent: {
    code: 'gd_send_sms',
    category: 'auth.ancillary.success',
    says: 'A code was sent as text message',
  },
  factor_call_made: { code: 'gd_send_voice', category: 'auth.ancillary.success', says: 'A code was sent by a call' },
  factor_mail_sent: { code: 'gd_send_email', category: 'auth.ancillary.success', says: 'A code was sent by mail' },
  factor_prompt_sent: { code: 'gd_send_pn', category: 'auth.ancillary.success', says: 'A device was asked' },
  factor_passed: { code: 'gd_auth_succeed', category: 'auth.ancillary.success', says: 'The second factor was proven' },
  factor_failed: {
    code: 'gd_auth_failed',
    category: 'auth.ancillary.fail',
    says: 'The second factor was wrong',
    reason: 'factor_wrong',
  },
  factor_rejected: {
    code: 'gd_auth_rejected',
    category: 'auth.ancillary.fail',
    says: 'The device refused the login',
    reason: 'factor_rejected',
  },
  factor_limited: {
    code: 'gd_otp_rate_limit_exceed',
    category: 'auth.ancillary.fail',
    says: 'Too many wrong answers of a second factor',
    reason: 'too_many_factor_failures',
  },
  recovery_passed: {
    code: 'gd_recovery_succeed',
    category: 'auth.ancillary.success',
    says: 'A recovery code was used',
  },
  recovery_failed: {
    code: 'gd_recovery_failed',
    category: 'auth.ancillary.fail',
    says: 'The recovery code was wrong',
    reason: 'factor_wrong',
  },
  recovery_limited: {
    code: 'gd_recovery_rate_limit_exceed',
    category: 'auth.ancillary.fail',
    says: 'Too many wrong recovery codes',
    reason: 'too_many_factor_failures',
  },
  factor_required: {
    code: 'mfar',
    category: 'auth.ancillary.success',
    says: 'A second factor is required',
    reason: 'mfa_required',
  },

  // Tokens
  code_exchanged: { code: 'seacft', category: 'auth.token_exchange.success', says: 'Authorization code exchanged' },
  code_exchange_refused: {
    code: 'feacft',
    category: 'auth.token_exchange.fail',
    says: 'Authorization code not exchanged',
    refusal: true,
  },
  refresh_exchanged: { code: 'sertft', category: 'auth.token_exchange.success', says: 'Refresh token exchanged' },
  refresh_exchange_refused: {
    code: 'fertft',
    category: 'auth.token_exchange.fail',
    says: 'Refresh token not exchanged',
    refusal: true,
  },
  refresh_token_reused: {
    code: 'ferrt',
    category: 'auth.token_exchange.fail',
    says: 'A refresh token was used twice, and its tokens are revoked',
    reason: 'refresh_token_reused',
  },
  refresh_token_superseded: {
    code: 'ferrt',
    category: 'auth.token_exchange.fail',
    says: 'A refresh token was used again after its successor; it alone is refused',
    reason: 'refresh_token_superseded',
  },
  credentials_exchanged: {
    code: 'seccft',
    category: 'auth.token_exchange.success',
    says: 'Client credentials exchanged',
  },
  credentials_exchange_refused: {
    code: 'feccft',
    category: 'auth.token_exchange.fail',
    says: 'Client credentials not exchanged',
    refusal: true,
  },
  token_exchanged: { code: 'secte', category: 'auth.token_exchange.success', says: 'A subject token was exchanged' },
  token_exchange_refused: {
    code: 'fecte',
    category: 'auth.token_exchange.fail',
    says: 'A subject token was not exchanged',
    refusal: true,
  },
  password_exchanged: { code: 'sepft', category: 'auth.token_exchange.success', says: 'Password exchanged' },
  password_exchange_refused: {
    code: 'fepft',
    category: 'auth.token_exchange.fail',
    says: 'Password not exchanged',
    refusal: true,
  },
  passwordless_exchange_refused: {
    code: 'fepotpft',
    category: 'auth.token_exchange.fail',
    says: 'Passwordless code not exchanged',
    refusal: true,
  },
  otp_exchanged: {
    code: 'seotpft',
    category: 'auth.token_exchange.success',
    says: 'Password and code of an app exchanged',
  },
  otp_exchange_refused: {
    code: 'feotpft',
    category: 'auth.token_exchange.fail',
    says: 'Code of an app not exchanged',
    refusal: true,
  },
  oob_exchanged: {
    code: 'seoobft',
    category: 'auth.token_exchange.success',
    says: 'Password and out-of-band answer exchanged',
  },
  oob_exchange_refused: {
    code: 'feoobft',
    category: 'auth.token_exchange.fail',
    says: 'Out-of-band answer not exchanged',
    refusal: true,
  },
  recovery_exchanged: {
    code: 'sercft',
    category: 'auth.token_exchange.success',
    says: 'Password and recovery code exchanged',
  },
  recovery_exchange_refused: {
    code: 'fercft',
    category: 'auth.token_exchange.fail',
    says: 'Recovery code not exchanged',
    refusal: true,
  },
  device_exchanged: { code: 'sede', category: 'auth.token_exchange.success', says: 'Device code exchanged' },
  device_exchange_refused: {
    code: 'fede',
    category: 'auth.token_exchange.fail',
    says: 'Device code not exchanged',
    refusal: true,
  },
  device_request_refused: {
    code: 'fdeaz',
    category: 'auth.ancillary.fail',
    says: 'Failed device authorization request',
    refusal: true,
  },
  device_activation_refused: {
    code: 'fdeac',
    category: 'auth.ancillary.fail',
    says: 'Failed device activation',
    refusal: true,
  },
  device_denied: {
    code: 'fdecc',
    category: 'auth.ancillary.fail',
    says: 'The person refused the device',
    reason: 'device_denied',
  },
  push_refused: {
    code: 'fpar',
    category: 'auth.ancillary.fail',
    says: 'Failed pushed authorization request',
    refusal: true,
  },
  session_revoked: {
    code: 'session_revoked',
    category: 'auth.ancillary.success',
    says: 'An action ended a session',
    kept: true,
  },
  tokens_revoked: { code: 'srrt', category: 'auth.ancillary.success', says: 'Refresh tokens were revoked', kept: true },

  // The deletion of an account by its owner
  deletion_requested: {
    code: 'latchkey_deletion_requested',
    category: 'user.notification',
    says: 'The owner asked for the deletion of the account',
    kept: true,
  },
  deletion_cancelled: {
    code: 'latchkey_deletion_cancelled',
    category: 'user.success',
    says: 'The owner keeps the account after all',
    kept: true,
  },
  account_deleted: {
    code: 'sdu',
    category: 'user.success',
    says: 'An account was deleted, as its owner asked',
    kept: true,
  },

  // Configuration, a person's own record, and the log itself
  changed: { code: 'sapi', category: 'management.success', says: 'Changed', kept: true },
  change_refused: { code: 'fapi', category: 'management.fail', says: 'Refused', refusal: true },
  events_lost: {
    code: 'latchkey_events_lost',
    category: 'other',
    says: 'Events could not be kept while the database was away',
  },
  chain_unproven: {
    code: 'latchkey_chain_unproven',
    category: 'other',
    says: 'The end of the chain was not written under this secret',
  },
} as const satisfies Record<string, Row>

export type EventName = keyof typeof EVENTS

const CATEGORY_BY_CODE: ReadonlyMap<string, Category> = new Map(
  Object.values(EVENTS).map(({ code, category }) => [code, category]),
)

/** The category of a code; codes of a later release are `other`. */
export const categoryOf = (code: string): Category => CATEGORY_BY_CODE.get(code) ?? 'other'

export const codeOf = (name: EventName): string => EVENTS[name].code

export const isKept = (name: EventName): boolean => 'kept' in EVENTS[name]

/** Of a login, so a record of it has the id of one. A refresh follows the login that its token comes from, if it is known. */
export const isOfLogin = (name: EventName): boolean =>
  OF_LOGIN.has(EVENTS[name].category) && !name.startsWith('credentials_') && !name.startsWith('refresh_')

const OF_LOGIN: ReadonlySet<Category> = new Set([
  'auth.login.success',
  'auth.login.fail',
  'auth.login.notification',
  'auth.silent_auth.success',
  'auth.silent_auth.fail',
  'auth.token_exchange.success',
  'auth.token_exchange.fail',
])

/** The events that name the reason of each. */
export type RefusalEvent = {
  [Name in EventName]: (typeof EVENTS)[Name] extends { refusal: true } ? Name : never
}[EventName]

/** The reason behind every event of this name; undefined where each has its own, or none. */
export const reasonOfEvent = (name: EventName): Reason | undefined => {
  const row: Row = EVENTS[name]
  return row.reason
}

/** The event that this one replaces; undefined where it replaces none. */
export const replacedBy = (name: EventName): string | undefined => {
  const row: Row = EVENTS[name]
  return row.replaces
}
