// Opens a transaction by its handle, for a page or a submit: it must exist, be alive, and belong to this browser. Every refusal
// is a page that states the reason and offers a way on. An ended transaction still knows its original request, so the user can
// start again with one click.
// - A request from the login's first page gets the transaction as it started, if this process still has it in its cache.
// - Proofs of a session count only while the session lives: logging out elsewhere ends them here too (SE6).
import { DomainError, type ErrorCode } from '../../kernel/errors'
import { digest } from '../../kernel/secret'
import type { LoginScreen } from '../../pages/screens'
import type { User } from '../../users/user'
import { findSession } from '../begin/signed-in'
import { checkBinding } from '../browser'
import type { LoginDeps } from '../deps'
import type { LoginTransaction, RecalledFor } from '../transaction'
import type { Visitor } from '../visitor'
import { fromBrowser } from './known-browser'
import { outcomeIn } from './organization'
import { dueScreens, type LoginState } from './requirements'
import { loadState } from './state'

export type OpenTransaction = {
  handle: string
  transaction: LoginTransaction
  state: LoginState
  /** The screen of the first unmet requirement; null if all are met. */
  screen: LoginScreen | null
}

/** The login may go on; what else may stand in its place is a response to the visitor. */
export type Passed = { kind: 'passed'; open: OpenTransaction }

export const passed = (open: OpenTransaction): Passed => ({ kind: 'passed', open })

/** `purpose` is set if this browser has seen no change of the login since it started. */
export async function openTransaction(
  handle: string | undefined,
  visitor: Visitor,
  deps: LoginDeps,
  purpose: RecalledFor | null = null,
): Promise<OpenTransaction & { fresh: boolean }> {
  if (handle === undefined) throw pageError('bookmarked', wayBack(deps))
  const recalled = purpose && deps.transactions.recall(digest(handle), purpose)
  const found = recalled ? { transaction: recalled, user: null } : await deps.transactions.find(digest(handle))
  if (!found) throw pageError('expired_transaction', wayBack(deps))
  const { transaction, user } = found
  if (transaction.consumedAt) throw pageError('finished_transaction', wayOn(transaction, deps))
  if (transaction.expiresAt <= deps.clock.now()) throw pageError('expired_transaction', wayOn(transaction, deps))
  const binding = checkBinding(visitor, transaction.browserDigest)
  if (binding === 'no-cookie') throw pageError('cookies_off', wayOn(transaction, deps), 'access_denied')
  if (binding === 'other-browser') throw pageError('other_browser', wayOn(transaction, deps), 'access_denied')
  const held = await withoutEnded(transaction, user, visitor, deps)
  const judged = await judge(held.transaction, held.user, visitor, deps)
  recordIdentity(held, judged.state, deps)
  return { handle, transaction: held.transaction, fresh: recalled !== null, ...judged }
}

type Held = { transaction: LoginTransaction; user: User | null }

function recordIdentity({ transaction, user }: Held, state: LoginState, { trail }: LoginDeps): void {
  const { client } = state
  const [proof] = transaction.evidence
  const connection = proof && { connection: { name: proof.connection } }
  const { scopes, audience } = transaction.wants
  trail.context({
    client,
    ...outcomeIn(state),
    scopes,
    ...connection,
    ...(user ? { user } : {}),
    ...(audience === null ? {} : { audience }),
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

export async function judge(
  { wants, evidence, decisions, handleDigest }: LoginTransaction,
  user: User | null,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<Pick<OpenTransaction, 'state' | 'screen'>> {
  const from = fromBrowser(visitor, handleDigest, deps)
  const state = await loadState({ wants, user, evidence, decisions }, from, deps)
  return { state, screen: dueScreens(state)[0] ?? null }
}

type Way = { back?: string | undefined; restartUrl?: string }

const wayBack = ({ settings }: LoginDeps): Way => ({ back: settings.tenant.default_redirection_uri })

function wayOn({ origin: { protocol, request } }: LoginTransaction, deps: LoginDeps): Way {
  const restartUrl = deps.protocols[protocol].restartUrl(request)
  return restartUrl === null ? wayBack(deps) : { restartUrl }
}

const pageError = (page: string, way: Way, code: ErrorCode = 'invalid_request'): DomainError =>
  new DomainError(code, `The login cannot go on here: ${page}`, {
    redirectable: false,
    page: {
      code: page,
      ...(way.back === undefined ? {} : { back: way.back }),
      ...(way.restartUrl === undefined ? {} : { restartUrl: way.restartUrl }),
    },
  })
