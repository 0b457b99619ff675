// Why a second factor that actions require is impossible; the login is then refused (threat-model.md RU4).
// - As at the vendor, a challenge needs an enrolled factor of a type it names. A user who proved only the password cannot enrol
//   one in response.

import type { Evidence } from '../../data/sessions/session'
import type { User } from '../../data/users/user'
import { acceptedFactors } from '../../identity/mfa/accepted'
import { enrollableFactors } from '../../identity/mfa/policy'
import type { Effects } from '../../identity/tenant-code/trigger'
import type { LoginDeps } from '../deps'
import { typeDemand } from './draft'

type Proving = { user: User; evidence: readonly Evidence[] }

/** Null if the factor is possible. */
export async function whyNoFactor(
  effects: Effects,
  { user, evidence }: Proving,
  deps: LoginDeps,
): Promise<string | null> {
  if (enrollableFactors(deps.settings).length === 0) return 'an action asks for a factor, and none is switched on'
  const typed = typeDemand(effects, evidence)
  if (!typed) return null
  const { enrolled, enrollable } = await acceptedFactors({ user, typed }, deps)
  return enrolled || enrollable.length > 0 ? null : 'an action asks for a factor that the person does not have'
}
