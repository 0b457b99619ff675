// How operations are started: as many as can be, to find the capacity; then so many a second, whether the one before has ended or
// not, as users do.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const AT_ONCE = 8
/** Beyond that the server is not at half of its capacity but behind, and the run says so. */
const MAX_UNDER_WAY = 200

/** Operations a second, with eight under way all the time. */
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
    for (let begun = 0; running; ) {
      const due = ((performance.now() - from) / 1000) * perSecond
      for (; begun < due; begun++) begin()
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
