// Sessions and refresh tokens of users, on PostgreSQL. What ends a session writes the notices to its applications.
import type { PoolClient } from 'pg'
import type {
  ClientSessionRow,
  RefreshTokenRow,
  SessionRow,
  UserLoginStore,
} from '../../../../management/resources/user-logins'
import { columns } from '../../columns'
import { type Database, run, runChange } from '../../database'
import { inTransaction } from '../../transaction'
import { endLogins } from '../end-logins'
import { endSession } from '../end-session'
import { notifyParticipants, RETURNING_ENDED } from '../logout-notices'

const SESSION_KINDS = {
  sid: 'text',
  userId: 'text',
  evidence: 'json',
  authTime: 'date',
  participants: 'text[]',
  createdAt: 'date',
  lastSeenAt: 'date',
  idleExpiresAt: 'date',
  expiresAt: 'date',
  initialIp: 'text?',
  initialUserAgent: 'text?',
  metadata: 'json?',
} as const
const SESSION = columns<SessionRow>(SESSION_KINDS)

const SESSION_COLUMNS = `sid, user_id AS "userId", evidence, auth_time AS "authTime", participants,
  created_at AS "createdAt", last_seen_at AS "lastSeenAt", idle_expires_at AS "idleExpiresAt", expires_at AS "expiresAt",
  initial_ip AS "initialIp", initial_user_agent AS "initialUserAgent", metadata`
const SESSION_ALIVE = 'ended_at IS NULL AND expires_at > $3 AND idle_expires_at > $3'

/** MATERIALIZED, as in users.ts: the index of what orders the rows would lead through those of all users. */
const LIST_SESSIONS = {
  name: 'managed-sessions-list',
  text: `WITH found AS MATERIALIZED (
  SELECT * FROM session WHERE tenant_id = $1 AND user_id = $2 AND ${SESSION_ALIVE} AND ($4::text IS NULL OR sid > $4)
)
SELECT ${SESSION_COLUMNS} FROM found ORDER BY sid LIMIT $5`,
  row: SESSION,
}

const FIND_SESSION = {
  name: 'managed-sessions-find',
  text: `SELECT ${SESSION_COLUMNS} FROM session WHERE tenant_id = $1 AND sid = $2 AND ${SESSION_ALIVE}`,
  row: SESSION,
}

const DESCRIBE_SESSION = {
  name: 'managed-sessions-describe',
  text: `UPDATE session SET metadata = $4 WHERE tenant_id = $1 AND sid = $2 AND ${SESSION_ALIVE} RETURNING ${SESSION_COLUMNS}`,
  row: SESSION,
}

const END_SESSIONS = {
  name: 'managed-sessions-end-all',
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND ended_at IS NULL ${RETURNING_ENDED}
)${notifyParticipants('ended', 'session-revoked')}`,
}

const FAMILY = columns<RefreshTokenRow>({
  id: 'text',
  userId: 'text',
  clientId: 'text',
  sid: 'text?',
  scopes: 'text[]',
  audience: 'text?',
  rotatedAt: 'date?',
  idleExpiresAt: 'date?',
  createdAt: 'date',
  expiresAt: 'date',
  metadata: 'json?',
  device: 'json?',
})

/** The device is that of the session. */
const familyColumns = (
  from: string,
): string => `id, coalesce(user_id, '') AS "userId", client_id AS "clientId", sid, scopes, audience,
  rotated_at AS "rotatedAt", idle_expires_at AS "idleExpiresAt", created_at AS "createdAt", expires_at AS "expiresAt",
  metadata, (SELECT json_build_object('ip', initial_ip, 'userAgent', initial_user_agent) FROM session
    WHERE session.sid = ${from}.sid AND session.tenant_id = ${from}.tenant_id LIMIT 1) AS device`
const FAMILY_COLUMNS = familyColumns('token_family')
const FAMILY_ALIVE = `generation IS NOT NULL AND revoked_at IS NULL AND expires_at > $3
  AND (idle_expires_at IS NULL OR idle_expires_at > $3)`

const LIST_FAMILIES = {
  name: 'managed-families-list',
  text: `WITH found AS MATERIALIZED (
  SELECT * FROM token_family WHERE tenant_id = $1 AND user_id = $2 AND ${FAMILY_ALIVE}
    AND ($4::uuid IS NULL OR id > $4) AND ($6::text IS NULL OR client_id = $6)
)
SELECT ${familyColumns('found')} FROM found ORDER BY id LIMIT $5`,
  row: FAMILY,
}

const FIND_FAMILY = {
  name: 'managed-families-find',
  text: `SELECT ${FAMILY_COLUMNS} FROM token_family WHERE id = $2 AND tenant_id = $1 AND user_id IS NOT NULL AND ${FAMILY_ALIVE}`,
  row: FAMILY,
}

const DESCRIBE_FAMILY = {
  name: 'managed-families-describe',
  text: `UPDATE token_family SET metadata = $4
