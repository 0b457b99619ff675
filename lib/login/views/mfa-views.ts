// The view data of the MFA pages. Names are masked. A key and a recovery code are shown only to the user who started the
// enrolment, in the same login, until that step ends (threat-model.md MF3).

import { displayNameOf } from '../../data/users/user'
import type { Authenticator } from '../../identity/mfa/authenticator'
import type { KeyDeps, KeyHolder } from '../../identity/mfa/factors/factor'
import { factorNamed, factorOf, isForPages, maskedName } from '../../identity/mfa/factors/index'
import { REMEMBER_SECONDS } from '../../identity/mfa/known-browser'
import type { Vault } from '../../kernel/secret'
import type { ViewOf } from '../../pages/screens'
import type { FactorView } from '../../pages/view'
import type { MfaState } from '../steps/mfa'
import { type Enrolling, opened, shownOf } from '../steps/mfa-draft'
import { chooseFactor, mfaOf, offeredFactors, userOf } from '../steps/mfa-subject'
import { ceremonyView } from '../steps/passkey'
import type { LoginState } from '../steps/requirements'

type MfaChallengeView = ViewOf<'mfa-challenge'>
type Shared = Pick<MfaChallengeView, 'action' | 'state' | 'client' | 'notice'>

export function mfaChallengeView(
  state: LoginState,
  shared: Shared,
  holder: KeyHolder,
  deps: KeyDeps,
): MfaChallengeView {
  const { selected, others } = chooseFactor(state)
  return {
    ...shared,
    screen: 'mfa-challenge',
    factor: factorView(selected),
    ...questionOf(selected, state, holder, deps),
    others: others.filter((each) => !isSameKey(each, selected)).map(factorView),
    ...remembering(state),
    cancel: true,
  }
}

/** The page of a key accepts each of its kind. */
const isSameKey = (a: Authenticator, b: Authenticator): boolean =>
  isForPages(factorOf(a)) && factorOf(a) === factorOf(b)

type Question = Pick<MfaChallengeView, 'phase' | 'number' | 'passkey'>

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

export function mfaEnrollView(
  state: LoginState,
  shared: Shared,
  holder: KeyHolder,
  deps: KeyDeps,
): ViewOf<'mfa-enroll'> {
  const factors = offeredFactors(state)
  const common = { ...shared, screen: 'mfa-enroll' as const, other: factors.length > 1, cancel: true }
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

export function mfaRecoveryCodeView(state: LoginState, shared: Shared, vault: Vault): ViewOf<'mfa-recovery-code'> {
  const { notice: _none, ...form } = shared
  const code = opened(state.decisions.mfa?.recoveryCode ?? '', { vault }) ?? ''
  const user = userOf(state)
  return { ...form, screen: 'mfa-recovery-code', code, user: user.email ?? displayNameOf(user) }
}
