// Opening a transaction by its handle, for a page or a submit: it must exist, be alive, and belong to this browser.
// Every refusal is a page that says what happened and offers the way on; a dead transaction still knows the request
// it came from, so the person can begin again with one click.
import type { HttpRequest } from '../http/message'
import { DomainError } from '../kernel/errors'
import { digest } from '../kernel/secret'
import type { User } from '../users/user'
import { checkBinding } from './browser'
import type { LoginDeps } from './deps'
import type { LoginScreen } from './requirements'
import { type LoginState, nextRequirement } from './requirements'
import { loadState } from './state'
import type { LoginTransaction } from './transaction'

export type OpenTransaction = {
  handle: string
  transaction: LoginTransaction
  state: LoginState
  /** The screen of the first unmet requirement; null when nothing is missing. */
  screen: LoginScreen | null
}

export async function openTransaction(
  handle: string | undefined,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<OpenTransaction> {
  const back = deps.settings.tenant.default_redirection_uri
  if (handle === undefined) throw pageError('bookmarked', { back })
  const found = await deps.transactions.find(digest(handle))
  if (!found) throw pageError('expired_transaction', { back })
  const { transaction, user } = found
  const restartUrl = deps.protocols[transaction.origin.protocol].restartUrl(transaction.origin.request)
  if (transaction.consumedAt) throw pageError('finished_transaction', { restartUrl })
  if (transaction.expiresAt <= deps.clock.now()) throw pageError('expired_transaction', { restartUrl })
  const binding = checkBinding(request, transaction.browserDigest, deps)
  if (binding !== 'bound') throw pageError(binding === 'no-cookie' ? 'cookies_off' : 'other_browser', { restartUrl })
  return { handle, transaction, ...(await judge(transaction, user, deps)) }
}

export async function judge(
  transaction: Pick<LoginTransaction, 'wants' | 'evidence' | 'decisions' | 'createdAt'>,
  user: User | null,
  deps: LoginDeps,
): Promise<Pick<OpenTransaction, 'state' | 'screen'>> {
  const { wants, evidence, decisions, createdAt } = transaction
  const state = await loadState({ wants, user, evidence, decisions, startedAt: createdAt }, deps)
  return { state, screen: nextRequirement(state)?.screen ?? null }
}

const pageError = (code: string, way: { back?: string | undefined; restartUrl?: string }): DomainError =>
  new DomainError('invalid_request', `The login cannot go on here: ${code}`, {
    redirectable: false,
    page: {
      code,
      ...(way.back === undefined ? {} : { back: way.back }),
      ...(way.restartUrl === undefined ? {} : { restartUrl: way.restartUrl }),
    },
  })
