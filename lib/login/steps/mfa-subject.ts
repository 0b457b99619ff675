// The user whose second factors a login page is about, and the factors it offers.
import { type Authenticator, isRecovery } from '../../mfa/authenticator'
import type { MfaSubject } from '../../mfa/deps'
import { type FactorName, factorNameOf } from '../../mfa/policy'
import type { User } from '../../users/user'
import type { ActionContext } from '../actions/action'
import { typeDemandOf } from '../rules/rule-draft'
import type { MfaState } from './mfa'
import type { LoginState } from './requirements'

export function userOf({ user }: LoginState): User {
  if (user) return user
  throw new Error('a second factor is requested before the user is known')
}

export function mfaOf({ mfa }: LoginState): MfaState {
  if (mfa) return mfa
  throw new Error('a second-factor page is due although no factor is required')
}

export const subjectOf = (state: LoginState, { login, ip, locale }: ActionContext): MfaSubject => ({
  user: userOf(state),
  login,
  typed: typeDemandOf(state),
  clientName: state.client.name,
  ip,
  locale,
})

/** A code by e-mail is offered only if the user has an address. */
export const offeredFactors = (state: LoginState): FactorName[] =>
  mfaOf(state).enrolments.enrollable.filter((name) => name !== 'email' || state.user?.email != null)

/** The order of preference without the user's choice: least effort first, the recovery code last. */
const PREFERRED: readonly FactorName[] = ['push', 'otp', 'sms', 'email', 'voice', 'recovery-code']

const rank = (authenticator: Authenticator): number => PREFERRED.indexOf(factorNameOf(authenticator))

/** The factor to challenge, and the alternatives. */
export function chooseFactor(state: LoginState): { selected: Authenticator; others: Authenticator[] } {
  const using = state.decisions.mfa?.using
  const sorted = mfaOf(state).enrolments.usable.toSorted((a, b) => rank(a) - rank(b))
  const selected = sorted.find(({ id }) => id === using) ?? sorted.find((each) => !isRecovery(each)) ?? sorted[0]
  if (!selected) throw new Error('a second factor is due although the user has none')
  return { selected, others: sorted.filter((each) => each !== selected) }
}
