// One worker thread that runs one job at a time. A job ends with an answer, or with its thread: it missed its time limit, or the
// thread failed. An ended thread is never reused.
// The thread's file posts `ready` once, then one answer for each job; `gone` means that it can accept no further job.
import { type ResourceLimits, Worker } from 'node:worker_threads'

export type ThreadResult<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'overrun' }
  /** The thread ended by itself; the cause is known where it threw. */
  | { kind: 'lost'; cause: unknown }

export type Thread<Job, Answer> = {
  run(job: Job, milliseconds: number): Promise<ThreadResult<Answer>>
  /** Whether it may run another job. */
  isUsable(): boolean
  end(): void
}

export type ThreadOptions<Answer> = {
  file: string | URL
  /** For profilers and stack traces. */
  name: string
  resources: ResourceLimits
  /** Whether the thread must not be reused after this answer. */
  isFatal?: (answer: Answer) => boolean
}

const MAX_START_MS = 20_000

export function openThread<Job, Answer extends object>(options: ThreadOptions<Answer>): Thread<Job, Answer> {
  const { file, name, resources, isFatal } = options
  const worker = new Worker(file, { resourceLimits: resources, env: {}, name })
  let usable = true
  let cause: unknown
  let answer: ((ended: ThreadResult<Answer>) => void) | null = null

  const settle = (ended: ThreadResult<Answer>): void => {
    const waiting = answer
    answer = null
    waiting?.(ended)
  }
  const lost = (): void => settle({ kind: 'lost', cause })
  const end = (): void => {
    usable = false
    void worker.terminate()
  }
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: Answer | 'ready' | 'gone') => {
      if (message === 'ready') return resolve()
      if (message === 'gone') {
        end()
        return lost()
      }
      if (isFatal?.(message)) end()
      settle({ kind: 'answered', answer: message })
    })
    worker.on('exit', () => {
      usable = false
      resolve()
      lost()
    })
  })
  // `exit` follows; without a listener, `error` would end the process.
  worker.on('error', (error) => {
    cause = error
  })

  return {
    isUsable: () => usable,
    end,
    async run(job, milliseconds) {
      worker.ref()
      const answered = new Promise<ThreadResult<Answer>>((resolve) => {
        answer = resolve
      })
      const slowStart = setTimeout(end, MAX_START_MS)
      await ready
      clearTimeout(slowStart)
      if (!usable) lost()
      else worker.postMessage(job)
      const watchdog = setTimeout(() => {
        end()
        settle({ kind: 'overrun' })
      }, milliseconds)
      const ended = await answered
      clearTimeout(watchdog)
      worker.unref()
      return ended
    },
  }
}
