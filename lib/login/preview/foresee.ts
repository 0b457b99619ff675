// What would happen in a login, by the rules of the login itself: its state is loaded and its requirements are judged as in a login, and what a
// person would do on the page that is due is taken as done (docs/adr/0073). Nothing is stored, sent, counted or recorded (reading.ts).
import type { PreviewedLogin, PreviewQuestion } from '../../data/logins/preview'
import { type InspectedStep, lineOf } from '../../data/logins/step'
import { newSession } from '../../data/sessions/session'
import { sessionPolicy } from '../../data/tenants/settings'
import { factorNamed, factorOf, maskedName } from '../../identity/mfa/factors/index'
import type { DomainError } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'
import type { LoginScreen } from '../../pages/screens'
import type { LoginDeps } from '../deps'
import { organizationDecision, searchOf } from '../flow/linking'
import type { LoginFrom } from '../flow/mfa'
import { withMfa } from '../flow/mfa-evidence'
import { chooseFactor, mfaOf, offeredFactors } from '../flow/mfa-subject'
import { outcomeIn } from '../flow/organization'
import { type LoginFacts, loadState } from '../flow/state'
import type { FormActionContext } from '../forms/action'
import type { LoginState } from '../login-state'
import { actionFor, dueScreens, finalRefusal, nextRequirement } from '../steps/index'
import { type LoginOutcome, outcomeOf, type Wants } from '../transaction'
import { readingDeps } from './reading'
import { foreseeSignIn } from './sign-in'

/** `outcome` is what the protocol would answer for; null where the login is refused. */
export type ForeseenLogin = PreviewedLogin & { outcome: LoginOutcome | null }

/** A requirement that stays unmet is a fault of the walk, and ends it. */
const MAX_STEPS = 20

export async function foreseeLogin(
  wants: Wants,
  question: PreviewQuestion,
  effective: LoginDeps,
): Promise<ForeseenLogin> {
  const deps = readingDeps(effective, question)
  const from: LoginFrom = {
    ...{ hasPages: true, login: null, remembered: [], ip: question.ip },
    browsers: question.browser === 'unknown' ? [] : [new Uint8Array(32)],
  }
  const walk: Walk = { steps: [], code: [], connection: null }
  let facts: LoginFacts = { wants, user: null, evidence: [], decisions: {} }
  for (let turn = 0; turn < MAX_STEPS; turn += 1) {
    const state = await loadState(facts, from, deps)
    const missing = nextRequirement(state)
    if (!missing) return finished(state, question, walk, deps)
    const refusal = finalRefusal(state)
    if (refusal) return refusedBy(missing.name, refusal, walk)
    const [screen = 'login'] = dueScreens(state)
    const met = await meet(screen, state, question, deps)
    walk.steps.push(met.step)
    walk.code.push(...(met.code ?? []))
    walk.connection ??= met.connection ?? null
    if ('reason' in met) return { ...walk, reason: met.reason, outcome: null }
    facts = { ...facts, ...met.facts }
  }
  throw new Error(`the preview of a login does not end: ${walk.steps.at(-1)?.subject}`)
}

type Walk = { steps: InspectedStep[]; code: { at: string; name: string }[]; connection: string | null }

const refusedBy = (name: string, error: DomainError, walk: Walk): ForeseenLogin => ({
  ...walk,
  steps: [
    ...walk.steps,
    { kind: 'requirement', subject: name, outcome: 'failed', reason: error.reason, says: error.description },
  ],
  reason: error.reason,
  outcome: null,
})

/** What the person would do on the page, and what follows; or why the login ends there. */
type Met = { step: InspectedStep; code?: PreviewedLogin['code']; connection?: string | null } & (
  | { facts: Partial<LoginFacts> }
  | { reason: Reason }
)

async function meet(screen: LoginScreen, state: LoginState, question: PreviewQuestion, deps: LoginDeps): Promise<Met> {
  switch (screen) {
    case 'mfa-enroll':
      return enroll(state)
    case 'mfa-challenge':
      return challenge(state)
    case 'consent':
      return decide('accept', {}, state, deps, {
        ...pageOf(screen, 'The person has to agree.'),
        lines: state.wants.scopes.map((scope) => lineOf(scope, 'none', { value: state.api?.scopes.get(scope) ?? '' })),
      })
    case 'organization-picker':
      return pickOrganization(state, deps)
    case 'organization-selection':
      return nameOrganization(state, question, deps)
    default:
      return signIn(screen, state, question, deps)
  }
}

const pageOf = (screen: LoginScreen, says: string): InspectedStep => ({
  ...{ kind: 'page', subject: screen, outcome: 'ok', says },
})

async function signIn(
  screen: LoginScreen,
  state: LoginState,
  question: PreviewQuestion,
  deps: LoginDeps,
): Promise<Met> {
  const { step, reason, proof, connection, code } = await foreseeSignIn(screen, state, question, deps)
  const common = { step, connection, code }
  if (reason !== null || proof === null) return { ...common, reason: reason ?? 'user_unknown' }
  const decisions = { ...organizationDecision(state.decisions), account: 'selected' as const }
  return { ...common, facts: { user: question.user, evidence: [proof], decisions } }
}

