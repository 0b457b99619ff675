// Runs the tenant's rules before a passwordless proof creates a user: after the proof is found valid and before it is consumed,
// so that a wrong code runs no action and reveals nothing (threat-model.md RU6).

import type { PasswordlessConnection } from '../../data/connections/connection'
import type { User, UserPort } from '../../data/users/user'
import type { Clock } from '../../kernel/clock'
import { accessDenied } from '../../kernel/errors'
import { type AccountTriggerDeps, type Asking, admitNewcomer, notifyTriggers } from '../accounts/account-triggers'
import { reasonOfDenial } from '../tenant-code/trigger'

type Deps = AccountTriggerDeps & { users: UserPort; clock: Clock }

/** Costs a look-up only if an action is bound. */
export const asksBeforeRegistration = async (
  { id }: PasswordlessConnection,
  address: string,
  { triggers, users }: Deps,
): Promise<boolean> => triggers.isBound('pre-user-registration') && (await users.findAccount(id, address)) === null

/** Writes the metadata that actions set for a new user, and notifies the actions that run after registration. */
export async function registrationTriggers(
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
    if (admitted) await deps.eventSubjects.change(id, admitted, deps.clock.now())
    notifyTriggers('post-user-registration', id, connection, asking, deps)
  }
}
