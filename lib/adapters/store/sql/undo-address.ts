// The undo of a changed address, on PostgreSQL. The user is locked first, so of an undo and a change, a block or another undo at the same
// time one comes first, and the other sees it.
import type { PoolClient } from 'pg'
import {
  RESTORE,
  type Restoration,
  type StateBefore,
  type UndoAddressPort,
  type Undoing,
  type UndoRequest,
} from '../../../data/users/undo-address'
import { columns } from '../columns'
import { type Database, isUniqueViolation, run } from '../database'
import { inTransaction } from '../transaction'
import { writeLink } from './accounts'
import { attachedTo, removeAttached } from './attached'
import { endLogins } from './end-logins'
import { IS_UNPROVEN } from './first-proof'
import { outboxWriter } from './outbox'
import { consumeTicketRow, insertTicket, ticketOfSubject } from './tickets'

type Held = { id: string; isUnproven: boolean }

/** The user, and the user of an account that the address finds; in the order of ids, as everything that locks two. */
const HOLD = {
  name: 'undo-hold',
  text: `SELECT u.id, ${IS_UNPROVEN} AS "isUnproven" FROM "user" u WHERE u.tenant_id = $1 AND u.id = ANY(ARRAY(
  SELECT $2::text UNION SELECT user_id FROM identity WHERE tenant_id = $1 AND connection_id = $3 AND email_key = $4
)) ORDER BY u.id FOR UPDATE OF u`,
  row: columns<Held>({ id: 'text', isUnproven: 'boolean' }),
}

const STATE = {
  name: 'undo-state',
  text: `SELECT phone_number AS "phoneNumber", phone_verified AS "phoneVerified", username, delete_at AS "deleteAt",
  deletion_requested_at AS "deletionRequestedAt" FROM "user" WHERE tenant_id = $1 AND id = $2`,
  row: columns<Omit<StateBefore, 'attached' | 'deleteAt' | 'deletionRequestedAt'> & Planned>({
    phoneNumber: 'text?',
    phoneVerified: 'boolean',
    username: 'text?',
    deleteAt: 'date?',
    deletionRequestedAt: 'date?',
  }),
}

type Planned = { deleteAt: Date | null; deletionRequestedAt: Date | null }

const REMOVE_SQUATTER = { name: 'undo-remove-squatter', text: 'DELETE FROM "user" WHERE tenant_id = $1 AND id = $2' }

/** A number that finds the account (strategy sms) is its name. */
const RESTORE_KEYS = {
  name: 'undo-keys',
  text: `UPDATE identity SET email_key = CASE WHEN $5::boolean THEN $6 ELSE email_key END,
  username_key = CASE WHEN provider = 'sms' THEN $7 ELSE username_key END
WHERE tenant_id = $1 AND connection_id = $2 AND provider_user_id = $3 AND user_id = $4
  AND NOT EXISTS (SELECT 1 FROM identity o WHERE o.tenant_id = $1 AND o.connection_id = $2 AND $5::boolean AND o.username_key = $6
    AND o.provider_user_id <> $3)
RETURNING 1`,
}

/** Of all accounts of the user: each may have been changed. */
const FORGET_PASSWORDS = {
  name: 'undo-passwords',
  text: `UPDATE identity SET password_hash = $3, password_changed_at = $4
WHERE tenant_id = $1 AND user_id = $2 AND password_hash IS NOT NULL`,
}

const RESTORE_USER = {
  name: 'undo-user',
  text: `UPDATE "user" SET email = $3, email_verified = true, phone_number = $4, phone_verified = $5, username = $6, delete_at = $7,
  deletion_requested_at = $8, updated_at = $9, recovery_epoch = nextval('user_recovery_epoch_seq')
WHERE tenant_id = $1 AND id = $2`,
}

export const undoAddressStore = ({ pool }: Database, tenantId: string): UndoAddressPort => ({
  async addressOf(userId, now) {
    const open = await ticketOfSubject(pool, tenantId, RESTORE, userId, now)
    return open === undefined ? null : (open as Restoration).email
  },
  async undo(undoing) {
    try {
      return await inTransaction(pool, (client) => undo(client, tenantId, undoing))
    } catch (error) {
      if (error instanceof Taken || isUniqueViolation(error)) return 'taken'
      throw error
    }
  },
})

/** Undoes the use of the ticket. */
class Taken extends Error {}

async function undo(client: PoolClient, tenantId: string, undoing: Undoing): Promise<'done' | 'expired'> {
  const { ticket, restoration, finds, hash, reset, at } = undoing
  const { userId, connectionId, providerUserId, email } = restoration
  const held = await run(client, HOLD, [tenantId, userId, connectionId, finds ? email : null])
  if (!held.some(({ id }) => id === userId)) return 'expired'
  const used = (await consumeTicketRow(client, tenantId, ticket, at)) as Restoration | undefined
  if (used === undefined) return 'expired'
  const before = used.before ?? { ...(await stateOf(client, tenantId, userId)), attached: {}, ...NOTHING_PLANNED }
  const identities = before.attached.identities ?? [`${connectionId}|${providerUserId}`]
  await removeAttached(client, tenantId, userId, { ...before.attached, identities })
  for (const { id, isUnproven } of held) {
    if (id === userId) continue
    if (!isUnproven) throw new Taken()
    await endLogins(client, tenantId, id, at, 'session-revoked')
    await run(client, REMOVE_SQUATTER, [tenantId, id])
  }
  const own = [tenantId, connectionId, providerUserId, userId]
  if ((await run(client, RESTORE_KEYS, [...own, finds, email, before.phoneNumber])).length === 0) throw new Taken()
  await run(client, FORGET_PASSWORDS, [tenantId, userId, hash, at])
  const { phoneNumber, phoneVerified, username, deleteAt, deletionRequestedAt } = before
  const restored = [email, phoneNumber, phoneVerified, username, deleteAt, deletionRequestedAt, at]
  await run(client, RESTORE_USER, [tenantId, userId, ...restored])
  await endLogins(client, tenantId, userId, at, 'session-revoked')
  if (reset) await writeLink(client, tenantId, reset)
  return 'done'
}

const NOTHING_PLANNED = { deleteAt: null, deletionRequestedAt: null }

/** Writes the link of the first change of a chain; false if an earlier one stands. The user is held. */
export async function writeUndo(
  client: PoolClient,
  tenantId: string,
  { ticket, mail }: UndoRequest,
  at: Date,
): Promise<boolean> {
  const { userId } = ticket.payload
  if ((await ticketOfSubject(client, tenantId, RESTORE, userId, at)) !== undefined) return false
  const before = { ...(await stateOf(client, tenantId, userId)), attached: await attachedTo(client, tenantId, userId) }
  await insertTicket(client, tenantId, { ...ticket, payload: { ...ticket.payload, before } })
  await outboxWriter(client).insert(mail)
  return true
}

async function stateOf(client: PoolClient, tenantId: string, userId: string): Promise<Omit<StateBefore, 'attached'>> {
  const [found] = await run(client, STATE, [tenantId, userId])
  const {
    deleteAt = null,
    deletionRequestedAt = null,
    phoneNumber = null,
    phoneVerified = false,
    username = null,
  } = found ?? {}
  const planned = {
    deleteAt: deleteAt?.toISOString() ?? null,
    deletionRequestedAt: deletionRequestedAt?.toISOString() ?? null,
  }
  return { phoneNumber, phoneVerified, username, ...planned }
}
