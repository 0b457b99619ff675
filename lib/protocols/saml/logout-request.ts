// Validates a LogoutRequest (SAML Core 3.7.1, Profiles 4.4; threat-model.md IP3).
// - It must be recent: a recorded request cannot end a later session.
// - Its NameID must be the one that this application received for the user of this browser's session.
// - It must be signed, or must name the session by its index, which only the session's applications know.
// - A signed request is accepted once: without an index a replay would also end a later session of the same user.

import type { LogoutRequest } from '../../crypto/saml/read'
import { malformed } from '../../crypto/saml/xml'
import type { SamlParticipant } from '../../data/sessions/saml-participant'
import { claimName, type TicketPort } from '../../data/tickets/ticket'
import { addSeconds, type Clock, PROVIDER_SKEW_SECONDS, secondsBetween } from '../../kernel/clock'

const MAX_SECONDS = 600

export function checkOfNow({ issueInstant, notOnOrAfter }: LogoutRequest, now: Date): void {
  const age = secondsBetween(issueInstant, now)
  const over = notOnOrAfter !== null && secondsBetween(notOnOrAfter, now) >= PROVIDER_SKEW_SECONDS
  if (over || age > MAX_SECONDS || age < -PROVIDER_SKEW_SECONDS) throw malformed('it is not of now')
}

type ClaimDeps = { baseUrl: string; tickets: Pick<TicketPort, 'claim'>; clock: Clock }

/** Accepts each id once and throws for a replay; the id is kept for as long as the request counts as recent. */
export async function claimOnce(
  { id, issueInstant }: LogoutRequest,
  /** The scope of the ids: a client or a connection. */
  senderId: string,
  deps: ClaimDeps,
): Promise<void> {
  const until = addSeconds(issueInstant, MAX_SECONDS + 1)
  const isFirst = await claimName('saml-logout-request', JSON.stringify([deps.baseUrl, senderId, id]), until, deps)
  if (!isFirst) throw malformed('it was used before')
}

export function speaksOf(
  { nameId, sessions }: LogoutRequest,
  sid: string,
  participant: SamlParticipant | undefined,
  signed: boolean,
): boolean {
  if (participant?.nameId !== nameId) return false
  return sessions.length === 0 ? signed : sessions.includes(sid)
}
