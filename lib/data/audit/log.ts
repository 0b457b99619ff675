// The audit log of this process: events enter a bounded queue and are stored in batches, outside every request.
// - `record` composes the record, writes the JSON line and returns: no statement, no promise, microseconds.
// - Every 200 ms, or at 500 records, one batch per tenant is stored. A killed process loses at most that from the database; the JSON line
//   was written before.
// - While the database is away the queue fills. Records beyond its bound are counted, and the next stored record says how many were lost since
//   when. A batch that the database refuses repeatedly counts as lost too.
// - Nothing here throws, rejects or delays a request (threat-model.md RE10).
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import type { AuditEntry, AuditLog } from './audit'
import { createLogIds } from './log-id'
import { type AuditBatch, createQueue } from './queue'
import { type AuditRecord, composeRecord } from './record'

export type AuditStore = {
  /** One transaction: appends the records to the tenant's chain. */
  append(tenantId: string, records: readonly AuditRecord[]): Promise<void>
}

/** The sink of JSON lines; never waits, never throws. */
export type LineSink = { write(tenantId: string, record: AuditRecord): void; close(): Promise<void> }

type Warn = Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>

export type RunningAuditLog = AuditLog & {
  /** Starts storing periodically. */
  start(): void
  /** Stores the queue and closes the sink. */
  close(): Promise<void>
}

export type AuditLogDeps = {
  store: AuditStore
  lines: LineSink | null
  clock: Clock
  random: Random
  log: Warn
  /** Called with each event, for metrics. */
  observe?: ((entry: AuditEntry) => void) | undefined
  /** Capacity of the queue. */
  capacity?: number
}

const EVERY_MS = 200
const AFTER_FAILURE_MS = 1000
/** Larger batches cost less per record; this size blocks the process for a few milliseconds. */
const BATCH = 500
const CAPACITY = 20_000
/** How often a reachable database may refuse one batch. */
const ATTEMPTS = 5

export function createAuditLog(deps: AuditLogDeps): RunningAuditLog {
  const { store, lines, clock, random, log, observe, capacity = CAPACITY } = deps
  const nextId = createLogIds(random)
  const queue = createQueue(capacity)
  let running = false
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | undefined
  let failures = 0

  function schedule(): void {
    if (!running || pass || timer) return
    const soon = queue.size >= BATCH ? 0 : EVERY_MS
    timer = setTimeout(() => void flush(), failures === 0 ? soon : AFTER_FAILURE_MS)
    timer.unref()
  }

  function hurry(): void {
    if (failures > 0) return
    clearTimeout(timer)
    timer = undefined
    schedule()
  }

  /** Single-flight; a caller during a pass waits for the next pass as well. */
  async function flush(): Promise<void> {
    await pass
    pass ??= storeAll().finally(() => {
      pass = undefined
      clearTimeout(timer)
      timer = undefined
      if (queue.size > 0) schedule()
    })
    await pass
  }

  async function storeAll(): Promise<void> {
    for (const batch of queue.batches(BATCH)) if (!(await storeBatch(batch))) return
  }

  async function storeBatch(batch: AuditBatch): Promise<boolean> {
    try {
      await store.append(batch.tenantId, [...lossRecord(batch), ...batch.records])
    } catch (error) {
      failed(batch, error)
      return false
    }
    if (failures > 0) log.warn({ waiting: queue.size }, 'The audit log is stored again.')
    failures = 0
    queue.stored(batch)
    return true
  }

  function lossRecord({ tenantId, loss }: AuditBatch): AuditRecord[] {
    if (!loss) return []
    const { count, since, hostname } = loss
    const at = clock.now()
    return [
      composeRecord({ name: 'events_lost', facts: { count, since }, tenantId, hostname, at, source: null }, nextId(at)),
    ]
  }

  function failed(batch: AuditBatch, error: unknown): void {
    if (failures === 0) log.error({ err: error }, 'The audit log could not be stored; its records stay in memory.')
    failures += 1
    if (error instanceof DomainError && error.code === 'temporarily_unavailable') return
    if (failures % ATTEMPTS !== 0) return
    queue.givenUp(batch)
    log.error({ err: error, records: batch.records.length }, 'Records of the audit log were refused and are lost.')
  }

  return {
    record(entry: AuditEntry) {
      const { tenantId, hostname, at } = entry
      const record = composeRecord(entry, nextId(at))
      lines?.write(tenantId, record)
      observe?.(entry)
      queue.add(tenantId, hostname, record)
      if (queue.size === BATCH) hurry()
      else schedule()
    },
    flush,
    start() {
      running = true
      schedule()
    },
    async close() {
      running = false
      clearTimeout(timer)
      await flush()
      if (queue.size > 0) log.error({ records: queue.size }, 'Records of the audit log were never stored.')
      await lines?.close()
    },
  }
}
