// Login transactions, sessions and consents on PostgreSQL. Each write is one statement and therefore atomic: a transaction is
// finished once under any concurrency.
import type { ConsentPort } from '../../../data/consent/consent'
import type { SessionPort, StoredSession } from '../../../data/sessions/session'
import type {
  Completion,
  GrantTransaction,
  LoginTransaction,
  OtherAccount,
  TransactionPort,
} from '../../../login/transaction'
import { batch, batchAt, inOrder, requestedKeys } from '../batch'
import { columns, nullable } from '../columns'
import { type Database, run } from '../database'
import type { NewTransactionCache } from '../new-transaction-cache'
import { inTransaction } from '../transaction'
import { marksOnly, settled, settledKnown, settlementKeys } from './attempts'
import { endSession } from './end-session'
import { changedEntries, entryParams } from './entries'
import { notifyParticipants, RETURNING_ENDED } from './logout-notices'
import { isProvenSince } from './moments'
import {
  type NullableUserColumns,
  presentUser,
  SOON,
  USER,
  USER_COLUMNS,
  type UserColumns,
  userBy,
  userOf,
} from './rows'

const INSERT_TRANSACTION = {
  name: 'transaction-insert',
  text: `INSERT INTO login_transaction
  (handle_digest, tenant_id, origin, wants, browser_digest, user_id, evidence, decisions, created_at, expires_at)
SELECT $1::bytea, $2, $3::json, $4::json, $5::bytea, $6, $7::json, $8::json, $9::timestamptz, $10::timestamptz
FROM ${SOON}`,
}

type TransactionRow = (LoginTransaction | GrantTransaction) & { place: number } & NullableUserColumns

const FIND_TRANSACTION = {
  name: 'transaction-find',
  text: `SELECT requested.place::int, t.handle_digest AS "handleDigest", t.origin, t.wants, t.browser_digest AS "browserDigest",
  t.user_id AS "userId", t.evidence, t.decisions, t.revision, t.created_at AS "createdAt",
  t.expires_at AS "expiresAt", t.consumed_at AS "consumedAt", ${USER_COLUMNS}
FROM ${requestedKeys('bytea')}
JOIN LATERAL (SELECT * FROM login_transaction WHERE handle_digest = requested.key AND tenant_id = $1 OFFSET 0) t ON true
LEFT JOIN ${userBy('t.user_id')} ON true`,
  row: columns<TransactionRow>({
    place: 'number',
    handleDigest: 'bytes',
    origin: 'json',
    wants: 'json',
    browserDigest: 'bytes',
    userId: 'text?',
    evidence: 'json',
    decisions: 'json',
    revision: 'number',
    createdAt: 'date',
    expiresAt: 'date',
    consumedAt: 'date?',
    ...nullable(USER),
  }),
}

const UPDATE_TRANSACTION = {
  name: 'transaction-update',
  text: `UPDATE login_transaction SET user_id = $4, evidence = $5, decisions = $6, revision = revision + 1
WHERE handle_digest = $2 AND tenant_id = $1 AND revision = $3 AND consumed_at IS NULL RETURNING 1`,
}

const NOTE_TRANSACTION = {
  name: 'transaction-note',
  text: `UPDATE login_transaction SET decisions = $4
WHERE handle_digest = $2 AND tenant_id = $1 AND revision = $3 AND consumed_at IS NULL`,
}

const CONSUME_TRANSACTION = {
  name: 'transaction-consume',
  text: `UPDATE login_transaction SET consumed_at = $3
WHERE handle_digest = $2 AND tenant_id = $1 AND consumed_at IS NULL AND expires_at > $3 RETURNING 1`,
}

/** Locked first: a concurrent global logout either waits and ends this session too, or is visible here (RT7). */
const HELD = `held AS MATERIALIZED (
  SELECT email, email_verified, link_declined, logins_count FROM "user"
  WHERE tenant_id = $1 AND id = $7 AND ${isProvenSince('$14', '$4')} FOR NO KEY UPDATE
)`

const WON = `UPDATE login_transaction SET consumed_at = $4 FROM held
  WHERE handle_digest = $2 AND tenant_id = $1 AND revision = $3 AND consumed_at IS NULL AND expires_at > $4`

type Origin = { values: string; from: string }

/** A session that replaces none. */
const NEW: Origin = { values: '$13, $16, NULL, NULL', from: 'won' }

const established = ({ values, from }: Origin): string => `established AS (
  INSERT INTO session (id_digest, tenant_id, sid, user_id, evidence, auth_time, participants, created_at, last_seen_at,
    idle_expires_at, expires_at, initial_ip, initial_user_agent, metadata, persistent)
  SELECT $5, won.tenant_id, $6, $7, $8, $9, $10, $4, $4, $11, $12, ${values} FROM ${from}
)`

