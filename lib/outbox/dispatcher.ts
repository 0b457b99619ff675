// Keeps the outbox moving: a pass when woken after a commit, when a retry falls due, and now and then for what other
// processes left behind.
// - Passes of one lane never overlap in one process; a wake during a pass means one more pass after it.
// - People and applications have a lane each: an application that is slow to hear of a logout, which anybody may have
//   registered, keeps no mail waiting (threat-model.md SE8).
// - A pass that fails (database away) is logged once per failure and tried again; it never reaches the caller.
// - Where the process is frozen between requests nothing is started: `catchUp` makes a pass while it may run.
// - `stop` finishes what was taken on, including what was already woken for, and then closes the channels. What takes
//   longer than a stop may wait is given back, for another process to send.
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsBetween } from '../kernel/clock'
import { type DeliveryDeps, deliverDue, release, servedChannels, type UnderWay } from './deliver'

export type Dispatcher = {
  start(): void
  /** Call after the commit that enqueued something; returns at once. */
  wake(): void
  /** Resolves when no pass is under way; never rejects. */
  settled(): Promise<void>
  /** A pass for what was woken for since, and now and then for what others left behind; never rejects. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

const POLL_SECONDS = 15
/** How long a stop waits for what is being sent. */
const STOP_MS = 5_000

export function createDispatcher(deps: DeliveryDeps, { stopMs = STOP_MS } = {}): Dispatcher {
  const { sendLogout, ...people } = deps
  const applications = { ...deps, channels: [], keepContent: false }
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
    } catch (error) {
      deps.log.error({ err: error }, 'The outbox could not be read; trying again.')
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
      const isDue = caughtUpAt === undefined || secondsBetween(caughtUpAt, now) >= POLL_SECONDS
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
  const due = await deps.store.nextDue(servedChannels(deps))
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
