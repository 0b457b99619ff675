// The messages and notices that were not sent, without their content.
import type { Pool } from 'pg'
import { type Clock, secondsBetween } from '../../../kernel/clock'

export type WaitingMessage = {
  tenantId: string
  channel: string
  recipient: string
  attempts: number
  createdAt: Date
  /** Null where it was given up. */
  nextAttemptAt: Date | null
  lastError: string | null
}

/** Newest first. */
export async function waitingMessages(pool: Pool, limit: number): Promise<WaitingMessage[]> {
  const { rows } = await pool.query<WaitingMessage>(
    `SELECT tenant_id AS "tenantId", channel, recipient, attempts, created_at AS "createdAt",
  next_attempt_at AS "nextAttemptAt", last_error AS "lastError"
FROM outbox_message WHERE sent_at IS NULL ORDER BY created_at DESC, id LIMIT $1`,
    [limit],
  )
  return rows
}

const WAITING = {
  name: 'outbox-waiting',
  text: `SELECT count(*)::int AS waiting, min(created_at) AS oldest FROM outbox_message WHERE next_attempt_at IS NOT NULL`,
}

/** The outbox of all instances. */
export async function readOutbox(pool: Pool, clock: Clock): Promise<{ waiting: number; oldestSeconds: number }> {
  const { rows } = await pool.query<{ waiting: number; oldest: Date | null }>(WAITING)
  const { waiting = 0, oldest = null } = rows[0] ?? {}
  return { waiting, oldestSeconds: oldest ? Math.max(0, secondsBetween(oldest, clock.now())) : 0 }
}
