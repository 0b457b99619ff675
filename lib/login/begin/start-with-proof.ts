// Starts a login for a browser that brings its own proof (a login ticket, a code, a link). The proof replaces the session and
// goes through the same requirements as any other login. Without a proof the login starts signed out: the session must not
// stand in for the user who was to be signed in, so the login page is shown.
import type { Evidence } from '../../data/sessions/session'
import type { User } from '../../data/users/user'
import type { LoginDeps } from '../deps'
import { finishLogin } from '../finish'
import { fromBrowser } from '../flow/known-browser'
import { screenUrl } from '../flow/screen-urls'
import { loadState } from '../flow/state'
import { dueScreens, nextRequirement } from '../steps/index'
import { refusalOf } from '../steps/step'
import type { Origin, Wants } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { withCookies } from '../visitor-response'
import { beginTransaction } from './begin'
import { refuseSilently } from './refuse'

export type Proof = { user: User; evidence: Evidence[] }

export async function startWithProof(
  origin: Origin,
  wants: Wants,
  proof: Proof | null,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const facts = {
    wants,
    user: proof?.user ?? null,
    evidence: proof?.evidence ?? [],
    decisions: proof ? { account: 'selected' as const } : {},
  }
  const state = await loadState(facts, fromBrowser(visitor, null, deps), deps)
  const missing = nextRequirement(state)
  if (missing && wants.prompt.includes('none')) return refuseSilently(origin, refusalOf(missing, state), deps)
  const { handle, transaction, cookies } = await beginTransaction(origin, facts, visitor, deps)
  const [screen] = dueScreens(state)
  const response: VisitorResponse = screen
    ? { kind: 'redirect', to: deps.baseUrl + screenUrl(screen, handle) }
    : await finishLogin({ handle, transaction, state, screen: null }, visitor, deps)
  return withCookies(response, cookies)
}
