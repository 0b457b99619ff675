// Proving an address by the link of a mail. Opening the link changes nothing; the button does, once. A link proves only
// the address it was sent to: when the account has another one by now, it is worth nothing.
import type { Connection } from '../connections/connection'
import { digest } from '../kernel/secret'
import { findTicket, ticketKind } from '../tickets/ticket'
import type { User } from '../users/user'
import { type LinkDeps, type LinkKind, type LinkPayload, type RequestContext, requestLink } from './account-link'

/** The vendor's lifetime of it: five days. */
export const VERIFY: LinkKind = {
  ticket: ticketKind<LinkPayload>('verify-email', 5 * 86400),
  mail: 'verify_email',
  path: '/u/verify-email',
  events: { sent: 'verification_sent' },
}

/** Sends the link once more, to an address that is not verified yet; nothing tells whether it did. */
export const requestVerification = (
  connection: Connection,
  email: string,
  context: RequestContext,
  deps: LinkDeps,
): Promise<void> => requestLink(VERIFY, connection, email, context, deps, (user) => !user.emailVerified)

/** Changes nothing; null for a link that is used, over, replaced or not ours. */
export const openVerification = (
  ticket: string,
  deps: Pick<LinkDeps, 'tickets' | 'clock'>,
): Promise<LinkPayload | null> => findTicket(VERIFY.ticket, ticket, deps)

export type VerifyResult = { outcome: 'done'; user: User; clientId: string | null } | { outcome: 'expired' }

/** `knownUserId`: whose session the prover's browser holds. It was made by the person who signed up, so nothing changes hands. */
export async function verifyEmail(
  ticket: string,
  knownUserId: string | null,
  deps: Pick<LinkDeps, 'tickets' | 'clock' | 'accounts' | 'trail'>,
): Promise<VerifyResult> {
  const payload = await openVerification(ticket, deps)
  const used = { kind: VERIFY.ticket.name, digest: digest(ticket) }
  const user = payload && (await deps.accounts.verifyEmail(used, payload, { knownUserId, at: deps.clock.now() }))
  if (!user) return { outcome: 'expired' }
  deps.trail.record('address_verified', { user })
  return { outcome: 'done', user, clientId: payload.clientId }
}
