// The bounded queue before expensive work (threat-model.md DB5): at most `concurrency` pieces run at once, at most
// `queueLimit` wait, in order of arrival and for five seconds, and beyond that the caller is told to come back (503 with
// Retry-After): on a machine that is slower than its cores promise, a short queue is a long wait, too (RE4).
// A burst of logins must never pile up memory or starve the signatures that share libuv's threads.
import { temporarilyUnavailable } from './errors'

export type Load = { running: number; waiting: number }

type WorkQueue = { run<T>(work: () => Promise<T>): Promise<T>; load(): Load }

export type QueueBounds = {
  concurrency: number
  queueLimit: number
  /** What a caller is told when there is no more room. */
  whenFull?: string
}

const MAX_IN_LINE_MS = 5_000

const BUSY = 'The server is busy checking passwords, try again shortly'

export function createWorkQueue({ concurrency, queueLimit, whenFull = BUSY }: QueueBounds): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting.length >= queueLimit) throw busy(whenFull, 'the queue is full', waiting.length / concurrency)
    await new Promise<void>((admit, refuse) => {
      const turn = (): void => {
        clearTimeout(patience)
        admit()
      }
      const patience = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1)
        refuse(busy(whenFull, 'waited too long in the queue', waiting.length / concurrency))
      }, MAX_IN_LINE_MS)
      waiting.push(turn)
    })
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
const MAX_WAIT = 30

const busy = (sentence: string, detail: string, turns: number) =>
  temporarilyUnavailable(sentence, {
    retryAfter: Math.min(MAX_WAIT, Math.max(1, Math.ceil(turns * SECONDS_PER_TURN))),
    detail,
  })

/** Enough workers to use the machine, few enough that a signature always finds a free thread and a free core. */
export const hashingConcurrency = (cores: number, poolThreads = 4): number =>
  Math.max(1, Math.min(cores - 1, poolThreads - 1))
