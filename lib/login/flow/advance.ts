// One form submit: open the transaction, run the action, evaluate the requirements again, then show the next screen or finish.
// - An action that does not belong to the due screen changes nothing and shows that screen (back button, second tab, double
//   submit).
// - The revision (optimistic locking) lets one of two racing submits win; the other sees the current state.

import type { User } from '../../data/users/user'
import { DomainError } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { LoginScreen } from '../../pages/screens'
import { contextOf, enter } from '../begin/enter'
import type { LoginDeps } from '../deps'
import { finishLogin } from '../finish'
import type { FormAction, FormActionContext, FormResult } from '../forms/action'
import { pageStep } from '../inspected-steps'
import { actionFor, dueScreens } from '../steps/index'
import type { LoginTransaction, RecalledFor } from '../transaction'
import { departTo } from '../upstream/upstream'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { type Cookie, withCookies } from '../visitor-response'
import { passCaptcha } from './captcha'
import { endLogin } from './end-login'
import { decisionsAfterSignIn, organizationDecision } from './linking'
import { evaluateLogin, type OpenTransaction, openTransaction } from './open'
import { recognize } from './recognized-browser'
import { forgetAccount } from './remembered-accounts'
import { showScreen } from './screen-urls'

/** `purpose` is set if this browser has seen no change of the login since it started. */
export async function advance(
  input: Parameters,
  purpose: RecalledFor | null,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const open = await openTransaction(input.state, visitor, deps, purpose)
  if (open.screen === null) return finishLogin(open, visitor, deps)
  const sent = actionFor(input.action, dueScreens(open.state))
  if (!sent) return showScreen(open.screen, open.handle, deps)
  const progress = await run(sent.action, open, input, contextOf(open, visitor, deps), deps)
  return follow(progress, open, sent.screen, visitor, deps)
}

/** The action, or in its place the page that asks for its captcha. */
async function run(
  action: FormAction,
  { state }: OpenTransaction,
  input: Parameters,
  context: FormActionContext,
  deps: LoginDeps,
): Promise<FormResult> {
  const { guard } = action
  const gate = guard ? await passCaptcha(guard, state, input, context, deps) : { kind: 'passed' as const, state }
  return gate.kind === 'passed' ? action.run(gate.state, input, context, deps) : gate
}

/** The response: the next screen, the end of the login, or a redirect to another server. */
export async function follow(
  progress: FormResult,
  open: OpenTransaction,
  screen: LoginScreen,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const { transaction } = open
  if (progress.kind === 'leave') return departTo(progress.to, 'see-other')
  if (progress.kind === 'refused') {
    const { code = 'access_denied', description, reason } = progress
    return endLogin(new DomainError(code, description, { reason }), open, deps)
  }
  if (progress.kind === 'again') {
    const decisions = { ...organizationDecision(transaction.decisions), ...progress.decisions }
    await deps.transactions.note(transaction.handleDigest, transaction.revision, decisions)
    deps.trail.step(pageStep(progress.screen ?? screen, { notice: progress.notice }))
    const shown = showScreen(progress.screen ?? screen, open.handle, deps, progress.notice)
    return progress.forgotten === undefined
      ? shown
      : withCookies(shown, forgetAccount(progress.forgotten, visitor, deps))
  }
  const user = progress.user === undefined ? open.state.user : progress.user
  const next = Object.assign({}, transaction, factsOf(progress, transaction, user), { userId: user?.id ?? null })
  const judged = await evaluateLogin(next, user, visitor, deps)
  const moved: OpenTransaction = { handle: open.handle, transaction: next, ...judged }
  const recognized = progress.familiar ? recognize(progress.familiar, visitor, deps) : []
  if (progress.passkeyOffered) recognized.push(PASSKEY_OFFERED)
  if (moved.screen === null) return withCookies(await finishLogin(moved, visitor, deps, progress.guess), recognized)
  if (progress.guess) await deps.attempts.settle(progress.guess)
  const { decisions, notice } = await enter(moved, visitor, deps)
  deps.trail.step(pageStep(moved.screen, { notice }))
  await deps.transactions.update(transaction.handleDigest, transaction.revision, { ...next, decisions })
  return withCookies(showScreen(moved.screen, open.handle, deps, notice), recognized)
}

/** Ends after a month. */
const PASSKEY_OFFERED: Cookie = { name: 'passkey', value: 'offered', maxAge: 30 * 86400 }

type Proceeding = Extract<FormResult, { kind: 'progress' }>

const factsOf = ({ evidence, decisions }: Proceeding, before: LoginTransaction, user: User | null) => ({
  ...(evidence === undefined ? {} : { evidence }),
  ...(decisions === undefined ? {} : { decisions: { ...decisionsAfterSignIn(before, user), ...decisions } }),
})
