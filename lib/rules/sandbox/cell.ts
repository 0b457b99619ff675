// One thread that runs one action at a time. A run ends with a result, by its own deadline inside, or the thread is terminated:
// because it missed the deadline, or because its interpreter failed. A terminated thread is never reused (threat-model.md AC2).
import { Worker } from 'node:worker_threads'
import type { Ran, TenantJob } from './job'

export type Cell = {
  /** Null if the thread had ended before it accepted the job. */
  run(job: TenantJob): Promise<Ran | null>
  /** Whether it may run another job. */
  isUsable(): boolean
  end(): void
}

/** Time for the thread to notice its own deadline, also on a busy machine. */
const GRACE_MS = 1000
const MAX_START_MS = 20_000
/** The interpreter's own limit ends deep recursion long before the thread's stack does. */
const RESOURCES = { stackSizeMb: 16, maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

export function openCell(file: string): Cell {
  const worker = new Worker(file, { resourceLimits: RESOURCES, env: {}, name: 'action' })
  let usable = true
  let answer: ((ran: Ran | null) => void) | null = null

  const settle = (ran: Ran | null): void => {
    const waiting = answer
    answer = null
    waiting?.(ran)
  }
  const end = (): void => {
    usable = false
    void worker.terminate()
  }
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: Ran | 'ready' | 'gone') => {
      if (message === 'ready') return resolve()
      if (message === 'gone' || message.outcome === 'broken') end()
      settle(message === 'gone' ? null : message)
    })
    worker.on('exit', () => {
      usable = false
      resolve()
      settle(null)
    })
  })
  // `exit` reports the failure; without a listener, `error` would end the process.
  worker.on('error', () => {})

  return {
    isUsable: () => usable,
    end,
    async run(job) {
      worker.ref()
      const answered = new Promise<Ran | null>((resolve) => {
        answer = resolve
      })
      const slowStart = setTimeout(end, MAX_START_MS)
      await ready
      clearTimeout(slowStart)
      if (!usable) settle(null)
      else worker.postMessage(job)
      const watchdog = setTimeout(() => {
        end()
        settle({ ...OVERRUN, milliseconds: job.milliseconds + GRACE_MS })
      }, job.milliseconds + GRACE_MS)
      const ran = await answered
      clearTimeout(watchdog)
      worker.unref()
      return ran
    },
  }
}

const OVERRUN = { outcome: 'timeout' as const, error: null, calls: [], lines: [], droppedLines: 0 }
