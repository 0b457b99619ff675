// Planned deletions of accounts, on PostgreSQL. Request and
// cancellation lock the row of the user, so exactly one of two concurrent calls wins.
import type { Pool } from 'pg'
import type { ChangeMail } from '../../../data/outbox/outbox'
import type { AccountDeletionPort, DeletionRequest } from '../../../data/users/account-deletion'
import { RESTORE } from '../../../data/users/undo-address'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { endLogins } from './end-logins'
import { writeChangeMail } from './outbox'

const FIND = {
  name: 'account-deletion-find',
  text: `SELECT deletion_requested_at AS "requestedAt", delete_at AS "dueAt" FROM "user" WHERE tenant_id = $1 AND id = $2`,
  row: columns<{ requestedAt: Date | null; dueAt: Date | null }>({ requestedAt: 'date?', dueAt: 'date?' }),
}

const REQUEST = {
  name: 'account-deletion-request',
  text: `UPDATE "user" SET deletion_requested_at = $3
WHERE tenant_id = $1 AND id = $2 AND deletion_requested_at IS NULL AND delete_at IS NULL
  AND ($4::bigint IS NULL OR recovery_epoch = $4) RETURNING 1`,
}

const SCHEDULE = {
  name: 'account-deletion-schedule',
  text: `UPDATE "user" SET delete_at = $3
WHERE tenant_id = $1 AND id = $2 AND deletion_requested_at IS NULL AND delete_at IS NULL
  AND ($4::bigint IS NULL OR recovery_epoch = $4) RETURNING 1`,
}

const APPROVE = {
  name: 'account-deletion-approve',
  text: `UPDATE "user" SET deletion_requested_at = NULL, delete_at = $3
WHERE tenant_id = $1 AND id = $2 AND deletion_requested_at IS NOT NULL RETURNING 1`,
}

const REFUSE = {
  name: 'account-deletion-refuse',
  text: `UPDATE "user" SET deletion_requested_at = NULL
WHERE tenant_id = $1 AND id = $2 AND deletion_requested_at IS NOT NULL RETURNING 1`,
}

const KEEP = {
  name: 'account-deletion-keep',
  text: `UPDATE "user" SET deletion_requested_at = NULL, delete_at = NULL
WHERE tenant_id = $1 AND id = $2 AND (deletion_requested_at IS NOT NULL OR delete_at IS NOT NULL) RETURNING 1`,
}

const REQUESTS = {
  name: 'account-deletion-requests',
  text: `SELECT id AS "userId", email, deletion_requested_at AS "requestedAt" FROM "user"
WHERE tenant_id = $1 AND deletion_requested_at IS NOT NULL ORDER BY deletion_requested_at, id LIMIT $2 OFFSET $3`,
  row: columns<DeletionRequest>({ userId: 'text', email: 'text?', requestedAt: 'date' }),
}

const COUNT_REQUESTS = {
  name: 'account-deletion-count-requests',
  text: 'SELECT count(*) AS total FROM "user" WHERE tenant_id = $1 AND deletion_requested_at IS NOT NULL',
  row: columns<{ total: string }>({ total: 'int8' }),
}

/**
 * By the earlier of both clocks, so that one that runs ahead deletes nothing early (threat-model.md RE7). An account whose changed address can
 * still be undone waits: an intruder may have planned the deletion (BF20).
 */
const DUE = {
  name: 'account-deletion-due',
  text: `SELECT tenant_id AS "tenantId", id, email FROM "user" u WHERE delete_at <= least($1::timestamptz, now()) AND 0 = (
  SELECT count(*) FROM ticket t WHERE t.subject = u.id AND t.kind = '${RESTORE.name}' AND t.tenant_id = u.tenant_id
    AND t.consumed_at IS NULL AND t.expires_at > $1 AND t.recovery_epoch = u.recovery_epoch
)
ORDER BY delete_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
  row: columns<DeletedAccount>({ tenantId: 'text', id: 'text', email: 'text?' }),
}

const DELETE = { name: 'account-deletion-delete', text: 'DELETE FROM "user" WHERE tenant_id = $1 AND id = $2' }

export const accountDeletionStore = ({ pool }: Database, tenantId: string): AccountDeletionPort => {
  const change = (statement: { name: string; text: string }, values: readonly unknown[], mail: ChangeMail | null) =>
    inTransaction(pool, async (client) => {
      if ((await run(client, statement, [tenantId, ...values])).length === 0) return false
      await writeChangeMail(client, tenantId, mail)
      return true
    })
  return {
    async find(userId) {
      const [row] = await run(pool, FIND, [tenantId, userId])
      if (!row) return null
      if (row.requestedAt) return { status: 'requested', requestedAt: row.requestedAt }
      return row.dueAt ? { status: 'scheduled', dueAt: row.dueAt } : { status: 'none' }
    },
    request: (userId, at, mail, epoch) => change(REQUEST, [userId, at, epoch ?? null], mail),
    schedule: (userId, due, mail, epoch) => change(SCHEDULE, [userId, due, epoch ?? null], mail),
    approve: (userId, due, mail) => change(APPROVE, [userId, due], mail),
    refuse: (userId, mail) => change(REFUSE, [userId], mail),
    keep: (userId) => change(KEEP, [userId], null),
    async requests({ offset, limit, counted }) {
      const rows = await run(pool, REQUESTS, [tenantId, limit, offset])
      const [count] = counted ? await run(pool, COUNT_REQUESTS, [tenantId]) : []
      return { rows, total: Number(count?.total ?? 0) }
    },
  }
}

/** A deleted account, for the audit log. */
export type DeletedAccount = { tenantId: string; id: string; email: string | null }

const BATCH = 20

/** Deletes the accounts whose time has come, with their logins; returns their number. `deleted` hears of each after its commit. */
export async function deleteDueAccounts(
  pool: Pool,
  now: Date,
  deleted: (account: DeletedAccount) => void = () => {},
): Promise<number> {
  let total = 0
  for (;;) {
    const due = await inTransaction(pool, async (client) => {
      const accounts = await run(client, DUE, [now, BATCH])
      for (const { tenantId, id } of accounts) {
        await endLogins(client, tenantId, id, now, 'session-revoked')
        await run(client, DELETE, [tenantId, id])
      }
      return accounts
    })
    for (const account of due) deleted(account)
    total += due.length
    if (due.length < BATCH) return total
  }
}
