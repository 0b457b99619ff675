// Tickets on PostgreSQL: one statement each, so a ticket is used once whoever else tries.
import type { TicketPort } from '../../tokens/ticket'
import { type Database, run } from '../database'

const INSERT = {
  name: 'ticket-insert',
  text: `WITH older AS (
  UPDATE ticket SET consumed_at = $6 WHERE tenant_id = $1 AND kind = $3 AND subject = $4 AND consumed_at IS NULL
)
INSERT INTO ticket (tenant_id, digest, kind, subject, payload, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`,
}

const FIND = {
  name: 'ticket-find',
  text: `SELECT payload FROM ticket
WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND consumed_at IS NULL AND expires_at > $4`,
}

const CONSUME = {
  name: 'ticket-consume',
  text: `UPDATE ticket SET consumed_at = $4
WHERE digest = $2 AND tenant_id = $1 AND kind = $3 AND consumed_at IS NULL AND expires_at > $4 RETURNING payload`,
}

export const ticketStore = ({ pool }: Database, tenantId: string): TicketPort => ({
  async insert({ digest, kind, subject, payload, createdAt, expiresAt }) {
    await run(pool, INSERT, [tenantId, digest, kind, subject, JSON.stringify(payload), createdAt, expiresAt])
  },
  async find(kind, digest, now) {
    return (await run<{ payload: unknown }>(pool, FIND, [tenantId, digest, kind, now]))[0]?.payload
  },
  async consume(kind, digest, now) {
    return (await run<{ payload: unknown }>(pool, CONSUME, [tenantId, digest, kind, now]))[0]?.payload
  },
})
