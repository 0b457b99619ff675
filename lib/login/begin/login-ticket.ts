// Login tickets: a password or code proven from an application's own page, to be used by the /authorize that follows (the
// contract's cross-origin authentication).
// - Once, within a minute, for the application it was proven for, from an origin that it still allows.
// - Only in the browser that proved it, which holds the cookie beside it: a link with somebody else's ticket logs nobody
//   in (login CSRF, threat-model.md SE4).
// - Worth nothing any more when the password was changed or the person blocked meanwhile.
import { admitsOrigin, loginOrigins } from '../../clients/origins'
import type { Connection } from '../../connections/connection'
import { dropCookie, readCookie, writeCookie } from '../../http/cookies'
import type { HttpRequest } from '../../http/message'
import { digest, equalsConstantTime, mint } from '../../kernel/secret'
import type { Evidence } from '../../sessions/session'
import { consumeTicket, findTicket, issueTicket, ticketKind } from '../../tickets/ticket'
import { canonical, type User } from '../../users/user'
import type { LoginDeps } from '../deps'
import type { Wants } from '../transaction'

const LIFETIME_SECONDS = 60

type Payload = {
  clientId: string
  origin: string
  connectionId: string
  /** Canonical, as the account is found by. */
  identifier: string
  userId: string
  evidence: Evidence
  /** Base64 of the digest of the cookie's value. */
  browser: string
}

const LOGIN = ticketKind<Payload>('login', LIFETIME_SECONDS)

export type Proven = {
  clientId: string
  /** Of the page that sent the password. */
  origin: string
  connection: Connection
  identifier: string
  user: User
  /** How; its time is from before the password or code was looked at. */
  evidence: Evidence
}

export type LoginTicket = { ticket: string; verifier: string; cookie: [string, string] }

export async function issueLoginTicket(proven: Proven, deps: LoginDeps): Promise<LoginTicket> {
  const { clientId, origin, connection, identifier, user, evidence } = proven
  const verifier = mint(deps.random)
  const payload: Payload = {
    clientId,
    origin,
    connectionId: connection.id,
    identifier: canonical(identifier),
    userId: user.id,
    evidence,
    browser: verifier.digest.toString('base64'),
  }
  const ticket = await issueTicket(LOGIN, payload, deps)
  deps.trail.record('cross_origin_login', { user, connection })
  return { ticket, verifier: verifier.plain, cookie: writeCookie('co', verifier.plain, deps, LIFETIME_SECONDS) }
}

export const dropTicketCookie = (deps: LoginDeps): [string, string] => dropCookie('co', deps)

/** Uses the ticket up; null where it proves nothing for this request. */
export async function redeemLoginTicket(
  plain: string,
  wants: Wants,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<{ user: User; evidence: Evidence[] } | null> {
  const payload = await findTicket(LOGIN, plain, deps)
  if (!payload || !(await fits(payload, wants, request, deps))) return null
  const account = await deps.users.findAccount(payload.connectionId, payload.identifier)
  const changed = account?.passwordChangedAt && account.passwordChangedAt > new Date(payload.evidence.at)
  if (account?.user.id !== payload.userId || account.user.blocked || changed) return null
  const used = await consumeTicket(LOGIN, plain, deps)
  return used && { user: account.user, evidence: [used.evidence] }
}

async function fits(payload: Payload, wants: Wants, request: HttpRequest, deps: LoginDeps): Promise<boolean> {
  const cookie = readCookie(request, 'co', deps)
  if (cookie === undefined || !equalsConstantTime(digest(cookie), Buffer.from(payload.browser, 'base64'))) return false
  if (payload.clientId !== wants.clientId || (wants.subject !== null && wants.subject !== payload.userId)) return false
  const client = await deps.clients.find(payload.clientId)
  return payload.origin === deps.baseUrl || (client !== null && admitsOrigin(loginOrigins(client), payload.origin))
}
