// The mails about an account, by purpose; the templates (lib/pages/messages) define the text. They go to the stored address, never to
// a typed one (threat-model.md DB3, DB6).
import { isMailAddress, type MailedOrganization } from '../../data/outbox/message'
import type { OutboxRow } from '../../data/outbox/outbox'
import { type AllowanceDeps, takeAllowance } from '../../data/users/allowance'
import type { User } from '../../data/users/user'

/** What mails may say about a user. */
export type MailedUser = Pick<User, 'name' | 'givenName' | 'profile'> & Partial<User>

/** Mails with a link, mails that only inform, and mails that inform and name a page to go on. */
export type LinkMailKind = 'verify_email' | 'reset_password' | 'stolen_credentials' | 'enroll_factor'
export type NoteMailKind = 'already_registered' | 'password_changed' | 'welcome'
export type PageMailKind = 'deletion_requested' | 'deletion_scheduled' | 'deletion_refused' | 'email_changed'

/** A way to sign in as the mail names it: the id of a second factor (lib/identity/mfa/factors), or another one. */
export type MailedWay = OtherWay | (string & {})

export type OtherWay = 'passkey' | 'password' | 'connected-account' | 'email-address' | 'phone-number' | 'username'

/**
 * `replaced`: these are all factors now. `used`: a recovery code, which the next one replaces. `renewed`: by request. `changed`: a password,
 * an address, a number or a name, which another one replaces.
 */
export type SignInChange = {
  what: 'added' | 'removed' | 'replaced' | 'used' | 'renewed' | 'changed'
  ways: readonly MailedWay[]
}

type SignInMail = {
  kind: 'sign_in_changed'
  page: string
  change: SignInChange
  by: 'owner' | 'administrator'
  userAgent: string | null
  former?: boolean
}

export type AccountMail =
  /** `code`: it may be typed in place of opening the link. `directory`: the database, where the address may have accounts in several. */
  (
    | { kind: LinkMailKind; path: string; code?: string; directory?: string }
    | { kind: NoteMailKind }
    /** `former`: the address is that of the account before its change, which can be undone. */
    | { kind: PageMailKind; page: string; former?: boolean }
    | SignInMail
  ) &
    MailAbout

export type MailAbout = {
  to: string
  /** Null if there is no user to name. */
  user: MailedUser | null
  /** The application at which the mail was caused, if one is known, and the connection of the account. */
  clientId: string | null
  connectionId: string
  /** The address of the request that caused the mail. */
  ip: string
  /** The language of the request, for a user without one. */
  locale: string | undefined
  /** The same as a header, where the request names no language. */
  acceptLanguage?: string | undefined
  /** The organization of the login that caused it. */
  organization?: MailedOrganization | null | undefined
  /** The same, where only its id is known. */
  organizationId?: string | undefined
}

/** The address for mails; null if there is none or it is undeliverable, as imports may contain such addresses. */
export const mailableAddress = ({ email }: Pick<User, 'email'>): string | null =>
  email !== null && isMailAddress(email) ? email : null

/**
 * For mails that an attacker causes from many networks, by blocking an account or by knowing its breached password: the owner
 * gets at most three of each kind a day.
 */
export const mayNotify = (
  kind: 'blocked_account' | 'stolen_credentials',
  { connectionId, accountId }: { connectionId: string; accountId: string },
  deps: AllowanceDeps,
): Promise<boolean> =>
  takeAllowance([{ name: `mail-${kind}`, of: [connectionId, accountId], most: 3, seconds: 86_400 }], deps)

export type AccountMailer = {
  /** Whether the tenant has a mail that welcomes people; ours is never sent unasked. */
  welcomes: boolean
  /** False where the tenant switched off the mail with which a sign-up verifies its address. */
  verifiesSignUps: boolean
  /** What the tenant's template of a mail sets for its link. */
  linkSettings(
    mail: { kind: LinkMailKind; byCode?: boolean } & Omit<MailAbout, 'ip'>,
  ): Promise<{ lifetimeSeconds?: number; resultUrl?: string }>
  /** Renders and encrypts the mail, so the row can be written in the transaction of its cause. */
  compose(mail: AccountMail): Promise<OutboxRow>
  /** Call this after that transaction. */
  wake(): void
}
