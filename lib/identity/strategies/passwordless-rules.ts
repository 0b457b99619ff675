// Runs the tenant's rules before a passwordless proof creates a user: after the proof is found valid and before it is consumed,
// so that a wrong code runs no rule and reveals nothing (threat-model.md RU6).

import type { PasswordlessConnection } from '../../data/connections/connection'
import type { User, UserPort } from '../../data/users/user'
import type { Clock } from '../../kernel/clock'
import { accessDenied } from '../../kernel/errors'
import { type AccountRuleDeps, type Asking, admitNewcomer, notifyRules } from '../accounts/account-rules'
import { reasonOfDenial } from '../rules/trigger'

type Deps = AccountRuleDeps & { users: UserPort; clock: Clock }

/** Costs a look-up only if an action is bound. */
export const asksRules = async (
  { id }: PasswordlessConnection,
  address: string,
  { rules, users }: Deps,
): Promise<boolean> => rules.isBound('pre-user-registration') && (await users.findAccount(id, address)) === null

/** Writes the metadata that rules set for a new user, and notifies the rules that run after registration. */
export async function newcomerRules(
  connection: PasswordlessConnection,
  address: string,
  asking: Asking,
  asks: boolean,
  deps: Deps,
): Promise<(made: User) => Promise<void>> {
  const person = connection.strategy === 'sms' ? { phone_number: address } : { email: address }
  const admitted = asks ? await admitNewcomer(person, {}, connection, asking, deps) : null
  if (admitted && 'denied' in admitted) {
    const { reason, userMessage } = admitted.denied
    throw accessDenied(userMessage ?? reason, { reason: reasonOfDenial(admitted.denied), detail: reason })
  }
  return async ({ id }) => {
    if (admitted) await deps.ruleSubjects.change(id, admitted, deps.clock.now())
    notifyRules('post-user-registration', id, connection, asking, deps)
  }
}
