// A user's factors: listed once per step and classified here (threat-model.md MF2).
// - A waiting factor can be confirmed for an hour, and only if no other factor is active or a user who had proven a factor
//   started it. So a client that knows only the password cannot add a factor beside the owner's.

import type { TenantSettings } from '../../data/tenants/settings'
import type { User } from '../../data/users/user'
import { addSeconds } from '../../kernel/clock'
import type { PasskeySite } from '../passkeys/relying-party'
import { factorSettings } from './administrator-factors'
import type { Authenticator } from './authenticator'
import type { MfaDeps } from './deps'
import type { FactorKey } from './factor-key'
import type { Factor } from './factors/factor'
import { FACTORS, type FactorName, factorNamed, factorOf, isFallback, isForPages, isKnown } from './factors/index'
import { enrollableFactors, isEnabled, isEnrolled, usable } from './policy'

export const CONFIRM_SECONDS = 3600

export type Enrolments = {
  /** All of them, including waiting ones and those of a disabled kind. */
  all: Authenticator[]
  /** The active factors of an enabled kind. */
  usable: Authenticator[]
  /** The factors that a correct answer activates. */
  waiting: Authenticator[]
  /** Whether a usable factor exists; a recovery code alone does not count. */
  enrolled: boolean
  /** Whether the user enrolled one of them: an address that is a factor without enrolment does not count. */
  chosen: boolean
  /** The factors that can be added. */
  enrollable: FactorName[]
}

export type FactorListDeps = Pick<MfaDeps, 'authenticators' | 'isAdministrator' | 'settings' | 'clock' | 'baseUrl'>

export async function listFactors(user: User, deps: FactorListDeps): Promise<Enrolments> {
  const { authenticators, clock, baseUrl } = deps
  const settings = await factorSettings(user, deps)
  const stored = (await authenticators.list(user.id)).filter(isKnown)
  const all = [...stored, ...impliedFactors(user, stored, settings)]
  const ready = usable(all, settings)
  const enrolled = isEnrolled(ready)
  const since = addSeconds(clock.now(), -CONFIRM_SECONDS)
  const waiting = all.filter(
    (each) =>
      !each.active &&
      !isFallback(each) &&
      each.createdAt > since &&
      (each.vouched || !enrolled) &&
      isEnabled(factorOf(each).id, settings),
  )
  const chosen = enrolled && isEnrolled(usable(stored, settings))
  return { all, usable: ready, waiting, enrolled, chosen, enrollable: enrollableBeside(ready, settings, { baseUrl }) }
}

/** Costs a look-up only for a user with a factor that has a key. */
export const keysOf = async (
  { id }: User,
  { all }: Pick<Enrolments, 'all'>,
  { factorKeys }: Pick<MfaDeps, 'factorKeys'>,
): Promise<FactorKey[]> => (all.some((each) => isForPages(factorOf(each))) ? factorKeys.list(id) : [])

function enrollableBeside(ready: readonly Authenticator[], settings: TenantSettings, site: PasskeySite): FactorName[] {
  const possible = enrollableFactors(settings)
    .map(factorNamed)
    .filter(({ isPossible }) => isPossible?.(site) ?? true)
  const standsAlone = ({ needsOther, isFallback }: Factor): boolean => !needsOther && !isFallback
  const mayDepend = ready.some((each) => standsAlone(factorOf(each))) || !possible.some(standsAlone)
  return possible.filter((factor) => mayDepend || standsAlone(factor)).map(({ id }) => id)
}

/** Nothing is stored of it, so it cannot be removed. */
export const isImplied = (authenticator: Authenticator, user: User): boolean =>
  factorOf(authenticator).implied?.(user)?.id === authenticator.id

/** Those that need no enrolment, unless the same address is enrolled too. */
const impliedFactors = (user: User, stored: readonly Authenticator[], settings: TenantSettings): Authenticator[] =>
  FACTORS.flatMap((factor) => {
    const implied = isEnabled(factor.id, settings) ? factor.implied?.(user) : null
    return implied && !stored.some(({ active, email }) => active && email === implied.email) ? [implied] : []
  })
