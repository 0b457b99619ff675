// Finishes a login. One SQL statement consumes the transaction, replaces the old session by a new one, and records consent and
// login. Only then does the protocol build its response, because signing must not run inside a database transaction.
// - Every login gets a new session id; a cookie from before is worthless afterwards (SE3).
// - If nothing was proven anew, the session continues under its new id with its old absolute expiry (SE7).
// - If another account of the same user is found, the login does not finish: the user is asked about linking first
//   (linking.ts).
// - The same statement settles the attempt counter of a correct guess, whatever the outcome. Where rules or linking may come
//   first, the counter is settled before them.
// - If the browser's session belonged to another user, nothing of it is kept.
import { readCookie, writeCookie } from '../http/cookies'
import { type HttpRequest, type HttpResponse, redirect, withHeaders } from '../http/message'
import { secondsBetween } from '../kernel/clock'
import { digest } from '../kernel/secret'
import { newSession, oldestProof, type Session } from '../sessions/session'
import { sessionPolicy } from '../tenants/settings'
import type { GoodGuess } from '../users/attempts'
import type { User } from '../users/user'
import { findSession } from './begin/signed-in'
import type { LoginDeps } from './deps'
import { passRules } from './rules/pass-rules'
import { draftOf, endedBy } from './rules/rule-draft'
import { keepBrowser } from './steps/known-browser'
import { followLink, suggestLink } from './steps/link-accounts'
import { isLinking, searchOf } from './steps/linking'
import type { OpenTransaction } from './steps/open'
import { screenUrl } from './steps/screens'
import { outcomeOf } from './transaction'

/** `guess` is a correct guess whose attempt counter is still to be settled. */
export async function finishLogin(
  open: OpenTransaction,
  request: HttpRequest,
  deps: LoginDeps,
  guess: GoodGuess | null = null,
): Promise<HttpResponse> {
  const ruled = deps.rules.isBound('post-login')
  const linking = isLinking(open.transaction)
  if (!ruled && !linking) return finish(open, request, deps, guess)
  if (guess) await deps.attempts.settle(guess)
  const followed = linking ? await followLink(open, request, deps) : open
  if (!('transaction' in followed)) return followed
  const passed = ruled ? await passRules(followed, request, deps) : followed
  return 'transaction' in passed ? finish(passed, request, deps, null) : passed
}

async function finish(
  open: OpenTransaction,
  request: HttpRequest,
  deps: LoginDeps,
  guess: GoodGuess | null,
): Promise<HttpResponse> {
  const { handle, transaction, state } = open
  const { user, client, wants } = state
  if (!user) throw new Error('a login without a user has unmet requirements')
  const policy = sessionPolicy(deps.settings)
  const before = await ownSession(user, request, deps)
  // The session whose proofs this login inherited has ended, so those proofs are void.
  if (!before && transaction.evidence.some((proof) => proof.inherited)) return showLogin(handle, deps)
  const beginning = { userId: user.id, clientId: client.clientId, evidence: transaction.evidence, before }
  const { plain, session } = newSession(beginning, policy, state.now, deps.random)
  const end = await deps.transactions.finish({
    handleDigest: transaction.handleDigest,
    revision: transaction.revision,
    now: state.now,
    provenAt: oldestProof(transaction.evidence) ?? state.now,
    session,
    replaces: previousSession(request, deps),
    consent: transaction.decisions.consent ? { clientId: client.clientId, ...transaction.decisions.consent } : null,
    ip: request.ip,
    suggest: await searchOf(state, deps),
    keepsApart: transaction.decisions.linking?.phase === 'declined',
    guess: guess?.settlement ?? null,
  })
  if (end === 'lost') return showLogin(handle, deps)
  if (end !== 'finished') return suggestLink(end, open, request, deps)
  const ended = { ip: request.ip, ...endedBy(draftOf(state), wants.scopes) }
  deps.trail.record('login', {
    user,
    client,
    scopes: wants.scopes,
    connection: { name: oldestConnection(transaction) },
  })
  const { protocol, request: origin } = transaction.origin
  const response = await deps.protocols[protocol].respond(
    origin,
    outcomeOf(state.now, wants, client, user, session, ended),
  )
  return withHeaders(
    response,
    ...(await keepBrowser(state, request, deps)),
    writeCookie('session', plain, deps, policy.persistent ? secondsBetween(state.now, session.expiresAt) : undefined),
  )
}

/** The connection of the first proof, because a second factor belongs to no connection. */
const oldestConnection = ({ evidence }: OpenTransaction['transaction']): string => evidence[0]?.connection ?? ''

const showLogin = (handle: string, deps: LoginDeps): HttpResponse =>
  redirect(deps.baseUrl + screenUrl('login', handle), 303)

function previousSession(request: HttpRequest, deps: LoginDeps): Uint8Array | null {
  const cookie = readCookie(request, 'session', deps)
  return cookie === undefined ? null : digest(cookie)
}

/** The session that this login replaces, if it belongs to the same user. */
async function ownSession(user: User, request: HttpRequest, deps: LoginDeps): Promise<Session | null> {
  const before = await findSession(request, deps)
  return before?.user.id === user.id ? before.session : null
}
