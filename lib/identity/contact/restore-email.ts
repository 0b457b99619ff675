// Undoes a change of the e-mail address, by the link that was mailed to the old one (threat-model.md AP7, BF20).
// - Opening the link changes nothing. The button restores the address and the state of the account before the change, once.
// - The person who changed the address may know the password and be signed in, so every login ends, an unknown password replaces
//   every known one, and the link for a new one is mailed to the restored address in the same transaction, whatever was mailed before.
// - While another account whose address is verified signs in with the address, the link keeps its use.

import { type Connection, type DatabaseConnection, isDatabase } from '../../data/connections/connection'
import { authenticatesByScript } from '../../data/connections/custom-database'
import type { OutboxRow } from '../../data/outbox/outbox'
import { findTicket, makeTicket, type TicketDeps, ticketRef } from '../../data/tickets/ticket'
import type { AccountKey } from '../../data/users/account'
import type { ManagedAccount, ManagedUserRecords } from '../../data/users/managed-user'
import { RESTORE, type Restoration, type UndoAddressPort, type UndoRequest } from '../../data/users/undo-address'
import type { User } from '../../data/users/user'
import { accessDenied } from '../../kernel/errors'
import { linkFor } from '../accounts/account-link'
import { RESET, type ResetDeps } from '../accounts/reset-password'
import { changeByScript } from '../custom-databases/changes'
import { reasonOfDenial } from '../tenant-code/trigger'

export const RESTORE_PATH = '/u/restore-email'

/** The link to undo the change, and its mail to the address that `user` has until then. */
export async function restoringLink(
  { connectionId, providerUserId }: AccountKey,
  { id, email }: Pick<User, 'id'> & { email: string },
  compose: (page: string) => Promise<OutboxRow>,
  deps: Pick<TicketDeps, 'clock' | 'random'>,
): Promise<UndoRequest> {
  const payload: Restoration = { connectionId, providerUserId, userId: id, email }
  const { plain, ticket } = makeTicket(RESTORE, payload, deps, { subject: id })
  return { ticket: { ...ticket, payload }, mail: await compose(`${RESTORE_PATH}?ticket=${plain}`) }
}

/** Read-only; null for a link that is used, ended or not ours. */
export const openRestoration = (
  ticket: string,
  deps: Pick<TicketDeps, 'tickets' | 'clock'>,
): Promise<Restoration | null> => findTicket(RESTORE, ticket, deps)

export type RestoreDeps = ResetDeps & {
  undoAddress: UndoAddressPort
  management(): Promise<{ managedUsers: Pick<ManagedUserRecords, 'accounts'> }>
}

export type Restored = { outcome: 'done'; isReset: boolean } | { outcome: 'expired' | 'taken' }

export async function restoreEmail(
  plain: string,
  context: { ip: string; locale: string | undefined },
  deps: RestoreDeps,
): Promise<Restored> {
  const { users, connections, clock } = deps
  const { managedUsers } = await deps.management()
  const restoration = await openRestoration(plain, deps)
  const user = restoration && (await users.find(restoration.userId))
  const connection = (await connections.all()).find(({ id }) => id === restoration?.connectionId)
  const account = (await managedUsers.accounts(restoration?.userId ?? '')).find(
    ({ connectionId, providerUserId }) =>
      connectionId === restoration?.connectionId && providerUserId === restoration.providerUserId,
  )
  if (!restoration || !user || !connection || !account) return { outcome: 'expired' }
  const isReset = isDatabase(connection) && (account.hasPassword || authenticatesByScript(connection))
  if (isDatabase(connection)) await restoreThere(connection, account, restoration.email, context, deps)
  const owner = { ...restoration, user: { ...user, email: restoration.email } }
  const reset = isReset ? await linkFor(RESET, owner, { clientId: null, ...context }, deps) : null
  const hash = await deps.passwords.hash(deps.random.token())
  const ticket = ticketRef(RESTORE, plain)
  const undoing = { ticket, restoration, finds: finds(connection), hash, reset, at: clock.now() }
  const outcome = await deps.undoAddress.undo(undoing)
  if (outcome !== 'done') return { outcome }
  deps.mailer.wake()
  deps.trail.record('changed', { user, change: 'email address restored' })
  if (reset) deps.trail.record('reset_requested', { user })
  return { outcome, isReset }
}

/** A database elsewhere gets its address back, and a password that is not known to anyone. */
async function restoreThere(
  connection: DatabaseConnection,
  { emailKey, usernameKey }: ManagedAccount,
  email: string,
  cause: { ip: string },
  deps: RestoreDeps,
): Promise<void> {
  const name = emailKey ?? usernameKey ?? ''
  const denied =
    (await changeByScript(connection, name, { script: 'change_email', email, verified: true }, cause, deps)) ??
    (await changeByScript(connection, email, { script: 'change_password', password: deps.random.token() }, cause, deps))
  if (denied) throw accessDenied(denied.reason, { reason: reasonOfDenial(denied), redirectable: false })
}

/** Whether the address is what finds the account. */
const finds = (connection: Connection): boolean => isDatabase(connection) || connection.strategy === 'email'
