// Continues a login for which a link was mailed: by the link opened in this browser, or by the decision made in another
// browser.

import { authenticateByLink, type LinkVerdict } from '../../identity/strategies/login-link'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { LoginState } from '../login-state'
import type { FormAction, FormActionContext, FormResult } from './action'
import { recordBlocked, sentIn, signedIn, startOver } from './passwordless'

export const checkLoginLink: FormAction = {
  name: 'check-link',
  run: (state, _input, { login, ip }, deps) => goOnByLink(state, { login, ip }, null, deps),
}

/** `secret` belongs to the link that was opened in the browser of this login. */
export async function goOnByLink(
  state: LoginState,
  { login, ip }: Pick<FormActionContext, 'login' | 'ip'>,
  secret: string | null,
  deps: LoginDeps,
): Promise<FormResult> {
  const sent = sentIn(state)
  if (!sent) return startOver(state)
  const { client, organization } = state
  const asking = { clientId: client.clientId, ip, organization }
  const verdict = await authenticateByLink({ ...sent, login }, secret, asking, deps)
  if (verdict.outcome === 'proven') {
    deps.trail.context({ user: verdict.user })
    if (!verdict.user.blocked) return signedIn(verdict.user, { ...sent, at: verdict.at }, state, deps)
    recordBlocked(deps)
  } else if (verdict.outcome !== 'waiting') {
    deps.trail.record('login_refused', { reason: 'login_link_over', sentence: `the mailed link: ${verdict.outcome}` })
  }
  return { kind: 'again', notice: noticeOf(verdict), decisions: state.decisions }
}

function noticeOf({ outcome }: LinkVerdict): NoticeCode {
  if (outcome === 'waiting') return 'link_waiting'
  return outcome === 'rejected' ? 'link_rejected' : 'link_over'
}
