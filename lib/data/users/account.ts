// Changes to a database account: sign-up, verification of the address, password reset.
// Each change is one transaction that includes all its effects, the mail too, or nothing (threat-model.md RE3).
import type { ChangeMail, OutboxRow } from '../outbox/outbox'
import type { StoredTicket, TicketRef } from '../tickets/ticket'
import type { FirstProofPort } from './first-proof'
import type { UnownedPasskey } from './passkey'
import type { User } from './user'

export type NewAccount = {
  connectionId: string
  /** 24 hexadecimal digits. */
  providerUserId: string
  userId: string
  email: string
  username: string | null
  passwordHash: string | null
  passkey: UnownedPasskey | null
  profile: NewProfile
  userMetadata: Readonly<Record<string, unknown>>
  /** Set by the tenant's actions at sign-up. */
  appMetadata?: Readonly<Record<string, unknown>>
  at: Date
}

export type NewProfile = {
  name: string | null
  givenName: string | null
  familyName: string | null
  nickname: string | null
  picture: string | null
}

export type AccountKey = { connectionId: string; providerUserId: string }

/** An account at a database connection, as its owner sees it. */
export type OwnAccount = AccountKey & {
  /** The address that signs in to it. */
  email: string | null
  hasPassword: boolean
  passwordChangedAt: Date | null
  /** When its user was created. */
  createdAt: Date
}

export type NewPassword = AccountKey & {
  userId: string
  ticket: TicketRef
  /** The session that outlasts the change, with what it created; its proofs count as made with the new password. */
  keepsSid: string | null
  /** A manager made the link. */
  byManager: boolean
  /** The address the link was sent to. The change applies only if the account still has it. */
  email: string
  /** Whether the link proved that address. */
  proves: boolean
  /** Null where the password is elsewhere. */
  hash: string | null
  /** Number of previous passwords to remember. */
  keep: number
  at: Date
}

/** A requested link and the mail that carries it; `alive: false` writes the same rows without an effect. */
export type MailedLinkRow = { ticket: StoredTicket; mail: OutboxRow; alive: boolean }

export type AccountPort = FirstProofPort & {
  /** `taken` names the field that another account already has; nothing was written then. */
  create(
    account: NewAccount,
    link: MailedLinkRow | null,
    welcome: OutboxRow | null,
  ): Promise<{ user: User } | { taken: 'email' | 'username' | 'passkey' }>
  /** The user's accounts at database connections; the one that the user's id names first. */
  ofUser(userId: string): Promise<OwnAccount[]>
  requestLink(link: MailedLinkRow): Promise<void>
  notify(mail: OutboxRow): Promise<void>
  /**
   * Uses the ticket, sets the password and ends the sessions and tokens of the old one. Null if the ticket is used, expired or
   * stale. `welcome` is sent if that verifies the address.
   */
  replacePassword(
    change: NewPassword,
    mail: OutboxRow,
    others: ChangeMail | null,
    welcome: OutboxRow | null,
  ): Promise<User | null>
  /**
   * Uses the ticket and marks its address as verified; null if the ticket is used, expired or stale.
   * `knownUserId` is the user of the session in the client's browser. If the account has logins but is another user's, the client
   * is treated as a new owner. `welcome` is sent if the address was not verified before.
   */
  verifyEmail(
    ticket: TicketRef,
    account: AccountKey & { userId: string; email: string },
    proof: { knownUserId: string | null; at: Date; welcome: OutboxRow | null },
  ): Promise<User | null>
  /** Hashes of the current password and of the previous ones, newest first. */
  passwordHistory(account: AccountKey): Promise<string[]>
}
