// Undoes a change of the e-mail address, by the link that was mailed to the old one (threat-model.md AP7).
// - Opening the link changes nothing. The button restores the address, once, for seven days after the change.
// - The person who changed the address may know the password and be signed in, so every login ends, an unknown password replaces
//   the known one, and the link for a new one goes to the restored address.
// - While another account signs in with the address, the link keeps its use.
import { type ResetDeps, requestReset } from '../accounts/reset-password'
import { type Connection, isDatabase } from '../connections/connection'
import { digest } from '../kernel/secret'
import type { ManagedUserStore } from '../management/user'
import type { OutboxRow } from '../outbox/outbox'
import { findTicket, makeTicket, type TicketDeps, ticketKind } from '../tickets/ticket'
import type { AccountKey, LinkRequest } from '../users/account'
import type { User } from '../users/user'

export const RESTORE_PATH = '/u/restore-email'

type Restoration = AccountKey & { userId: string; email: string }

export const RESTORE = ticketKind<Restoration>('restore-email', 7 * 86_400)

/** The link to undo the change, and its mail to the address that `user` has until then. */
export async function restoringLink(
  { connectionId, providerUserId }: AccountKey,
  { id, email }: Pick<User, 'id'> & { email: string },
  compose: (page: string) => Promise<OutboxRow>,
  deps: Pick<TicketDeps, 'clock' | 'random'>,
): Promise<LinkRequest> {
  const { plain, ticket } = makeTicket(RESTORE, { connectionId, providerUserId, userId: id, email }, deps)
  return { ticket, mail: await compose(`${RESTORE_PATH}?ticket=${plain}`), alive: true }
}

/** Read-only; null for a link that is used, expired or not ours. */
export const openRestoration = (
  ticket: string,
  deps: Pick<TicketDeps, 'tickets' | 'clock'>,
): Promise<Restoration | null> => findTicket(RESTORE, ticket, deps)

export type RestoreDeps = ResetDeps & {
  management(): Promise<{
    managedUsers: ManagedUserStore
    userLogins: { endAll(userId: string, at: Date): Promise<unknown> }
  }>
}

export type Restored = { outcome: 'done'; isReset: boolean } | { outcome: 'expired' | 'taken' }

export async function restoreEmail(
  plain: string,
  context: { ip: string; locale: string | undefined },
  deps: RestoreDeps,
): Promise<Restored> {
  const { users, connections, tickets, clock } = deps
  const { managedUsers, userLogins } = await deps.management()
  const open = await openRestoration(plain, deps)
  const user = open && (await users.find(open.userId))
  const connection = (await connections.all()).find(({ id }) => id === open?.connectionId)
  const account = (await managedUsers.accounts(open?.userId ?? '')).find(
    ({ connectionId, providerUserId }) => connectionId === open?.connectionId && providerUserId === open.providerUserId,
  )
  if (!open || !user || !connection || !account) return { outcome: 'expired' }
  const { email, connectionId, providerUserId } = open
  const holder = finds(connection) ? await users.findAccount(connectionId, email) : null
  if (holder && holder.user.id !== user.id) return { outcome: 'taken' }
  const at = clock.now()
  if ((await tickets.consume(RESTORE.name, digest(plain), at)) === undefined) return { outcome: 'expired' }
  const password = account.hasPassword
    ? { password: { hash: await deps.passwords.hash(deps.random.token()), keep: 0 } }
    : {}
  const keys = finds(connection) ? { keys: { email, username: account.usernameKey } } : {}
  const fields = { email, emailVerified: true }
  const change = { fields, account: { connectionId, providerUserId }, ...keys, ...password }
  const done = await managedUsers.change(user.id, change, at, () => {})
  if (done !== 'done') return { outcome: done ?? 'expired' }
  await userLogins.endAll(user.id, at)
  deps.trail.record('changed', { user, change: 'email address restored' })
  const isReset = account.hasPassword && isDatabase(connection)
  if (isReset) await requestReset(connection, email, { clientId: null, ...context }, deps)
  return { outcome: 'done', isReset }
}

/** Whether the address is what finds the account. */
const finds = (connection: Connection): boolean => isDatabase(connection) || connection.strategy === 'email'
