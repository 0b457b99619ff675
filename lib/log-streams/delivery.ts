// Sends the audit log to its streams.
// - At least once and in order: a batch is sent by the process that holds the stream's lease, and the position is stored after the
//   sink has answered 2xx. A process that takes over sends from the stored position.
// - A failure is retried with growing waits; records of a stream are never skipped. After a week of failures the stream is
//   suspended, as at the vendor, until a manager makes it active again.
// - Each stream is sent by itself: a sink that hangs delays no other stream, as long as fewer than `AT_ONCE` hang. No database
//   connection is held meanwhile, and requests of people do not wait.
import { presentRecord } from '../audit/record'
import { addSeconds, type CertainClock, secondsBetween } from '../kernel/clock'
import type { JsonObject } from '../kernel/json'
import { createPassRunner, type PassRunner } from '../kernel/pass-runner'
import type { Random } from '../kernel/random'
import type { Vault } from '../kernel/secret'
import { DeliveryError } from '../outbox/message'
import { categoryOf } from './categories'
import { type LogEntry, SINKS, type SinkRequest } from './sinks'
import { type DueStream, type Position, SINK_PURPOSE, type StreamRecord, type StreamStore } from './stream'

export type StreamDeps = {
  store: StreamStore
  /** Rejects with a `DeliveryError`. */
  send(request: SinkRequest, stop: AbortSignal): Promise<{ status: number }>
  vault: Vault
  clock: CertainClock
  random: Random
  log: Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>
}

/** Streams that a process sends at the same time. */
const AT_ONCE = 16
const PAGE = 100
/** In characters of the stored records. */
const MAX_BATCH = 400_000
/** Batches of one stream before others have their turn. */
const TURN = 20
/** Longer than the timeout of a request. */
const LEASE_SECONDS = 60
const POLL_SECONDS = 15
const POLL_ACTIVE_SECONDS = 1
const MAX_WAIT_SECONDS = 300
export const SUSPENDED_AFTER_SECONDS = 7 * 86_400

export function createStreamRunner(deps: StreamDeps): PassRunner {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const runner = createPassRunner({
    async pass(isOver) {
      while (!isOver() && running.size < AT_ONCE) {
        const stream = await deps.store.take(leaseOf(deps))
        if (!stream) break
        start(stream, isOver)
      }
      return (await deps.store.areActive()) ? POLL_ACTIVE_SECONDS : POLL_SECONDS
    },
    failed: reportUnread,
    clock: deps.clock,
    pollSeconds: POLL_SECONDS,
  })

  function reportUnread(error: unknown): void {
    deps.log.error({ err: error }, 'Log streams could not be read; trying again.')
  }

  /** The next pass begins at the end, because other streams may have waited for it. */
  function start(stream: DueStream, isOver: () => boolean): void {
    const delivery = deliver(stream, deps, isOver, stopping.signal)
      .catch(reportUnread)
      .finally(() => {
        running.delete(delivery)
        runner.wake()
      })
    running.add(delivery)
  }

  const finished = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running)
  }

  return {
    ...runner,
    async settled() {
      await runner.settled()
      while (running.size > 0) {
        await finished()
        await runner.settled()
      }
    },
    async catchUp() {
      await runner.catchUp()
      await finished()
    },
    async stop() {
      stopping.abort()
      await runner.stop()
      await finished()
    },
  }
}

const leaseOf = ({ clock }: StreamDeps) => {
  const at = clock.now()
  return { at, leaseUntil: addSeconds(at, LEASE_SECONDS) }
}

async function deliver(stream: DueStream, deps: StreamDeps, isOver: () => boolean, stop: AbortSignal): Promise<void> {
  const { store, clock } = deps
  let position: Position = stream
  for (let batches = 0; batches < TURN && !isOver(); batches += 1) {
    const page = await store.records(stream.tenantId, position, PAGE)
    const batch = firstOf(page)
    const last = batch.at(-1)
    if (!last) break
    const entries = batch.filter(({ type }) => isWanted(type, stream)).map(entryOf)
    const reason = entries.length === 0 ? null : await send(stream, entries, deps, stop)
    if (stop.aborted && reason !== null) break
    if (reason !== null) return fail(stream, reason, deps)
    position = { seq: last.seq, storedAt: last.storedAt }
    if (!(await store.advance(stream, position, { ...leaseOf(deps), sent: entries.length > 0 }))) return
  }
  await store.release(stream, clock.now())
}

/** As many records as fit in a batch, at least one. */
function firstOf(page: readonly StreamRecord[]): StreamRecord[] {
  let size = 0
  return page.filter(({ content, personal }, index) => {
    size += content.length + (personal?.length ?? 0)
    return index === 0 || size <= MAX_BATCH
  })
}

const isWanted = (type: string, { filters }: DueStream): boolean =>
  filters.length === 0 || filters.includes(categoryOf(type))

const entryOf = (record: StreamRecord): LogEntry => presentRecord(record) as LogEntry

/** Returns the reason of a failure, or null. */
async function send(
  { type, sealedSink }: DueStream,
  entries: readonly LogEntry[],
  { vault, clock, send: call }: StreamDeps,
  stop: AbortSignal,
): Promise<string | null> {
  const plain = vault.open(SINK_PURPOSE, sealedSink)
  if (!plain) return 'UNREADABLE'
  const sink = JSON.parse(plain.toString('utf8')) as JsonObject
  try {
    const { status } = await call(SINKS[type].request(sink, entries, clock.now()), stop)
    return status >= 200 && status < 300 ? null : `HTTP ${status}`
  } catch (error) {
    return error instanceof DeliveryError ? error.reason : 'UNEXPECTED'
  }
}

async function fail(stream: DueStream, reason: string, { store, clock, random, log }: StreamDeps): Promise<void> {
  const at = clock.now()
  const suspended =
    stream.failingSince !== null && secondsBetween(stream.failingSince, clock.certain()) >= SUSPENDED_AFTER_SECONDS
  const fields = { stream: stream.id, tenant: stream.tenantId, reason }
  if (suspended) log.error(fields, 'A log stream failed for a week and is suspended.')
  else log.warn(fields, 'A log stream could not be sent; trying again.')
  await store.fail(stream, { at, dueAt: addSeconds(at, waitOf(stream.failures, random)), reason, suspended })
}

/** Doubles from a second to five minutes; up to half of it is removed at random. */
function waitOf(failures: number, random: Random): number {
  const full = Math.min(2 ** failures, MAX_WAIT_SECONDS)
  return full * (1 - random.bytes(4).readUInt32BE() / 2 ** 33)
}
