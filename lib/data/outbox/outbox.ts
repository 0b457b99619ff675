// The transactional outbox: a message is a row written in the transaction of its cause, so it exists exactly if the cause does.
// - `enqueue` only writes. Sending happens after the commit (dispatcher.ts).
// - The times of a row define its state: waiting (nextAttemptAt), sent (sentAt), failed (failedAt), or kept for the outbox page
//   (none of them).
// - Taking is atomic and leased: exactly one process sends a message. If that process dies, the message is taken again after the
//   lease. `attempt` is the fencing token: a process whose lease has expired cannot settle the message.
import type { Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { LOGOUT_CHANNEL, LogoutNotice } from './logout-notice'
import { type ChannelName, checkMessage, type OutgoingMessage } from './message'

export type OutboxRow = {
  id: string
  tenantId: string
  channel: ChannelName
  recipient: string
  sealedContent: Uint8Array
  createdAt: Date
  nextAttemptAt: Date
}

/** A settled row without a recipient's account: an unknown address costs the same work as a known one. */
/** A counter of mails and its bound. */
export type MailBound = { key: Uint8Array; until: Date; most: number; at: Date }

/** The mails about a change, written in its transaction; none beyond the bound. */
export type ChangeMail = { rows: readonly OutboxRow[]; bound: MailBound | null }

export type DeadRow = Omit<OutboxRow, 'sealedContent' | 'nextAttemptAt'> & { sealedContent: null; nextAttemptAt: null }

/** The store binds it to the caller's transaction. */
export type OutboxWriter = { insert(row: OutboxRow | DeadRow): Promise<void> }

/** The outbox holds messages to people, by channel, and notices to clients. */
export type QueueName = ChannelName | typeof LOGOUT_CHANNEL

type Taken = { id: string; attempt: number; createdAt: Date; tenantId: string; recipient: string }
export type TakenMessage = Taken &
  (
    | { channel: ChannelName; sealedContent: Uint8Array }
    | { channel: typeof LOGOUT_CHANNEL; notice: Pick<LogoutNotice, 'sub' | 'sid' | 'cause'> }
  )

export type DeliverySettlement =
  | { kind: 'sent'; at: Date; keepContent: boolean }
  | { kind: 'kept' }
  | { kind: 'retry'; at: Date; reason: string }
  | { kind: 'failed'; at: Date; reason: string; keepContent: boolean }

export type StoredMessage = { id: string; createdAt: Date; sealedContent: Uint8Array }

export type OutboxFilter = { tenantId: string; to?: string | undefined; channel?: string | undefined; limit: number }

/** The queues that a process serves, and whether it sends for tenants with a provider of their own. */
export type Served = { channels: QueueName[]; ofTenants: boolean }

export type OutboxStore = {
  take(options: Served & { now: Date; leaseUntil: Date; limit: number }): Promise<TakenMessage[]>
  settle(id: string, attempt: number, settlement: DeliverySettlement): Promise<void>
  /** When the next waiting message of these channels is due, or null. */
  nextDue(served: Served): Promise<Date | null>
  /** Gives up on messages that wait since before `createdBefore`. Returns their number. */
  giveUp(createdBefore: Date, at: Date, reason: string): Promise<number>
  /** Newest first; only rows that still have content. */
  list(filter: OutboxFilter): Promise<StoredMessage[]>
}

const PURPOSE = 'outbox'

export type EnqueueDeps = { tenantId: string; vault: Vault; random: Random; clock: Clock }

/** The row of a message, for a store that writes it together with its cause. */
export function sealMessage(message: OutgoingMessage, deps: EnqueueDeps): OutboxRow {
  const content = checkMessage(message)
  const now = deps.clock.now()
  return {
    id: deps.random.uuid(),
    tenantId: deps.tenantId,
    channel: content.channel,
    recipient: content.to,
    sealedContent: deps.vault.seal(PURPOSE, JSON.stringify(content), deps.random),
    createdAt: now,
    nextAttemptAt: now,
  }
}

/** Writes the message in the caller's transaction and returns its id. Wake the dispatcher after the commit. */
export async function enqueue(message: OutgoingMessage, writer: OutboxWriter, deps: EnqueueDeps): Promise<string> {
  const row = sealMessage(message, deps)
  await writer.insert(row)
  return row.id
}

/** The message of a row, or null if another vault sealed it (another LATCHKEY_SECRET) or it was tampered with. */
export function openContent(sealed: Uint8Array, vault: Vault): OutgoingMessage | null {
  const plain = vault.open(PURPOSE, sealed)
  return plain === null ? null : checkMessage(JSON.parse(plain.toString('utf8')))
}
