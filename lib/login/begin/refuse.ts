// Refuses a request for a login before any page was shown.
import { saidOf } from '../../data/audit/trail'
import type { DomainError } from '../../kernel/errors'
import type { LoginDeps } from '../deps'
import { refusalError, type StepRefusal } from '../steps/step'
import type { Origin } from '../transaction'
import type { VisitorResponse } from '../visitor-response'

export async function refuseRequest(
  { protocol, request }: Origin,
  error: DomainError,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  deps.trail.record('login_refused', saidOf(error))
  return deps.protocols[protocol].refuse(request, error)
}

/** The answer to `prompt=none`. */
export const refuseSilently = (
  { protocol, request }: Origin,
  refusal: StepRefusal,
  deps: LoginDeps,
): VisitorResponse | Promise<VisitorResponse> => {
  const error = refusalError(refusal)
  deps.trail.record('login_silent_refused', saidOf(error))
  return deps.protocols[protocol].refuse(request, error)
}
