// Whether the proofs of a login authenticate its user, and how recent they have to be.
import { recencyOf } from '../../data/apis/api'
import type { Evidence } from '../../data/sessions/session'
import { ageOf } from '../../kernel/clock'
import type { LoginState } from '../login-state'
import type { Wants } from '../transaction'

type Authenticating = Pick<LoginState, 'wants' | 'api' | 'user' | 'evidence' | 'now'>

/** A second factor alone does not authenticate a user. */
export function isAuthenticated({ wants, api, user, evidence, now }: Authenticating): boolean {
  if (user === null || user.blocked) return false
  if (wants.subject !== null && wants.subject !== user.id) return false
  const oldest = Math.min(wants.maxAge ?? Infinity, recencyOf(api, wants.scopes) ?? Infinity)
  return isProvenWithin(oldest, { wants, evidence, now })
}

export const isProvenWithin = (
  oldest: number,
  { wants, evidence, now }: Pick<LoginState, 'wants' | 'evidence' | 'now'>,
) => evidence.some((proof) => proof.method !== 'mfa' && isFresh(proof, oldest, wants, now))

export function hasToEnroll({ mfa }: Pick<LoginState, 'mfa'>): boolean {
  return (mfa?.required ?? false) && mfa?.enrolments.enrolled === false
}

/** `prompt=login` accepts only proofs of this login. Otherwise inherited proofs of at most `oldest` seconds are accepted too. */
function isFresh(proof: Evidence, oldest: number, wants: Wants, now: Date): boolean {
  const inThisAttempt = !proof.inherited
  if (wants.prompt.includes('login')) return inThisAttempt
  return inThisAttempt || ageOf(new Date(proof.at), now) <= oldest
}

export const mayChangeSignIn = ({ api, wants }: Pick<LoginState, 'api' | 'wants'>): boolean =>
  recencyOf(api, wants.scopes) !== null
