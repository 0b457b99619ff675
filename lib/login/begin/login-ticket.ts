// Login tickets: a password or code verified on a client's own page, for use in the following /authorize request (the
// contract's cross-origin authentication).
// - A ticket is valid once, within one minute, for the client it was issued to, from an origin that the client still allows.
// - It is valid only in the browser that got it, which holds a cookie for it: a link with an attacker's ticket signs no victim
//   in (login CSRF, threat-model.md SE4).
// - It is void once the password was changed or the user blocked in the meantime.
import { admitsOrigin, loginOrigins } from '../../data/clients/origins'
import type { Connection } from '../../data/connections/connection'
import type { Evidence } from '../../data/sessions/session'
import { consumeTicket, findTicket, issueTicket, ticketKind } from '../../data/tickets/ticket'
import { canonical, type User } from '../../data/users/user'
import { digest, equalsConstantTime, mint } from '../../kernel/secret'
import type { LoginDeps } from '../deps'
import type { Wants } from '../transaction'
import type { Visitor } from '../visitor'
import type { Cookie } from '../visitor-response'

const LIFETIME_SECONDS = 60

type Payload = {
  /** The id of the login, for the log. */
  login?: string
  clientId: string
  origin: string
  connectionId: string
  /** The canonical identifier by which the account is found. */
  identifier: string
  userId: string
  evidence: Evidence
  /** Base64 of the digest of the cookie's value. */
  browser: string
}

const LOGIN = ticketKind<Payload>('login', LIFETIME_SECONDS)

export type Proven = {
  clientId: string
  /** The origin of the page that sent the password. */
  origin: string
  connection: Pick<Connection, 'id'>
  identifier: string
  user: Pick<User, 'id'>
  /** The proof; its time was taken before the password or code was checked. */
  evidence: Evidence
}

export type LoginTicket = { ticket: string; verifier: string; cookie: Cookie }

export async function issueLoginTicket(proven: Proven, deps: LoginDeps): Promise<LoginTicket> {
  const { clientId, origin, connection, identifier, user, evidence } = proven
  const verifier = mint(deps.random)
  const payload: Payload = {
    login: deps.trail.login(),
    clientId,
    origin,
    connectionId: connection.id,
    identifier: canonical(identifier),
    userId: user.id,
    evidence,
    browser: verifier.digest.toString('base64'),
  }
  const ticket = await issueTicket(LOGIN, payload, deps)
  return { ticket, verifier: verifier.plain, cookie: { name: 'co', value: verifier.plain, maxAge: LIFETIME_SECONDS } }
}

/** For a password or code that a client's page has sent. */
export async function issueCrossOriginTicket(
  proven: Proven & { connection: Connection; user: User },
  deps: LoginDeps,
): Promise<LoginTicket> {
  const ticket = await issueLoginTicket(proven, deps)
  deps.trail.record('cross_origin_login', { user: proven.user, connection: proven.connection })
  return ticket
}

export const DROPPED_TICKET: Cookie = { name: 'co', value: '', maxAge: 0 }

/** Consumes the ticket; null if it proves nothing for this request. */
export async function redeemLoginTicket(
  plain: string,
  wants: Wants,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<{ user: User; evidence: Evidence[] } | null> {
  const payload = await findTicket(LOGIN, plain, deps)
  if (payload) deps.trail.follow(payload.login)
  if (!payload || !(await fits(payload, wants, visitor, deps))) return null
  const account = await deps.users.findAccount(payload.connectionId, payload.identifier)
  const changed = account?.passwordChangedAt && account.passwordChangedAt > new Date(payload.evidence.at)
  if (account?.user.id !== payload.userId || account.user.blocked || changed) return null
  const used = await consumeTicket(LOGIN, plain, deps)
  return used && { user: account.user, evidence: [used.evidence] }
}

async function fits(payload: Payload, wants: Wants, visitor: Visitor, deps: LoginDeps): Promise<boolean> {
  const cookie = visitor.cookies.co
  if (cookie === undefined || !equalsConstantTime(digest(cookie), Buffer.from(payload.browser, 'base64'))) return false
  if (payload.clientId !== wants.clientId || (wants.subject !== null && wants.subject !== payload.userId)) return false
  const client = await deps.clients.find(payload.clientId)
  if (payload.origin === deps.baseUrl) return true
  return client !== null && admitsOrigin(loginOrigins(client), payload.origin, deps)
}
