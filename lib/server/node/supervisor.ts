// The parent of several server processes ("workers") on one port (LATCHKEY_WORKERS, docs/adr/0041-workers.md).
// - Node's cluster accepts connections here and hands them to the workers in turn. A worker is a whole server: the workers share
//   state through the database and Redis alone, as servers on several machines do.
// - A worker that ends is replaced. If it ended soon after its start, the replacement waits, twice as long each time.
// - SIGHUP replaces every worker, one after the other, by one that starts from the files as they are now. A new worker that does
//   not start leaves the present one in place.
// - During the first start a worker that fails ends everything. It has printed the reason.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, secondsBetween } from '../../kernel/clock'
import type { Logger } from '../maintenance/log'
import { type FromWorker, nextMessage, type ToWorker } from './worker-messages'

export type SupervisorOptions = {
  count: number
  /** The environment of the workers. */
  variables: Readonly<Record<string, string | undefined>>
  log: Logger
  clock: Clock
  exit(code: number): void
  /** Seconds of LATCHKEY_STOP_DELAY. */
  stopDelay: number
  /** A terminal that closes sends SIGHUP; then the server stops. */
  hasTerminal: boolean
}

/** A worker that lived for less is replaced after a pause. */
const SOUND_SECONDS = 10
const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** Longer than a worker waits for its running requests. */
const STOP_MS = 20_000
const METRICS_MS = 2000
const IMPATIENT_AFTER_SECONDS = 2

/** Resolves when every worker accepts requests; then it keeps them running. */
export async function supervise(options: SupervisorOptions): Promise<void> {
  const { count, variables, log, clock, exit, stopDelay, hasTerminal } = options
  const ready = new Set<Worker>()
  const retiring = new Set<Worker>()
  const starting = new Set<Promise<unknown>>()
  let stopRequestedAt: Date | undefined
  let pauseMs = 0
  let rolling: Promise<void> = Promise.resolve()

  /** The worker, as soon as it accepts requests; null if it ended before. */
  function start(): Promise<Worker | null> {
    const started = startOne().finally(() => starting.delete(started))
    starting.add(started)
    return started
  }

  async function startOne(): Promise<Worker | null> {
    const worker = cluster.fork(variables)
    const end = new AbortController()
    worker.once('exit', () => end.abort())
    if (!(await nextMessage<FromWorker, 'ready'>(worker, 'ready', end.signal))) return null
    ready.add(worker)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'collect-metrics') void collectMetrics(worker)
    })
    const since = clock.now()
    worker.once('exit', (code, signal) => {
      ready.delete(worker)
      if (retiring.delete(worker) || stopRequestedAt) return
      pauseMs = secondsBetween(since, clock.now()) < SOUND_SECONDS ? pauseAfter(pauseMs) : 0
      log.error({ pid: worker.process.pid, exitCode: code, signal }, 'A worker ended; another one takes its place.')
      void replace()
    })
    return worker
  }

  async function replace(): Promise<void> {
    for (;;) {
      await sleep(pauseMs)
      if (stopRequestedAt || (await start())) return
      pauseMs = pauseAfter(pauseMs)
      log.error({ seconds: pauseMs / 1000 }, 'A worker did not start; the next attempt follows.')
    }
  }

  async function rollOver(): Promise<void> {
    // They may have read the old files.
    await Promise.all(starting)
    for (const worker of [...ready]) {
      if (stopRequestedAt) return
      if (!(await start())) return log.error({}, 'A new worker did not start; the present workers stay.')
      if (worker.isDead()) continue
      const ended = once(worker, 'exit')
      retiring.add(worker)
      send(worker, { kind: 'retire' })
      await ended
    }
    log.info({ workers: ready.size }, 'Every worker was replaced.')
  }

  async function collectMetrics(collector: Worker): Promise<void> {
    const pages = await Promise.all([...ready].filter((worker) => worker !== collector).map(metricsOf))
    send(collector, { kind: 'collected-metrics', others: pages.flatMap((page) => (page ? [page.metrics] : [])) })
  }

  async function stop(): Promise<void> {
    const living = Object.values(cluster.workers ?? {}).filter((worker) => worker && !worker.isDead()) as Worker[]
    const endAll = (signal: NodeJS.Signals) => living.forEach((worker) => void worker.process.kill(signal))
    const ended = living.map((worker) => once(worker, 'exit'))
    endAll('SIGTERM')
    const timer = setTimeout(() => endAll('SIGKILL'), STOP_MS + stopDelay * 1000)
    await Promise.all(ended)
    clearTimeout(timer)
  }

  function requestStop(): void {
    if (stopRequestedAt && secondsBetween(stopRequestedAt, clock.now()) > IMPATIENT_AFTER_SECONDS) exit(1)
    if (stopRequestedAt) return
    stopRequestedAt = clock.now()
    void stop().then(() => exit(0))
  }

  process.on('SIGINT', requestStop)
  process.on('SIGTERM', requestStop)
  process.on('SIGHUP', () => {
    if (hasTerminal) requestStop()
    else rolling = rolling.then(rollOver)
  })

  // The first one starts alone: it migrates the database and prints what concerns the whole server.
  const workers = [await start()]
  if (workers[0]) workers.push(...(await Promise.all(Array.from({ length: count - 1 }, start))))
  if (stopRequestedAt || workers.every((worker) => worker !== null)) return
  stopRequestedAt = clock.now()
  await stop()
  exit(1)
}

const pauseAfter = (pauseMs: number): number => Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, pauseMs * 2))

const send = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message)
}

/** Null for a worker that does not answer in time. */
function metricsOf(worker: Worker) {
  const answer = nextMessage<FromWorker, 'metrics'>(worker, 'metrics', AbortSignal.timeout(METRICS_MS))
  send(worker, { kind: 'read-metrics' })
  return answer
}
