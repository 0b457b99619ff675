// A step inside a page of the portal: a ticket that opens in the session that passed the check for a recent sign-in, for minutes
// (threat-model.md BF19).
import { PORTAL_CLIENT } from '../../data/clients/portal'
import type { TicketMaker } from '../../data/tickets/ticket'
import type { HttpRequest } from '../../http/message'
import { findSession } from '../../login/begin/signed-in'
import type { SignedIn } from '../../login/visitor'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'

export const makerIn = ({ user, session }: SignedIn): TicketMaker => ({
  userId: user.id,
  clientId: PORTAL_CLIENT,
  sid: session.sid,
  familyId: null,
})

/** In whose session the request opens a step; null without one. */
export async function makerOf(request: HttpRequest, runtime: Runtime): Promise<TicketMaker | null> {
  const signedIn = await findSession(readVisitor(request, runtime), runtime)
  return signedIn && makerIn(signedIn)
}
