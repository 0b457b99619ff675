// What somebody has: listed once per step and judged here (threat-model.md MF2).
// - What waits to be confirmed can be for an hour, and only while nothing else is active or somebody who had proven a factor
//   began it: whoever knows nothing but the password adds no factor beside the owner's.
import { addSeconds } from '../kernel/clock'
import type { User } from '../users/user'
import { type Authenticator, verifiedAddress } from './authenticator'
import type { MfaDeps } from './deps'
import { factorNameOf, isEnabled, isEnrolled, usable } from './policy'

export const CONFIRM_SECONDS = 3600

export type Enrolments = {
  /** Everything there is, waiting or of a kind that is switched off too. */
  all: Authenticator[]
  /** Those that can answer now. */
  usable: Authenticator[]
  /** Those that a right answer makes active. */
  waiting: Authenticator[]
  /** Whether there is a factor that can answer; a recovery code alone is none. */
  enrolled: boolean
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
  return { all, usable: ready, waiting, enrolled }
}
