// The return from a site that an action redirected to (threat-model.md RU5). The state must be one that this server made, the browser the one
// that left with it, and the login must wait for it, once. The returned parameters go to the action, which judges them; nothing
// else of the request has an effect.
import { DomainError } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import type { LoginDeps } from '../deps'
import { finishLogin } from '../finish'
import { draftOf, type PostLoginDraft } from '../post-login/draft'
import { followPostLogin, momentOf } from '../post-login/pass'
import { readState } from '../post-login/redirect'
import { runPostLogin } from '../post-login/run'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { type OpenTransaction, openTransaction } from './open'

export const CONTINUE_PATH = '/continue'

type Brought = { query: Parameters; body: Parameters }

export async function continueLogin(
  { query, body }: Brought,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const left = readState(body.state ?? query.state, deps)
  if (!left) throw notWaiting()
  const open = await openTransaction(left.handle, visitor, deps)
  const draft = draftOf(open.state)
  if (!draft || draft.left !== left.left || open.screen !== null) throw notWaiting()
  const back = await arrive(open, draft, deps)
  // The parameters include the state, already consumed, because actions compare the other site's signed token with it.
  const verdict = await runPostLogin(await momentOf(back, visitor, deps, { query, body }), draft.effects, deps)
  const followed = await followPostLogin(verdict, back, visitor, deps)
  return followed.kind === 'passed' ? finishLogin(followed.open, visitor, deps) : followed
}

/**
 * The revision lets one of several returns with the same state win. Until the action has judged the parameters, the login waits
 * for a new state, so a parallel request for the login redirects again.
 */
async function arrive(open: OpenTransaction, draft: PostLoginDraft, deps: LoginDeps) {
  const { handleDigest, revision } = open.transaction
  const rules = { ...draft, left: deps.random.token() }
  const transaction = { ...open.transaction, decisions: { ...open.transaction.decisions, rules } }
  if (!(await deps.transactions.update(handleDigest, revision, transaction))) throw notWaiting()
  const state = { ...open.state, decisions: transaction.decisions }
  return { ...open, transaction: { ...transaction, revision: revision + 1 }, state }
}

const notWaiting = (): DomainError =>
  new DomainError('invalid_request', 'No login of this browser waits for this answer', {
    reason: 'login_over',
    redirectable: false,
    page: { code: 'expired_transaction' },
  })
