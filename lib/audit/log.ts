// The log of this process: events are taken into a bounded queue and stored in batches, off every request's path.
// - `record` composes, hands the line out, and returns: no statement, no promise, microseconds.
// - Every 200 ms, or when 500 wait, a batch per tenant goes to the store. Killed in between, a process loses at most that
//   from the database; the JSON line was handed out before.
// - While the database is away the queue fills; what does not fit is counted, and the next record that is stored says
//   how many were lost since when. A batch that the database refuses time and again is counted as lost, too.
// - Nothing here throws, rejects or keeps a request waiting (threat-model.md RE10).
import type { Clock } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import type { Random } from '../kernel/random'
import type { AuditLog, Entry } from './audit'
import { createLogIds } from './log-id'
import { type Batch, createQueue } from './queue'
import { type AuditRecord, composeRecord } from './record'

export type AuditStore = {
  /** In one transaction: the records become the next links of the tenant's chain. */
  append(tenantId: string, records: readonly AuditRecord[]): Promise<void>
}

/** Where JSON lines go; never waits and never throws. */
export type LineSink = { write(tenantId: string, record: AuditRecord): void; close(): Promise<void> }

type Warn = Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>

export type RunningAuditLog = AuditLog & {
  /** From now on it stores by itself. */
  start(): void
  /** Stores what waits, and closes the lines. */
  close(): Promise<void>
}

export type AuditLogDeps = {
  store: AuditStore
  lines: LineSink | null
  clock: Clock
  random: Random
  log: Warn
  /** Called with each event, for counting. */
  observe?: ((entry: Entry) => void) | undefined
  /** Records that may wait. */
  capacity?: number
}

const EVERY_MS = 200
const AFTER_FAILURE_MS = 1000
/** The more at once, the less each costs; so many hold the process for a few milliseconds. */
const BATCH = 500
const CAPACITY = 20_000
/** Refusals of one batch by a database that is there. */
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

  /** One pass at a time; whoever asks during one gets the next as well. */
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

  async function storeBatch(batch: Batch): Promise<boolean> {
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

  function lossRecord({ tenantId, loss }: Batch): AuditRecord[] {
    if (!loss) return []
    const { count, since, hostname } = loss
    const at = clock.now()
    return [
      composeRecord({ name: 'events_lost', facts: { count, since }, tenantId, hostname, at, source: null }, nextId(at)),
    ]
  }

  function failed(batch: Batch, error: unknown): void {
    if (failures === 0) log.error({ err: error }, 'The audit log could not be stored; it waits in memory.')
    failures += 1
    if (error instanceof DomainError && error.code === 'temporarily_unavailable') return
    if (failures % ATTEMPTS !== 0) return
    queue.givenUp(batch)
    log.error({ err: error, records: batch.records.length }, 'Records of the audit log were refused and are lost.')
  }

  return {
    record(entry: Entry) {
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
