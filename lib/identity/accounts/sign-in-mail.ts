// The mail to the owner when a way to sign in is added, removed, changed or used (threat-model.md MF10, BF21). It goes to the address that
// was verified before the change: another one may be a stranger's. While a changed address can be undone, it goes to that address as well,
// because the one of the account may be an intruder's (lib/data/users/undo-address.ts).
// - Three a day of one kind, counted in the transaction of the change: a change that fails counts for nothing, and the first of a kind is
//   always sent.
import type { Trail } from '../../data/audit/trail'
import type { MailedOrganization } from '../../data/outbox/message'
import type { ChangeMail, OutboxRow } from '../../data/outbox/outbox'
import { countedOn } from '../../data/users/allowance'
import type { UndoAddressPort } from '../../data/users/undo-address'
import type { User } from '../../data/users/user'
import type { Clock } from '../../kernel/clock'
import { type AccountMailer, mailableAddress, type SignInChange } from './account-mail'

/** What the mail of an administrator's change needs. */
export type ManagedSignInMailDeps = {
  mailer: Pick<AccountMailer, 'compose' | 'wake'>
  undoAddress: Pick<UndoAddressPort, 'addressOf'>
  clock: Clock
}

export type SignInMailDeps = ManagedSignInMailDeps & { trail: Pick<Trail, 'source'> }

/** What is known of the login in which the change happens. */
type SignInMailContext = {
  locale?: string | undefined
  organization?: MailedOrganization | null | undefined
  /** An address that gets another mail about it. */
  except?: string
}

/** To be written in the transaction of the change; null if no address may have it. */
export const composeSignInMail = (
  user: User,
  change: SignInChange,
  deps: SignInMailDeps,
  { locale, organization, except }: SignInMailContext = {},
): Promise<ChangeMail | null> => {
  const { source } = deps.trail
  return compose(user, change, deps, except, {
    by: 'owner',
    ip: source?.ip ?? '',
    userAgent: source?.userAgent ?? null,
    locale,
    acceptLanguage: source?.language,
    organization,
  })
}

/** The owner learns that an administrator changed it, and nothing about the administrator. */
export const composeSignInMailOfAdministrator = (
  user: User,
  change: SignInChange,
  deps: ManagedSignInMailDeps,
): Promise<ChangeMail | null> =>
  compose(user, change, deps, undefined, { by: 'administrator', ip: '', userAgent: null, locale: undefined })

type Cause = {
  by: 'owner' | 'administrator'
  ip: string
  userAgent: string | null
  locale: string | undefined
  acceptLanguage?: string | undefined
  organization?: MailedOrganization | null | undefined
}

const MAILS_A_DAY = 3
const DAY = 86_400

async function compose(
  user: User,
  change: SignInChange,
  { mailer, undoAddress, clock }: ManagedSignInMailDeps,
  except: string | undefined,
  cause: Cause,
): Promise<ChangeMail | null> {
  if (change.ways.length === 0) return null
  const about = { user, clientId: null, connectionId: '', page: '/account/activity', ...cause }
  const send = (to: string, former: boolean): Promise<OutboxRow> =>
    mailer.compose({ kind: 'sign_in_changed', change, to, ...about, ...(former && { former }) })
  const recipients = (await recipientsOf(user, { undoAddress, clock })).filter(({ to }) => to !== except)
  const rows = await Promise.all(recipients.map(({ to, former }) => send(to, former)))
  if (rows.length === 0) return null
  const of = [user.id, change.what, ...change.ways]
  return { rows, bound: countedOn({ name: 'mail-sign-in-changed', of, most: MAILS_A_DAY, seconds: DAY }, clock.now()) }
}

/** The mails about two accounts that become one, to the owners of both; one mail to one address. */
export function onceEach(mails: readonly (ChangeMail | null)[]): ChangeMail[] {
  const seen = new Set<string>()
  return mails.flatMap((mail) => {
    const rows = (mail?.rows ?? []).filter(({ recipient }) => !seen.has(recipient) && seen.add(recipient))
    return mail && rows.length > 0 ? [{ ...mail, rows }] : []
  })
}

/** The verified address, and the one that an undo would give back. */
export async function recipientsOf(
  user: User,
  { undoAddress, clock }: Pick<ManagedSignInMailDeps, 'undoAddress' | 'clock'>,
): Promise<{ to: string; former: boolean }[]> {
  const own = user.emailVerified ? mailableAddress(user) : null
  const former = await undoAddress.addressOf(user.id, clock.now())
  return [
    ...(own === null ? [] : [{ to: own, former: false }]),
    ...(former === null || former === own ? [] : [{ to: former, former: true }]),
  ]
}
