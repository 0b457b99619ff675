// Removal of a factor. With the last one, everything that depends on it is removed: the recovery code, waiting factors, and the
// remembered browsers.

import type { User } from '../../data/users/user'
import { composeSignInMail } from '../accounts/sign-in-mail'
import type { Authenticator } from './authenticator'
import type { MfaDeps } from './deps'
import { type FactorName, factorOf, isKnown } from './factors/index'

type Deps = Pick<MfaDeps, 'authenticators' | 'knownBrowsers' | 'mailer' | 'undoAddress' | 'clock' | 'trail'>

/** False if the user has none of these factors. */
export async function removeFactors(user: User, factors: readonly Authenticator[], deps: Deps): Promise<boolean> {
  const { authenticators, knownBrowsers, mailer, trail } = deps
  const mail = await composeSignInMail(user, { what: 'removed', ways: activeNames(factors) }, deps)
  const ids = factors.map(({ id }) => id)
  const removed = ids.length === 0 ? [] : await authenticators.remove(user.id, ids, mail)
  if (removed.length === 0) return false
  mailer.wake()
  for (const _ of removed) trail.record('factor_removed', {})
  if ((await authenticators.list(user.id)).length === 0) await knownBrowsers.forget(user.id)
  return true
}

/** What the mail about them names: one that was never confirmed protected nothing. */
export const activeNames = (factors: readonly Authenticator[]): FactorName[] => [
  ...new Set(factors.filter((each) => each.active && isKnown(each)).map((each) => factorOf(each).id)),
]
