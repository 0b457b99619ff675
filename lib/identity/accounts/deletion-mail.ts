// The mails about the deletion of an account that its owner asked for; they link to the page that keeps the account.
import type { ChangeMail } from '../../data/outbox/outbox'
import type { User } from '../../data/users/user'
import { type AccountMailer, mailableAddress, type PageMailKind } from './account-mail'
import { type ManagedSignInMailDeps, recipientsOf } from './sign-in-mail'

type DeletionMailKind = Extract<PageMailKind, `deletion_${string}`>

/**
 * To the stored address, and, while a changed address can be undone, to that one. Null without any. `ip` is that of the owner's request; empty
 * where an administrator decided.
 */
export async function composeDeletionMail(
  kind: DeletionMailKind,
  user: User,
  { ip, locale }: { ip: string; locale?: string | undefined },
  deps: { mailer: Pick<AccountMailer, 'compose'> } & Pick<ManagedSignInMailDeps, 'undoAddress' | 'clock'>,
): Promise<ChangeMail | null> {
  const own = mailableAddress(user)
  const others = (await recipientsOf(user, deps)).filter(({ to }) => to !== own)
  const recipients = [...(own === null ? [] : [{ to: own, former: false }]), ...others]
  const about = { kind, page: '/account/data', user, clientId: null, connectionId: '', ip, locale }
  const rows = await Promise.all(
    recipients.map(({ to, former }) => deps.mailer.compose({ ...about, to, ...(former && { former }) })),
  )
  return rows.length === 0 ? null : { rows, bound: null }
}
