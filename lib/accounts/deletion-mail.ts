// The mail about the deletion of an account that its owner asked for; it links to the page that keeps the account.
import type { OutboxRow } from '../outbox/outbox'
import type { User } from '../users/user'
import { type AccountMailer, mailableAddress, type PageMailKind } from './account-mail'

type DeletionMailKind = Extract<PageMailKind, `deletion_${string}`>

/** Null without an address. `ip` is that of the owner's request; empty where an administrator decided. */
export async function composeDeletionMail(
  kind: DeletionMailKind,
  user: User,
  { ip, locale }: { ip: string; locale?: string | undefined },
  { mailer }: { mailer: Pick<AccountMailer, 'compose'> },
): Promise<OutboxRow | null> {
  const to = mailableAddress(user)
  if (to === null) return null
  return mailer.compose({ kind, page: '/account/data', to, user, clientId: null, connectionId: '', ip, locale })
}
