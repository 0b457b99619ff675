// A user as a manager reads and changes it.

import type { ChangeMail, OutboxRow } from '../outbox/outbox'
import type { TicketRef } from '../tickets/ticket'
import type { AccountKey, MailedLinkRow } from './account'
import type { MetadataChange, Profile } from './profile'
import type { UndoRequest } from './undo-address'
import type { User } from './user'

export type ManagedUser = Profile & { lastPasswordReset: Date | null; hasFactor: boolean }

/** An account of the user; the keys are what finds it at a database or passwordless connection. */
export type ManagedAccount = AccountKey & {
  provider: string
  emailKey: string | null
  usernameKey: string | null
  hasPassword: boolean
  sealedTokens: Uint8Array | null
}

export type UserFields = Pick<
  User,
  | 'email'
  | 'emailVerified'
  | 'username'
  | 'phoneNumber'
  | 'phoneVerified'
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'nickname'
  | 'picture'
  | 'blocked'
>

/** Whether a change blocks the user, whose logins end then. */
export const blocks = (before: Pick<UserFields, 'blocked'>, { blocked }: Partial<UserFields>): boolean =>
  blocked === true && !before.blocked

const NAMES = ['email', 'username', 'phoneNumber'] as const

/** Whether a change is of what the user signs in with. By a manager, it ends the link that undoes a change of the address. */
export const changesSignIn = (before: Pick<UserFields, (typeof NAMES)[number]>, fields: Partial<UserFields>): boolean =>
  NAMES.some((name) => (fields[name] ?? before[name]) !== before[name])

type Keys = { email: string | null; username: string | null }

export type NewManagedUser = AccountKey & {
  userId: string
  provider: string
  fields: UserFields
  keys: Keys
  passwordHash: string | null
  userMetadata: Readonly<Record<string, unknown>>
  appMetadata: Readonly<Record<string, unknown>>
  /** The link that verifies the address, and its mail. */
  link: MailedLinkRow | null
  /** The mail that welcomes a person whose address needs no verification. */
  welcome: OutboxRow | null
}

export type UserChange = {
  fields: Partial<UserFields>
  userMetadata?: MetadataChange
  appMetadata?: MetadataChange
  /** The account that the address, the name or the password belongs to. */
  account?: AccountKey
  keys?: Keys
  /** `keep`: number of previous passwords to remember. */
  password?: { hash: string | null; keep: number }
  link?: MailedLinkRow
  /** Mails about the change. */
  notices?: readonly ChangeMail[]
  /** The owner makes the change. Otherwise a new password, address or name is a manager's recovery, which ends links. */
  byOwner?: {
    /** The step that permits it, used in the transaction. */
    step?: TicketRef
    /** A text message to the old number. */
    text?: OutboxRow
    /** The link that undoes a change of the address, or, while that of an earlier change stands, a mail in its place. */
    undo?: UndoRequest
    inChain?: ChangeMail | null
    /** The password is taken away, not chosen: links for a new one stay. */
    forgetsPassword?: true
  }
}

/** The users of a tenant as a manager reads and changes them. */
export type ManagedUserRecords = {
  find(id: string): Promise<ManagedUser | null>
  accounts(userId: string): Promise<ManagedAccount[]>
  /** At most 100; whatever the case of the address is. */
  byEmail(email: string): Promise<ManagedUser[]>
  /** 'taken' if another account has the address, the name or the id. */
  insert(user: NewManagedUser, at: Date): Promise<'done' | 'taken'>
  /**
   * Changes the user in one transaction. A new password or a block ends the logins; the first verification of an address removes
   * what was attached before (lib/data/users/first-proof.ts). `check` may throw while the user is locked. 'spent' if the step of the owner
   * has ended. Null if there is no such user.
   */
  change(
    id: string,
    change: UserChange,
    at: Date,
    check: (before: ManagedUser) => void | Promise<void>,
  ): Promise<'done' | 'taken' | 'spent' | null>
  /** Ends the logins and removes the user with all that belongs to it. Returns the removed user, or null. */
  remove(id: string, check: (user: ManagedUser) => void | Promise<void>, at: Date): Promise<ManagedUser | null>
}
