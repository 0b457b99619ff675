// The mails about an account, as what they are about: how they read is the templates' business (lib/delivery). They go
// to the address that is stored, never to one that was typed (threat-model.md DB3, DB6).
import { isMailAddress } from '../outbox/message'
import type { OutboxRow } from '../outbox/outbox'
import { type AllowanceDeps, isAllowed } from '../users/allowance'
import type { Account, User } from '../users/user'

/** Those that carry a link, and those that only tell. */
export type LinkMailKind = 'verify_email' | 'reset_password'
export type NoteMailKind = 'already_registered' | 'password_changed'

export type AccountMail = ({ kind: LinkMailKind; path: string } | { kind: NoteMailKind }) & {
  to: string
  /** Null where there is nobody to name. */
  user: Pick<User, 'name' | 'givenName' | 'profile'> | null
  /** Where it was caused. */
  ip: string
  /** The language of the request, for a person who has none. */
  locale: string | undefined
}

/** Where the person can be written to: an import may have brought an address that no mail can go to. */
export const mailableAddress = ({ email }: Pick<User, 'email'>): string | null =>
  email !== null && isMailAddress(email) ? email : null

/** Strangers block accounts at as many networks as they have: the owner hears of three in a day. */
export const mayNotifyBlocked = ({ connectionId, providerUserId }: Account, deps: AllowanceDeps): Promise<boolean> =>
  isAllowed([{ name: 'mail-blocked_account', of: [connectionId, providerUserId], most: 3, seconds: 86_400 }], deps)

export type AccountMailer = {
  /** Rendered and sealed: ready to be written in the transaction of its cause. */
  compose(mail: AccountMail): OutboxRow
  /** To call after that transaction. */
  wake(): void
}
