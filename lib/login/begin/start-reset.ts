// A reset of a password whose rules ask for more: a second factor, or a visit to another site. It is a login that signs no one in, with the link
// as its first proof, so that pages, factors and redirects are those of logins.

import { PORTAL_CLIENT } from '../../data/clients/portal'
import type { Evidence } from '../../data/sessions/session'
import type { OpenReset } from '../../identity/accounts/reset-password'
import type { Effects } from '../../identity/tenant-code/trigger'
import { accessDenied } from '../../kernel/errors'
import type { LoginDeps } from '../deps'
import { finishLogin } from '../finish'
import { isAuthenticated } from '../flow/authenticated'
import { endLogin } from '../flow/end-login'
import { fromBrowser } from '../flow/known-browser'
import { loadState } from '../flow/state'
import { followPostLogin } from '../post-login/pass'
import { verdictOf } from '../post-login/run'
import { resetOrigin } from '../reset-origin'
import type { Wants } from '../transaction'
import type { Visitor } from '../visitor'
import { type VisitorResponse, withCookies } from '../visitor-response'
import { beginTransaction } from './begin'
import { plainWants } from './plain-wants'

/** @param effects of actions that are suspended */
export async function startReset(
  ticket: string,
  { user, connection }: OpenReset,
  effects: Effects,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const wants: Wants = {
    ...plainWants({ clientId: PORTAL_CLIENT, scopes: [], audience: null }),
    ...{ subject: user.id, reset: true as const },
  }
  const evidence: Evidence[] = [{ method: 'otp', at: deps.clock.now().toISOString(), connection: connection.name }]
  const facts = { wants, user, evidence, decisions: { account: 'selected' as const } }
  const state = await loadState(facts, fromBrowser(visitor, null, deps), deps)
  const { handle, transaction, cookies } = await beginTransaction(resetOrigin(ticket, deps), facts, visitor, deps)
  const open = { handle, transaction, state, screen: null }
  if (user.blocked) return endLogin(accessDenied('user is blocked', { reason: 'user_blocked' }), open, deps)
  // The pages of this server do not sign in to its database.
  if (!isAuthenticated(state))
    return endLogin(accessDenied('Multifactor authentication required', { reason: 'factor_impossible' }), open, deps)
  const followed = await followPostLogin(await verdictOf(effects, { user, evidence }, deps), open, visitor, deps)
  return withCookies(followed.kind === 'passed' ? await finishLogin(followed.open, visitor, deps) : followed, cookies)
}
