// Who made a link: it opens nothing once its maker has lost the right to make it (threat-model.md MG54, BF26). The database decides that
// where the link is looked up (`latchkey_maker_stands`).
import type { ManagementScope } from '../../data/apis/management-scopes'
import { CONSOLE_CLIENT } from '../../data/clients/console'
import type { LinkMaker } from '../../data/tickets/ticket'
import { CONSOLE_ROLES, type ConsoleRole, scopesOfRole } from './console-roles'
import type { Actor } from './operation'
import type { RankDeps } from './rank'

/**
 * With the scope that made the link.
 * @param others what an administrator needs beside it; of other makers, the look-up of the link asks for them
 */
export function makerOf(
  { clientId, userId }: Pick<Actor, 'clientId' | 'userId'>,
  scope: ManagementScope,
  { rank: { audience } }: RankDeps,
  others: readonly ManagementScope[] = [],
): LinkMaker {
  if (userId === null) return { client: clientId, audience, scope }
  if (clientId !== CONSOLE_CLIENT) return { user: userId, audience, scope }
  const may = (role: ConsoleRole): boolean => [scope, ...others].every((each) => scopesOfRole(role).includes(each))
  return { administrator: userId, roles: CONSOLE_ROLES.filter(may) }
}
