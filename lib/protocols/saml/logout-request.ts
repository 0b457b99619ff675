// Whose LogoutRequest ends a session (SAML Core 3.7.1, Profiles 4.4; threat-model.md IP3).
// - It is of now: one that was recorded ends no later session.
// - Its NameID must be what this application calls the person of this browser's session.
// - It is signed, or names the session by its index, which nobody but the session's applications knows.

import { secondsBetween } from '../../kernel/clock'
import type { LogoutRequest } from '../../saml/read'
import { malformed } from '../../saml/xml'
import type { SamlParticipant } from '../../sessions/saml-participant'

const SKEW_SECONDS = 120
const MOST_SECONDS = 600

export function checkOfNow({ issueInstant, notOnOrAfter }: LogoutRequest, now: Date): void {
  const age = secondsBetween(issueInstant, now)
  const over = notOnOrAfter !== null && secondsBetween(notOnOrAfter, now) >= SKEW_SECONDS
  if (over || age > MOST_SECONDS || age < -SKEW_SECONDS) throw malformed('it is not of now')
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
