// Why a second factor that rules require is impossible; the login is then refused (threat-model.md RU4).
// - As at the vendor, a challenge needs an enrolled factor of a type it names. A user who proved only the password cannot enrol
//   one in response.
import { listFactors } from '../../mfa/enrolled'
import { enrollableFactors, type FactorName, factorNameOf } from '../../mfa/policy'
import type { Effects } from '../../rules/trigger'
import type { User } from '../../users/user'
import type { LoginDeps } from '../deps'

/** Null if the factor is possible. */
export async function whyNoFactor({ multifactor }: Effects, user: User, deps: LoginDeps): Promise<string | null> {
  if (enrollableFactors(deps.settings).length === 0) return 'a rule asks for a factor, and none is switched on'
  if (multifactor?.kind !== 'challenge') return null
  const { enrolled, usable } = await listFactors(user, deps)
  const isNamed = (name: FactorName): boolean => multifactor.factors.some(({ type }) => type === VENDOR_NAMES[name])
  const has = enrolled && usable.some((each) => isNamed(factorNameOf(each)))
  return has ? null : 'a rule asks for a factor that the person does not have'
}

const VENDOR_NAMES: Readonly<Record<FactorName, string>> = {
  otp: 'otp',
  push: 'push-notification',
  sms: 'phone',
  voice: 'phone',
  email: 'email',
  'recovery-code': 'recovery-code',
}
