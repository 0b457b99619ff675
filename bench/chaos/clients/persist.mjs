// Retry behaviour of a client: it repeats a request after a short pause until the request is served.
import { setTimeout as sleep } from 'node:timers/promises'
import { Unserved } from '../sender.mjs'

/** Shorter than Retry-After, so that the longest gap measures the server and not the clients' patience. */
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

/** The response, or null if there was none or 503. */
export const attempt = (work) =>
  work().catch((error) => {
    if (error instanceof Unserved) return null
    throw error
  })

/** Calls `turn(number)` repeatedly with a pause. An unexpected response is a broken guarantee. */
export async function repeat({ journal, isRunning }, kind, pauseMs, turn) {
  for (let number = 0; isRunning(); number++) {
    const from = performance.now()
    try {
      await turn(number)
    } catch (error) {
      if (!journal.isExcused(from, performance.now())) journal.breach(`${kind}: ${error.message}`)
    }
    await sleep(pauseMs)
  }
}
