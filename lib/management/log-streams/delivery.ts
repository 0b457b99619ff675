// Sends the audit log to its streams.
// - At least once and in order: a batch is sent by the process that holds the stream's lease, and the position is stored after the
//   sink has answered 2xx. A process that takes over sends from the stored position.
// - A failure is retried with growing waits, or later where the sink says so. After a week of failures the stream is suspended, as at
//   the vendor, until a manager makes it active again.
// - No record is skipped, except one that the sink refuses as too large by itself: it is dropped, counted and logged.
// - Each stream is sent by itself: a sink that hangs delays no other stream, as long as fewer than `AT_ONCE` hang. No database
//   connection is held meanwhile, and requests of people do not wait.

import { categoryOf } from '../../data/audit/events'
import { presentRecord } from '../../data/audit/record'
import { DeliveryError, type PostAnswer } from '../../data/outbox/message'
import { addSeconds, type CertainClock, secondsBetween } from '../../kernel/clock'
import { objectIn } from '../../kernel/json'
import { inWords } from '../../kernel/network-failure'
import { createPassRunner, type PassRunner } from '../../kernel/pass-runner'
import type { Random } from '../../kernel/random'
import { reportRetried } from '../../kernel/retried'
import { retryAfterSeconds } from '../../kernel/retry-after'
import type { Vault } from '../../kernel/secret'
import { type LogEntry, SINKS, type SinkRequest } from './sinks'
import { type DueStream, type Position, SINK_PURPOSE, type StreamRecord, type StreamStore } from './stream'

export type StreamDeps = {
  store: StreamStore
  /** Rejects with a `DeliveryError`. */
  send(request: SinkRequest, stop: AbortSignal): Promise<PostAnswer>
  vault: Vault
  clock: CertainClock
  random: Random
  log: Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>
}

/** Streams that a process sends at the same time. */
const AT_ONCE = 16
const PAGE = 100
const TOO_LARGE = 413
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

  function reportUnread(error: unknown, inARow = 1): void {
    reportRetried(error, inARow, 'Log streams could not be read; trying again.', deps.log)
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
  let most = PAGE
  for (let batches = 0; batches < TURN && !isOver(); batches += 1) {
    const page = await store.records(stream.tenantId, position, most)
    const batch = firstOf(page)
    const last = batch.at(-1)
    if (!last) break
    const wanted = batch.filter(({ type }) => isWanted(type, stream))
    const failure = wanted.length === 0 ? null : await send(stream, wanted.map(entryOf), deps, stop)
    if (stop.aborted && failure !== null) break
    const isTooLarge = failure?.status === TOO_LARGE
    if (isTooLarge && wanted.length > 1) {
      most = Math.ceil(batch.length / 2)
      continue
    }
    if (failure !== null && !isTooLarge) return fail(stream, failure, deps)
    if (isTooLarge) reportDropped(stream, wanted, deps)
    position = { seq: last.seq, storedAt: last.storedAt }
    const progress = { sent: wanted.length > 0 && !isTooLarge, dropped: isTooLarge ? wanted.length : 0 }
    if (!(await store.advance(stream, position, { ...leaseOf(deps), ...progress }))) return
  }
  await store.release(stream, clock.now())
}

function reportDropped({ id, tenantId }: DueStream, dropped: readonly StreamRecord[], { log }: StreamDeps): void {
  for (const { logId } of dropped)
    log.error(
      { stream: id, tenant: tenantId, record: logId },
      'A log record was dropped: it is too large for its stream.',
    )
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

const entryOf = (record: StreamRecord): LogEntry => presentRecord(record)

/** `status` and `retryAfter` are those of the sink's answer, where there was one. */
type SendFailure = { reason: string; status?: number; retryAfter?: string | undefined }

/** Returns null where the sink took the entries. */
async function send(
  { type, sealedSink }: DueStream,
  entries: readonly LogEntry[],
  { vault, clock, send: call }: StreamDeps,
  stop: AbortSignal,
): Promise<SendFailure | null> {
  const plain = vault.open(SINK_PURPOSE, sealedSink)
  if (!plain) return { reason: inWords('UNREADABLE') }
  const sink = objectIn(JSON.parse(plain.toString('utf8')))
  try {
    const { status, retryAfter } = await call(SINKS[type].request(sink, entries, clock.now()), stop)
    return status >= 200 && status < 300 ? null : { reason: `HTTP ${status}`, status, retryAfter }
  } catch (error) {
    return { reason: error instanceof DeliveryError ? error.message : inWords('UNEXPECTED') }
  }
}

async function fail(
  stream: DueStream,
  { reason, retryAfter }: SendFailure,
  { store, clock, random, log }: StreamDeps,
): Promise<void> {
  const at = clock.now()
  const suspended =
    stream.failingSince !== null && secondsBetween(stream.failingSince, clock.certain()) >= SUSPENDED_AFTER_SECONDS
  const fields = { stream: stream.id, tenant: stream.tenantId, reason }
  if (suspended) log.error(fields, 'A log stream failed for a week and is suspended.')
  else log.warn(fields, 'A log stream could not be sent; trying again.')
  const wait = Math.max(waitOf(stream.failures, random), retryAfterSeconds(retryAfter, at))
  await store.fail(stream, { at, dueAt: addSeconds(at, wait), reason, suspended })
}

/** Doubles from a second to five minutes; up to half of it is removed at random. */
function waitOf(failures: number, random: Random): number {
  const full = Math.min(2 ** failures, MAX_WAIT_SECONDS)
  return full * (1 - random.bytes(4).readUInt32BE() / 2 ** 33)
}
