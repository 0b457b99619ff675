// A few worker threads for work that strangers cause (threat-model.md AC2, AC7, BF13): started by the first jobs, replaced after
// a failure, with a bounded queue and a time limit for each job. One owner's jobs cannot fill the queue for the others. An idle
// thread does not keep the process alive.
import { temporarilyUnavailable } from './errors'
import { openThread, type Thread, type ThreadOptions, type ThreadResult } from './thread'
import { createWorkQueue } from './work-queue'

export type ThreadPool<Job, Answer> = {
  /** Rejects only with 503, when the queue is full. */
  run(job: Job, by: { owner: string; milliseconds: number }): Promise<ThreadResult<Answer>>
  close(): void
}

export type ThreadPoolOptions<Answer> = ThreadOptions<Answer> & {
  threads: number
  queueLimit: number
  /** The description of the refusal when the queue is full. */
  whenFull: string
}

export function createThreadPool<Job, Answer extends object>(
  options: ThreadPoolOptions<Answer>,
): ThreadPool<Job, Answer> {
  const { threads, queueLimit, whenFull } = options
  const queue = createWorkQueue({ concurrency: threads, queueLimit, whenFull })
  const idle: { thread: Thread<Job, Answer>; owner: string }[] = []
  const present = new Map<string, number>()
  let closed = false

  /** A job whose thread ended by itself goes to another one, once: the thread may have ended before it accepted the job. */
  async function onThread(job: Job, owner: string, milliseconds: number, again = true): Promise<ThreadResult<Answer>> {
    const thread = takeIdle(owner) ?? openThread<Job, Answer>(options)
    const ended = await thread.run(job, milliseconds)
    if (thread.isUsable() && !closed) idle.push({ thread, owner })
    else thread.end()
    return ended.kind === 'lost' && again ? onThread(job, owner, milliseconds, false) : ended
  }

  /** The thread that served this owner last, otherwise the one that was used last. */
  function takeIdle(owner: string): Thread<Job, Answer> | undefined {
    const own = idle.findLastIndex((each) => each.owner === owner)
    return idle.splice(own, 1)[0]?.thread
  }

  function enter(owner: string): void {
    const count = present.get(owner) ?? 0
    if (count >= threads + queueLimit / 2)
      throw temporarilyUnavailable(whenFull, { retryAfter: 1, detail: 'too many of this tenant' })
    present.set(owner, count + 1)
  }

  function leave(owner: string): void {
    const count = present.get(owner) ?? 1
    if (count === 1) present.delete(owner)
    else present.set(owner, count - 1)
  }

  return {
    async run(job, { owner, milliseconds }) {
      enter(owner)
      try {
        return await queue.run(() => onThread(job, owner, milliseconds))
      } finally {
        leave(owner)
      }
    },
    close() {
      closed = true
      for (const { thread } of idle.splice(0)) thread.end()
    },
  }
}
