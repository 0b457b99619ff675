// Ends all logins of a user (threat-model.md RT7): fresh codes and approved devices, unfinished logins, browsers remembered for
// MFA, sessions, token families. The statements run in sequence, so that later ones see and end what a concurrent request
// created while an earlier one waited for it. The parameters of each are the tenant, the user and the time.
import type { PoolClient } from 'pg'
import type { LogoutCause } from '../../../data/outbox/logout-notice'
import { run } from '../database'
import { notifyParticipants, RETURNING_ENDED } from './logout-notices'
import { isAheadOf } from './moments'

const END_APPROVALS = {
  name: 'end-approvals',
  text: 'UPDATE "user" SET not_before = $3 WHERE tenant_id = $1 AND id = $2',
}

/** A new password ends the tickets of the account, too (lib/data/tickets/bonds.ts). */
const END_APPROVALS_AND_TICKETS = {
  name: 'end-approvals-and-tickets',
  text: 'UPDATE "user" SET not_before = $3, password_epoch = password_epoch + 1 WHERE tenant_id = $1 AND id = $2',
}

/** What a manager's recovery runs beside: the link that undoes a change of the address ends as well. */
export const RECOVERED = {
  name: 'account-recovered',
  text: `UPDATE "user" SET recovery_epoch = nextval('user_recovery_epoch_seq') WHERE tenant_id = $1 AND id = $2`,
}

const BEFORE_SESSIONS = [
  {
    name: 'end-transactions',
    text: 'UPDATE login_transaction SET consumed_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND consumed_at IS NULL',
  },
  {
    name: 'end-known-browsers',
    text: `DELETE FROM known_browser WHERE tenant_id = $1 AND user_id = $2 AND (created_at <= $3 OR ${isAheadOf('$3', 'created_at')})`,
  },
]

/** Notifies the clients that took part. */
const endSessions = (cause: LogoutCause, which = 'true') => ({
  name: `end-sessions-${cause}${which === 'true' ? '' : '-others'}`,
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND ended_at IS NULL AND ${which}
  ${RETURNING_ENDED}
)${notifyParticipants('ended', cause)}`,
})

const endFamilies = (name = 'all', which = 'true') => ({
  name: `end-families-${name}`,
  text: `UPDATE token_family SET revoked_at = $3
WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND ${which}`,
})

/** The statements that end the logins of a user, in the order in which they run: by tenant, user and time. */
export const loginEndings = (cause: LogoutCause) => [
  cause === 'password-changed' ? END_APPROVALS_AND_TICKETS : END_APPROVALS,
  ...BEFORE_SESSIONS,
  endSessions(cause),
  endFamilies(),
]

export async function endLogins(
  client: PoolClient,
  tenantId: string,
  userId: string,
  at: Date,
  cause: LogoutCause = 'password-changed',
): Promise<void> {
  for (const statement of loginEndings(cause)) await run(client, statement, [tenantId, userId, at])
}

/** The same of many users at once; $2 is an array of their ids, and the time is the database's. */
export const END_LOGINS_OF_ALL: readonly string[] = [
  'UPDATE "user" SET not_before = now() WHERE tenant_id = $1 AND id = ANY($2)',
  'UPDATE login_transaction SET consumed_at = now() WHERE tenant_id = $1 AND user_id = ANY($2) AND consumed_at IS NULL',
  'DELETE FROM known_browser WHERE tenant_id = $1 AND user_id = ANY($2)',
  `WITH ended AS (
  UPDATE session SET ended_at = now() WHERE tenant_id = $1 AND user_id = ANY($2) AND ended_at IS NULL ${RETURNING_ENDED}
)${notifyParticipants('ended', 'session-revoked')}`,
  'UPDATE token_family SET revoked_at = now() WHERE tenant_id = $1 AND user_id = ANY($2) AND revoked_at IS NULL',
]

const OTHER_SESSIONS = endSessions('session-revoked', 'sid IS DISTINCT FROM $4')
const OTHER_FAMILIES = endFamilies('others', 'id <> $5 AND (sid IS NULL OR sid IS DISTINCT FROM $4)')

/** The same, except for one login: its token family, its session and what that session created. */
export async function endOtherLogins(
  client: PoolClient,
  tenantId: string,
  userId: string,
  at: Date,
  { id, sid }: { id: string; sid: string | null },
): Promise<void> {
  for (const statement of [END_APPROVALS, ...BEFORE_SESSIONS]) await run(client, statement, [tenantId, userId, at])
  await run(client, OTHER_SESSIONS, [tenantId, userId, at, sid])
  await run(client, OTHER_FAMILIES, [tenantId, userId, at, sid, id])
}

/** Its proofs count from now on: what was proven before `not_before` proves nothing any more. */
const RENEW_SESSION = {
  name: 'session-renew',
  text: `UPDATE session SET auth_time = $3, evidence = COALESCE((
  SELECT json_agg(proof::jsonb || jsonb_build_object('at', $5::text)) FROM json_array_elements(evidence) AS proof
), evidence) WHERE tenant_id = $1 AND user_id = $2 AND sid = $4 AND ended_at IS NULL`,
}

const REPLACED = [
  endSessions('password-changed', 'sid <> $4'),
  endFamilies('of-other-sessions', 'sid IS DISTINCT FROM $4'),
]

/** What a new password runs that was set in a session: that session, and what it created, outlast it. */
export async function replaceLogins(
  client: PoolClient,
  tenantId: string,
  userId: string,
  at: Date,
  sid: string,
): Promise<void> {
  for (const statement of [END_APPROVALS_AND_TICKETS, ...BEFORE_SESSIONS]) {
    await run(client, statement, [tenantId, userId, at])
  }
  for (const statement of REPLACED) await run(client, statement, [tenantId, userId, at, sid])
  await run(client, RENEW_SESSION, [tenantId, userId, at, sid, at.toISOString()])
}
