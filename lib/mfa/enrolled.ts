// A user's factors: listed once per step and classified here (threat-model.md MF2).
// - A waiting factor can be confirmed for an hour, and only if no other factor is active or a user who had proven a factor
//   started it. So a client that knows only the password cannot add a factor beside the owner's.
import { addSeconds } from '../kernel/clock'
import type { User } from '../users/user'
import { type Authenticator, verifiedAddress } from './authenticator'
import type { MfaDeps } from './deps'
import { enrollableFactors, type FactorName, factorNameOf, isEnabled, isEnrolled, usable } from './policy'

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
  /** The factors that can be added. */
  enrollable: FactorName[]
}

export async function listFactors(
  user: User,
  { authenticators, settings, clock }: Pick<MfaDeps, 'authenticators' | 'settings' | 'clock'>,
): Promise<Enrolments> {
  const stored = await authenticators.list(user.id)
  const address = isEnabled('email', settings) ? verifiedAddress(user) : null
  const has = stored.some(({ active, email }) => active && email !== null && email === address?.email)
  const all = address && !has ? [...stored, address] : stored
  const ready = usable(all, settings)
  const enrolled = isEnrolled(ready)
  const since = addSeconds(clock.now(), -CONFIRM_SECONDS)
  const waiting = all.filter(
    (each) =>
      !each.active &&
      each.type !== 'recovery-code' &&
      each.createdAt > since &&
      (each.vouched || !enrolled) &&
      isEnabled(factorNameOf(each), settings),
  )
  return { all, usable: ready, waiting, enrolled, enrollable: enrollableFactors(settings) }
}
