// Starts a login. Either the session satisfies every requirement and the client gets its response at once, or prompt=none
// refuses with the first unmet requirement, or a transaction is stored and the first screen shown.
import type { Departure } from '../../data/connections/upstream/upstream'
import { inherit, type Session } from '../../data/sessions/session'
import { shortened } from '../../data/sessions/session-changes'
import { apartFrom } from '../apart'
import type { LoginDeps } from '../deps'
import { fromBrowser } from '../flow/known-browser'
import { invitationGone, outcomeIn, settleMembership } from '../flow/organization'
import { firstUrl, screenUrl } from '../flow/screen-urls'
import { type LoginFacts, loadState } from '../flow/state'
import { sessionStep } from '../inspected-steps'
import type { LoginState } from '../login-state'
import { dueScreens, finalRefusal, nextRequirement } from '../steps/index'
import { refusalOf } from '../steps/step'
import { type FinishedLogin, type LoginTransaction, type Origin, outcomeOf, type Wants } from '../transaction'
import { departTo, leaveFor } from '../upstream/upstream'
import type { SignedIn, Visitor } from '../visitor'
import type { Cookie, VisitorResponse } from '../visitor-response'
import { withCookies } from '../visitor-response'
import { beginTransaction } from './begin'
import { passWithSession } from './pass-with-session'
import { refuseRequest, refuseSilently } from './refuse'
import { findSession, sessionCookie } from './signed-in'
import { keepAlive } from './signed-in-to'

export async function startLogin(
  origin: Origin,
  wants: Wants,
  arrived: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const at = deps.clock.now()
  const visitor = apartFrom(arrived, wants)
  deps.trail.login()
  const found = await findSession(visitor, deps)
  const facts = {
    wants,
    user: found?.user ?? null,
    evidence: inherit(found?.session.evidence ?? []),
    decisions: found === null && visitor.cookies.session !== undefined ? { sessionEnded: true as const } : {},
  }
  return begin(at, origin, facts, found, visitor, deps)
}

async function begin(
  at: Date,
  origin: Origin,
  facts: LoginFacts,
  signedIn: SignedIn | null,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const state = await loadState(facts, fromBrowser(visitor, null, deps), deps)
  if (state.membership === 'uninvited') {
    // The invited user signs in, even if another user is signed in to this browser.
    return begin(at, origin, { ...facts, user: null, evidence: [] }, null, visitor, deps)
  }
  const wants = invitedWants(state)
  deps.trail.context({
    client: state.client,
    ...outcomeIn(state),
    ...(signedIn ? { user: signedIn.user } : {}),
    ...(wants.dropped ? { dropped: wants.dropped } : {}),
  })
  const missing = nextRequirement(state)
  deps.trail.step(() => sessionStep(state, missing?.name ?? null))
  if (!missing && signedIn) {
    const finish = (ended: FinishedLogin) => finishSilently(at, origin, state, signedIn, ended, visitor, deps)
    if (!deps.triggers.isBound('post-login')) return finish({ ip: visitor.ip, login: deps.trail.login() })
    return passWithSession(state, facts, origin, finish, visitor, deps)
  }
  const refusal = missing
    ? refusalOf(missing, state)
    : { code: 'login_required' as const, description: 'Login required' }
  if (wants.prompt.includes('none')) return refuseSilently(origin, refusal, deps)
  const final = finalRefusal(state)
  if (final) return refuseRequest(origin, final, deps)
  const { user, evidence, decisions } = facts
  const { handle, transaction, cookies } = await beginTransaction(
    origin,
    { wants, user, evidence, decisions },
    visitor,
    deps,
  )
  const invited = wants === state.wants ? state : { ...state, wants }
  return withCookies(departTo(await firstAddress(invited, handle, transaction, deps), 'redirect'), cookies)
}

/** An invited person most likely has no account yet, and uses the address of the invitation. */
const invitedWants = ({ invitation, wants }: LoginState): Wants =>
  invitation ? { ...wants, loginHint: invitation.email, screenHint: wants.screenHint ?? 'signup' } : wants

/** The first screen. If that would be the login page and the client requested a connection by name, its provider instead. */
async function firstAddress(
  state: LoginState,
  handle: string,
  { handleDigest, revision, decisions }: LoginTransaction,
  deps: LoginDeps,
): Promise<Departure> {
  const [screen = 'login'] = dueScreens(state)
  const [named] = state.wants.connection === null ? [] : state.federated
  if (screen !== 'login' || !named) return deps.baseUrl + firstUrl(screen, handle)
  const progress = await leaveFor(named, 'requested', state, handle, deps)
  if (progress.kind === 'leave') return progress.to
  await deps.transactions.note(handleDigest, revision, { ...decisions, ...progress.decisions })
  return deps.baseUrl + screenUrl(screen, handle, progress.notice)
}

async function finishSilently(
  at: Date,
  origin: Origin,
  state: LoginState,
  { session }: SignedIn,
  ended: FinishedLogin,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const { wants, client } = state
  const member = await settleMembership(state, deps)
  if (!member) return refuseRequest(origin, invitationGone(), deps)
  const connection = session.evidence[0] && { connection: { name: session.evidence[0].connection } }
  deps.trail.record(wants.prompt.includes('none') ? 'login_silent' : 'login', { scopes: wants.scopes, ...connection })
  await keepAlive(session, client.clientId, deps)
  if (ended.session) await deps.sessions.change(session.idDigest, ended.session)
  const response = await deps.protocols[origin.protocol].respond(
    origin.request,
    outcomeOf(at, wants, client, member, session, { ...ended, ...outcomeIn(state) }),
    deps.trail,
  )
  return withCookies(response, cookieAfter(session, ended, visitor, deps))
}

/** Another one only where actions changed how long it stays. */
function cookieAfter(
  session: Session,
  { session: changes = {} }: FinishedLogin,
  { cookies }: Visitor,
  { clock }: LoginDeps,
): Cookie[] {
  if (changes.persistent === undefined || cookies.session === undefined) return []
  return [sessionCookie(cookies.session, shortened(session, changes), changes.persistent, clock.now())]
}
