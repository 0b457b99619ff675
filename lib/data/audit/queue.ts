// The queue of records to store: bounded over all tenants, ordered within a tenant. Dropped records are counted per tenant and reported by a record
// before the next ones (threat-model.md RE10).
import type { AuditRecord } from './record'

export type Loss = { count: number; since: Date; hostname: string }

export type AuditBatch = { tenantId: string; records: AuditRecord[]; loss: Loss | null }

type Waiting = { records: AuditRecord[]; loss: Loss | null }

export type Queue = {
  add(tenantId: string, hostname: string, record: AuditRecord): void
  readonly size: number
  /** The current queue in batches of at most `most`; records stay queued until they are acknowledged. */
  batches(most: number): Iterable<AuditBatch>
  stored(batch: AuditBatch): void
  /** Counts the records as lost. */
  givenUp(batch: AuditBatch): void
}

export function createQueue(capacity: number): Queue {
  const tenants = new Map<string, Waiting>()
  let size = 0

  const waitingOf = (tenantId: string): Waiting => {
    const known = tenants.get(tenantId)
    if (known) return known
    const fresh = { records: [], loss: null }
    tenants.set(tenantId, fresh)
    return fresh
  }

  const takeOut = ({ tenantId, records }: AuditBatch): Waiting => {
    const waiting = waitingOf(tenantId)
    waiting.records.splice(0, records.length)
    size -= records.length
    return waiting
  }

  return {
    add(tenantId, hostname, record) {
      const waiting = waitingOf(tenantId)
      if (size >= capacity) {
        waiting.loss = { count: (waiting.loss?.count ?? 0) + 1, since: waiting.loss?.since ?? record.at, hostname }
        return
      }
      waiting.records.push(record)
      size += 1
    },
    get size() {
      return size
    },
    *batches(most) {
      for (const [tenantId, waiting] of tenants) {
        let left = waiting.records.length
        do {
          const records = waiting.records.slice(0, Math.min(most, left))
          if (records.length > 0 || waiting.loss) yield { tenantId, records, loss: waiting.loss && { ...waiting.loss } }
          left -= records.length
        } while (left > 0)
      }
    },
    stored(batch) {
      const waiting = takeOut(batch)
      const { loss } = waiting
      if (!batch.loss || !loss) return
      waiting.loss = loss.count > batch.loss.count ? { ...loss, count: loss.count - batch.loss.count } : null
    },
    givenUp(batch) {
      const waiting = takeOut(batch)
      const { count = 0, since = batch.records[0]?.at, hostname = '' } = waiting.loss ?? {}
      if (since) waiting.loss = { count: count + batch.records.length, since, hostname }
    },
  }
}
