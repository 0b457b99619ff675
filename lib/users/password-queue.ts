// The bounded queue before expensive work (threat-model.md DB5): at most `concurrency` pieces run at once, at most
// `queueLimit` wait, in order of arrival, and beyond that the caller is told to come back (503 with Retry-After).
// A burst of logins must never pile up memory or starve the signatures that share libuv's threads.
import { temporarilyUnavailable } from '../kernel/errors'

export type Load = { running: number; waiting: number }

type WorkQueue = { run<T>(work: () => Promise<T>): Promise<T>; load(): Load }

export type QueueBounds = {
  concurrency: number
  queueLimit: number
  /** What a caller is told when there is no more room. */
  whenFull?: string
}

const BUSY = 'The server is busy checking passwords, try again shortly'

export function createWorkQueue({ concurrency, queueLimit, whenFull = BUSY }: QueueBounds): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.length >= queueLimit) throw full(whenFull, waiting.length / concurrency)
    await new Promise<void>((admit) => waiting.push(admit))
  }

  /** A slot passes straight to the next in line, so a newcomer cannot overtake. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    load: () => ({ running, waiting: waiting.length }),
  }
}

/** One turn of the queue is some tens of milliseconds; half a minute is the longest that a caller is sent away. */
const SECONDS_PER_TURN = 0.05
const LONGEST_WAIT = 30

const full = (sentence: string, turns: number) =>
  temporarilyUnavailable(sentence, {
    retryAfter: Math.min(LONGEST_WAIT, Math.max(1, Math.ceil(turns * SECONDS_PER_TURN))),
    detail: 'the queue is full',
  })

/** Enough workers to use the machine, few enough that a signature always finds a free thread and a free core. */
export const hashingConcurrency = (cores: number, poolThreads = 4): number =>
  Math.max(1, Math.min(cores - 1, poolThreads - 1))
