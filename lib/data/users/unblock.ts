// The ticket in a blocked-account mail: it contains the account and the blocked address, sealed, and expires after a day, or as the
// tenant's template says. It lifts that one block, once, and authenticates no one.
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { claimName } from '../tickets/ticket'
import type { AttemptSubject } from './attempts'

const PURPOSE = 'unblock-ticket'
const LIFETIME_SECONDS = 86400

/** `userId` is for the audit log only; `resultUrl` is where the page leads afterwards. */
export type Blocked = AttemptSubject & { userId?: string; resultUrl?: string; until: string }

export function writeUnblockTicket(
  subject: Omit<Blocked, 'until' | 'resultUrl'>,
  { vault, random, clock }: { vault: Vault; random: Random; clock: Clock },
  { lifetimeSeconds = LIFETIME_SECONDS, resultUrl }: { lifetimeSeconds?: number; resultUrl?: string } = {},
): string {
  const until = addSeconds(clock.now(), lifetimeSeconds).toISOString()
  const sealed: Blocked = { ...subject, until, ...(resultUrl && { resultUrl }) }
  return vault.sealText(PURPOSE, JSON.stringify(sealed), random)
}

/** Whether the ticket is used for the first time: of concurrent callers one gets true. */
export const claimUnblockTicket = (
  ticket: string,
  { until }: Blocked,
  deps: Parameters<typeof claimName>[3],
): Promise<boolean> => claimName(PURPOSE, ticket, new Date(until), deps)

/** The subject of the ticket, or null if this server did not write it or it has expired. */
export function readUnblockTicket(ticket: string, { vault, clock }: { vault: Vault; clock: Clock }): Blocked | null {
  const plain = vault.openText(PURPOSE, ticket)
  if (!plain) return null
  const blocked = JSON.parse(plain) as Blocked
  return new Date(blocked.until) > clock.now() ? blocked : null
}
