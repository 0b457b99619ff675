// Refuses a request for a login before any page was shown.
import { DomainError } from '../../kernel/errors'
import type { LoginDeps } from '../deps'
import type { refusalOf } from '../steps/requirements'
import type { Origin } from '../transaction'
import type { VisitorResponse } from '../visitor-response'

export async function refuseRequest(
  { protocol, request }: Origin,
  error: DomainError,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  deps.trail.record('login_refused', { reason: error.detail ?? error.description })
  return deps.protocols[protocol].refuse(request, error)
}

/** The answer to `prompt=none`. */
export const refuseSilently = (
  { protocol, request }: Origin,
  refusal: ReturnType<typeof refusalOf>,
  deps: LoginDeps,
): VisitorResponse | Promise<VisitorResponse> => {
  deps.trail.record('login_silent_refused', { reason: refusal.description })
  return deps.protocols[protocol].refuse(request, new DomainError(refusal.code, refusal.description))
}
