// Ends everything that a user's password opened (threat-model.md RT7): half-way logins, fresh codes, approved devices,
// sessions, token families. One statement after the other, so that what one of the first made while it was waited for
// is seen, and ended, by the later ones.
import type { PoolClient } from 'pg'
import { run } from '../database'

const STATEMENTS = [
  {
    // First of all: what is about to redeem a code waits for this row, or is waited for (tokens.ts).
    name: 'end-codes',
    text: 'UPDATE "user" SET not_before = $3 WHERE tenant_id = $1 AND id = $2',
  },
  {
    name: 'end-transactions',
    text: `UPDATE login_transaction SET consumed_at = $3
WHERE tenant_id = $1 AND user_id = $2 AND consumed_at IS NULL AND expires_at > $3`,
  },
  {
    name: 'end-devices',
    text: `UPDATE device_authorization SET status = 'denied'
WHERE tenant_id = $1 AND user_id = $2 AND consumed_at IS NULL AND expires_at > $3`,
  },
  {
    name: 'end-sessions',
    text: 'UPDATE session SET ended_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND ended_at IS NULL',
  },
  {
    name: 'end-families',
    text: 'UPDATE token_family SET revoked_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL',
  },
]

export async function endLogins(client: PoolClient, tenantId: string, userId: string, at: Date): Promise<void> {
  for (const statement of STATEMENTS) await run(client, statement, [tenantId, userId, at])
}
