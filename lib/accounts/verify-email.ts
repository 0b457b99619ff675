// Verifies an address by a mailed link. Opening the link changes nothing; the button verifies, once. A link proves only the
// address it was sent to, so it is void if the account has another address by now.
import type { DatabaseConnection } from '../connections/connection'
import { findTicket, ticketKind, ticketRef } from '../tickets/ticket'
import type { User } from '../users/user'
import { type LinkDeps, type LinkKind, type LinkPayload, type RequestContext, requestLink } from './account-link'

/** The vendor's lifetime: five days. */
export const VERIFY: LinkKind = {
  ticket: ticketKind<LinkPayload>('verify-email', 5 * 86400),
  mail: 'verify_email',
  path: '/u/verify-email',
  events: { sent: 'verification_sent' },
}

/** Sends the link again, if the address is not verified yet; the response is the same in either case. */
export const requestVerification = (
  connection: DatabaseConnection,
  email: string,
  context: RequestContext,
  deps: LinkDeps,
): Promise<boolean> => requestLink(VERIFY, connection, email, context, deps, (user) => !user.emailVerified)

/** Read-only; null for a link that is used, ended or not ours. */
export const openVerification = (
  ticket: string,
  deps: Pick<LinkDeps, 'tickets' | 'clock'>,
): Promise<LinkPayload | null> => findTicket(VERIFY.ticket, ticket, deps)

export type VerifyResult =
  | { outcome: 'done'; user: User; clientId: string | null; resultUrl?: string | undefined }
  | { outcome: 'expired' }

/**
 * `knownUserId` is the user of the session in the verifying browser. A session of this account was made by the person who
 * signed up, so the account does not change its owner.
 */
export async function verifyEmail(
  ticket: string,
  knownUserId: string | null,
  deps: Pick<LinkDeps, 'tickets' | 'clock' | 'accounts' | 'trail'>,
): Promise<VerifyResult> {
  const payload = await openVerification(ticket, deps)
  const used = ticketRef(VERIFY.ticket, ticket)
  const user = payload && (await deps.accounts.verifyEmail(used, payload, { knownUserId, at: deps.clock.now() }))
  if (!user) return { outcome: 'expired' }
  deps.trail.record('address_verified', { user })
  return { outcome: 'done', user, clientId: payload.clientId, resultUrl: payload.resultUrl }
}
