// One-time codes on PostgreSQL. One statement checks a try and counts it. The same transaction finds or creates the user of the
// address, so a correct code signs in exactly once.
import type { Pool, PoolClient } from 'pg'
import type {
  CodeRedemption,
  OneTimeCodePort,
  StoredCode,
  Tried,
  Try,
} from '../../../identity/one-time-codes/one-time-code'
import { columns } from '../columns'
import { type Database, run } from '../database'
import { inTransaction } from '../transaction'
import { userAt } from './code-users'
import { loginLinkStore } from './login-links'
import { outboxWriter } from './outbox'

const PUT = {
  name: 'code-put',
  text: `INSERT INTO one_time_code (tenant_id, connection_id, address, client_id, digest, request, created_at, expires_at,
  link_digest, login_digest, number)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (tenant_id, connection_id, address) DO UPDATE
SET client_id = excluded.client_id, digest = excluded.digest, request = excluded.request, guesses = 0, known_guesses = 0,
  link_digest = excluded.link_digest, login_digest = excluded.login_digest, number = excluded.number, answer = NULL,
  created_at = excluded.created_at, expires_at = excluded.expires_at, consumed_at = NULL`,
}

/** The wrong tries that count for this caller: tries of strangers do not count where the address was proven before. */
const COUNTED = 'CASE WHEN $9::boolean THEN known_guesses ELSE guesses END'

type TriedRow = Omit<Extract<Tried, { outcome: 'fits' }>, 'outcome' | 'sentAt'> & {
  sentAt: Date
  fits: boolean | null
  used: boolean
  exhausted: boolean
  expired: boolean
}

/** A row that another try has just changed is checked in its new state. Its old state only selects the error message. */
const TRY = {
  name: 'code-try',
  text: `WITH tried AS (
  UPDATE one_time_code SET
    guesses = guesses + CASE WHEN digest = $4 AND client_id = coalesce($5, client_id) OR $6::int IS NULL THEN 0 ELSE 1 END,
    known_guesses = known_guesses +
      CASE WHEN digest = $4 AND client_id = coalesce($5, client_id) OR $6::int IS NULL OR NOT $9::boolean THEN 0 ELSE 1 END,
    consumed_at = CASE WHEN $8::boolean AND digest = $4 AND client_id = coalesce($5, client_id) THEN $7::timestamptz END
  WHERE tenant_id = $1 AND connection_id = $2 AND address = $3 AND consumed_at IS NULL AND expires_at > $7
    AND ($6::int IS NULL OR ${COUNTED} < $6)
  RETURNING digest = $4 AND client_id = coalesce($5, client_id) AS fits
)
SELECT (SELECT fits FROM tried) AS fits, client_id AS "clientId", request, created_at AS "sentAt", expires_at AS "expiresAt",
  consumed_at IS NOT NULL AS used, coalesce(${COUNTED} >= $6, false) AS exhausted, expires_at <= $7 AS expired
FROM one_time_code WHERE tenant_id = $1 AND connection_id = $2 AND address = $3`,
  row: columns<TriedRow>({
    fits: 'boolean?',
    clientId: 'text',
    request: 'json?',
    sentAt: 'date',
    expiresAt: 'date',
    used: 'boolean',
    exhausted: 'boolean',
    expired: 'boolean',
  }),
}

export const oneTimeCodeStore = ({ pool }: Database, tenantId: string): OneTimeCodePort => ({
  ...loginLinkStore(pool, tenantId),
  put: (code, message) =>
    inTransaction(pool, async (client) => {
      await run(client, PUT, valuesOf(tenantId, code))
      await outboxWriter(client).insert(message)
    }),
  look: (attempt) => judge(pool, tenantId, attempt, false),
  redeem: (attempt, newcomer) =>
    inTransaction(pool, async (client): Promise<CodeRedemption> => {
      const tried = await judge(client, tenantId, attempt, true)
      if (tried.outcome !== 'fits') return tried
      const user = await userAt(client, tenantId, attempt, newcomer, attempt.now)
      return { outcome: 'fits', user, ...(tried.sentAt && { sentAt: tried.sentAt }) }
    }),
})

const valuesOf = (tenantId: string, code: StoredCode): unknown[] => [
  tenantId,
  code.connectionId,
  code.address,
  code.clientId,
  code.digest,
  code.request === null ? null : JSON.stringify(code.request),
  code.createdAt,
  code.expiresAt,
  code.link?.digest ?? null,
  code.link?.login ?? null,
  code.link?.number ?? null,
]

async function judge(db: Pool | PoolClient, tenantId: string, attempt: Try, use: boolean): Promise<Tried> {
  const { connectionId, address, digest, clientId, most, known, now } = attempt
  const values = [tenantId, connectionId, address, digest, clientId, most, now, use, known]
  const [row] = await run(db, TRY, values)
  if (!row) return { outcome: 'wrong', judged: false }
  const { sentAt } = row
  if (row.fits)
    return { outcome: 'fits', clientId: row.clientId, request: row.request, expiresAt: row.expiresAt, sentAt }
  if (row.fits === false || row.used) return { outcome: 'wrong', judged: row.fits === false, sentAt }
  if (row.exhausted) return { outcome: 'exhausted', judged: false, sentAt }
  return { outcome: row.expired ? 'expired' : 'wrong', judged: false, sentAt }
}
