// Runs the tenant's actions for a login that the browser's session satisfies. Where they require a factor or a redirect, the
// login is stored as a transaction and continues like any other.
import type { LoginDeps } from '../deps'
import { fromBrowser } from '../flow/known-browser'
import { screenUrl } from '../flow/screen-urls'
import { type LoginFacts, loadState } from '../flow/state'
import type { LoginState } from '../login-state'
import { endedBy, type PostLoginDraft } from '../post-login/draft'
import { ELSEWHERE, momentOf } from '../post-login/pass'
import { departureOf, leavingDraft } from '../post-login/redirect'
import { type PostLoginVerdict, runPostLogin } from '../post-login/run'
import { dueScreens } from '../steps/index'
import { MULTI_FACTOR, refusalError } from '../steps/step'
import type { FinishedLogin, Origin } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { beginTransaction } from './begin'
import { refuseRequest } from './refuse'

type Finish = (ended: FinishedLogin) => Promise<VisitorResponse>

export async function passWithSession(
  state: LoginState,
  facts: LoginFacts,
  origin: Origin,
  finish: Finish,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const moment = { ...(await momentOf({ state, transaction: { origin } }, visitor, deps)), isNewLogin: false }
  const verdict = await runPostLogin(moment, undefined, deps)
  if (verdict.kind === 'denied') return refuseRequest(origin, verdict.error, deps)
  if (verdict.kind === 'turned') return signInAgain(facts, origin, visitor, deps)
  const rules = draftAfter(verdict, deps)
  const decided: LoginFacts = { ...facts, user: verdict.user, decisions: { ...facts.decisions, rules } }
  const ended = { ip: visitor.ip, login: deps.trail.login(), ...endedBy(rules, facts.wants.scopes, state.api) }
  if (verdict.kind === 'passed') return finish(ended)
  const [screen] = verdict.kind === 'factor' ? await dueAfter(decided, visitor, deps) : []
  if (verdict.kind === 'factor' && !screen && !verdict.effects.suspended) return finish(ended)
  const missing = verdict.kind === 'redirect' ? ELSEWHERE : MULTI_FACTOR
  if (facts.wants.prompt.includes('none')) {
    return refuseRequest(origin, refusalError(missing), deps)
  }
  const { handle, cookies } = await beginTransaction(origin, decided, visitor, deps)
  const next = deps.baseUrl + screenUrl(screen ?? 'mfa-challenge', handle)
  const target = verdict.kind === 'redirect' ? departureOf(rules, verdict.url, handle, deps) : next
  return { kind: 'redirect', to: target, cookies }
}

/** Linking has ended the session, so its proofs count no more: the person signs in, and is the other user then. */
async function signInAgain(
  { wants }: LoginFacts,
  origin: Origin,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  if (wants.prompt.includes('none')) return refuseRequest(origin, refusalError(SIGNED_OUT), deps)
  const facts = { wants, user: null, evidence: [], decisions: { sessionEnded: true as const } }
  const { handle, cookies } = await beginTransaction(origin, facts, visitor, deps)
  return { kind: 'redirect', to: deps.baseUrl + screenUrl('login', handle), cookies }
}

const SIGNED_OUT = { code: 'login_required', description: 'Login required', reason: 'session_ended' } as const

const draftAfter = (
  verdict: Exclude<PostLoginVerdict, { kind: 'denied' | 'turned' }>,
  deps: LoginDeps,
): PostLoginDraft =>
  verdict.kind === 'redirect' ? leavingDraft(verdict, deps) : { userId: verdict.user.id, effects: verdict.effects }

const dueAfter = async (facts: LoginFacts, visitor: Visitor, deps: LoginDeps) =>
  dueScreens(await loadState(facts, fromBrowser(visitor, null, deps), deps))
