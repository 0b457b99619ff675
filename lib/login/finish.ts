// Finishes a login. One SQL statement consumes the transaction, replaces the old session by a new one, and records consent and
// login. Only then does the protocol build its response, because signing must not run inside a database transaction.
// - Every login gets a new session id; a cookie from before is worthless afterwards (SE3).
// - If nothing was proven anew, the session continues under its new id with its old absolute expiry (SE7).
// - If another account of the same user is found, the login does not finish: the user is asked about linking first
//   (linking.ts).
// - The same statement settles the attempt counter of a correct guess, whatever the outcome. Where actions or linking may come
//   first, the counter is settled before them.
// - If the browser's session belonged to another user, nothing of it is kept.

import { newSession, oldestProof, type StoredSession, withRecorded } from '../data/sessions/session'
import { shortened } from '../data/sessions/session-changes'
import { sessionPolicy } from '../data/tenants/settings'
import type { GoodGuess } from '../data/users/attempts'
import type { User } from '../data/users/user'
import { AT_RESET } from '../identity/accounts/reset-triggers'
import { digest } from '../kernel/secret'
import { storedUserAgent } from '../kernel/user-agent'
import { apartFrom } from './apart'
import { findSession, sessionCookie } from './begin/signed-in'
import type { LoginDeps } from './deps'
import { endReset } from './end-reset'
import { endLogin } from './flow/end-login'
import { keepBrowser } from './flow/known-browser'
import { followLink, suggestLink } from './flow/link-accounts'
import { isLinking, searchOf } from './flow/linking'
import { type OpenTransaction, passed } from './flow/open'
import { invitationGone, outcomeIn, settleMembership } from './flow/organization'
import { rememberAccount } from './flow/remembered-accounts'
import { showScreen } from './flow/screen-urls'
import { draftOf, endedBy } from './post-login/draft'
import { passPostLogin } from './post-login/pass'
import { isReset } from './reset-origin'
import { finalRefusal } from './steps/index'
import { outcomeOf } from './transaction'
import type { Visitor } from './visitor'
import type { VisitorResponse } from './visitor-response'
import { withCookies } from './visitor-response'

/** `guess` is a correct guess whose attempt counter is still to be settled. */
export async function finishLogin(
  open: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
  guess: GoodGuess | null = null,
): Promise<VisitorResponse> {
  const ofReset = isReset(open.transaction)
  const ruled = deps.triggers.isBound(ofReset ? AT_RESET : 'post-login')
  const linking = isLinking(open.transaction)
  const refusal = finalRefusal(open.state)
  if (!ruled && !linking && !refusal && !ofReset) return finish(open, visitor, deps, guess)
  if (guess) await deps.attempts.settle(guess)
  if (refusal) return endLogin(refusal, open, deps)
  const linked = linking ? await followLink(open, visitor, deps) : passed(open)
  if (linked.kind !== 'passed') return linked
  const barred = finalRefusal(linked.open.state)
  if (barred) return endLogin(barred, linked.open, deps)
  const judged = ruled ? await passPostLogin(linked.open, visitor, deps) : linked
  if (judged.kind !== 'passed') return judged
  return ofReset ? endReset(judged.open, deps) : finish(judged.open, visitor, deps, null)
}

async function finish(
  open: OpenTransaction,
  arrived: Visitor,
  deps: LoginDeps,
  guess: GoodGuess | null,
): Promise<VisitorResponse> {
  const { handle, transaction, state } = open
  const { user, client, wants } = state
  const visitor = apartFrom(arrived, wants)
  if (!user) throw new Error('a login without a user has unmet requirements')
  const policy = sessionPolicy(deps.settings)
  const before = await ownSession(user, visitor, deps)
  // The session whose proofs this login inherited has ended, so those proofs are void.
  if (!before && transaction.evidence.some((proof) => proof.inherited)) return showScreen('login', handle, deps)
  const beginning = {
    login: deps.trail.login(),
    userId: user.id,
    clientId: client.clientId,
    startedElsewhere: wants.startedElsewhere !== undefined,
    evidence: withRecorded(transaction.evidence, draftOf(state)?.effects.recorded),
    before,
  }
  const started = newSession(beginning, policy, state.now, deps.random)
  const { plain } = started
  const changes = draftOf(state)?.effects.session ?? {}
  const session = shortened(started.session, changes)
  const member = await settleMembership(state, deps)
  if (!member) return endLogin(invitationGone(), open, deps)
  const end = await deps.transactions.finish({
    handleDigest: transaction.handleDigest,
    revision: transaction.revision,
    now: state.now,
    provenAt: oldestProof(transaction.evidence) ?? state.now,
    session,
    changes,
    replaces: previousSession(visitor),
    consent: transaction.decisions.consent ? { clientId: client.clientId, ...transaction.decisions.consent } : null,
    ip: visitor.ip,
    userAgent: storedUserAgent(visitor.userAgent),
    suggest: await searchOf(state, deps),
    keepsApart: transaction.decisions.linking?.phase === 'declined',
    guess: guess?.settlement ?? null,
  })
  if (end === 'lost') return showScreen('login', handle, deps)
  if (end !== 'finished') return suggestLink(end, open, visitor, deps)
  const ended = {
    ...{ ip: visitor.ip, login: deps.trail.login() },
    ...endedBy(draftOf(state), wants.scopes, state.api),
    ...outcomeIn(state),
  }
  deps.trail.record('login', {
    user,
    client,
    scopes: wants.scopes,
    connection: { name: oldestConnection(transaction) },
  })
  const { protocol, request: origin } = transaction.origin
  const response = await deps.protocols[protocol].respond(
    origin,
    outcomeOf(state.now, wants, client, member, session, ended),
    deps.trail,
  )
  if (wants.apart) return response
  const cookie = sessionCookie(plain, session, changes.persistent ?? before?.persistent ?? policy.persistent, state.now)
  const known = await keepBrowser(state, visitor, deps)
  const remembered = rememberAccount(user, oldestConnection(transaction), visitor, deps)
  return withCookies(response, [...known, ...remembered, cookie])
}

/** The connection of the first proof, because a second factor belongs to no connection. */
const oldestConnection = ({ evidence }: OpenTransaction['transaction']): string => evidence[0]?.connection ?? ''

const previousSession = ({ cookies: { session } }: Visitor): Uint8Array | null =>
  session === undefined ? null : digest(session)

/** The session that this login replaces, if it belongs to the same user. */
async function ownSession(user: User, visitor: Visitor, deps: LoginDeps): Promise<StoredSession | null> {
  const before = await findSession(visitor, deps)
  return before?.user.id === user.id ? before.session : null
}
