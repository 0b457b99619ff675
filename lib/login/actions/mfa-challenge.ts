// The MFA challenge page: the user chooses a factor, which sends a code or push if needed, and answers.
// - Nothing is sent before the user presses a button or has just proven the first factor (threat-model.md MF7).
// - An expired challenge is dropped, so the page offers to send a new one.

import type { Authenticator } from '../../identity/mfa/authenticator'
import type { MfaDeps, MfaSubject } from '../../identity/mfa/deps'
import type { Factor } from '../../identity/mfa/factors/factor'
import { factorOf, isForPages } from '../../identity/mfa/factors/index'
import { openChallenge } from '../../identity/mfa/open-challenge'
import { type MfaVerdict, prove } from '../../identity/mfa/prove'
import { DomainError, type ErrorCode } from '../../kernel/errors'
import type { NoticeCode } from '../../pages/view'
import { answerTo, type MfaDraft, outlastingDraft, questionId, sealed } from '../steps/mfa-draft'
import { withMfa } from '../steps/mfa-evidence'
import { chooseFactor, mfaOf, subjectOf } from '../steps/mfa-subject'
import type { LoginState } from '../steps/requirements'
import type { FormAction, FormActionContext, Progress } from './action'

export const useFactor: FormAction = {
  name: 'mfa-use',
  on: ['mfa-challenge'],
  async run(state, input, context, deps): Promise<Progress> {
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

export const verifyFactor: FormAction = {
  name: 'mfa-verify',
  on: ['mfa-challenge'],
  async run(state, input, context, deps): Promise<Progress> {
    const { selected } = chooseFactor(state)
    const answer = answerTo(draftOf(state), input)
    const verdict = await prove(selected.type, answer, subjectOf(state, context), deps)
    if (verdict.outcome !== 'passed') return stay(state, verdict, factorOf(selected))
    const mfa: MfaDraft = {
      ...outlastingDraft(state.decisions.mfa),
      ...(input.remember === 'true' ? { remember: true } : {}),
      ...(verdict.recoveryCode === undefined ? {} : { recoveryCode: sealed(verdict.recoveryCode, deps) }),
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

function stay(state: LoginState, failed: Failed, factor: Factor): Progress {
  const { outcome } = failed
  const { question, ...draft } = draftOf(state)
  const over = question === undefined || outcome === 'rejected' || outcome === 'gone'
  return again(state, over ? draft : { ...draft, question }, noticeOf(failed, factor))
}

const draftOf = ({ decisions }: LoginState): MfaDraft => decisions.mfa ?? {}

const again = ({ decisions }: LoginState, mfa: MfaDraft, notice?: NoticeCode): Progress => ({
  kind: 'again',
  decisions: { ...decisions, mfa },
  ...(notice === undefined ? {} : { notice }),
})
