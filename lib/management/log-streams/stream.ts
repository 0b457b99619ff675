// A log stream as it is delivered: where it stands, and the store that keeps it (docs/management-api.md).

import type { Category } from '../../data/audit/events'
import type { AuditRecord } from '../../data/audit/record'
import type { StreamType } from './sinks'

export const SINK_PURPOSE = 'log-stream'

/** Position in the tenant's chain of records. */
export type Position = { seq: number; storedAt: Date }

export type DueStream = Position & {
  tenantId: string
  id: string
  type: StreamType
  sealedSink: Uint8Array
  /** Empty for all. */
  filters: readonly Category[]
  attempt: number
  failures: number
  failingSince: Date | null
}

export type StreamRecord = Position &
  Pick<AuditRecord, 'logId' | 'type' | 'at' | 'content'> & { personal: string | null }

export type DeliveryFailure = { at: Date; dueAt: Date; reason: string; suspended: boolean }

/** `sent`: anything; `dropped`: the number of records that the sink refused as too large. */
export type DeliveryProgress = { at: Date; leaseUntil: Date; sent: boolean; dropped: number }

/** Every change names the attempt that it belongs to, so a process that lost its lease changes nothing. */
export type StreamStore = {
  /** Takes an active stream that is due and has records to send. */
  take(times: { at: Date; leaseUntil: Date }): Promise<DueStream | null>
  /** The records behind a position, oldest first. */
  records(tenantId: string, after: Position, limit: number): Promise<StreamRecord[]>
  /** Moves the position, extends the lease and ends a failure. False if the lease was lost. */
  advance(stream: DueStream, to: Position, progress: DeliveryProgress): Promise<boolean>
  release(stream: DueStream, at: Date): Promise<void>
  fail(stream: DueStream, failure: DeliveryFailure): Promise<void>
  /** Whether any stream is active. */
  areActive(): Promise<boolean>
}
