// Planned deletions of accounts, on PostgreSQL. A deletion and its withdrawal lock the user: one of them happens.
import type { Pool } from 'pg'
import type { AccountDeletionPort } from '../../users/account-deletion'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { endLogins } from './end-logins'
import { writeMail } from './outbox'

const FIND = {
  name: 'account-deletion-find',
  text: 'SELECT delete_at AS "dueAt" FROM "user" WHERE tenant_id = $1 AND id = $2',
  row: columns<{ dueAt: Date | null }>({ dueAt: 'date?' }),
}

const SCHEDULE = {
  name: 'account-deletion-schedule',
  text: 'UPDATE "user" SET delete_at = $3 WHERE tenant_id = $1 AND id = $2 AND delete_at IS NULL RETURNING 1',
}

const KEEP = {
  name: 'account-deletion-keep',
  text: 'UPDATE "user" SET delete_at = NULL WHERE tenant_id = $1 AND id = $2 AND delete_at IS NOT NULL RETURNING 1',
}

/** By the earlier of both clocks, so that one that runs ahead deletes nothing early (threat-model.md RE7). */
const DUE = {
  name: 'account-deletion-due',
  text: `SELECT tenant_id AS "tenantId", id FROM "user" WHERE delete_at <= least($1::timestamptz, now())
ORDER BY delete_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
  row: columns<{ tenantId: string; id: string }>({ tenantId: 'text', id: 'text' }),
}

const DELETE = { name: 'account-deletion-delete', text: 'DELETE FROM "user" WHERE tenant_id = $1 AND id = $2' }

export const accountDeletionStore = ({ pool }: Database, tenantId: string): AccountDeletionPort => ({
  async dueAt(userId) {
    return (await run(pool, FIND, [tenantId, userId]))[0]?.dueAt ?? null
  },
  schedule: (userId, due, mail) =>
    inTransaction(pool, async (client) => {
      if ((await run(client, SCHEDULE, [tenantId, userId, due])).length === 0) return false
      await writeMail(client, mail)
      return true
    }),
  async keep(userId) {
    return (await run(pool, KEEP, [tenantId, userId])).length === 1
  },
})

const BATCH = 20

/** Deletes the accounts whose time has come, with their logins; returns their number. */
export async function deleteDueAccounts(pool: Pool, now: Date): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await inTransaction(pool, async (client) => {
      const due = await run(client, DUE, [now, BATCH])
      for (const { tenantId, id } of due) {
        await endLogins(client, tenantId, id, now, 'session-revoked')
        await run(client, DELETE, [tenantId, id])
      }
      return due.length
    })
    deleted += count
    if (count < BATCH) return deleted
  }
}
