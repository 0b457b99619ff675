// Which event a refused request is: by what went wrong, then by endpoint, at the token endpoint by grant. What is in no
// table here is no security event: a page that is over, a wrong method, a poll too early, our own failure (the log has it).
import type { ErrorCode } from '../kernel/errors'
import type { EventName } from './events'

const BY_ENDPOINT: Readonly<Record<string, EventName>> = {
  authorize: 'login_refused',
  samlp: 'login_refused',
  wsfed: 'login_refused',
  'u.submit': 'login_refused',
  'u.resume': 'login_refused',
  'login.callback': 'login_refused',
  'passwordless.verify': 'login_refused',
  'passwordless.verify_redirect': 'login_refused',
  'usernamepassword.login': 'cross_origin_refused',
  'co.authenticate': 'cross_origin_refused',
  'dbconnections.change_password': 'reset_request_refused',
  'u.reset-password': 'password_change_refused',
  'u.verify-email': 'verification_refused',
  'oauth.par': 'push_refused',
  'oauth.device_code': 'device_request_refused',
  activate: 'device_activation_refused',
  logout: 'logout_refused',
  'oidc.logout': 'logout_refused',
  'samlp.logout': 'logout_refused',
  'oidc.register': 'change_refused',
  'oidc.registration': 'change_refused',
  'api.users': 'change_refused',
  'api.users.enrollments': 'change_refused',
  'api.users.multifactor': 'change_refused',
  'api.users.identities': 'change_refused',
  'api.users.identity': 'change_refused',
  'api.device_credentials': 'change_refused',
  'api.device_credential': 'change_refused',
  'mfa.associate': 'change_refused',
  'mfa.authenticators': 'change_refused',
  'mfa.authenticator': 'change_refused',
}

type Exchange = { done: EventName; refused: EventName }

/** By what the grant is called without the vendor's host in front. */
const BY_GRANT: Readonly<Record<string, Exchange>> = {
  authorization_code: { done: 'code_exchanged', refused: 'code_exchange_refused' },
  refresh_token: { done: 'refresh_exchanged', refused: 'refresh_exchange_refused' },
  client_credentials: { done: 'credentials_exchanged', refused: 'credentials_exchange_refused' },
  password: { done: 'password_exchanged', refused: 'password_exchange_refused' },
  'password-realm': { done: 'password_exchanged', refused: 'password_exchange_refused' },
  // The vendor has no code of its own for the success: it is a login.
  'passwordless/otp': { done: 'login', refused: 'passwordless_exchange_refused' },
  'mfa-otp': { done: 'otp_exchanged', refused: 'otp_exchange_refused' },
  'mfa-oob': { done: 'oob_exchanged', refused: 'oob_exchange_refused' },
  'mfa-recovery-code': { done: 'recovery_exchanged', refused: 'recovery_exchange_refused' },
  'urn:ietf:params:oauth:grant-type:device_code': { done: 'device_exchanged', refused: 'device_exchange_refused' },
}

const exchangeOf = (grant: string | undefined): Exchange | undefined =>
  grant !== undefined && Object.hasOwn(BY_GRANT, grant) ? BY_GRANT[grant] : undefined

export const exchanged = (grant: string): EventName | null => exchangeOf(grant)?.done ?? null

/** An ordinary turn of a conversation, or our own failure. */
const NO_EVENT: ReadonlySet<ErrorCode> = new Set([
  'authorization_pending',
  'slow_down',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'temporarily_unavailable',
  'server_error',
])

export function refusalEvent(code: ErrorCode, endpoint: string, grant: string | undefined): EventName | null {
  if (NO_EVENT.has(code)) return null
  if (code === 'too_many_requests') return endpoint === 'userinfo' ? 'userinfo_limited' : 'rate_limited'
  if (code === 'mfa_required') return 'factor_required'
  if (endpoint === 'oauth.token') return exchangeOf(grant)?.refused ?? 'login_refused'
  return Object.hasOwn(BY_ENDPOINT, endpoint) ? (BY_ENDPOINT[endpoint] ?? null) : null
}
