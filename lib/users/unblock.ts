// The ticket in a blocked-account mail: it names the account and the address it was blocked for, sealed, and ends after
// a day. It lifts that one block and proves nothing else.
import { addSeconds, type Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import type { AttemptSubject } from './attempts'

const PURPOSE = 'unblock-ticket'
const LIFETIME_SECONDS = 86400

/** Whose it is, for the audit log alone. */
export type Blocked = AttemptSubject & { userId?: string }

type Sealed = Blocked & { until: string }

export function writeUnblockTicket(
  subject: Blocked,
  { vault, random, clock }: { vault: Vault; random: Random; clock: Clock },
): string {
  const sealed: Sealed = { ...subject, until: addSeconds(clock.now(), LIFETIME_SECONDS).toISOString() }
  return vault.seal(PURPOSE, JSON.stringify(sealed), random).toString('base64url')
}

/** What the ticket is about, or null when it is not ours or has ended. */
export function readUnblockTicket(ticket: string, { vault, clock }: { vault: Vault; clock: Clock }): Blocked | null {
  const plain = vault.open(PURPOSE, Buffer.from(ticket, 'base64url'))
  if (!plain) return null
  const { until, ...subject } = JSON.parse(plain.toString()) as Sealed
  return new Date(until) > clock.now() ? subject : null
}