function enroll(state: LoginState): Met {
  const offered = offeredFactors(state)
  const [first] = offered
  const { demand } = mfaOf(state)
  if (first === undefined)
    return {
      step: {
        ...pageOf('mfa-enroll', 'A second factor is required, and none can be added.'),
        ...{ outcome: 'failed', reason: 'factor_not_enabled' },
      },
      reason: 'factor_not_enabled',
    }
  return {
    step: {
      ...pageOf('mfa-enroll', 'The person has to add a second factor.'),
      lines: [
        lineOf('required_by', 'none', { value: demand }),
        ...offered.map((name) => lineOf(name, 'none', { says: 'can be added' })),
      ],
    },
    facts: { evidence: withMfa(state.evidence, factorNamed(first).names.type, state.now) },
  }
}

function challenge(state: LoginState): Met {
  const { selected, others } = chooseFactor(state)
  const { demand, browser } = mfaOf(state)
  return {
    step: {
      ...pageOf('mfa-challenge', 'The person is asked for a second factor.'),
      lines: [
        lineOf('required_by', 'none', { value: demand }),
        lineOf('browser', 'none', { value: browser }),
        lineOf(factorOf(selected).id, 'ok', { value: maskedName(selected) ?? undefined, says: 'asked for at first' }),
        ...others.map((each) =>
          lineOf(factorOf(each).id, 'none', { value: maskedName(each) ?? undefined, says: 'can be chosen' }),
        ),
      ],
    },
    facts: { evidence: withMfa(state.evidence, factorOf(selected).names.type, state.now) },
  }
}

function pickOrganization(state: LoginState, deps: LoginDeps): Promise<Met> | Met {
  const found = state.choices?.found ?? []
  const step: InspectedStep = {
    ...pageOf('organization-picker', 'The person chooses an organization; here the first one.'),
    lines: found.map(({ id, name }) => lineOf(id, 'none', { value: name })),
  }
  return decide('choose-organization', { account: found[0]?.id }, state, deps, step)
}

/** The person types one of the own organizations. */
async function nameOrganization(state: LoginState, { user }: PreviewQuestion, deps: LoginDeps): Promise<Met> {
  const { found } = await deps.organizations.choices(user.id, '')
  const [first] = found
  const step = pageOf('organization-selection', 'The person types an organization; here the first of the own ones.')
  if (!first) return { step: { ...step, outcome: 'failed', reason: 'member_of_none' }, reason: 'member_of_none' }
  return {
    step: { ...step, lines: [lineOf(first.id, 'none', { value: first.name })] },
    facts: { decisions: { ...state.decisions, organization: first.id } },
  }
}

/** The form of the page itself, which has no effect but its decision. */
async function decide(
  name: string,
  input: Record<string, string | undefined>,
  state: LoginState,
  deps: LoginDeps,
  step: InspectedStep,
): Promise<Met> {
  const found = actionFor(name, dueScreens(state))
  const result = await found?.action.run(state, input, CONTEXT, deps)
  if (result?.kind !== 'progress') throw new Error(`a preview cannot answer ${name} on ${step.subject}`)
  return { step, facts: { decisions: result.decisions ?? state.decisions } }
}

const CONTEXT: FormActionContext = {
  ...{ handle: '', login: new Uint8Array(), ip: '', locale: 'en', browsers: [] },
  ...{ userAgent: undefined, passkeyOffered: true },
}

/** Every requirement is met: what comes before the answer, and the answer. */
async function finished(
  state: LoginState,
  question: PreviewQuestion,
  walk: Walk,
  deps: LoginDeps,
): Promise<ForeseenLogin> {
  const { user, client, wants, organization, membership } = state
  if (!user) throw new Error('a login without a user has unmet requirements')
  const steps = [...walk.steps]
  if (organization)
    steps.push({
      ...{ kind: 'requirement', subject: 'member', outcome: 'ok' },
      says: membership === 'joins' ? 'The person becomes a member.' : 'The person is a member.',
      lines: [lineOf('organization', 'ok', { value: organization.name })],
    })
  if (await searchOf(state, deps))
    steps.push(
      pageOf('link-account', 'If another account has the same verified address, linking the two is suggested.'),
    )
  const code = [...walk.code]
  if (deps.triggers.isBound('post-login')) {
    const names = deps.triggers.bound('post-login')
    code.push(...names.map((name) => ({ at: 'post-login', name })))
    steps.push({
      ...{ kind: 'actions', subject: 'post-login', outcome: 'none' },
      says: 'They would run here. What they decide is not known: they may deny, redirect, ask for a factor and change the tokens.',
      lines: names.map((name) => lineOf(name, 'unreached')),
    })
  }
  const beginning = { login: '', userId: user.id, clientId: client.clientId, startedElsewhere: false, before: null }
  const { session } = newSession(
    { ...beginning, evidence: state.evidence },
    sessionPolicy(deps.settings),
    state.now,
    deps.random,
  )
  const ended = { ip: question.ip, login: '', ...outcomeIn(state) }
  return {
    ...walk,
    ...{ steps, code, reason: null },
    outcome: outcomeOf(state.now, wants, client, user, session, ended),
  }
}
