// The user whose second factors a login page is about, and the factors it offers.

import type { User } from '../../data/users/user'
import type { Authenticator } from '../../identity/mfa/authenticator'
import type { MfaSubject } from '../../identity/mfa/deps'
import { byRank, type FactorName, factorNamed, isFallback } from '../../identity/mfa/factors/index'
import type { FormActionContext } from '../forms/action'
import type { LoginState } from '../login-state'
import { typeDemandOf } from '../post-login/draft'
import type { MfaState } from './mfa'

export function userOf({ user }: LoginState): User {
  if (user) return user
  throw new Error('a second factor is requested before the user is known')
}

export function mfaOf({ mfa }: LoginState): MfaState {
  if (mfa) return mfa
  throw new Error('a second-factor page is due although no factor is required')
}

export const subjectOf = (state: LoginState, { login, ip, locale }: FormActionContext): MfaSubject => ({
  user: userOf(state),
  login,
  typed: typeDemandOf(state),
  clientName: state.client.name,
  ip,
  locale,
  clientId: state.client.clientId,
  connection: state.evidence[0]?.connection,
  organization: state.organization,
})

/** A factor that needs an e-mail address is offered only if the user has one. */
export const offeredFactors = (state: LoginState): FactorName[] =>
  mfaOf(state).enrolments.enrollable.filter((name) => !factorNamed(name).page.needsEmail || state.user?.email != null)

/** The factor to challenge, and the alternatives. */
export function chooseFactor(state: LoginState): { selected: Authenticator; others: Authenticator[] } {
  const using = state.decisions.mfa?.using
  const sorted = mfaOf(state).enrolments.usable.toSorted(byRank)
  const selected = sorted.find(({ id }) => id === using) ?? sorted.find((each) => !isFallback(each)) ?? sorted[0]
  if (!selected) throw new Error('a second factor is due although the user has none')
  return { selected, others: sorted.filter((each) => each !== selected) }
}
