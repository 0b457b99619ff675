// The link that makes the first owner of the console, for a server that has none (docs/console.md).

import { administratorStore } from '../../adapters/store/prisma/console-administrators'
import { ticketStore } from '../../adapters/store/sql/tickets'
import { FIRST_TENANT } from '../../data/tenants/settings'
import { issueTicket } from '../../data/tickets/ticket'
import { FIRST_OWNER, INVITATION, invitationUrl } from '../../management/operations/console-administrators'
import type { Shared } from './shared'

const A_DAY = 86_400

/** Null where an owner exists. A new link ends the one of the start before. */
export async function firstOwnerLink({
  db,
  clock,
  random,
  baseUrl,
}: Pick<Shared, 'db' | 'clock' | 'random' | 'baseUrl'>): Promise<string | null> {
  if (await administratorStore(db, FIRST_TENANT).hasOwner()) return null
  const deps = { tickets: ticketStore(db, FIRST_TENANT), clock, random }
  const options = { subject: FIRST_OWNER, lifetimeSeconds: A_DAY }
  return invitationUrl(baseUrl, await issueTicket(INVITATION, { role: 'owner' }, deps, options))
}
