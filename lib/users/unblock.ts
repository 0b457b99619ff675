// The ticket in a blocked-account mail: it contains the account and the blocked address, sealed, and expires after a day. It
// lifts that one block, once, and authenticates no one.
import { addSeconds, type Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { claimName } from '../tickets/ticket'
import type { AttemptSubject } from './attempts'

const PURPOSE = 'unblock-ticket'
const LIFETIME_SECONDS = 86400

/** `userId` is for the audit log only. */
export type Blocked = AttemptSubject & { userId?: string }

type Sealed = Blocked & { until: string }

export function writeUnblockTicket(
  subject: Blocked,
  { vault, random, clock }: { vault: Vault; random: Random; clock: Clock },
): string {
  const sealed: Sealed = { ...subject, until: addSeconds(clock.now(), LIFETIME_SECONDS).toISOString() }
  return vault.sealText(PURPOSE, JSON.stringify(sealed), random)
}

/** Whether the ticket is used for the first time: of concurrent callers one gets true. */
export const claimUnblockTicket = (ticket: string, deps: Parameters<typeof claimName>[3]): Promise<boolean> =>
  claimName(PURPOSE, ticket, addSeconds(deps.clock.now(), LIFETIME_SECONDS), deps)

/** The subject of the ticket, or null if this server did not write it or it has expired. */
export function readUnblockTicket(ticket: string, { vault, clock }: { vault: Vault; clock: Clock }): Blocked | null {
  const plain = vault.openText(PURPOSE, ticket)
  if (!plain) return null
  const { until, ...subject } = JSON.parse(plain) as Sealed
  return new Date(until) > clock.now() ? subject : null
}
