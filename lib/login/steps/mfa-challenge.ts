// The second factor of a login: the user chooses one, which sends a code or push if needed, and answers. Names are masked.
// - Nothing is sent before the user presses a button or has just proven the first factor (threat-model.md MF7).
// - An expired challenge is dropped, so the page offers to send a new one.

import type { Authenticator } from '../../identity/mfa/authenticator'
import type { MfaDeps, MfaSubject } from '../../identity/mfa/deps'
import type { Factor, KeyDeps, KeyHolder } from '../../identity/mfa/factors/factor'
import { factorOf, isForPages, maskedName } from '../../identity/mfa/factors/index'
import { REMEMBER_SECONDS } from '../../identity/mfa/known-browser'
import { openChallenge } from '../../identity/mfa/open-challenge'
import { type MfaVerdict, prove } from '../../identity/mfa/prove'
import { DomainError, type ErrorCode } from '../../kernel/errors'
import type { ViewOf } from '../../pages/screens'
import type { FactorView, NoticeCode } from '../../pages/view'
import { answerTo, type MfaDraft, outlastingDraft, questionId, sealDraftText } from '../flow/mfa-draft'
import { withMfa } from '../flow/mfa-evidence'
import { chooseFactor, mfaOf, subjectOf, userOf } from '../flow/mfa-subject'
import { ceremonyView } from '../flow/passkey'
import type { FormAction, FormActionContext, FormResult } from '../forms/action'
import { cancel } from '../forms/cancel'
import type { LoginState } from '../login-state'
import { type LoginPage, type LoginStep, MULTI_FACTOR, type PageContext } from './step'

const useFactor: FormAction = {
  name: 'mfa-use',
  async run(state, input, context, deps): Promise<FormResult> {
    const chosen = mfaOf(state).enrolments.usable.find(({ id }) => id === input.authenticator)
    if (!chosen) return again(state, draftOf(state))
    const { draft, notice } = await ask(chosen, state, subjectOf(state, context), deps)
    return again(state, draft, notice)
  },
}

/** On entry to the page, the preferred factor is challenged at once. */
export const askAtOnce = (state: LoginState, context: FormActionContext, deps: MfaDeps): Promise<Challenged> =>
  ask(chooseFactor(state).selected, state, subjectOf(state, context), deps)

type Challenged = { draft: MfaDraft; notice?: NoticeCode }

