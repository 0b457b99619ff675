// Why a second factor that rules ask for cannot be had, which is a refusal (threat-model.md RU4).
// - A challenge is for a factor that is there, as at the vendor: whoever knows the password alone adds none in answer to it,
//   and has one of those that it names.
import { listFactors } from '../../mfa/enrolled'
import { enrollableFactors, type FactorName, factorNameOf } from '../../mfa/policy'
import type { Effects } from '../../rules/trigger'
import type { User } from '../../users/user'
import type { LoginDeps } from '../deps'

/** Null where it can be had. */
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
