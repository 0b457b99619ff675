// Starts a login. Either the session satisfies every requirement and the client gets its response at once, or prompt=none
// refuses with the first unmet requirement, or a transaction is stored and the first screen shown.
import type { Client } from '../../clients/client'
import type { Departure } from '../../connections/upstream/upstream'
import { DomainError } from '../../kernel/errors'
import { inherit } from '../../sessions/session'
import type { LoginDeps } from '../deps'
import { fromBrowser } from '../steps/known-browser'
import { dueScreens, type LoginState, nextRequirement, type Requirement } from '../steps/requirements'
import { firstUrl, screenUrl } from '../steps/screens'
import { loadState } from '../steps/state'
import { type Ended, type Origin, outcomeOf, type Wants } from '../transaction'
import { departTo, leaveFor } from '../upstream/upstream'
import type { SignedIn, Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { withCookies } from '../visitor-response'
import { beginTransaction } from './begin'
import { passWithSession } from './pass-with-session'
import { findSession } from './signed-in'
import { keepAlive } from './signed-in-to'

export async function startLogin(
  origin: Origin,
  wants: Wants,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const at = deps.clock.now()
  const signedIn = await findSession(visitor, deps)
  const facts = {
    wants,
    user: signedIn?.user ?? null,
    evidence: inherit(signedIn?.session.evidence ?? []),
    decisions: {},
  }
  const state = await loadState(facts, fromBrowser(visitor, null), deps)
  deps.trail.context({ client: state.client, ...(signedIn ? { user: signedIn.user } : {}) })
  const missing = nextRequirement(state)
  if (!missing && signedIn) {
    const finish = (ended: Ended) => finishSilently(at, origin, wants, state.client, signedIn, ended, deps)
    if (!deps.rules.isBound('post-login')) return finish({ ip: visitor.ip })
    return passWithSession(state, facts, origin, finish, visitor, deps)
  }
  const refusal = missing?.refusal ?? { code: 'login_required' as const, description: 'Login required' }
  if (wants.prompt.includes('none')) return refuseSilently(origin, refusal, deps)
  const { handle, cookies } = await beginTransaction(origin, facts, visitor, deps)
  return withCookies(departTo(await firstAddress(state, handle, deps), 'redirect'), cookies)
}

/** The first screen. If that would be the login page and the client requested a connection by name, its provider instead. */
async function firstAddress(state: LoginState, handle: string, deps: LoginDeps): Promise<Departure> {
  const [screen = 'login'] = dueScreens(state)
  const [named] = state.wants.connection === null ? [] : state.federated
  if (screen !== 'login' || !named) return deps.baseUrl + firstUrl(screen, handle)
  const progress = await leaveFor(named, state, handle, deps)
  return progress.kind === 'leave' ? progress.to : deps.baseUrl + screenUrl(screen, handle, progress.notice)
}

export const refuseSilently = (
  { protocol, request }: Origin,
  refusal: Requirement['refusal'],
  deps: LoginDeps,
): VisitorResponse | Promise<VisitorResponse> => {
  deps.trail.record('login_silent_refused', { reason: refusal.description })
  return deps.protocols[protocol].refuse(request, new DomainError(refusal.code, refusal.description))
}

async function finishSilently(
  at: Date,
  origin: Origin,
  wants: Wants,
  client: Client,
  { session, user }: SignedIn,
  ended: Ended,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const connection = session.evidence[0] && { connection: { name: session.evidence[0].connection } }
  deps.trail.record(wants.prompt.includes('none') ? 'login_silent' : 'login', { scopes: wants.scopes, ...connection })
  await keepAlive(session, client.clientId, deps)
  return deps.protocols[origin.protocol].respond(origin.request, outcomeOf(at, wants, client, user, session, ended))
}
