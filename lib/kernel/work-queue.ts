// A bounded queue for expensive work (threat-model.md DB5). At most `concurrency` jobs run, at most `queueLimit` wait, first in, first
// out, for at most five seconds. Beyond that the caller gets 503 with Retry-After (RE4). The time limit matters where the machine is
// slower than its number of cores suggests: there a short queue is a long wait.
// A burst of logins must not use up memory, nor starve the signatures that share libuv's threads.
import { temporarilyUnavailable } from './errors'

export type Load = { running: number; waiting: number }

type WorkQueue = { run<T>(work: () => Promise<T>): Promise<T>; load(): Load }

export type QueueBounds = {
  concurrency: number
  queueLimit: number
  /** The description of the refusal when the queue is full. */
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

  /** A free slot passes to the next in the queue, so a new caller cannot overtake. */
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

/** A job takes some tens of milliseconds; Retry-After is half a minute at most. */
const SECONDS_PER_TURN = 0.05
const MAX_WAIT = 30

const busy = (sentence: string, detail: string, turns: number) =>
  temporarilyUnavailable(sentence, {
    retryAfter: Math.min(MAX_WAIT, Math.max(1, Math.ceil(turns * SECONDS_PER_TURN))),
    detail,
  })

/** Of one process. Uses its share of the cores, but leaves a thread and a core for signatures. */
export const hashingConcurrency = (cores: number, processes = 1, poolThreads = 4): number =>
  Math.max(1, Math.min(Math.floor(cores / processes) - 1, poolThreads - 1))
