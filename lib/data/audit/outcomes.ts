// Maps a refused request to its audit event: by error code, then by endpoint. A refusal without a mapping is no security event: an
// expired page, a wrong method, an early poll, our own failure (the server log has it).
import type { ErrorCode } from '../../kernel/errors'
import type { AuditSubject } from './audit'
import type { EventName } from './events'

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
export type Refusals = {
  name: string
  refused: EventName | null | ((known: Pick<AuditSubject, 'grant' | 'reset'>, code: ErrorCode) => EventName | null)
  limited?: EventName
}

export function refusalEvent(code: ErrorCode, endpoint: Refusals, known: AuditSubject): EventName | null {
  if (NO_EVENT.has(code)) return null
  if (code === 'too_many_requests') return endpoint.limited ?? 'rate_limited'
  if (code === 'mfa_required') return 'factor_required'
  return typeof endpoint.refused === 'function' ? endpoint.refused(known, code) : endpoint.refused
}