async function ask(
  chosen: Authenticator,
  { decisions }: LoginState,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<Challenged> {
  const draft: MfaDraft = { ...outlastingDraft(decisions.mfa), using: chosen.id }
  try {
    const question = await openChallenge(chosen, subject, { showsNumber: true }, deps)
    if (!question) return { draft }
    const opened = { ...draft, question: questionId(question.digest) }
    return question.prompt ? { draft: opened, notice: 'code_sent' } : { draft: opened }
  } catch (error) {
    const notice = error instanceof DomainError ? NOT_SENT[error.code] : undefined
    if (notice === undefined) throw error
    return { draft, notice }
  }
}

const NOT_SENT: Partial<Record<ErrorCode, NoticeCode>> = {
  too_many_requests: 'too_many_messages',
  invalid_request: 'unserved_phone',
}

const verifyFactor: FormAction = {
  name: 'mfa-verify',
  async run(state, input, context, deps): Promise<FormResult> {
    const { selected } = chooseFactor(state)
    const answer = answerTo(draftOf(state), input)
    const verdict = await prove(selected.type, answer, subjectOf(state, context), deps)
    if (verdict.outcome !== 'passed') return stay(state, verdict, factorOf(selected))
    const mfa: MfaDraft = {
      ...outlastingDraft(state.decisions.mfa),
      ...(input.remember === 'true' ? { remember: true } : {}),
      ...(verdict.recoveryCode === undefined ? {} : { recoveryCode: sealDraftText(verdict.recoveryCode, deps) }),
    }
    return {
      kind: 'progress',
      evidence: withMfa(state.evidence, verdict.factor, state.now),
      decisions: { ...state.decisions, mfa },
    }
  },
}

type Failed = Exclude<MfaVerdict, { outcome: 'passed' }>

const NOTICES: Record<Failed['outcome'], NoticeCode> = {
  wrong: 'wrong_code',
  'code-missing': 'wrong_code',
  blocked: 'too_many_codes',
  pending: 'push_waiting',
  rejected: 'push_rejected',
  gone: 'push_expired',
  'other-type': 'push_expired',
}

/** A key has no code and no request that could be sent again. */
export const noticeOf = ({ outcome }: Failed, factor: Factor): NoticeCode =>
  isForPages(factor) && outcome !== 'blocked' ? 'key_failed' : NOTICES[outcome]

function stay(state: LoginState, failed: Failed, factor: Factor): FormResult {
  const { outcome } = failed
  const { question, ...draft } = draftOf(state)
  const over = question === undefined || outcome === 'rejected' || outcome === 'gone'
  return again(state, over ? draft : { ...draft, question }, noticeOf(failed, factor))
}

const draftOf = ({ decisions }: LoginState): MfaDraft => decisions.mfa ?? {}

const again = ({ decisions }: LoginState, mfa: MfaDraft, notice?: NoticeCode): FormResult => ({
  kind: 'again',
  decisions: { ...decisions, mfa },
  ...(notice === undefined ? {} : { notice }),
})

function viewOf({ state, shared, transaction, deps }: PageContext): ViewOf<'mfa-challenge'> {
  const { selected, others } = chooseFactor(state)
  return {
    ...shared,
    ...(shared.notice === undefined && isStepUp(state) ? { notice: 'step_up' as const } : {}),
    screen: 'mfa-challenge',
    factor: factorView(selected),
    ...questionOf(selected, state, { user: userOf(state), login: transaction.handleDigest }, deps),
    others: others.filter((each) => !isSameKey(each, selected)).map(factorView),
    ...remembering(state),
    cancel: true,
  }
}

/** The session sufficed for the password, and lacks the second factor. */
const isStepUp = ({ evidence }: LoginState): boolean =>
  evidence.length > 0 && evidence.every((proof) => proof.inherited)

/** The page of a key accepts each of its kind. */
const isSameKey = (a: Authenticator, b: Authenticator): boolean =>
  isForPages(factorOf(a)) && factorOf(a) === factorOf(b)

type Question = Pick<ViewOf<'mfa-challenge'>, 'phase' | 'number' | 'passkey'>

function questionOf(selected: Authenticator, state: LoginState, holder: KeyHolder, deps: KeyDeps): Question {
  const factor = factorOf(selected)
  if (factor.ceremony) {
    const { enrolments, keys } = mfaOf(state)
    const active = enrolments.usable.filter((each) => factorOf(each) === factor)
    const started = factor.ceremony(active, keys, holder, deps)
    return { phase: 'key', ...(started ? { passkey: ceremonyView(started.session, started.options) } : {}) }
  }
  if (!factor.challenge) return { phase: 'code' }
  const { challenge } = mfaOf(state)
  if (challenge?.authenticatorId !== selected.id) return { phase: 'send' }
  if (challenge.codeDigest !== null) return { phase: 'code' }
  if (challenge.status !== 'pending') return { phase: 'answered' }
  return { phase: 'wait', ...(challenge.number === null ? {} : { number: challenge.number }) }
}

/** Offered only if a remembered browser would satisfy the demand. */
function remembering(state: LoginState): { rememberDays?: number } {
  const { demand } = mfaOf(state)
  return demand === 'always' || demand === 'risky' ? { rememberDays: REMEMBER_SECONDS / 86400 } : {}
}

function factorView(authenticator: Authenticator): FactorView {
  const name = maskedName(authenticator)
  return { id: authenticator.id, kind: factorOf(authenticator).id, ...(name === null ? {} : { name }) }
}

const page: LoginPage<'mfa-challenge'> = {
  screen: 'mfa-challenge',
  view: viewOf,
  actions: [useFactor, verifyFactor, cancel],
}

export const mfaPassed: LoginStep = {
  name: 'mfa-passed',
  unmet: ({ mfa }) => mfa?.required ?? false,
  pages: [page],
  refusal: MULTI_FACTOR,
}