/**
 * The guess is settled even if another request won, after the user's row is locked: no statement locks the two in reverse order.
 */
const FIRST = '(SELECT count(*) FROM held) AS first'

const RECORDED = 'last_login_at = $4, last_ip = $13, logins_count = logins_count + 1'

const FINISHED = columns<{ won: boolean; other: OtherAccount | null }>({ won: 'boolean', other: 'json?' })

const finishPlain = (
  settlement: string,
): string => `WITH ${HELD}, won AS (${WON} RETURNING tenant_id), ${established(NEW)}, ${settlement}, recorded AS (
  UPDATE "user" SET ${RECORDED} FROM won WHERE "user".tenant_id = won.tenant_id AND "user".id = $7
)
SELECT EXISTS (SELECT FROM won) AS won, NULL::json AS other`

/** No other account to look for, no consent, no session to replace. It costs PostgreSQL a third less work. */
const FINISH_PLAIN = {
  name: 'transaction-finish-plain',
  text: finishPlain(settled('$15', '$4', FIRST)),
  row: FINISHED,
}

/** The common case: also from a known network, so that its counter is the only one to write. */
const FINISH_KNOWN = {
  name: 'transaction-finish-known',
  text: finishPlain(settledKnown('$15', '$4', FIRST)),
  row: FINISHED,
}

/** A session with the same `sid` is the same one to managers and to its user. */
const KEPT: Origin = {
  values: `coalesce(before.initial_ip, $13),
    CASE WHEN before.initial_ip IS NULL THEN $16 ELSE before.initial_user_agent END,
    ${changedEntries('before.metadata', '$25')}, coalesce($24, before.persistent)`,
  from: 'won LEFT JOIN session before ON before.id_digest = $17 AND before.tenant_id = $1 AND before.sid = $6',
}

/**
 * Every part depends on the first ones: if no transaction is consumed, the statement changes nothing else.
 * Another account to suggest is searched for only if $21 contains connections, by the index of addresses. If one is found, the
 * transaction is not consumed.
 */
const FINISH = {
  name: 'transaction-finish',
  text: `WITH ${HELD}, other AS MATERIALIZED (
  SELECT o.id, array_agg(DISTINCT i.connection_id) AS "connectionIds" FROM held u
  JOIN "user" o ON o.tenant_id = $1 AND o.email = u.email AND o.email_verified AND NOT o.blocked AND o.id <> $7
  JOIN identity i ON i.tenant_id = $1 AND i.user_id = o.id AND i.connection_id = ANY($21)
    AND (i.provider <> 'auth0' OR i.password_hash IS NOT NULL)
  WHERE $21::text[] IS NOT NULL AND u.email_verified AND u.link_declined IS DISTINCT FROM u.email
    AND o.link_declined IS DISTINCT FROM o.email AND (NOT $22 OR u.logins_count = 0)
  GROUP BY o.id, o.created_at ORDER BY o.created_at, o.id LIMIT 1
), won AS (${WON} AND NOT EXISTS (SELECT FROM other) RETURNING tenant_id), ${established(KEPT)}, ${settled('$15', '$4', FIRST)}, replaced AS (
  UPDATE session SET ended_at = $4 FROM won WHERE session.id_digest = $17 AND session.tenant_id = won.tenant_id AND ended_at IS NULL
  ${RETURNING_ENDED}
), notified AS (${notifyParticipants('replaced', 'rp-logout', 'e.user_id <> $7')}
), agreed AS (
  INSERT INTO consent (tenant_id, user_id, client_id, audience, scopes, granted_at)
  SELECT tenant_id, $7, $18, $19, $20, $4 FROM won WHERE $18::text IS NOT NULL
  ON CONFLICT (tenant_id, user_id, client_id, audience) DO UPDATE
  SET granted_at = excluded.granted_at,
    scopes = ARRAY(SELECT DISTINCT unnest(consent.scopes || excluded.scopes) ORDER BY 1)
), recorded AS (
  UPDATE "user" SET ${RECORDED}, link_declined = CASE WHEN $23 THEN email ELSE link_declined END
  FROM won WHERE "user".tenant_id = won.tenant_id AND "user".id = $7
)
SELECT EXISTS (SELECT FROM won) AS won, (SELECT to_json(other) FROM other) AS other`,
  row: FINISHED,
}

const isGrants = (row: TransactionRow): row is Extract<TransactionRow, GrantTransaction> =>
  row.origin.protocol === 'grant'

