// Whose LogoutRequest ends a session (SAML Core 3.7.1, Profiles 4.4; threat-model.md IP3).
// - It is of now: one that was recorded ends no later session.
// - Its NameID must be what this application calls the person of this browser's session.
// - It is signed, or names the session by its index, which nobody but the session's applications knows.
// - A signed one counts once: without an index it would end a later session of the same person, too.

import { addSeconds, type Clock, secondsBetween } from '../../kernel/clock'
import type { LogoutRequest } from '../../saml/read'
import { malformed } from '../../saml/xml'
import type { SamlParticipant } from '../../sessions/saml-participant'
import { claimName, type TicketPort } from '../../tickets/ticket'

const SKEW_SECONDS = 120
const MAX_SECONDS = 600

export function checkOfNow({ issueInstant, notOnOrAfter }: LogoutRequest, now: Date): void {
  const age = secondsBetween(issueInstant, now)
  const over = notOnOrAfter !== null && secondsBetween(notOnOrAfter, now) >= SKEW_SECONDS
  if (over || age > MAX_SECONDS || age < -SKEW_SECONDS) throw malformed('it is not of now')
}

type ClaimDeps = { baseUrl: string; tickets: Pick<TicketPort, 'claim'>; clock: Clock }

/** Throws for all but the first that bring it; its id is kept for as long as it is of now. */
export async function claimOnce(
  { id, issueInstant }: LogoutRequest,
  /** Whose ids they are: of a client or a connection. */
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
