// One form submit: open the transaction, run the action, evaluate the requirements again, then show the next screen or finish.
// - An action that does not belong to the due screen changes nothing and shows that screen (back button, second tab, double
//   submit).
// - The revision (optimistic locking) lets one of two racing submits win; the other sees the current state.
import { type HttpRequest, type HttpResponse, type Parameters, redirect, withHeaders } from '../../http/message'
import { DomainError } from '../../kernel/errors'
import type { LoginScreen } from '../../pages/screens'
import type { NoticeCode } from '../../pages/view'
import type { User } from '../../users/user'
import type { Progress } from '../actions/action'
import { actionFor } from '../actions/index'
import { contextOf, enter } from '../begin/enter'
import type { LoginDeps } from '../deps'
import { finishLogin } from '../finish'
import type { LoginTransaction } from '../transaction'
import { departTo } from '../upstream/upstream'
import { outlasting } from './linking'
import { judge, type OpenTransaction, openTransaction } from './open'
import { recognize } from './recognized-browser'
import { dueScreens } from './requirements'
import { freshFor, screenUrl } from './screens'

export async function advance(request: HttpRequest, input: Parameters, deps: LoginDeps): Promise<HttpResponse> {
  const open = await openTransaction(input.state, request, deps, freshFor(request))
  if (open.screen === null) return finishLogin(open, request, deps)
  const sent = actionFor(input.action, dueScreens(open.state))
  if (!sent) return show(open, open.screen, deps)
  const progress = await sent.action.run(open.state, input, contextOf(open, request, deps), deps)
  return follow(progress, open, sent.screen, request, deps)
}

/** The response: the next screen, the end of the login, or a redirect to another server. */
export async function follow(
  progress: Progress,
  open: OpenTransaction,
  screen: LoginScreen,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const { transaction } = open
  if (progress.kind === 'leave') return departTo(progress.to, 303, deps)
  if (progress.kind === 'refused') return refuse(open, progress, deps)
  if (progress.kind === 'again') {
    await deps.transactions.note(transaction.handleDigest, transaction.revision, progress.decisions)
    return show(open, progress.screen ?? screen, deps, progress.notice)
  }
  const user = progress.user === undefined ? open.state.user : progress.user
  const next = Object.assign({}, transaction, factsOf(progress, transaction, user), { userId: user?.id ?? null })
  const judged = await judge(next, user, request, deps)
  const moved: OpenTransaction = { handle: open.handle, transaction: next, ...judged }
  const recognized = progress.familiar ? recognize(progress.familiar, request, deps) : []
  if (moved.screen === null) return withHeaders(await finishLogin(moved, request, deps, progress.guess), ...recognized)
  if (progress.guess) await deps.attempts.settle(progress.guess)
  const { decisions, notice } = await enter(moved, request, deps)
  await deps.transactions.update(transaction.handleDigest, transaction.revision, { ...next, decisions })
  return withHeaders(show(moved, moved.screen, deps, notice), ...recognized)
}

type Proceeding = Extract<Progress, { kind: 'progress' }>

const factsOf = ({ evidence, decisions }: Proceeding, before: LoginTransaction, user: User | null) => ({
  ...(evidence === undefined ? {} : { evidence }),
  ...(decisions === undefined ? {} : { decisions: { ...outlasting(before, user), ...decisions } }),
})

export const show = (
  { handle }: OpenTransaction,
  screen: LoginScreen,
  deps: LoginDeps,
  notice?: NoticeCode,
): HttpResponse => redirect(deps.baseUrl + screenUrl(screen, handle, notice), 303)

async function refuse(
  open: OpenTransaction,
  { code = 'access_denied', description }: Extract<Progress, { kind: 'refused' }>,
  deps: LoginDeps,
): Promise<HttpResponse> {
  const { transaction } = open
  const ended = await deps.transactions.consume(transaction.handleDigest, deps.clock.now())
  if (!ended) return show(open, 'login', deps)
  deps.trail.record('login_refused', { reason: description })
  const { protocol, request } = transaction.origin
  return deps.protocols[protocol].refuse(request, new DomainError(code, description))
}
