// Audit events of second factors: the result of an answer, and a challenge that was sent.
import type { EventName } from '../audit/events'
import type { Trail } from '../audit/trail'
import type { User } from '../users/user'
import type { FactorName } from './policy'
import type { MfaVerdict } from './prove'

type EventByOutcome = Partial<Record<MfaVerdict['outcome'], EventName>>

const ANSWERS = {
  passed: 'factor_passed',
  wrong: 'factor_failed',
  blocked: 'factor_limited',
  rejected: 'factor_rejected',
} as const satisfies EventByOutcome

const RECOVERIES = {
  passed: 'recovery_passed',
  wrong: 'recovery_failed',
  blocked: 'recovery_limited',
} as const satisfies EventByOutcome

const QUESTIONS: Partial<Record<FactorName, EventName>> = {
  sms: 'factor_text_sent',
  voice: 'factor_call_made',
  email: 'factor_mail_sent',
  push: 'factor_prompt_sent',
}

export function recordVerdict(verdict: MfaVerdict, user: User, factor: FactorName, trail: Trail): MfaVerdict {
  const events: EventByOutcome = factor === 'recovery-code' ? RECOVERIES : ANSWERS
  const name = events[verdict.outcome]
  if (name) trail.record(name, { user, factor })
  return verdict
}

/** `active`: the factor is used to log in, not being enrolled. */
export function recordChallenge(user: User, factor: FactorName, active: boolean, trail: Trail): void {
  if (active) trail.record('factor_asked', { user, factor })
  const sent = QUESTIONS[factor]
  if (sent) trail.record(sent, { user, factor })
}
