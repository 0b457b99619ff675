// Which event a refused request is: by what went wrong, then at the token endpoint by grant, then by endpoint. What has
// neither is no security event: a page that is over, a wrong method, a poll too early, our own failure (the log has it).
import type { ErrorCode } from '../kernel/errors'
import type { EventName } from './events'

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

/** What an endpoint's literal says of its refusals. */
export type Refusals = { name: string; refused: EventName | null; limited?: EventName }

export function refusalEvent(code: ErrorCode, endpoint: Refusals, grant: string | undefined): EventName | null {
  if (NO_EVENT.has(code)) return null
  if (code === 'too_many_requests') return endpoint.limited ?? 'rate_limited'
  if (code === 'mfa_required') return 'factor_required'
  return exchangeOf(grant)?.refused ?? endpoint.refused
}