/** The parameters of FINISH beyond those of the plain statements; null if one of these suffices. */
function optionalParams({ replaces, consent, suggest, keepsApart, changes }: Completion): unknown[] | null {
  const { metadata, persistent = null } = changes
  if (!replaces && !consent && !suggest && !keepsApart && !metadata && persistent === null) return null
  const agreed = [consent?.clientId ?? null, consent?.audience ?? null, consent?.scopes ?? null]
  return [
    replaces,
    ...agreed,
    suggest?.connectionIds ?? null,
    suggest?.firstLoginOnly ?? false,
    keepsApart,
    persistent,
    ...entryParams(metadata),
  ]
}

/** A transaction of a login page without a known user. */
const isPlain = ({ userId, origin }: LoginTransaction | GrantTransaction): boolean =>
  userId === null && origin.protocol !== 'grant'

export function transactionStore(
  { pool }: Database,
  tenantId: string,
  newTransactionCache: NewTransactionCache,
): TransactionPort {
  const find = batch(async (digests: readonly Uint8Array[]) => {
    const rows = await run(pool, FIND_TRANSACTION, [tenantId, digests])
    return inOrder(rows, digests.length)
  })
  const newTransactions = newTransactionCache(tenantId)
  return {
    async insert(transaction) {
      const origin = JSON.stringify(transaction.origin)
      const wants = JSON.stringify(transaction.wants)
      const decisions = JSON.stringify(transaction.decisions)
      await run(pool, INSERT_TRANSACTION, [
        transaction.handleDigest,
        tenantId,
        origin,
        wants,
        transaction.browserDigest,
        transaction.userId,
        JSON.stringify(transaction.evidence),
        decisions,
        transaction.createdAt,
        transaction.expiresAt,
      ])
      if (isPlain(transaction)) newTransactions.keep(transaction, { origin, wants, decisions })
    },
    recall: newTransactions.recall,
    async find(handleDigest) {
      const row = await find(handleDigest)
      return row && !isGrants(row) ? { transaction: row, user: userOf(row) } : null
    },
    async findGrant(handleDigest) {
      const row = await find(handleDigest)
      return row && isGrants(row) ? { transaction: row, user: userOf(row) } : null
    },
    async update(handleDigest, revision, { userId, evidence, decisions }) {
      newTransactions.forget(handleDigest)
      const values = [tenantId, handleDigest, revision, userId, JSON.stringify(evidence), JSON.stringify(decisions)]
      return (await run(pool, UPDATE_TRANSACTION, values)).length === 1
    },
    async note(handleDigest, revision, decisions) {
      newTransactions.forget(handleDigest)
      await run(pool, NOTE_TRANSACTION, [tenantId, handleDigest, revision, JSON.stringify(decisions)])
    },
    async consume(handleDigest, now) {
      newTransactions.forget(handleDigest)
      return (await run(pool, CONSUME_TRANSACTION, [tenantId, handleDigest, now])).length === 1
    },
    async finish(completion) {
      newTransactions.forget(completion.handleDigest)
      const { handleDigest, revision, now, session, ip, userAgent, provenAt, guess } = completion
      const plain = [
        tenantId,
        handleDigest,
        revision,
        now,
        session.idDigest,
        session.sid,
        session.userId,
        JSON.stringify(session.evidence),
        session.authTime,
        session.participants,
        session.idleExpiresAt,
        session.expiresAt,
        ip,
        provenAt,
        settlementKeys(guess),
        userAgent,
      ]
      const more = optionalParams(completion)
      const statement = more ? FINISH : marksOnly(guess) ? FINISH_KNOWN : FINISH_PLAIN
      const [end] = await run(pool, statement, more ? [...plain, ...more] : plain)
      if (end?.won) return 'finished'
      return end?.other ?? 'lost'
    },
  }
}

type SessionRow = StoredSession & UserColumns & { place: number }

const FIND_SESSION = {
  name: 'session-find',
  text: `SELECT requested.place::int, s.id_digest AS "idDigest", s.sid, s.user_id AS "userId", s.evidence, s.auth_time AS "authTime",
  s.participants, s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt",
  s.idle_expires_at AS "idleExpiresAt", s.expires_at AS "expiresAt", s.initial_ip AS "initialIp",
  s.initial_user_agent AS "initialUserAgent", s.metadata, s.persistent, ${USER_COLUMNS}
FROM ${requestedKeys('bytea')}
JOIN LATERAL (SELECT * FROM session WHERE id_digest = requested.key AND tenant_id = $1 AND ended_at IS NULL
  AND idle_expires_at > $3 AND expires_at > $3 OFFSET 0) s ON true
JOIN ${userBy('s.user_id')} ON true`,
  row: columns<SessionRow>({
    place: 'number',
    idDigest: 'bytes',
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
    persistent: 'boolean?',
    ...USER,
  }),
}

