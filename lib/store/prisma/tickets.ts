// Tickets on PostgreSQL: one statement each, so a ticket is redeemed at most once under any concurrency.
import type { Pool, PoolClient } from 'pg'
import type { StoredTicket, TicketPort } from '../../tickets/ticket'
import { columns } from '../columns'
import { type Database, run } from '../database'

const INSERT = {
  name: 'ticket-insert',
  text: `WITH older AS (
  UPDATE ticket SET consumed_at = $6 WHERE tenant_id = $1 AND kind = $3 AND subject = $4 AND consumed_at IS NULL
)
INSERT INTO ticket (tenant_id, digest, kind, subject, payload, created_at, expires_at, consumed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

const FIND = {
  name: 'ticket-find',
  text: `SELECT payload FROM ticket
WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND consumed_at IS NULL AND expires_at > $4`,
  row: columns<{ payload: unknown }>({ payload: 'json' }),
}

const CONSUME = {
  name: 'ticket-consume',
  text: `UPDATE ticket SET consumed_at = $4
WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND consumed_at IS NULL AND expires_at > $4 RETURNING payload`,
  row: columns<{ payload: unknown }>({ payload: 'json' }),
}

const CLAIM = {
  name: 'ticket-claim',
  text: `INSERT INTO ticket (tenant_id, digest, kind, subject, payload, created_at, expires_at, consumed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $6) ON CONFLICT (digest) DO NOTHING RETURNING 1 AS first`,
}

type Db = Pool | PoolClient

/** A ticket that is not `alive` is stored as already redeemed: it costs the same work and is worthless. */
export async function insertTicket(db: Db, tenantId: string, ticket: StoredTicket, alive = true): Promise<void> {
  const { digest, kind, subject, payload, createdAt, expiresAt } = ticket
  const consumedAt = alive ? null : createdAt
  const values = [tenantId, digest, kind, subject, JSON.stringify(payload), createdAt, expiresAt, consumedAt]
  await run(db, INSERT, values)
}

/** Redeems the ticket and returns its payload; undefined if it was already redeemed. */
export async function consumeTicketRow(
  db: Db,
  tenantId: string,
  { kind, digest, now }: { kind: string; digest: Uint8Array; now: Date },
): Promise<unknown> {
  return (await run(db, CONSUME, [tenantId, digest, kind, now]))[0]?.payload
}

export const ticketStore = ({ pool }: Database, tenantId: string): TicketPort => ({
  insert: (ticket) => insertTicket(pool, tenantId, ticket),
  async find(kind, digest, now) {
    return (await run(pool, FIND, [tenantId, digest, kind, now]))[0]?.payload
  },
  consume: (kind, digest, now) => consumeTicketRow(pool, tenantId, { kind, digest, now }),
  async claim({ digest, kind, subject, payload, createdAt, expiresAt }) {
    const values = [tenantId, digest, kind, subject, JSON.stringify(payload), createdAt, expiresAt]
    return (await run(pool, CLAIM, values)).length === 1
  },
})
