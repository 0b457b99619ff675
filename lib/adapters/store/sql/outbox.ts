// The outbox on PostgreSQL: one statement each. Taking a message is decided by the database (FOR UPDATE SKIP LOCKED). The time
// is a parameter; the database's clock is not used.
import type { Pool, PoolClient } from 'pg'
import type {
  ChangeMail,
  DeadRow,
  DeliverySettlement,
  MailBound,
  OutboxRow,
  OutboxStore,
  OutboxWriter,
  StoredMessage,
  TakenMessage,
} from '../../../data/outbox/outbox'
import { columns } from '../columns'
import { run } from '../database'
import { RESERVE } from './attempts'

const INSERT = {
  name: 'outbox-insert',
  text: `INSERT INTO outbox_message (id, tenant_id, channel, recipient, sealed_content, created_at, next_attempt_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`,
}

/** Writes on a `pg` connection, within its current transaction. */
export const outboxWriter = (db: Pool | PoolClient): OutboxWriter => ({
  async insert(row) {
    await run(db, INSERT, insertValues(row))
  },
})

/** A message, in the transaction of its cause. */
export async function writeMail(client: PoolClient, mail: OutboxRow | null): Promise<void> {
  if (mail) await outboxWriter(client).insert(mail)
}

/** The mails about a change, in its transaction. */
export async function writeChangeMail(client: PoolClient, tenantId: string, mail: ChangeMail | null): Promise<void> {
  if (!mail || !(await isWithin(client, tenantId, mail.bound))) return
  for (const row of mail.rows) await outboxWriter(client).insert(row)
}

async function isWithin(client: PoolClient, tenantId: string, bound: MailBound | null): Promise<boolean> {
  if (bound === null) return true
  const [counted] = await run(client, RESERVE, [tenantId, [bound.key], [bound.until], bound.at])
  return (counted?.count ?? 0) <= bound.most
}

const insertValues = (row: OutboxRow | DeadRow): unknown[] => [
  row.id,
  row.tenantId,
  row.channel,
  row.recipient,
  row.sealedContent,
  row.createdAt,
  row.nextAttemptAt,
]

/** Messages of a channel that the process serves, or that the tenant has a provider or an action for. */
const served = (channels: `$${number}`, ofTenants: `$${number}`): string => `(channel = ANY(${channels})
    OR ${ofTenants} AND EXISTS (
      SELECT FROM message_provider provider
      WHERE provider.tenant_id = outbox_message.tenant_id AND outbox_message.channel = ANY(provider.channels)
    ) OR ${ofTenants} AND channel IN ('sms', 'voice') AND EXISTS (
      SELECT FROM tenant WHERE tenant.id = outbox_message.tenant_id
        AND tenant.settings #>> '{guardianPhoneFactorSelectedProvider,provider}' = 'phone-message-hook'
    ))`

const TAKE = {
  name: 'outbox-take',
  text: `UPDATE outbox_message SET attempts = attempts + 1, next_attempt_at = $2
WHERE id = ANY (ARRAY(
  SELECT id FROM outbox_message WHERE next_attempt_at <= $1 AND ${served('$3', '$5')}
  ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
))
RETURNING id, tenant_id AS "tenantId", channel, recipient, attempts AS attempt, created_at AS "createdAt",
  sealed_content AS "sealedContent", notice`,
  row: columns<TakenMessage>({
    id: 'text',
    tenantId: 'text',
    channel: 'text',
    recipient: 'text',
    attempt: 'number',
    createdAt: 'date',
    sealedContent: 'bytes?',
    notice: 'json?',
  }),
}

/** Only the process that took the latest attempt may settle the message, and only while it waits. */
const SETTLE = {
  name: 'outbox-settle',
  text: `UPDATE outbox_message
SET next_attempt_at = $3, sent_at = $4, failed_at = $5, last_error = $6,
  sealed_content = CASE WHEN $7 THEN sealed_content END
WHERE id = $1 AND attempts = $2 AND next_attempt_at IS NOT NULL`,
}

const NEXT_DUE = {
  name: 'outbox-next-due',
  text: `SELECT min(next_attempt_at) AS due FROM outbox_message WHERE ${served('$1', '$2')}`,
  row: columns<{ due: Date | null }>({ due: 'date?' }),
}

const GIVE_UP = {
  name: 'outbox-give-up',
  text: `UPDATE outbox_message
SET next_attempt_at = NULL, failed_at = $2, last_error = coalesce(last_error, $3), sealed_content = NULL
WHERE id = ANY (ARRAY(
  SELECT id FROM outbox_message WHERE next_attempt_at <= $2 AND created_at < $1
  ORDER BY next_attempt_at LIMIT 1000 FOR UPDATE SKIP LOCKED
)) RETURNING 1`,
}

const LIST = {
  name: 'outbox-list',
  text: `SELECT id, created_at AS "createdAt", sealed_content AS "sealedContent" FROM outbox_message
WHERE tenant_id = $1 AND ($2::text IS NULL OR lower(recipient) = lower($2)) AND ($3::text IS NULL OR channel = $3)
  AND sealed_content IS NOT NULL
ORDER BY created_at DESC, id DESC LIMIT $4`,
  row: columns<StoredMessage>({ id: 'text', createdAt: 'date', sealedContent: 'bytes' }),
}

export function createOutboxStore(pool: Pool): OutboxStore {
  return {
    async take({ channels, ofTenants, now, leaseUntil, limit }) {
      return run(pool, TAKE, [now, leaseUntil, channels, limit, ofTenants])
    },
    async settle(id, attempt, settlement) {
      await run(pool, SETTLE, [id, attempt, ...settledValues(settlement)])
    },
    async nextDue({ channels, ofTenants }) {
      return (await run(pool, NEXT_DUE, [channels, ofTenants]))[0]?.due ?? null
    },
    async giveUp(createdBefore, at, reason) {
      return (await run(pool, GIVE_UP, [createdBefore, at, reason])).length
    },
    async list({ tenantId, to, channel, limit }) {
      return run(pool, LIST, [tenantId, to ?? null, channel ?? null, limit])
    },
  }
}

/** next_attempt_at, sent_at, failed_at, last_error, and whether to keep the content. */
function settledValues(
  settlement: DeliverySettlement,
): [Date | null, Date | null, Date | null, string | null, boolean] {
  switch (settlement.kind) {
    case 'sent':
      return [null, settlement.at, null, null, settlement.keepContent]
    case 'kept':
      return [null, null, null, null, true]
    case 'retry':
      return [settlement.at, null, null, settlement.reason, true]
    case 'failed':
      return [null, null, settlement.at, settlement.reason, settlement.keepContent]
  }
}
