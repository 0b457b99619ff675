// The last step before a login in a browser is finished: the tenant's rules. They let it pass, end it, ask for a second factor,
// or send the browser elsewhere first; what they said is kept, so that they run once.
// - With prompt=none nothing is shown and nobody leaves: the application hears what is missing (OIDC Core 3.1.2.6).
import { type HttpRequest, type HttpResponse, redirect } from '../../http/message'
import { DomainError } from '../../kernel/errors'
import { asBrought, eventRequest, type Sent } from '../../rules/event-request'
import { enter } from '../begin/enter'
import type { LoginDeps } from '../deps'
import { judge, type OpenTransaction } from '../steps/open'
import { MULTI_FACTOR } from '../steps/requirements'
import { screenUrl } from '../steps/screens'
import type { Origin } from '../transaction'
import { draftOf, type RuleDraft } from './rule-draft'
import { departureOf, leavingDraft } from './rule-redirect'
import { type RuleMoment, type RuleVerdict, runLoginRules } from './run-rules'

export const ELSEWHERE = { code: 'interaction_required', description: 'Interaction required' } as const

/** The login with its rules passed, or what is answered instead. */
export async function passRules(
  open: OpenTransaction,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<OpenTransaction | HttpResponse> {
  const draft = draftOf(open.state)
  if (draft && !draft.effects.suspended) return open
  if (draft?.left !== undefined && draft.effects.redirect) return leave(draft, open.handle, deps)
  return followRules(await runLoginRules(momentOf(open, request, deps), draft?.effects, deps), open, request, deps)
}

/** `sent` is what the browser brings back from another site. */
export function momentOf(
  { state, transaction }: Pick<OpenTransaction, 'state'> & { transaction: { origin: Origin } },
  request: HttpRequest,
  deps: LoginDeps,
  sent?: { query: Sent; body: Sent },
): RuleMoment {
  const { user, client, api, wants, evidence } = state
  if (!user) throw new Error('rules run for somebody')
  const { protocol, request: origin } = transaction.origin
  const described = deps.protocols[protocol].describe(origin)
  const asking = { ...request, baseUrl: deps.baseUrl }
  return {
    ...{ user, client, api, wants, evidence, described },
    request: sent
      ? eventRequest(asking, sent.query, sent.body, asBrought)
      : eventRequest(asking, described.query ?? {}),
    locale: deps.localeOf(request, wants.uiLocales),
    isNewLogin: true,
  }
}

export async function followRules(
  verdict: RuleVerdict,
  open: OpenTransaction,
  request: HttpRequest,
  deps: LoginDeps,
): Promise<OpenTransaction | HttpResponse> {
  if (verdict.kind === 'denied') return end(verdict.error, open, deps)
  const isSilent = open.state.wants.prompt.includes('none')
  if (verdict.kind === 'redirect') {
    if (isSilent) return end(new DomainError(ELSEWHERE.code, ELSEWHERE.description), open, deps)
    const draft = leavingDraft(verdict, deps)
    await keep(withDraft(draft, open), deps)
    return leave(draft, open.handle, deps)
  }
  const { user, effects } = verdict
  const moved = withDraft({ userId: user.id, effects }, { ...open, state: { ...open.state, user } })
  if (verdict.kind === 'passed') return moved
  const judged = { ...moved, ...(await judge(moved.transaction, user, request, deps)) }
  if (judged.screen === null) return effects.suspended ? passRules(judged, request, deps) : judged
  if (isSilent) return end(new DomainError(MULTI_FACTOR.code, MULTI_FACTOR.description), open, deps)
  const { decisions, notice } = await enter(judged, request, deps)
  await keep({ ...judged, transaction: { ...judged.transaction, decisions } }, deps)
  return redirect(deps.baseUrl + screenUrl(judged.screen, open.handle, notice), 303)
}

function withDraft(rules: RuleDraft, open: OpenTransaction): OpenTransaction {
  const decisions = { ...open.transaction.decisions, rules }
  return { ...open, transaction: { ...open.transaction, decisions }, state: { ...open.state, decisions } }
}

const keep = ({ transaction }: OpenTransaction, deps: LoginDeps): Promise<boolean> =>
  deps.transactions.update(transaction.handleDigest, transaction.revision, transaction)

const leave = (draft: RuleDraft, handle: string, deps: LoginDeps): HttpResponse =>
  redirect(departureOf(draft, new URL(draft.effects.redirect?.url ?? ''), handle, deps), 303)

/** Whoever was first ended it; the second is shown where things stand. */
async function end(error: DomainError, { handle, transaction }: OpenTransaction, deps: LoginDeps) {
  const ended = await deps.transactions.consume(transaction.handleDigest, deps.clock.now())
  if (!ended) return redirect(deps.baseUrl + screenUrl('login', handle), 303)
  deps.trail.record('login_refused', { reason: error.detail ?? error.description })
  const { protocol, request } = transaction.origin
  return deps.protocols[protocol].refuse(request, error)
}
