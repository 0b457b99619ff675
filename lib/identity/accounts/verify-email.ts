// Verifies an address by a mailed link. Opening the link changes nothing; the button verifies, once. A link proves only the
// address it was sent to, so it is void if the account has another address by now.
import { type ConnectionPort, type DatabaseConnection, isDatabase } from '../../data/connections/connection'
import { isMailAddress } from '../../data/outbox/message'
import type { OutboxRow } from '../../data/outbox/outbox'
import { findTicket, ticketKind, ticketRef } from '../../data/tickets/ticket'
import type { User } from '../../data/users/user'
import { type CustomDatabaseDeps, notifyScript } from '../custom-databases/ask'
import type { Denied } from '../tenant-code/trigger'
import { type LinkDeps, type LinkKind, type LinkPayload, type RequestContext, requestLink } from './account-link'
import { verifiesSignUps, welcomeMail } from './welcome'

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
): Promise<boolean> => requestLink(VERIFY, connection, email, context, deps, { wanted: (user) => !user.emailVerified })

/** Read-only; null for a link that is used, ended or not ours. */
export const openVerification = (
  ticket: string,
  deps: Pick<LinkDeps, 'tickets' | 'clock'>,
): Promise<LinkPayload | null> => findTicket(VERIFY.ticket, ticket, deps)

export type VerifyResult =
  | { outcome: 'done'; user: User; clientId: string | null; resultUrl?: string | undefined }
  | { outcome: 'expired' }
  | { outcome: 'denied'; denied: Denied }

type VerifyDeps = CustomDatabaseDeps &
  Pick<LinkDeps, 'tickets' | 'clock' | 'accounts' | 'users' | 'mailer' | 'trail'> & {
    connections: ConnectionPort
  }

/**
 * `knownUserId` is the user of the session in the verifying browser. A session of this account was made by the person who
 * signed up, so the account does not change its owner.
 */
export async function verifyEmail(
  ticket: string,
  knownUserId: string | null,
  context: { ip: string; locale: string | undefined },
  deps: VerifyDeps,
): Promise<VerifyResult> {
  const payload = await openVerification(ticket, deps)
  if (!payload) return { outcome: 'expired' }
  deps.trail.follow(payload.login)
  const denied = await deniedByScript(payload, context, deps)
  if (denied) return { outcome: 'denied', denied }
  const used = ticketRef(VERIFY.ticket, ticket)
  const proof = { knownUserId, at: deps.clock.now(), welcome: await welcomeOf(payload, context, deps) }
  const user = await deps.accounts.verifyEmail(used, payload, proof)
  if (!user) return { outcome: 'expired' }
  if (proof.welcome) deps.mailer.wake()
  deps.trail.record('address_verified', { user })
  return { outcome: 'done', user, clientId: payload.clientId, resultUrl: payload.resultUrl }
}

/** A database elsewhere is notified, where it has a script for that. */
async function deniedByScript(
  { connectionId, email, clientId }: LinkPayload,
  { ip }: { ip: string },
  deps: VerifyDeps,
): Promise<Denied | null> {
  const connection = (await deps.connections.all()).find(({ id }) => id === connectionId)
  return isDatabase(connection) ? notifyScript(connection, 'verify', [email], { cause: { clientId, ip } }, deps) : null
}

/** For the first proof of the address; null where the sign-up was welcomed already. */
export async function welcomeOf(
  { connectionId, userId, email, clientId, organizationId }: LinkPayload,
  { ip, locale }: { ip: string; locale: string | undefined },
  deps: Pick<VerifyDeps, 'connections' | 'users' | 'mailer'>,
): Promise<OutboxRow | null> {
  if (!deps.mailer.welcomes || !isMailAddress(email)) return null
  const connection = (await deps.connections.all()).find(({ id }) => id === connectionId)
  if (!isDatabase(connection) || !verifiesSignUps(connection, deps)) return null
  const user = await deps.users.find(userId)
  if (!user || user.emailVerified) return null
  const about = {
    to: email,
    user: { ...user, emailVerified: true },
    clientId,
    connectionId,
    organizationId,
    ip,
    locale,
  }
  return welcomeMail(about, deps)
}
