// Ends everything that a user's password opened (threat-model.md RT7): fresh codes and approved devices, half-way logins,
// sessions, token families. One statement after the other, so that what one of the first made while it was waited for
// is seen, and ended, by the later ones. Each takes the tenant, the user and the moment.
import type { PoolClient } from 'pg'
import { run } from '../database'
import { RETURNING_ENDED, tell } from './logout-notices'

/** The applications that took part are told. */
const END_SESSIONS = {
  name: 'end-sessions',
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND ended_at IS NULL ${RETURNING_ENDED}
)${tell('ended', 'password-changed')}`,
}

export const END_LOGINS = [
  { name: 'end-approvals', text: 'UPDATE "user" SET not_before = $3 WHERE tenant_id = $1 AND id = $2' },
  {
    name: 'end-transactions',
    text: 'UPDATE login_transaction SET consumed_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND consumed_at IS NULL',
  },
  END_SESSIONS,
  {
    name: 'end-families',
    text: 'UPDATE token_family SET revoked_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL',
  },
]

export async function endLogins(client: PoolClient, tenantId: string, userId: string, at: Date): Promise<void> {
  for (const statement of END_LOGINS) await run(client, statement, [tenantId, userId, at])
}