WHERE id = $2 AND tenant_id = $1 AND user_id IS NOT NULL AND ${FAMILY_ALIVE} RETURNING ${FAMILY_COLUMNS}`,
  row: FAMILY,
}

const END_FAMILY = {
  name: 'managed-families-end',
  text: `UPDATE token_family SET revoked_at = $3
WHERE id = $2 AND tenant_id = $1 AND user_id IS NOT NULL AND generation IS NOT NULL AND revoked_at IS NULL RETURNING 1`,
}

const END_FAMILIES = {
  name: 'managed-families-end-all',
  text: `UPDATE token_family SET revoked_at = $3
WHERE tenant_id = $1 AND user_id = $2 AND generation IS NOT NULL AND revoked_at IS NULL
  AND ($4::text IS NULL OR client_id = $4) AND ($5::text IS NULL OR audience = $5)`,
}

/** The newest first, by the index of applications. */
const LIST_OF_CLIENT = {
  name: 'managed-families-of-client',
  text: `SELECT ${FAMILY_COLUMNS} FROM token_family WHERE client_id = $2 AND tenant_id = $1 AND user_id IS NOT NULL AND ${FAMILY_ALIVE}
  AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $6::uuid)) ORDER BY created_at DESC, id DESC LIMIT $5`,
  row: FAMILY,
}

const MAX_COUNTED = 10_000

/** Each session once, at its newest token: a login without a question adds one. */
const LIST_SESSIONS_OF_CLIENT = {
  name: 'managed-sessions-of-client',
  text: `WITH recent AS MATERIALIZED (
  SELECT sid, created_at FROM token_family
  WHERE client_id = $2 AND tenant_id = $1 AND user_id IS NOT NULL AND sid IS NOT NULL AND revoked_at IS NULL AND expires_at > $3
  ORDER BY created_at DESC, id DESC LIMIT ${MAX_COUNTED}
), newest AS MATERIALIZED (SELECT sid, max(created_at) AS token_at FROM recent GROUP BY sid)
SELECT found.*, token_at AS "tokenAt" FROM newest JOIN LATERAL (
  SELECT ${SESSION_COLUMNS} FROM session WHERE session.sid = newest.sid AND tenant_id = $1 AND ${SESSION_ALIVE} LIMIT 1
) AS found ON true
WHERE $4::timestamptz IS NULL OR (token_at, newest.sid) < ($4, $6::text) ORDER BY token_at DESC, newest.sid DESC LIMIT $5`,
  row: columns<ClientSessionRow>({ ...SESSION_KINDS, tokenAt: 'date' }),
}

const COUNT_OF_CLIENT = {
  name: 'managed-families-of-client-count',
  text: `SELECT count(*)::int AS tokens, count(DISTINCT user_id)::int AS users, count(DISTINCT sid)::int AS sessions FROM (
  SELECT user_id, sid FROM token_family WHERE client_id = $2 AND tenant_id = $1 AND user_id IS NOT NULL AND ${FAMILY_ALIVE}
  LIMIT ${MAX_COUNTED}) AS found`,
  row: columns<{ tokens: number; users: number; sessions: number }>({
    tokens: 'number',
    users: 'number',
    sessions: 'number',
  }),
}

const HOLDERS_OF_CLIENT = {
  name: 'managed-families-of-client-holders',
  text: `WITH found AS MATERIALIZED (
  SELECT user_id FROM token_family WHERE client_id = $2 AND tenant_id = $1 AND user_id > $4 AND ${FAMILY_ALIVE}
)
SELECT DISTINCT coalesce(user_id, '') AS id FROM found ORDER BY id LIMIT $5`,
  row: columns<{ id: string }>({ id: 'text' }),
}

const END_OF_CLIENT = {
  name: 'managed-families-of-client-end',
  text: `UPDATE token_family SET revoked_at = $3
