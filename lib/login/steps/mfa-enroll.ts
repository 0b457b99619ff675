// Enrols a second factor during a login that requires one: choose a factor, enter its address, confirm with its first code.
// - Only while the user has no factor, or after another one was proven in this login: otherwise this page is not due
//   (threat-model.md MF2).
// - A pending enrolment is shown again on every page load and replaced when the user chooses another factor.

import type { MfaDeps, MfaSubject } from '../../identity/mfa/deps'
import { beginEnrollment } from '../../identity/mfa/enroll'
import type { KeyDeps, KeyHolder } from '../../identity/mfa/factors/factor'
import { type FactorName, factorNamed, factorOf, maskedName } from '../../identity/mfa/factors/index'
import { type MfaVerdict, prove } from '../../identity/mfa/prove'
import { DomainError } from '../../kernel/errors'
import type { ViewOf } from '../../pages/screens'
import type { NoticeCode } from '../../pages/view'
import { hasToEnroll } from '../flow/authenticated'
import type { MfaState } from '../flow/mfa'
import { answerTo, type Enrolling, enrollingOf, outlastingDraft, sealDraftText, shownOf } from '../flow/mfa-draft'
import { hasFreshMfa, withMfa } from '../flow/mfa-evidence'
import { mfaOf, offeredFactors, subjectOf, userOf } from '../flow/mfa-subject'
import { ceremonyView } from '../flow/passkey'
import type { FormAction, FormResult } from '../forms/action'
import { cancel } from '../forms/cancel'
import type { LoginState } from '../login-state'
import { noticeOf } from './mfa-challenge'
import { type LoginPage, type LoginStep, MULTI_FACTOR, type PageContext } from './step'

const MAX_PHONE = 40

const enrollFactor: FormAction = {
  name: 'mfa-enroll',
  async run(state, input, context, deps): Promise<FormResult> {
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
): Promise<FormResult> {
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

const confirmFactor: FormAction = {
  name: 'mfa-confirm',
  async run(state, input, context, deps): Promise<FormResult> {
    const enrolling = state.decisions.mfa?.enrolling
    if (enrolling?.shown === undefined) return again(state)
    const factor = factorNamed(enrolling.factor)
    const answer = answerTo(enrolling, input)
    const verdict = await prove(factor.names.authenticatorType, answer, subjectOf(state, context), deps)
    if (verdict.outcome !== 'passed') return again(state, afterFailure(enrolling, verdict), noticeOf(verdict, factor))
    const code = shownOf(enrolling, deps)?.recoveryCode
    const kept = outlastingDraft(state.decisions.mfa)
    const mfa = code === undefined ? kept : { ...kept, recoveryCode: sealDraftText(code, deps) }
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

const otherFactor: FormAction = { name: 'mfa-other', run: (state) => again(state) }

const again = ({ decisions }: LoginState, enrolling?: Enrolling, notice?: NoticeCode): FormResult => ({
  kind: 'again',
  decisions: {
    ...decisions,
    mfa: { ...outlastingDraft(decisions.mfa), ...(enrolling === undefined ? {} : { enrolling }) },
  },
  ...(notice === undefined ? {} : { notice }),
})

function viewOf({ state, shared, transaction, deps }: PageContext): ViewOf<'mfa-enroll'> {
  const factors = offeredFactors(state)
  const common = { ...shared, screen: 'mfa-enroll' as const, other: factors.length > 1, cancel: true }
  const holder = { user: userOf(state), login: transaction.handleDigest }
  const phase = enrollmentPhase(state.decisions.mfa?.enrolling ?? null, mfaOf(state), holder, deps)
  return { ...common, ...(phase ?? { phase: 'choose', factors }) }
}

/** Null if no enrolment is pending. */
export function enrollmentPhase(
  enrolling: Enrolling | null,
  { enrolments, challenge, keys }: Pick<MfaState, 'enrolments' | 'challenge' | 'keys'>,
  holder: KeyHolder,
  deps: KeyDeps,
) {
  if (!enrolling) return null
  const { factor: kind, phone } = enrolling
  const factor = factorNamed(kind)
  const { asksFor, confirms } = factor.page
  const shown = shownOf(enrolling, deps)
  if (!shown) {
    if (asksFor !== 'phone') return null
    return { phase: 'phone' as const, kind, ...(phone === undefined ? {} : { phone }) }
  }
  const { name = '', uri = '', secret = '' } = shown
  if (confirms === 'otp') return { phase: 'otp' as const, uri, secret }
  if (confirms === 'key') {
    const waiting = enrolments.waiting.filter((each) => factorOf(each) === factor)
    const started = waiting.length > 0 ? factor.ceremony?.(waiting, keys, holder, deps) : null
    return started ? { phase: 'key' as const, kind, passkey: ceremonyView(started.session, started.options) } : null
  }
  if (!challenge) return null
  if (confirms === 'push') return { phase: 'push' as const, uri, answered: challenge.status !== 'pending' }
  return { phase: 'code' as const, kind, name }
}

const page: LoginPage<'mfa-enroll'> = {
  screen: 'mfa-enroll',
  view: viewOf,
  actions: [enrollFactor, confirmFactor, otherFactor, cancel],
}

export const mfaEnrolled: LoginStep = {
  name: 'mfa-enrolled',
  unmet: hasToEnroll,
  pages: [page],
  refusal: MULTI_FACTOR,
}
