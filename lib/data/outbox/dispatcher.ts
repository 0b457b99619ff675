// Runs delivery passes: after a commit (`wake`), when a retry is due, and periodically for messages of other processes.
// - Passes of one lane never overlap in one process. A wake during a pass causes one more pass after it.
// - Messages to people and logout notices have separate lanes: anyone may register a client, and a slow client must not delay mail
//   (threat-model.md SE8).
// - A failed pass (for example without a database) is logged once and retried. The error never reaches the caller.
// - A platform that freezes the process between requests calls `catchUp` instead of `start`: it makes one pass within a request.
// - `stop` finishes the messages already taken and the pending wakes, then closes the channels. Messages that take longer than the
//   stop timeout are released for another process.
import { setTimeout as sleep } from 'node:timers/promises'
import { ageHere, secondsBetween } from '../../kernel/clock'
import { reportRetried } from '../../kernel/retried'
import { type DeliveryDeps, deliverDue, release, servedBy, type UnderWay } from './deliver'

export type Dispatcher = {
  start(): void
  /** Call after the commit that enqueued a message. Returns immediately. */
  wake(): void
  /** Resolves when no pass is running. Never rejects. */
  settled(): Promise<void>
  /** A pass if a wake is pending, and periodically for messages of other processes. Never rejects. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

const POLL_SECONDS = 15
/** The longest wait for running sends when stopping. */
const STOP_MS = 5_000

export function createDispatcher(deps: DeliveryDeps, { stopMs = STOP_MS } = {}): Dispatcher {
  const { sendLogout, ...people } = deps
  const { tenantChannel: _, ...ofProcess } = deps
  const applications = { ...ofProcess, channels: [], keepContent: false }
  const lanes = [createLane(people, stopMs), ...(sendLogout ? [createLane(applications, stopMs)] : [])]
  const all = async (work: (lane: Lane) => Promise<void>): Promise<void> => void (await Promise.all(lanes.map(work)))
  let warned = false
  const warnOnce = (): void => {
    if (!warned) warnAboutMail(deps)
    warned = true
  }
  return {
    start() {
      warnOnce()
      for (const lane of lanes) lane.start()
    },
    wake() {
      for (const lane of lanes) lane.wake()
    },
    settled: () => all((lane) => lane.settled()),
    catchUp() {
      warnOnce()
      return all((lane) => lane.catchUp())
    },
    async stop() {
      await all((lane) => lane.stop())
      for (const channel of deps.channels) channel.close()
    },
  }
}

type Lane = Dispatcher

function createLane(deps: DeliveryDeps, stopMs: number): Lane {
  let state: 'new' | 'running' | 'stopped' = 'new'
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | undefined
  let wokenAgain = false
  let caughtUpAt: Date | undefined
  let failures = 0
  const underWay: UnderWay = new Set()
  const stopping = new AbortController()

  async function runPasses(): Promise<void> {
    do {
      wokenAgain = false
      await deliverDue(deps, underWay, stopping.signal)
    } while (wokenAgain)
  }

  async function passThenSchedule(): Promise<void> {
    let wait = POLL_SECONDS
    try {
      await runPasses()
      if (state === 'running') wait = await secondsToNext(deps)
      failures = 0
    } catch (error) {
      failures += 1
      reportRetried(error, failures, 'The outbox could not be read; trying again.', deps.log)
    }
    pass = undefined
    if (state === 'running') schedule(wokenAgain ? 0 : wait)
  }

  function begin(): void {
    clearTimeout(timer)
    pass ??= passThenSchedule()
  }

  function schedule(seconds: number): void {
    timer = setTimeout(begin, seconds * 1000)
    timer.unref()
  }

  async function finish(started: boolean): Promise<void> {
    await pass
    if (started && wokenAgain) await passThenSchedule()
  }

  return {
    start() {
      if (state !== 'new') return
      state = 'running'
      begin()
    },
    wake() {
      if (state === 'stopped') return
      if (pass !== undefined || state === 'new') wokenAgain = true
      else begin()
    },
    async settled() {
      while (pass !== undefined) await pass
    },
    async catchUp() {
      await pass
      const now = deps.clock.now()
      const isDue = caughtUpAt === undefined || ageHere(caughtUpAt, now) >= POLL_SECONDS
      if (wokenAgain || isDue) {
        caughtUpAt = now
        begin()
      }
      await pass
    },
    async stop() {
      const started = state === 'running'
      state = 'stopped'
      clearTimeout(timer)
      if (await isOverWithin(stopMs, finish(started))) return
      stopping.abort()
      await release(underWay, deps)
    },
  }
}

async function isOverWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const waiting = new AbortController()
  const timeout = sleep(ms, false, { signal: waiting.signal }).catch(() => false)
  const over = await Promise.race([work.then(() => true), timeout])
  waiting.abort()
  return over
}

async function secondsToNext(deps: DeliveryDeps): Promise<number> {
  const due = await deps.store.nextDue(servedBy(deps))
  if (!due) return POLL_SECONDS
  return Math.min(Math.max(secondsBetween(deps.clock.now(), due), 0.05), POLL_SECONDS)
}

function warnAboutMail({ channels, keepContent, log }: DeliveryDeps): void {
  if (keepContent || channels.some(({ name }) => name === 'email')) return
  log.warn(
    {},
    'No mail server is set: mails wait in the outbox and are given up after a day. Set SMTP_URL and SMTP_FROM to send them.',
  )
}
