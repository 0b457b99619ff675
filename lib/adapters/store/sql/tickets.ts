// Tickets on PostgreSQL: one statement each, so a ticket is redeemed at most once under any concurrency. What ends a ticket is one
// condition of the look-up (STANDS). A transaction that acts on the account locks its user first, so that it sees what ended the ticket.
import type { Pool, PoolClient } from 'pg'
import type { Bond } from '../../../data/tickets/bonds'
import type { StoredTicket, TicketMaker, TicketPort, TicketRef } from '../../../data/tickets/ticket'
import { columns } from '../columns'
import { type Database, run } from '../database'

/** The epochs are those of the account at that moment. */
const INSERT = {
  name: 'ticket-insert',
  text: `WITH older AS (
  UPDATE ticket SET consumed_at = $6
  WHERE tenant_id = $1 AND kind = $3 AND subject = $4 AND consumed_at IS NULL AND NOT $13::boolean
)
INSERT INTO ticket (tenant_id, digest, kind, subject, payload, created_at, expires_at, consumed_at, user_id, recovery_epoch,
  password_epoch, sid, family_id, maker)
SELECT $1, $2::bytea, $3, $4, $5::jsonb, $6::timestamptz, $7::timestamptz,
  CASE WHEN $8::boolean AND ($9::text IS NULL OR u.id IS NOT NULL) THEN NULL ELSE $6::timestamptz END,
  u.id, u.recovery_epoch, CASE WHEN $10::boolean THEN u.password_epoch END, $11::text, $12::uuid, $14::jsonb
FROM (VALUES (true)) AS one LEFT JOIN "user" u ON u.tenant_id = $1 AND u.id = $9`,
}

/** $4 is the time; $5 says whether the kind is bound to an account. The account must be the row that it was made for. */
const STANDS = `t.consumed_at IS NULL AND t.expires_at > $4 AND (NOT $5::boolean OR EXISTS (
    SELECT 1 FROM "user" u WHERE u.tenant_id = t.tenant_id AND u.id = t.user_id AND u.recovery_epoch = t.recovery_epoch
      AND (t.password_epoch IS NULL OR u.password_epoch = t.password_epoch)
  ))
  AND (t.sid IS NULL OR EXISTS (
    SELECT 1 FROM session s WHERE s.sid = t.sid AND s.tenant_id = t.tenant_id AND s.user_id = t.user_id
      AND s.ended_at IS NULL AND s.idle_expires_at > $4 AND s.expires_at > $4
  ))
  AND (t.family_id IS NULL OR EXISTS (
    SELECT 1 FROM token_family f WHERE f.id = t.family_id AND f.tenant_id = t.tenant_id AND f.user_id = t.user_id
      AND f.revoked_at IS NULL
  ))
  AND (t.maker IS NULL OR latchkey_maker_stands(t.tenant_id, t.maker))`

const FIND = {
  name: 'ticket-find',
  text: `SELECT payload FROM ticket t WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND ${STANDS}`,
  row: columns<{ payload: unknown }>({ payload: 'json' }),
}

const CONSUME = {
  name: 'ticket-consume',
  text: `UPDATE ticket t SET consumed_at = $4
WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND ${STANDS} RETURNING payload`,
  row: columns<{ payload: unknown }>({ payload: 'json' }),
}

const CLAIM = {
  name: 'ticket-claim',
  text: `INSERT INTO ticket (tenant_id, digest, kind, subject, payload, created_at, expires_at, consumed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $6) ON CONFLICT (digest) DO NOTHING RETURNING 1 AS first`,
}

const OF_SUBJECT = {
  name: 'ticket-of-subject',
  text: `SELECT payload FROM ticket t WHERE subject = $2 AND kind = $3 AND tenant_id = $1 AND ${STANDS} LIMIT 1`,
  row: columns<{ payload: unknown }>({ payload: 'json' }),
}

type Db = Pool | PoolClient

const ofAccount = (bond: Bond): boolean => bond === 'account' || bond === 'undo' || bond === 'session'

/** A ticket that is not `alive` is stored as already redeemed: it costs the same work and is worthless. */
export async function insertTicket(db: Db, tenantId: string, ticket: StoredTicket, alive = true): Promise<void> {
  const { digest, kind, bond, subject, sparesOlder, payload, maker, createdAt, expiresAt } = ticket
  const { userId = null, sid = null, familyId = null } = ofAccount(bond) ? (payload as Partial<TicketMaker>) : {}
  const made = bond === 'session' ? [sid, familyId] : [null, null]
  const row = [tenantId, digest, kind, subject, JSON.stringify(payload), createdAt, expiresAt, alive]
  await run(db, INSERT, [...row, userId, bond !== 'undo', ...made, sparesOlder, maker && JSON.stringify(maker)])
}

const lookUp = (tenantId: string, { kind, digest }: TicketRef, now: Date): unknown[] => [
  tenantId,
  digest,
  kind.name,
  now,
  ofAccount(kind.bond),
]

/** Redeems the ticket and returns its payload; undefined if it was already redeemed, or ended. */
export async function consumeTicketRow(db: Db, tenantId: string, ticket: TicketRef, now: Date): Promise<unknown> {
  return (await run(db, CONSUME, lookUp(tenantId, ticket, now)))[0]?.payload
}

/** A ticket that stands for the subject. */
export async function ticketOfSubject(
  db: Db,
  tenantId: string,
  { name, bond }: TicketRef['kind'],
  subject: string,
  now: Date,
): Promise<unknown> {
  return (await run(db, OF_SUBJECT, [tenantId, subject, name, now, ofAccount(bond)]))[0]?.payload
}

export const ticketStore = ({ pool }: Database, tenantId: string): TicketPort => ({
  insert: (ticket) => insertTicket(pool, tenantId, ticket),
  async find(ticket, now) {
    return (await run(pool, FIND, lookUp(tenantId, ticket, now)))[0]?.payload
  },
  consume: (ticket, now) => consumeTicketRow(pool, tenantId, ticket, now),
  async claim({ digest, kind, subject, payload, createdAt, expiresAt }) {
    const values = [tenantId, digest, kind, subject, JSON.stringify(payload), createdAt, expiresAt]
    return (await run(pool, CLAIM, values)).length === 1
  },
})