WHERE client_id = $2 AND tenant_id = $1 AND user_id = ANY($4) AND generation IS NOT NULL AND revoked_at IS NULL`,
}

const HOLD_USER = {
  name: 'managed-logins-hold-user',
  text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
}

const USER = { name: 'managed-logins-user', text: 'SELECT 1 FROM "user" WHERE tenant_id = $1 AND id = $2' }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function userLoginStore({ pool }: Database, tenantId: string): UserLoginStore {
  const held = <T>(userId: string, work: (client: PoolClient) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await run(client, HOLD_USER, [tenantId, userId])
      return work(client)
    })
  return {
    async exists(userId) {
      return (await run(pool, USER, [tenantId, userId])).length === 1
    },
    async sessions(userId, window, now) {
      const after = 'offset' in window ? null : window.after
      const rows = await run(pool, LIST_SESSIONS, [tenantId, userId, now, after, window.limit])
      return { rows, total: rows.length }
    },
    async session(sid, now) {
      return (await run(pool, FIND_SESSION, [tenantId, sid, now]))[0] ?? null
    },
    async describeSession(sid, metadata, now) {
      return (await run(pool, DESCRIBE_SESSION, [tenantId, sid, now, metadata && JSON.stringify(metadata)]))[0] ?? null
    },
    async describeRefreshToken(id, metadata, now) {
      if (!UUID.test(id)) return null
      return (await run(pool, DESCRIBE_FAMILY, [tenantId, id, now, metadata && JSON.stringify(metadata)]))[0] ?? null
    },
    endSession: (sid, at, tokens) => inTransaction(pool, (client) => endSession(client, tenantId, sid, at, tokens)),
    endSessions: (userId, at) =>
      held(userId, async (client) => {
        await run(client, END_SESSIONS, [tenantId, userId, at])
      }),
    async refreshTokens({ userId, clientId }, window, now) {
      const after = 'offset' in window ? null : window.after
      if (after !== null && !UUID.test(after)) return { rows: [], total: 0 }
      const rows = await run(pool, LIST_FAMILIES, [tenantId, userId, now, after, window.limit, clientId])
      return { rows, total: rows.length }
    },
    async refreshToken(id, now) {
      if (!UUID.test(id)) return null
      return (await run(pool, FIND_FAMILY, [tenantId, id, now]))[0] ?? null
    },
    async endRefreshToken(id, at) {
      return UUID.test(id) && (await run(pool, END_FAMILY, [tenantId, id, at])).length === 1
    },
    endRefreshTokens: ({ userId, clientId = null, audience = null }, at) =>
      held(userId, async (client) => {
        await run(client, END_FAMILIES, [tenantId, userId, at, clientId, audience])
      }),
    async tokensOf(clientId, { after, limit }, now) {
      if (after !== null && !UUID.test(after.id)) return []
      return run(pool, LIST_OF_CLIENT, [tenantId, clientId, now, after?.at ?? null, limit, after?.id ?? null])
    },
    async sessionsOf(clientId, { after, limit }, now) {
      return run(pool, LIST_SESSIONS_OF_CLIENT, [tenantId, clientId, now, after?.at ?? null, limit, after?.id ?? null])
    },
    async countTokensOf(clientId, now) {
      const [row] = await run(pool, COUNT_OF_CLIENT, [tenantId, clientId, now])
      return row ?? { tokens: 0, users: 0, sessions: 0 }
    },
    async holdersOf(clientId, { after, limit }, now) {
      return (await run(pool, HOLDERS_OF_CLIENT, [tenantId, clientId, now, after, limit])).map(({ id }) => id)
    },
    endTokensOf: (clientId, userIds, at) => runChange(pool, END_OF_CLIENT, [tenantId, clientId, at, userIds]),
    endAll: (userId, at) => held(userId, (client) => endLogins(client, tenantId, userId, at, 'session-revoked')),
  }
}
