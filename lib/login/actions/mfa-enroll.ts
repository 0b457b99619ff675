// Enrols a second factor during a login that requires one: choose a factor, enter its address, confirm with its first code.
// - Only while the user has no factor, or after another one was proven in this login: otherwise this page is not due
//   (threat-model.md MF2).
// - A pending enrolment is shown again on every page load and replaced when the user chooses another factor.

import type { MfaDeps, MfaSubject } from '../../identity/mfa/deps'
import { beginEnrollment } from '../../identity/mfa/enroll'
import { type FactorName, factorNamed, maskedName } from '../../identity/mfa/factors/index'
import { type MfaVerdict, prove } from '../../identity/mfa/prove'
import { DomainError } from '../../kernel/errors'
import type { NoticeCode } from '../../pages/view'
import { answerTo, type Enrolling, enrollingOf, outlastingDraft, sealed, shownOf } from '../steps/mfa-draft'
import { hasFreshMfa, withMfa } from '../steps/mfa-evidence'
import { offeredFactors, subjectOf } from '../steps/mfa-subject'
import type { LoginState } from '../steps/requirements'
import type { FormAction, Progress } from './action'
import { noticeOf } from './mfa-challenge'

const MAX_PHONE = 40

export const enrollFactor: FormAction = {
  name: 'mfa-enroll',
  on: ['mfa-enroll'],
  async run(state, input, context, deps): Promise<Progress> {
    const factor = offeredFactors(state).find((name) => name === input.factor)
    if (!factor) return again(state)
    const phone = byPhone(factor) ? input.phone?.slice(0, MAX_PHONE).toWellFormed() : undefined
    if (byPhone(factor) && phone === undefined) return again(state, { factor })
    return begin(state, factor, phone, subjectOf(state, context), deps)
  },
}

const byPhone = (factor: FactorName): boolean => factorNamed(factor).page.asksFor === 'phone'

async function begin(
  state: LoginState,
  factor: FactorName,
  phone: string | undefined,
  subject: MfaSubject,
  deps: MfaDeps,
): Promise<Progress> {
  const typed: Enrolling | undefined = phone === undefined ? undefined : { factor, phone }
  try {
    const vouched = hasFreshMfa(state.evidence)
    const enrolment = await beginEnrollment(subject, factor, { phoneNumber: phone }, { vouched }, deps)
    return again(state, enrollingOf(enrolment, factor, maskedName(enrolment.authenticator), deps))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'too_many_requests') return again(state, typed, 'too_many_messages')
    if (error.code === 'invalid_request') return again(state, typed, byPhone(factor) ? 'invalid_phone' : undefined)
    throw error
  }
}

export const confirmFactor: FormAction = {
  name: 'mfa-confirm',
  on: ['mfa-enroll'],
  async run(state, input, context, deps): Promise<Progress> {
    const enrolling = state.decisions.mfa?.enrolling
    if (enrolling?.shown === undefined) return again(state)
    const factor = factorNamed(enrolling.factor)
    const answer = answerTo(enrolling, input)
    const verdict = await prove(factor.names.authenticatorType, answer, subjectOf(state, context), deps)
    if (verdict.outcome !== 'passed') return again(state, afterFailure(enrolling, verdict), noticeOf(verdict, factor))
    const code = shownOf(enrolling, deps)?.recoveryCode
    const kept = outlastingDraft(state.decisions.mfa)
    const mfa = code === undefined ? kept : { ...kept, recoveryCode: sealed(code, deps) }
    return {
      kind: 'progress',
      evidence: withMfa(state.evidence, verdict.factor, state.now),
      decisions: { ...state.decisions, mfa },
    }
  },
}

/** After an expired or rejected challenge the enrolment starts again from the choice of factors. */
const afterFailure = (enrolling: Enrolling, { outcome }: MfaVerdict): Enrolling | undefined =>
  outcome === 'gone' || outcome === 'rejected' ? undefined : enrolling

export const otherFactor: FormAction = { name: 'mfa-other', on: ['mfa-enroll'], run: (state) => again(state) }

const again = ({ decisions }: LoginState, enrolling?: Enrolling, notice?: NoticeCode): Progress => ({
  kind: 'again',
  decisions: {
    ...decisions,
    mfa: { ...outlastingDraft(decisions.mfa), ...(enrolling === undefined ? {} : { enrolling }) },
  },
  ...(notice === undefined ? {} : { notice }),
})
