// The registry of audit events: name, vendor code, default description. docs/audit-log.md is held equal to it, and events.test.ts holds that a
// real endpoint causes each.
// - Names are ours; codes are the vendor's, so that dashboards for its logs work with ours.
// - Codes without a vendor equivalent start with `latchkey_`.
// - `kept`: the response waits until the record is stored (trail.ts).
// - `refusal`: something was refused, and each record names the reason. Where one reason is behind every such event, `reason` names it.
// - `replaces`: the vendor has a code of its own for one reason of this refusal, so the request records that event in its place (trail.ts).
import type { Reason } from '../../kernel/reasons'

type Row = { code: string; says: string; kept?: true; refusal?: true; reason?: Reason; replaces?: string }

export const EVENTS = {
  // Signing in
  login: { code: 's', says: 'Successful login' },
  login_silent: { code: 'ssa', says: 'Successful silent authentication' },
  login_refused: { code: 'f', says: 'Failed login', refusal: true },
  login_silent_refused: { code: 'fsa', says: 'Failed silent authentication', refusal: true },
  password_wrong: { code: 'fp', says: 'Wrong password', reason: 'wrong_password' },
  user_unknown: { code: 'fu', says: 'Unknown address or username', reason: 'user_unknown' },
  cross_origin_login: { code: 'scoa', says: 'Successful cross-origin authentication' },
  cross_origin_refused: { code: 'fcoa', says: 'Failed cross-origin authentication', refusal: true },
  code_sent: { code: 'cs', says: 'A code was sent' },
  code_or_link_sent: { code: 'cls', says: 'A code or link was sent' },
  logout: { code: 'slo', says: 'Successful logout' },
  logout_refused: { code: 'flo', says: 'Failed logout', refusal: true },
  // The keys are stored in records (`details.event`), so they cannot change.
  backchannel_told: { code: 'oidc_backchannel_logout_succeeded', says: 'An application was notified of a logout' },
  backchannel_refused: {
    code: 'oidc_backchannel_logout_failed',
    says: 'An application could not be notified of a logout',
    reason: 'backchannel_logout_failed',
  },

  // Attack protection
  account_blocked: {
    code: 'limit_wc',
    says: 'The account is blocked for this address after too many failures',
    reason: 'account_locked',
  },
  login_hurried: {
    code: 'limit_sul',
    says: 'Too many logins of one account from one address in a short time',
    reason: 'login_hurried',
  },
  address_blocked: {
    code: 'limit_mu',
    says: 'The address is blocked after too many failures',
    reason: 'address_locked',
  },
  account_unblocked: { code: 'ublkdu', says: 'The block was lifted by its owner', kept: true },
  login_password_leaked: {
    code: 'pwd_leak',
    says: 'A login with a leaked password was refused',
    reason: 'leaked_password',
  },
  sign_up_password_leaked: {
    code: 'signup_pwd_leak',
    says: 'Signing up with a leaked password was refused',
    reason: 'leaked_password',
    replaces: 'sign_up_refused',
  },
  reset_password_leaked: { code: 'reset_pwd_leak', says: 'A leaked password was refused', reason: 'leaked_password' },
  bot_suspected: { code: 'pla', says: 'A request looks like that of a bot', reason: 'requires_verification' },
  captcha_refused: { code: 'latchkey_captcha_refused', says: 'A captcha was not solved', reason: 'invalid_captcha' },
  rate_limited: { code: 'api_limit', says: 'Too many requests', reason: 'too_many_requests' },
  userinfo_limited: { code: 'limit_ui', says: 'Too many calls to /userinfo', reason: 'too_many_requests' },

  passkey_copied: {
    code: 'latchkey_passkey_copied',
    says: 'A passkey was refused: another device has its key',
    reason: 'passkey_copied',
  },
  passkey_uncounted: {
    code: 'latchkey_passkey_uncounted',
    says: 'A passkey that may be backed up did not count up: another device may have its key',
  },

  // Accounts
  sign_up: { code: 'ss', says: 'Successful sign-up' },
  sign_up_refused: { code: 'fs', says: 'Failed sign-up', refusal: true },
  reset_requested: { code: 'scpr', says: 'A link to set a password was asked for' },
  reset_request_refused: { code: 'fcpr', says: 'A link to set a password was asked for, and not sent', refusal: true },
  password_changed: { code: 'scp', says: 'The password was changed', kept: true },
  password_change_refused: { code: 'fcp', says: 'The password was not changed', refusal: true },
  verification_sent: { code: 'svr', says: 'A link to verify an address was sent' },
  address_verified: { code: 'sv', says: 'The address was verified' },
  verification_refused: { code: 'fv', says: 'The address was not verified', refusal: true },

  // Second factors
  factor_enrolling: { code: 'gd_start_enroll', says: 'The enrolment of a second factor started' },
  factor_enrolled: { code: 'gd_enrollment_complete', says: 'A second factor was added', kept: true },
  factor_removed: { code: 'gd_unenroll', says: 'A second factor was removed', kept: true },
  factor_asked: { code: 'gd_start_auth', says: 'A second factor was asked for' },
  factor_text_sent: { code: 'gd_send_sms', says: 'A code was sent as text message' },
  factor_call_made: { code: 'gd_send_voice', says: 'A code was sent by a call' },
  factor_mail_sent: { code: 'gd_send_email', says: 'A code was sent by mail' },
  factor_prompt_sent: { code: 'gd_send_pn', says: 'A device was asked' },
  factor_passed: { code: 'gd_auth_succeed', says: 'The second factor was proven' },
  factor_failed: { code: 'gd_auth_failed', says: 'The second factor was wrong', reason: 'factor_wrong' },
  factor_rejected: { code: 'gd_auth_rejected', says: 'The device refused the login', reason: 'factor_rejected' },
  factor_limited: {
    code: 'gd_otp_rate_limit_exceed',
    says: 'Too many wrong answers of a second factor',
    reason: 'too_many_factor_failures',
  },
  recovery_passed: { code: 'gd_recovery_succeed', says: 'A recovery code was used' },
  recovery_failed: { code: 'gd_recovery_failed', says: 'The recovery code was wrong', reason: 'factor_wrong' },
  recovery_limited: {
    code: 'gd_recovery_rate_limit_exceed',
    says: 'Too many wrong recovery codes',
    reason: 'too_many_factor_failures',
  },
  factor_required: { code: 'mfar', says: 'A second factor is required', reason: 'mfa_required' },

  // Tokens
  code_exchanged: { code: 'seacft', says: 'Authorization code exchanged' },
  code_exchange_refused: { code: 'feacft', says: 'Authorization code not exchanged', refusal: true },
  refresh_exchanged: { code: 'sertft', says: 'Refresh token exchanged' },
  refresh_exchange_refused: { code: 'fertft', says: 'Refresh token not exchanged', refusal: true },
  refresh_token_reused: {
    code: 'ferrt',
    says: 'A refresh token was used twice, and its tokens are revoked',
    reason: 'refresh_token_reused',
  },
  refresh_token_superseded: {
    code: 'ferrt',
    says: 'A refresh token was used again after its successor; it alone is refused',
    reason: 'refresh_token_superseded',
  },
  credentials_exchanged: { code: 'seccft', says: 'Client credentials exchanged' },
  credentials_exchange_refused: { code: 'feccft', says: 'Client credentials not exchanged', refusal: true },
  token_exchanged: { code: 'secte', says: 'A subject token was exchanged' },
  token_exchange_refused: { code: 'fecte', says: 'A subject token was not exchanged', refusal: true },
  password_exchanged: { code: 'sepft', says: 'Password exchanged' },
  password_exchange_refused: { code: 'fepft', says: 'Password not exchanged', refusal: true },
  passwordless_exchange_refused: { code: 'fepotpft', says: 'Passwordless code not exchanged', refusal: true },
  otp_exchanged: { code: 'seotpft', says: 'Password and code of an app exchanged' },
  otp_exchange_refused: { code: 'feotpft', says: 'Code of an app not exchanged', refusal: true },
  oob_exchanged: { code: 'seoobft', says: 'Password and out-of-band answer exchanged' },
  oob_exchange_refused: { code: 'feoobft', says: 'Out-of-band answer not exchanged', refusal: true },
  recovery_exchanged: { code: 'sercft', says: 'Password and recovery code exchanged' },
  recovery_exchange_refused: { code: 'fercft', says: 'Recovery code not exchanged', refusal: true },
  device_exchanged: { code: 'sede', says: 'Device code exchanged' },
  device_exchange_refused: { code: 'fede', says: 'Device code not exchanged', refusal: true },
  device_request_refused: { code: 'fdeaz', says: 'Failed device authorization request', refusal: true },
  device_activation_refused: { code: 'fdeac', says: 'Failed device activation', refusal: true },
  device_denied: { code: 'fdecc', says: 'The person refused the device', reason: 'device_denied' },
  push_refused: { code: 'fpar', says: 'Failed pushed authorization request', refusal: true },
  session_revoked: { code: 'session_revoked', says: 'An action ended a session', kept: true },
  tokens_revoked: { code: 'srrt', says: 'Refresh tokens were revoked', kept: true },

  // The deletion of an account by its owner
  deletion_requested: {
    code: 'latchkey_deletion_requested',
    says: 'The owner asked for the deletion of the account',
    kept: true,
  },
  deletion_cancelled: {
    code: 'latchkey_deletion_cancelled',
    says: 'The owner keeps the account after all',
    kept: true,
  },
  account_deleted: { code: 'sdu', says: 'An account was deleted, as its owner asked', kept: true },

  // Configuration, a person's own record, and the log itself
  changed: { code: 'sapi', says: 'Changed', kept: true },
  change_refused: { code: 'fapi', says: 'Refused', refusal: true },
  events_lost: { code: 'latchkey_events_lost', says: 'Events could not be kept while the database was away' },
  chain_unproven: { code: 'latchkey_chain_unproven', says: 'The end of the chain was not written under this secret' },
} as const satisfies Record<string, Row>

export type EventName = keyof typeof EVENTS

export const codeOf = (name: EventName): string => EVENTS[name].code

export const isKept = (name: EventName): boolean => 'kept' in EVENTS[name]

/** The events that name the reason of each. */
export type Refusal = {
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
