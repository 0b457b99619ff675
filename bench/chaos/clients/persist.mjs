// How a client behaves that is not served: it asks again, a little later, until it is.
import { setTimeout as sleep } from 'node:timers/promises'
import { Unserved } from '../sender.mjs'

/** Shorter than Retry-After asks for, so that the longest gap is the server's and not the clients' patience. */
const AGAIN_MS = 100

export async function persist(work) {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unserved)) throw error
      await sleep(AGAIN_MS)
    }
  }
}

/** The answer, or null where there was none or 503. */
export const attempt = (work) =>
  work().catch((error) => {
    if (error instanceof Unserved) return null
    throw error
  })

/** `turn(number)` time and again with a pause; an answer that was not expected is a broken promise. */
export async function repeat({ journal, isRunning }, kind, pauseMs, turn) {
  for (let number = 0; isRunning(); number++) {
    try {
      await turn(number)
    } catch (error) {
      journal.breach(`${kind}: ${error.message}`)
    }
    await sleep(pauseMs)
  }
}
