// Removal of a factor. With the last one, everything that depends on it is removed: the recovery code, waiting factors, and the
// remembered browsers.
import { composeFactorMail } from '../accounts/factor-mail'
import type { User } from '../users/user'
import type { Authenticator } from './authenticator'
import type { MfaDeps } from './deps'
import { type FactorName, factorOf, isKnown } from './factors/index'

type Deps = Pick<MfaDeps, 'authenticators' | 'knownBrowsers' | 'mailer' | 'trail'>

/** False if the user has none of these factors. */
export async function removeFactors(
  user: User,
  factors: readonly Authenticator[],
  { authenticators, knownBrowsers, mailer, trail }: Deps,
): Promise<boolean> {
  const mail = await composeFactorMail(user, { what: 'removed', factors: activeNames(factors) }, { mailer, trail })
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