const AUTHENTICATION = {
  name: 'session-authentication',
  text: `SELECT auth_time AS at,
  EXISTS (SELECT 1 FROM json_array_elements(evidence) proof WHERE proof->>'method' = 'mfa') AS "hasFactor" FROM session
WHERE tenant_id = $1 AND sid = $2 AND user_id = $3 AND ended_at IS NULL AND idle_expires_at > $4 AND expires_at > $4
ORDER BY auth_time DESC LIMIT 1`,
  row: columns<{ at: Date; hasFactor: boolean }>({ at: 'date', hasFactor: 'boolean' }),
}

const AUTHENTICATED_FOR = {
  name: 'session-authenticated-for',
  text: `SELECT max((proof->>'at')::timestamptz) AS "authTime" FROM session, json_array_elements(evidence) proof
WHERE tenant_id = $1 AND sid = $2 AND user_id = $3 AND ended_at IS NULL AND idle_expires_at > $4 AND expires_at > $4
  AND proof->>'clientId' = $5 AND proof->>'method' <> 'mfa'`,
  row: columns<{ authTime: Date | null }>({ authTime: 'date?' }),
}

const TOUCH_SESSION = {
  name: 'session-touch',
  text: `UPDATE session SET last_seen_at = $3, idle_expires_at = $4,
  participants = CASE WHEN $5 = ANY(participants) THEN participants ELSE participants || $5::text END
WHERE id_digest = $2 AND tenant_id = $1 AND ended_at IS NULL`,
}

const CHANGE_SESSION = {
  name: 'session-change',
  text: `UPDATE session SET expires_at = LEAST(expires_at, $3::timestamptz), idle_expires_at = LEAST(idle_expires_at, $4::timestamptz),
  persistent = coalesce($5, persistent), metadata = ${changedEntries('metadata', '$6')}
WHERE id_digest = $2 AND tenant_id = $1 AND ended_at IS NULL`,
}

const timeOf = (milliseconds: number | undefined): Date | null =>
  milliseconds === undefined ? null : new Date(milliseconds)

const END_SESSION = {
  name: 'session-end',
  text: `WITH ended AS (
  UPDATE session SET ended_at = $3 WHERE id_digest = $2 AND tenant_id = $1 AND ended_at IS NULL ${RETURNING_ENDED}
)${notifyParticipants('ended', 'rp-logout')} RETURNING 1`,
}

export const sessionStore = ({ pool }: Database, tenantId: string): SessionPort => ({
  find: batchAt(async (digests: readonly Uint8Array[], now) => {
    const rows = await run(pool, FIND_SESSION, [tenantId, digests, now])
    return inOrder(rows, digests.length).map((row) => row && { session: row, user: presentUser(row) })
  }),
  async authentication(sid, userId, now) {
    const [row] = await run(pool, AUTHENTICATION, [tenantId, sid, userId, now])
    return row ?? null
  },
  async authenticatedFor(clientId, sid, userId, now) {
    const [row] = await run(pool, AUTHENTICATED_FOR, [tenantId, sid, userId, now, clientId])
    return row?.authTime ?? null
  },
  async touch(idDigest, { at, idleExpiresAt, participant }) {
    await run(pool, TOUCH_SESSION, [tenantId, idDigest, at, idleExpiresAt, participant])
  },
  async change(idDigest, { expiresAt, idleExpiresAt, persistent = null, metadata }) {
    const values = [timeOf(expiresAt), timeOf(idleExpiresAt), persistent, ...entryParams(metadata)]
    await run(pool, CHANGE_SESSION, [tenantId, idDigest, ...values])
  },
  revoke: (sid, at, tokens) => inTransaction(pool, (client) => endSession(client, tenantId, sid, at, tokens)),
  async end(idDigest, at) {
    return (await run(pool, END_SESSION, [tenantId, idDigest, at])).length > 0
  },
})

const FIND_CONSENT = {
  name: 'consent-find',
  text: 'SELECT scopes FROM consent WHERE tenant_id = $1 AND user_id = $2 AND client_id = $3 AND audience = $4',
  row: columns<{ scopes: string[] }>({ scopes: 'text[]' }),
}

export const consentStore = ({ pool }: Database, tenantId: string): ConsentPort => ({
  async find(userId, clientId, audience) {
    const [row] = await run(pool, FIND_CONSENT, [tenantId, userId, clientId, audience])
    return row?.scopes ?? null
  },
})
