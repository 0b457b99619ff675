// Keeps the outbox moving: a pass when woken after a commit, when a retry falls due, and now and then for what other
// processes left behind.
// - Passes of one lane never overlap in one process; a wake during a pass means one more pass after it.
// - People and applications have a lane each: an application that is slow to hear of a logout, which anybody may have
//   registered, keeps no mail waiting (threat-model.md SE8).
// - A pass that fails (database away) is logged once per failure and tried again; it never reaches the caller.
// - `stop` finishes what was taken on, including what was already woken for, and then closes the channels.
import { secondsBetween } from '../kernel/clock'
import { type DeliveryDeps, deliverDue, servedChannels } from './deliver'

export type Dispatcher = {
  start(): void
  /** Call after the commit that enqueued something; returns at once. */
  wake(): void
  /** Resolves when no pass is under way; never rejects. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const POLL_SECONDS = 15

export function createDispatcher(deps: DeliveryDeps): Dispatcher {
  const { tellLogout, ...people } = deps
  const lanes = [createLane(people), ...(tellLogout ? [createLane({ ...deps, channels: [], keepContent: false })] : [])]
  const all = async (work: (lane: Lane) => Promise<void>): Promise<void> => void (await Promise.all(lanes.map(work)))
  let started = false
  return {
    start() {
      if (!started) warnAboutMail(deps)
      started = true
      for (const lane of lanes) lane.start()
    },
    wake() {
      for (const lane of lanes) lane.wake()
    },
    settled: () => all((lane) => lane.settled()),
    async stop() {
      await all((lane) => lane.stop())
      for (const channel of deps.channels) channel.close()
    },
  }
}

type Lane = Dispatcher

function createLane(deps: DeliveryDeps): Lane {
  let state: 'new' | 'running' | 'stopped' = 'new'
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | undefined
  let wokenAgain = false

  async function runPasses(): Promise<void> {
    do {
      wokenAgain = false
      await deliverDue(deps)
    } while (wokenAgain)
  }

  async function passThenSchedule(): Promise<void> {
    let wait = POLL_SECONDS
    try {
      await runPasses()
      wait = await secondsToNext(deps)
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

  return {
    start() {
      if (state !== 'new') return
      state = 'running'
      begin()
    },
    wake() {
      if (state !== 'running') return
      if (pass !== undefined) wokenAgain = true
      else begin()
    },
    async settled() {
      while (pass !== undefined) await pass
    },
    async stop() {
      state = 'stopped'
      clearTimeout(timer)
      await pass
      if (wokenAgain) await passThenSchedule()
    },
  }
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
