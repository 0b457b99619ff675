// The undo of a changed e-mail address: a rollback of the account to its state before the change (threat-model.md AP7, BF20, ADR 45).
// - A chain of changes has one link. It is mailed to the address that was verified before the first of them, and gives that one back.
// - It stands until its use, for seven days, or until a manager blocks, recovers or deletes the account. Nothing that a session asks for
//   ends it.
// - The ticket carries the state: whatever is attached to the account and not part of it goes.
import type { OutboxRow } from '../outbox/outbox'
import { type StoredTicket, type TicketRef, ticketKind } from '../tickets/ticket'
import type { AccountKey, MailedLinkRow } from './account'
import type { User } from './user'

export type AttachedKind = 'identities' | 'passkeys' | 'factors' | 'browsers' | 'devices' | 'consents'

/** The keys of what is attached to an account. */
export type Attached = Record<AttachedKind, string[]>

export type StateBefore = Pick<User, 'phoneNumber' | 'phoneVerified' | 'username'> & {
  attached: Partial<Attached>
  /** ISO 8601. */
  deleteAt: string | null
  deletionRequestedAt: string | null
}

/** Without the state in tickets of the previous release: everything attached goes. */
export type Restoration = AccountKey & { userId: string; email: string; before?: StateBefore }

export const RESTORE = ticketKind<Restoration>('restore-email', 7 * 86_400)

/** The link for the first change of a chain, whose ticket gets the state in the transaction. */
export type UndoRequest = { ticket: StoredTicket & { payload: Restoration }; mail: OutboxRow }

export type Undoing = {
  ticket: TicketRef
  restoration: Restoration
  /** Whether the address is what finds the account. */
  finds: boolean
  /** The hash of a password that is not known to anyone, in place of every password. */
  hash: string
  /** The link for a new password, if the account has one. */
  reset: MailedLinkRow | null
  at: Date
}

export type UndoAddressPort = {
  /** The address that a standing link gives back; null if there is none. */
  addressOf(userId: string, now: Date): Promise<string | null>
  /** One transaction. 'expired' if the link was used or has ended; 'taken' if another verified account has the address. */
  undo(undoing: Undoing): Promise<'done' | 'expired' | 'taken'>
}
