// The last step before a login in a browser finishes: the tenant's actions. They allow the login, deny it, require a second
// factor, or redirect the browser first. Their effects are stored, so they run once.
// - With prompt=none nothing is shown and no redirect happens: the client gets the matching error (OIDC Core 3.1.2.6).

import { asBrought, eventRequest } from '../../identity/tenant-code/event-request'
import type { Parameters } from '../../kernel/parameters'
import { enter } from '../begin/enter'
import { findSession } from '../begin/signed-in'
import type { LoginDeps } from '../deps'
import { endLogin, refuseLogin } from '../flow/end-login'
import { evaluateLogin, type LoginContinues, type OpenTransaction, passed } from '../flow/open'
import { showScreen } from '../flow/screen-urls'
import { isReset, openedReset } from '../reset-origin'
import { finalRefusal } from '../steps/index'
import { MULTI_FACTOR, refusalError } from '../steps/step'
import type { Origin } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { draftOf, type PostLoginDraft } from './draft'
import { decisionsAfter, followAccount, freshProofs, notFollowed, type Turning } from './primary-user'
import { departureOf, leavingDraft } from './redirect'
import { type PostLoginMoment, type PostLoginVerdict, runPostLogin } from './run'

export const ELSEWHERE = {
  code: 'interaction_required',
  description: 'Interaction required',
  reason: 'action_needs_page',
} as const

/** The login after its actions passed, or the response instead. */
export async function passPostLogin(
  open: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<LoginContinues | VisitorResponse> {
  const draft = draftOf(open.state)
  if (draft && !draft.effects.suspended) return passed(open)
  if (draft?.left !== undefined && draft.effects.redirect) return leave(draft, open.handle, deps)
  return followPostLogin(
    await runPostLogin(await momentOf(open, visitor, deps), draft?.effects, deps),
    open,
    visitor,
    deps,
  )
}

/** `sent` holds the parameters that the browser brings back from another site. */
export async function momentOf(
  { state, transaction }: Pick<OpenTransaction, 'state'> & { transaction: { origin: Origin } },
  visitor: Visitor,
  deps: LoginDeps,
  sent?: { query: Parameters; body: Parameters },
): Promise<PostLoginMoment> {
  const { user, client, api, wants, organization, evidence } = state
  if (!user) throw new Error('actions need a user')
  const signedIn = await findSession(visitor, deps)
  const { protocol, request: origin } = transaction.origin
  const described = deps.protocols[protocol].describe(origin)
  const reset = isReset(state) ? { reset: await openedReset(origin, deps) } : {}
  const { ip, method, acceptLanguage, userAgent } = visitor
  const headers = { 'accept-language': acceptLanguage, 'user-agent': userAgent }
  const asking = { baseUrl: deps.baseUrl, ip, method, headers }
  return {
    ...{ user, client, api, wants, organization, evidence, described },
    request: sent
      ? eventRequest(asking, sent.query, sent.body, asBrought)
      : eventRequest(asking, described.query ?? {}),
    locale: deps.localeOf(visitor, wants.uiLocales),
    ...(signedIn?.user.id === user.id ? { session: signedIn.session } : {}),
    isNewLogin: true,
    ...reset,
  }
}

export async function followPostLogin(
  verdict: PostLoginVerdict,
  open: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<LoginContinues | VisitorResponse> {
  if (verdict.kind === 'denied') return endLogin(verdict.error, open, deps)
  const isSilent = open.state.wants.prompt.includes('none')
  if (verdict.kind === 'redirect') {
    if (isSilent) return endLogin(refusalError(ELSEWHERE), open, deps)
    const draft = leavingDraft(verdict, deps)
    await keep(withDraft(draft, open), deps)
    return leave(draft, open.handle, deps)
  }
  const { effects, user } = verdict
  const turned = verdict.kind === 'turned' ? await turn(verdict, open, deps) : null
  if (verdict.kind === 'turned' && !turned) return refuseTurn(open, deps)
  const moved = turned ?? withDraft({ userId: user.id, effects }, { ...open, state: { ...open.state, user } })
  if (verdict.kind === 'passed') return passed(moved)
  const judged = { ...moved, ...(await evaluateLogin(moved.transaction, moved.state.user, visitor, deps)) }
  const refusal = finalRefusal(judged.state)
  if (refusal) return endLogin(refusal, judged, deps)
  if (judged.screen === null) return effects.suspended ? passPostLogin(judged, visitor, deps) : passed(judged)
  if (isSilent) return endLogin(refusalError(MULTI_FACTOR), open, deps)
  const { decisions, notice } = await enter(judged, visitor, deps)
  await keep({ ...judged, transaction: { ...judged.transaction, decisions } }, deps)
  return showScreen(judged.screen, open.handle, deps, notice)
}

/** Null where the login may not go on as that user. */
async function turn(
  turning: Turning,
  { handle, transaction, state, screen }: OpenTransaction,
  deps: LoginDeps,
): Promise<OpenTransaction | null> {
  const { handleDigest, revision } = transaction
  const evidence = freshProofs(transaction.evidence)
  const decisions = decisionsAfter(transaction.decisions, turning)
  const user = await followAccount(turning, evidence, { handleDigest, revision, evidence, decisions }, deps)
  if (!user) return null
  const next = { ...transaction, revision: revision + 1, userId: user.id, evidence, decisions }
  return { handle, transaction: next, state: { ...state, user, evidence, decisions }, screen }
}

/** Also where linking has ended the login already. */
async function refuseTurn({ transaction }: OpenTransaction, deps: LoginDeps): Promise<VisitorResponse> {
  await deps.transactions.consume(transaction.handleDigest, deps.clock.now())
  return refuseLogin(notFollowed(), transaction, deps)
}

function withDraft(rules: PostLoginDraft, open: OpenTransaction): OpenTransaction {
  const decisions = { ...open.transaction.decisions, rules }
  return { ...open, transaction: { ...open.transaction, decisions }, state: { ...open.state, decisions } }
}

const keep = ({ transaction }: OpenTransaction, deps: LoginDeps): Promise<boolean> =>
  deps.transactions.update(transaction.handleDigest, transaction.revision, transaction)

const leave = (draft: PostLoginDraft, handle: string, deps: LoginDeps): VisitorResponse => ({
  kind: 'see-other',
  to: departureOf(draft, new URL(draft.effects.redirect?.url ?? ''), handle, deps),
})
