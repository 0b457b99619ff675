// Ends everything that a user is signed in to (threat-model.md RT7): fresh codes and approved devices, half-way logins,
// browsers that ask for no second factor, sessions, token families. One statement after the other, so that what one of the
// first made while it was waited for is seen, and ended, by the later ones. Each takes the tenant, the user and the moment.
import type { PoolClient } from 'pg'
import type { LogoutCause } from '../../outbox/logout-notice'
import { run } from '../database'
import { notifyParticipants, RETURNING_ENDED } from './logout-notices'

const BEFORE_SESSIONS = [
  { name: 'end-approvals', text: 'UPDATE "user" SET not_before = $3 WHERE tenant_id = $1 AND id = $2' },
  {
    name: 'end-transactions',
    text: 'UPDATE login_transaction SET consumed_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND consumed_at IS NULL',
  },
  {
    name: 'end-known-browsers',
    text: 'DELETE FROM known_browser WHERE tenant_id = $1 AND user_id = $2 AND created_at <= $3',
  },
]

/** The applications that took part are told. */
const endSessions = (cause: LogoutCause, which = 'true') => ({
  name: `end-sessions-${cause}${which === 'true' ? '' : '-others'}`,
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND ended_at IS NULL AND ${which}
  ${RETURNING_ENDED}
)${notifyParticipants('ended', cause)}`,
})

const endFamilies = (which = 'true') => ({
  name: `end-families${which === 'true' ? '' : '-others'}`,
  text: `UPDATE token_family SET revoked_at = $3
WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND ${which}`,
})

const endings = (cause: LogoutCause) => [...BEFORE_SESSIONS, endSessions(cause), endFamilies()]

/** What a new password ends. */
export const END_LOGINS = endings('password-changed')

export async function endLogins(
  client: PoolClient,
  tenantId: string,
  userId: string,
  at: Date,
  cause: LogoutCause = 'password-changed',
): Promise<void> {
  for (const statement of endings(cause)) await run(client, statement, [tenantId, userId, at])
}

const OTHER_SESSIONS = endSessions('session-revoked', 'sid IS DISTINCT FROM $4')
const OTHER_FAMILIES = endFamilies('id <> $5 AND (sid IS NULL OR sid IS DISTINCT FROM $4)')

/** The same, but for one login: its family, its session and what came from that. */
export async function endOtherLogins(
  client: PoolClient,
  tenantId: string,
  userId: string,
  at: Date,
  { id, sid }: { id: string; sid: string | null },
): Promise<void> {
  for (const statement of BEFORE_SESSIONS) await run(client, statement, [tenantId, userId, at])
  await run(client, OTHER_SESSIONS, [tenantId, userId, at, sid])
  await run(client, OTHER_FAMILIES, [tenantId, userId, at, sid, id])
}
