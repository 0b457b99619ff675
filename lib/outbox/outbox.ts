// The outbox: a message is a row written in the same transaction as its cause, so it exists exactly when the cause does.
// - `enqueue` only writes; sending happens after commit (dispatcher.ts).
// - A row is in one of four states, told by its times: waiting (nextAttemptAt), sent (sentAt), failed (failedAt),
//   kept for the outbox page (none of them).
// - Taking is atomic and leased: of any number of processes one sends a message, and when that one dies the message is
//   taken again after the lease. `attempt` fences: whoever comes back late changes nothing.
import type { Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
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

/** Written like a message and settled from the start: for nobody, where the work must not tell that there is nobody. */
export type DeadRow = Omit<OutboxRow, 'sealedContent' | 'nextAttemptAt'> & { sealedContent: null; nextAttemptAt: null }

/** Bound to the caller's transaction by the store. */
export type OutboxWriter = { insert(row: OutboxRow | DeadRow): Promise<void> }

/** What the outbox holds: messages to people by their channels, and notices to applications. */
export type QueueName = ChannelName | typeof LOGOUT_CHANNEL

type Taken = { id: string; attempt: number; createdAt: Date; tenantId: string; recipient: string }
export type TakenMessage = Taken &
  (
    | { channel: ChannelName; sealedContent: Uint8Array }
    | { channel: typeof LOGOUT_CHANNEL; notice: Pick<LogoutNotice, 'sub' | 'sid' | 'cause'> }
  )

export type Settlement =
  | { kind: 'sent'; at: Date; keepContent: boolean }
  | { kind: 'kept' }
  | { kind: 'retry'; at: Date; reason: string }
  | { kind: 'failed'; at: Date; reason: string; keepContent: boolean }

export type StoredMessage = { id: string; createdAt: Date; sealedContent: Uint8Array }

export type OutboxFilter = { tenantId: string; to?: string | undefined; channel?: string | undefined; limit: number }

export type OutboxStore = {
  take(options: { channels: QueueName[]; now: Date; leaseUntil: Date; limit: number }): Promise<TakenMessage[]>
  settle(id: string, attempt: number, settlement: Settlement): Promise<void>
  /** When the next of these channels' messages falls due, if any waits. */
  nextDue(channels: QueueName[]): Promise<Date | null>
  /** Gives up on everything that waits since before `createdBefore`; the number given up. */
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

/** Writes the message through the caller's transaction and answers its id. Wake the dispatcher after the commit. */
export async function enqueue(message: OutgoingMessage, writer: OutboxWriter, deps: EnqueueDeps): Promise<string> {
  const row = sealMessage(message, deps)
  await writer.insert(row)
  return row.id
}

/** The message of a row, or null when it was not sealed by this vault (another LATCHKEY_SECRET, or tampering). */
export function openContent(sealed: Uint8Array, vault: Vault): OutgoingMessage | null {
  const plain = vault.open(PURPOSE, sealed)
  return plain === null ? null : checkMessage(JSON.parse(plain.toString('utf8')))
}
