// What changes a database account from outside: signing up, proving the address, setting another password.
// Each is one transaction that holds everything it causes, the mail included, or nothing (threat-model.md RE3).
import type { OutboxRow } from '../outbox/outbox'
import type { StoredTicket } from '../tickets/ticket'
import type { FirstProofPort } from './first-proof'
import type { User } from './user'

export type NewAccount = {
  connectionId: string
  /** 24 hexadecimal digits. */
  providerUserId: string
  userId: string
  email: string
  username: string | null
  passwordHash: string
  profile: NewProfile
  userMetadata: Readonly<Record<string, unknown>>
  /** What the tenant's rules note of a newcomer. */
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

/** One account at one connection. */
export type AccountKey = { connectionId: string; providerUserId: string }

export type NewPassword = AccountKey & {
  ticket: { kind: string; digest: Uint8Array }
  /** Where the link was sent: still the account's address, or nothing happens. */
  email: string
  hash: string
  /** How many passwords before this one are remembered. */
  keep: number
  at: Date
}

/** A link that was asked for and the mail that carries it; `alive: false` writes the same rows for nobody. */
export type LinkRequest = { ticket: StoredTicket; mail: OutboxRow; alive: boolean }

export type AccountPort = FirstProofPort & {
  /** `taken` is what somebody else has already; nothing was written then. */
  create(account: NewAccount, link: LinkRequest): Promise<{ user: User } | { taken: 'email' | 'username' }>
  requestLink(link: LinkRequest): Promise<void>
  notify(mail: OutboxRow): Promise<void>
  /** Uses the ticket, sets the password and ends what the old one opened; null when the ticket is used, over or stale. */
  replacePassword(change: NewPassword, mail: OutboxRow): Promise<User | null>
  /**
   * Uses the ticket and marks its address as proven; null when the ticket is used, over or stale. `knownUserId` is whose
   * session the prover's browser holds: for any other account that was signed in to, the prover is a new owner.
   */
  verifyEmail(
    ticket: { kind: string; digest: Uint8Array },
    account: AccountKey & { email: string },
    proof: { knownUserId: string | null; at: Date },
  ): Promise<User | null>
  /** Hashes of the current password and those before it, newest first. */
  passwordHistory(account: AccountKey): Promise<string[]>
}
