// Device authorizations (RFC 8628) on PostgreSQL. Polling locks the row, so that concurrent polls are serialized.
import {
  type DevicePort,
  POLL_SECONDS,
  type PolledDevice,
  type WaitingDevice,
} from '../../../tokens/device-authorization'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { isAheadOf } from './moments'

const INSERT = {
  name: 'device-insert',
  text: `INSERT INTO device_authorization (tenant_id, digest, user_code_digest, client_id, scopes, audience, family_id,
  interval_seconds, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING 1`,
}

/** One second of the interval is allowed for network latency. */
const POLL = {
  name: 'device-poll',
  text: `WITH held AS (
  SELECT *, expires_at <= $4 AS expired,
    coalesce(polled_at + (interval_seconds - 1) * interval '1 second' > $4 AND NOT ${isAheadOf('$4', 'polled_at')}, false)
      AS early
  FROM device_authorization
  WHERE digest = $2 AND tenant_id = $1 AND client_id = $3 AND told_at IS NULL FOR UPDATE
)
UPDATE device_authorization d SET polled_at = $4, told_at = CASE WHEN held.expired THEN $4::timestamptz END,
  interval_seconds = held.interval_seconds + CASE WHEN held.early AND held.status = 'pending' THEN $5::int ELSE 0 END
FROM held WHERE d.digest = held.digest
RETURNING held.status, held.expired, held.early, held.interval_seconds AS "intervalSeconds", held.scopes, held.audience,
  held.family_id AS "familyId", held.user_id AS "userId", held.sid, held.authentication, held.decided_at AS "decidedAt"`,
  row: columns<PolledDevice>({
    status: 'text',
    expired: 'boolean',
    early: 'boolean',
    intervalSeconds: 'number',
    scopes: 'text[]',
    audience: 'text?',
    familyId: 'text',
    userId: 'text?',
    sid: 'text?',
    authentication: 'json?',
    decidedAt: 'date?',
  }),
}

const FIND_WAITING = {
  name: 'device-find-waiting',
  text: `SELECT digest, client_id AS "clientId", scopes, audience, family_id AS "familyId" FROM device_authorization
WHERE tenant_id = $1 AND user_code_digest = $2 AND status = 'pending' AND expires_at > $3`,
  row: columns<WaitingDevice>({
    digest: 'bytes',
    clientId: 'text',
    scopes: 'text[]',
    audience: 'text?',
    familyId: 'text',
  }),
}

const DECIDE = {
  name: 'device-decide',
  text: `UPDATE device_authorization SET status = $4, decided_at = $3, user_id = $5, sid = $6, authentication = $7,
  scopes = coalesce($8, scopes)
WHERE digest = $2 AND tenant_id = $1 AND status = 'pending' AND expires_at > $3 RETURNING 1`,
}

export const deviceStore = ({ pool }: Database, tenantId: string): DevicePort => ({
  async insert({ digest, userCodeDigest, clientId, scopes, audience, familyId, createdAt, expiresAt }) {
    const what = [tenantId, digest, userCodeDigest, clientId, scopes, audience, familyId]
    return (await run(pool, INSERT, [...what, POLL_SECONDS, createdAt, expiresAt])).length === 1
  },
  async poll(digest, clientId, now) {
    return (await run(pool, POLL, [tenantId, digest, clientId, now, POLL_SECONDS]))[0] ?? null
  },
  async findWaiting(userCodeDigest, now) {
    return (await run(pool, FIND_WAITING, [tenantId, userCodeDigest, now]))[0] ?? null
  },
  async decide(digest, approval, at) {
    const { userId = null, sid = null, authentication = null, scopes = null } = approval ?? {}
    const status = approval ? 'approved' : 'denied'
    const proven = authentication && JSON.stringify(authentication)
    return (await run(pool, DECIDE, [tenantId, digest, at, status, userId, sid, proven, scopes])).length === 1
  },
})
