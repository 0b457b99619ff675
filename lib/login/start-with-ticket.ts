// Beginning a login for a browser that brings a login ticket: what it proved counts in place of the session, through the
// same requirements as any other login. A ticket that proves nothing is a login that nobody has begun: the session does
// not answer for whoever was meant to be logged in, the login page does.
import { type HttpRequest, type HttpResponse, redirect, withHeaders } from '../http/message'
import type { LoginDeps } from './deps'
import { finishLogin } from './finish'
import { dropTicketCookie, redeemLoginTicket } from './login-ticket'
import { nextRequirement } from './requirements'
import { screenUrl } from './screens'
import { beginTransaction, refuseSilently } from './start'
import { loadState } from './state'
import type { Origin, Wants } from './transaction'

export async function startWithTicket(
  origin: Origin,
  wants: Wants,
  ticket: string,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const proof = await redeemLoginTicket(ticket, wants, request, deps)
  const facts = {
    wants,
    user: proof?.user ?? null,
    evidence: proof?.evidence ?? [],
    decisions: proof ? { account: 'selected' as const } : {},
  }
  const state = await loadState(facts, deps)
  const missing = nextRequirement(state)
  if (missing && wants.prompt.includes('none')) return refuseSilently(origin, missing.refusal, deps)
  const { handle, transaction, cookies } = await beginTransaction(origin, facts, request, deps)
  const response = missing
    ? redirect(deps.baseUrl + screenUrl(missing.screen, handle))
    : await finishLogin({ handle, transaction, state, screen: null }, request, deps)
  return withHeaders(response, ...cookies, dropTicketCookie(deps))
}
