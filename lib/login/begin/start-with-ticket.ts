// Starts a login for a browser that brings a login ticket.
import type { LoginDeps } from '../deps'
import type { Origin, Wants } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { withCookies } from '../visitor-response'
import { DROPPED_TICKET, redeemLoginTicket } from './login-ticket'
import { startWithProof } from './start-with-proof'

export async function startWithTicket(
  origin: Origin,
  wants: Wants,
  ticket: string,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const proof = await redeemLoginTicket(ticket, wants, visitor, deps)
  return withCookies(await startWithProof(origin, wants, proof, visitor, deps), [DROPPED_TICKET])
}
