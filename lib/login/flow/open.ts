// Opens a transaction by its handle, for a page or a submit: it must exist, be alive, and belong to this browser. Every refusal
// is a page that states the reason and offers a way on. A login that has ended leads to the page at which its application begins one,
// as the vendor's does: by itself from the address bar or the back button, by a link after a form. Without such a page the same request
// can be sent again.
// - A request from the login's first page gets the transaction as it started, if this process still has it in its cache.
// - Proofs of a session count only while the session lives: logging out elsewhere ends them here too (SE6).
import { type LoginRoute, loginRouteOf } from '../../data/clients/login-route'
import type { User } from '../../data/users/user'
import { DomainError, type ErrorCode, type ErrorOptions } from '../../kernel/errors'
import { digest } from '../../kernel/secret'
import type { LoginScreen } from '../../pages/screens'
import { findSession } from '../begin/signed-in'
import { type Binding, checkBinding } from '../browser'
import type { LoginDeps } from '../deps'
import { clientOfHandle } from '../handle'
import type { LoginState } from '../login-state'
import { isReset } from '../reset-origin'
import { dueScreens } from '../steps/index'
import type { LoginTransaction, RecalledFor } from '../transaction'
import type { Visitor } from '../visitor'
import { fromBrowser } from './known-browser'
import { outcomeIn } from './organization'
import { loadState } from './state'

export type OpenTransaction = {
  handle: string
  transaction: LoginTransaction
  state: LoginState
  /** The screen of the first unmet requirement; null if all are met. */
  screen: LoginScreen | null
}

/** The login may go on; what else may stand in its place is a response to the visitor. */
export type LoginContinues = { kind: 'passed'; open: OpenTransaction }

export const passed = (open: OpenTransaction): LoginContinues => ({ kind: 'passed', open })

/** `purpose` is set if this browser has seen no change of the login since it started. */
export async function openTransaction(
  handle: string | undefined,
  visitor: Visitor,
  deps: LoginDeps,
  purpose: RecalledFor | null = null,
): Promise<OpenTransaction & { fresh: boolean }> {
  if (handle === undefined) throw pageError('bookmarked', await wayToClient(null, deps, true))
  const recalled = purpose && deps.transactions.recall(digest(handle), purpose)
  const found = recalled ? { transaction: recalled, user: null } : await deps.transactions.find(digest(handle))
  if (!found) throw pageError('expired_transaction', await wayToClient(clientOfHandle(handle), deps, true))
  const { transaction, user } = found
  deps.trail.follow(transaction.wants.login)
  if (transaction.wants.apart) deps.trail.context({ tested: true })
  if (transaction.consumedAt) throw pageError('finished_transaction', await wayOn(transaction, deps, true))
  if (transaction.expiresAt <= deps.clock.now())
    throw pageError('expired_transaction', await wayOn(transaction, deps, true))
  const binding = checkBinding(visitor, transaction.browserDigest)
  if (binding !== 'bound') throw await notBound(binding, transaction, visitor, deps)
  const held = await withoutEnded(transaction, user, visitor, deps)
  const judged = await evaluateLogin(held.transaction, held.user, visitor, deps)
  recordIdentity(held, judged.state, deps)
  return { handle, transaction: held.transaction, fresh: recalled !== null, ...judged }
}

/** A browser keeps cookies for an address: those of a login that began at another one are not sent to this one. */
async function notBound(
  binding: Exclude<Binding, 'bound'>,
  transaction: LoginTransaction,
  { address }: Visitor,
  deps: LoginDeps,
): Promise<DomainError> {
  const way = await wayOn(transaction, deps)
  if ((transaction.decisions.startAddress ?? null) !== address)
    return pageError('other_address', { ...way, values: { address: deps.baseUrl } }, 'access_denied')
  return pageError(binding === 'no-cookie' ? 'cookies_off' : 'other_browser', way, 'access_denied')
}

type Held = { transaction: LoginTransaction; user: User | null }

function recordIdentity({ transaction, user }: Held, state: LoginState, { trail }: LoginDeps): void {
  const { client } = state
  const [proof] = transaction.evidence
  const connection = proof && { connection: { name: proof.connection } }
  const { scopes, audience, dropped } = transaction.wants
  trail.context({
    // The portal is the application of a reset on these pages alone.
    ...(isReset(transaction) ? { reset: true } : { client }),
    ...outcomeIn(state),
    scopes,
    ...connection,
    ...(user ? { user } : {}),
    ...(audience === null ? {} : { audience }),
    ...(dropped ? { dropped } : {}),
  })
}

/** The transaction without the proofs of a session that this browser no longer has. */
async function withoutEnded(transaction: LoginTransaction, user: User | null, visitor: Visitor, deps: LoginDeps) {
  const fresh = transaction.evidence.filter((proof) => !proof.inherited)
  if (fresh.length === transaction.evidence.length) return { transaction, user }
  const signedIn = await findSession(visitor, deps)
  if (signedIn && signedIn.user.id === user?.id) return { transaction, user }
  const remaining = fresh.length > 0 ? user : null
  return { transaction: { ...transaction, evidence: fresh, userId: remaining?.id ?? null }, user: remaining }
}

export async function evaluateLogin(
  { wants, evidence, decisions, handleDigest }: LoginTransaction,
  user: User | null,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<Pick<OpenTransaction, 'state' | 'screen'>> {
  const from = fromBrowser(visitor, handleDigest, deps)
  const state = await loadState({ wants, user, evidence, decisions }, from, deps)
  return { state, screen: dueScreens(state)[0] ?? null }
}

type Way = Pick<NonNullable<ErrorOptions['page']>, 'restartUrl' | 'elsewhere' | 'values'>

/** `ended`: the login is over for every browser, so there is nothing to read about it. */
async function wayOn(
  { origin: { protocol, request }, wants: { clientId, organization } }: Pick<LoginTransaction, 'origin' | 'wants'>,
  deps: LoginDeps,
  ended = false,
): Promise<Way> {
  const restart = deps.protocols[protocol].restart(request)
  if (restart?.replays === false) return { restartUrl: restart.url }
  const route = loginRouteOf(await deps.clients.find(clientId), organization, deps)
  return route || !restart ? wayOfRoute(route, ended) : { restartUrl: restart.url }
}

/** Where only the client is known. */
export async function wayToClient(
  clientId: string | null | undefined,
  deps: Pick<LoginDeps, 'clients' | 'issuer' | 'settings'>,
  ended = false,
): Promise<Way> {
  const client = clientId ? await deps.clients.find(clientId) : null
  return wayOfRoute(loginRouteOf(client, null, deps), ended)
}

const wayOfRoute = (route: LoginRoute | null, ended: boolean): Way =>
  route ? { restartUrl: route.url, ...(ended && route.isOwn ? { elsewhere: route.url } : {}) } : {}

const REASONS = {
  bookmarked: 'login_bookmarked',
  expired_transaction: 'login_over',
  finished_transaction: 'login_finished',
  cookies_off: 'cookies_missing',
  other_address: 'other_address',
  other_browser: 'other_browser',
} as const

const pageError = (page: keyof typeof REASONS, way: Way, code: ErrorCode = 'invalid_request'): DomainError =>
  new DomainError(code, `The login cannot go on here: ${page}`, {
    reason: REASONS[page],
    redirectable: false,
    page: { code: page, ...way },
  })
