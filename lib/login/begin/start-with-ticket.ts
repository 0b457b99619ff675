// Starts a login for a browser that brings a login ticket.
import { type HttpRequest, type HttpResponse, withHeaders } from '../../http/message'
import type { LoginDeps } from '../deps'
import type { Origin, Wants } from '../transaction'
import { dropTicketCookie, redeemLoginTicket } from './login-ticket'
import { startWithProof } from './start-with-proof'

export async function startWithTicket(
  origin: Origin,
  wants: Wants,
  ticket: string,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const proof = await redeemLoginTicket(ticket, wants, request, deps)
  return withHeaders(await startWithProof(origin, wants, proof, request, deps), dropTicketCookie(deps))
}
