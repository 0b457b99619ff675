// The tenant's rules for somebody whom the proof of an address makes: asked once the proof is found good and before it is used
// up, so that a wrong one runs nothing and tells nothing (threat-model.md RU6).

import { type AccountRuleDeps, type Asking, admitNewcomer, notifyRules } from '../accounts/account-rules'
import type { Connection } from '../connections/connection'
import type { Clock } from '../kernel/clock'
import { accessDenied } from '../kernel/errors'
import type { User, UserPort } from '../users/user'

type Deps = AccountRuleDeps & { users: UserPort; clock: Clock }

/** Costs a look-up only where something is bound. */
export const asksRules = async ({ id }: Connection, address: string, { rules, users }: Deps): Promise<boolean> =>
  rules.isBound('pre-user-registration') && (await users.findAccount(id, address)) === null

/** What is to be done once there is a newcomer: what rules note of one is written, and those who wait for one are told. */
export async function newcomerRules(
  connection: Connection,
  address: string,
  asking: Asking,
  asks: boolean,
  deps: Deps,
): Promise<(made: User) => Promise<void>> {
  const person = connection.strategy === 'sms' ? { phone_number: address } : { email: address }
  const admitted = asks ? await admitNewcomer(person, {}, connection, asking, deps) : null
  if (admitted && 'denied' in admitted) {
    const { reason, userMessage } = admitted.denied
    throw accessDenied(userMessage ?? reason, { detail: reason })
  }
  return async ({ id }) => {
    if (admitted) await deps.ruleSubjects.change(id, admitted, deps.clock.now())
    notifyRules('post-user-registration', id, connection, asking, deps)
  }
}
