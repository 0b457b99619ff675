// Records the accounts that the clean-up deleted, each in the audit log of its tenant.

import type { Pool } from 'pg'
import { type DeletedAccount, deleteDueAccounts } from '../../adapters/store/sql/account-deletions'
import type { AuditLog } from '../../data/audit/audit'
import { serverTrail } from '../../data/audit/trail'
import type { Clock } from '../../kernel/clock'

type Deps = { pool: Pool; audit: AuditLog; clock: Clock; hostname: string }

/** Deletes the accounts whose owners asked for it long enough ago, and records that before it returns their number. */
export async function deleteAndRecord(now: Date, { pool, audit, clock, hostname }: Deps): Promise<number> {
  const record = ({ tenantId, id, email }: DeletedAccount): void =>
    serverTrail({ tenantId, hostname, audit, clock }).record('account_deleted', { user: { id, email } })
  const count = await deleteDueAccounts(pool, now, record)
  if (count > 0) await audit.flush()
  return count
}
