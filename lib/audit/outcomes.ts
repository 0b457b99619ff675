// Maps a refused request to its audit event: by error code, then by grant at the token endpoint, then by endpoint. A refusal without a mapping is
// no security event: an expired page, a wrong method, an early poll, our own failure (the server log has it).
import type { ErrorCode } from '../kernel/errors'
import type { EventName } from './events'

type Exchange = { done: EventName; refused: EventName }

/** By grant type without the vendor's host. */
const BY_GRANT: Readonly<Record<string, Exchange>> = {
  authorization_code: { done: 'code_exchanged', refused: 'code_exchange_refused' },
  refresh_token: { done: 'refresh_exchanged', refused: 'refresh_exchange_refused' },
  client_credentials: { done: 'credentials_exchanged', refused: 'credentials_exchange_refused' },
  password: { done: 'password_exchanged', refused: 'password_exchange_refused' },
  'password-realm': { done: 'password_exchanged', refused: 'password_exchange_refused' },
  // The vendor has no code for the success; it logs a login.
  'passwordless/otp': { done: 'login', refused: 'passwordless_exchange_refused' },
  'mfa-otp': { done: 'otp_exchanged', refused: 'otp_exchange_refused' },
  'mfa-oob': { done: 'oob_exchanged', refused: 'oob_exchange_refused' },
  'mfa-recovery-code': { done: 'recovery_exchanged', refused: 'recovery_exchange_refused' },
  'urn:ietf:params:oauth:grant-type:device_code': { done: 'device_exchanged', refused: 'device_exchange_refused' },
}

const exchangeOf = (grant: string | undefined): Exchange | undefined =>
  grant !== undefined && Object.hasOwn(BY_GRANT, grant) ? BY_GRANT[grant] : undefined

export const exchanged = (grant: string): EventName | null => exchangeOf(grant)?.done ?? null

/** Normal protocol turns, and our own failures. */
const NO_EVENT: ReadonlySet<ErrorCode> = new Set([
  'authorization_pending',
  'slow_down',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'temporarily_unavailable',
  'server_error',
])

/** The part of an endpoint's definition that is about refusals. */
export type Refusals = { name: string; refused: EventName | null; limited?: EventName }

export function refusalEvent(code: ErrorCode, endpoint: Refusals, grant: string | undefined): EventName | null {
  if (NO_EVENT.has(code)) return null
  if (code === 'too_many_requests') return endpoint.limited ?? 'rate_limited'
  if (code === 'mfa_required') return 'factor_required'
  return exchangeOf(grant)?.refused ?? endpoint.refused
}
