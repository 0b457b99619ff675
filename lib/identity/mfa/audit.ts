// Audit events of second factors: the result of an answer, and a challenge that was sent.
import type { Trail } from '../../data/audit/trail'
import type { User } from '../../data/users/user'
import type { Factor, Judged } from './factors/factor'

export function recordVerdict({ outcome }: Judged, user: User, { id, audit }: Factor, trail: Trail): void {
  const name = audit.answered[outcome]
  if (name) trail.record(name, { user, factor: id })
}

/** `active`: the factor is used to log in, not being enrolled. */
export function recordChallenge(user: User, { id, audit }: Factor, active: boolean, trail: Trail): void {
  if (active) trail.record('factor_asked', { user, factor: id })
  if (audit.sent) trail.record(audit.sent, { user, factor: id })
}
