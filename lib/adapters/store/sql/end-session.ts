// Ends one session by its public id, and its token families, on PostgreSQL. Its applications are notified.
import type { PoolClient } from 'pg'
import { columns } from '../columns'
import { run } from '../database'
import { notifyParticipants, RETURNING_ENDED } from './logout-notices'

const END_SESSION = {
  name: 'session-revoke',
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE tenant_id = $1 AND sid = $2 AND ended_at IS NULL ${RETURNING_ENDED}
), told AS (${notifyParticipants('ended', 'session-revoked')})
SELECT user_id AS "userId" FROM ended`,
  row: columns<{ userId: string }>({ userId: 'text' }),
}

const END_FAMILIES_OF_SESSION = {
  name: 'session-revoke-families',
  text: `UPDATE token_family SET revoked_at = $3
WHERE tenant_id = $1 AND user_id = $2 AND sid = $4 AND revoked_at IS NULL`,
}

/** False if there is none. The session comes first: a family of it that is rotated meanwhile ends as it is then. */
export async function endSession(
  client: PoolClient,
  tenantId: string,
  sid: string,
  at: Date,
  tokens: boolean,
): Promise<boolean> {
  const [ended] = await run(client, END_SESSION, [tenantId, sid, at])
  if (ended && tokens) await run(client, END_FAMILIES_OF_SESSION, [tenantId, ended.userId, at, sid])
  return ended !== undefined
}
