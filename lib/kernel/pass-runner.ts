// Runs passes of background work: at a start, after a wake, and periodically.
// - Passes never overlap in one process. A wake during a pass causes one more after it.
// - A failed pass is reported and repeated later; the error never reaches the caller.
// - A platform that freezes the process between requests calls `catchUp` within a request instead of `start`; what is not done in
//   its time waits for the next request.
import { ageHere, type Clock } from './clock'

export type PassRunner = {
  start(): void
  /** Call after the commit that made work. Returns immediately. */
  wake(): void
  /** Resolves when no pass is running. Never rejects. */
  settled(): Promise<void>
  /** A pass, bounded in time, if one is due. Never rejects. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

type Passes = {
  /** Ends soon after `isOver`. Returns the seconds until the next pass; without a value, `pollSeconds`. */
  pass(isOver: () => boolean): Promise<number | undefined>
  /** `inARow`: how many passes have failed since the last that did not, this one included. */
  failed(error: unknown, inARow: number): void
  clock: Clock
  pollSeconds: number
}

/** In milliseconds of this process. */
const PASS_ON_PLATFORM = 20_000

export function createPassRunner({ pass: work, failed, clock, pollSeconds }: Passes): PassRunner {
  let state: 'new' | 'running' | 'stopped' = 'new'
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | undefined
  let woken = false
  let caughtUpAt: Date | undefined
  let failures = 0

  const runPasses = async (isOver: () => boolean): Promise<number> => {
    let wait: number | undefined
    do {
      woken = false
      wait = await work(isOver)
    } while (woken && !isOver())
    return wait ?? pollSeconds
  }

  const begin = (isOver: () => boolean): void => {
    clearTimeout(timer)
    pass ??= runPasses(isOver)
      .then(
        (wait) => {
          failures = 0
          return wait
        },
        (error: unknown) => {
          failures += 1
          failed(error, failures)
          return pollSeconds
        },
      )
      .then((wait) => {
        pass = undefined
        if (state !== 'running') return
        timer = setTimeout(() => begin(isStopped), wait * 1000)
        timer.unref()
      })
  }

  const isStopped = (): boolean => state === 'stopped'

  return {
    start() {
      if (state !== 'new') return
      state = 'running'
      begin(isStopped)
    },
    wake() {
      woken = true
      if (state === 'running') begin(isStopped)
    },
    async settled() {
      while (pass !== undefined) await pass
    },
    async catchUp() {
      await pass
      const now = clock.now()
      if (!woken && caughtUpAt !== undefined && ageHere(caughtUpAt, now) < pollSeconds) return
      caughtUpAt = now
      const endsAt = performance.now() + PASS_ON_PLATFORM
      begin(() => performance.now() > endsAt)
      await pass
    },
    async stop() {
      state = 'stopped'
      clearTimeout(timer)
      await pass
    },
  }
}
