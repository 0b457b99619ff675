// Starts operations: first as many as possible, to find the capacity; then a constant number a second, whether earlier ones
// have finished or not, as users do.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const AT_ONCE = 8
/** Above this number the server is not at half of its capacity but overloaded, and the run says so. */
const MAX_UNDER_WAY = 200

/** Operations a second, with eight active all the time. */
export async function capacity(operate, ms) {
  const until = performance.now() + ms
  let done = 0
  const worker = async () => {
    for (; performance.now() < until; done++) await operate()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done / (ms / 1000)
}

export function startPace(operate, perSecond) {
  const counts = { done: 0, failed: [], skipped: 0 }
  const underWay = new Set()
  let running = true

  function begin() {
    if (underWay.size >= MAX_UNDER_WAY) {
      counts.skipped += 1
      return
    }
    const operation = operate()
      .then(
        () => {
          counts.done += 1
        },
        (error) => counts.failed.push(error.message),
      )
      .finally(() => underWay.delete(operation))
    underWay.add(operation)
  }

  async function run() {
    const from = performance.now()
    for (let started = 0; running; ) {
      const due = ((performance.now() - from) / 1000) * perSecond
      for (; started < due; started++) begin()
      await sleep(5)
    }
    await Promise.all(underWay)
  }

  const ended = run()
  return {
    counts,
    async stop() {
      running = false
      await ended
    },
  }
}
