// The pool of threads for actions: few, started by the first job, replaced after a failure, with a bounded queue. One tenant
// cannot fill the queue for the others (threat-model.md AC2, AC7). Threads serve every tenant, each in its own interpreter
// (instances.mjs), so a job goes to the thread that served its tenant last, if that is idle.
import { temporarilyUnavailable } from '../../kernel/errors'
import { createWorkQueue } from '../../kernel/work-queue'
import { type Cell, openCell } from './cell'
import type { Job, Ran, TenantJob } from './job'

export type Sandbox = {
  /** Rejects only with 503, when the queue is full. */
  run(tenantId: string, job: Job): Promise<Ran>
  close(): void
}

type SandboxOptions = { worker: string; threads: number; queueLimit: number }

const BUSY = 'The server is busy running rules, try again shortly'

export function createSandbox({ worker, threads, queueLimit }: SandboxOptions): Sandbox {
  const queue = createWorkQueue({ concurrency: threads, queueLimit, whenFull: BUSY })
  const idle: { cell: Cell; tenant: string }[] = []
  const present = new Map<string, number>()
  let closed = false

  /** If the thread ended before it accepted the job, the job goes to another one, once. */
  async function inCell(job: TenantJob, again = true): Promise<Ran> {
    const cell = takeIdle(job.tenant) ?? openCell(worker)
    const ran = await cell.run(job)
    if (cell.isUsable() && !closed) idle.push({ cell, tenant: job.tenant })
    else cell.end()
    return ran ?? (again ? inCell(job, false) : BROKEN)
  }

  function takeIdle(tenantId: string): Cell | undefined {
    const own = idle.findLastIndex(({ tenant }) => tenant === tenantId)
    return idle.splice(own, 1)[0]?.cell
  }

  function enter(tenantId: string): void {
    const count = present.get(tenantId) ?? 0
    if (count >= threads + queueLimit / 2)
      throw temporarilyUnavailable(BUSY, { retryAfter: 1, detail: 'too many of this tenant' })
    present.set(tenantId, count + 1)
  }

  function leave(tenantId: string): void {
    const count = present.get(tenantId) ?? 1
    if (count === 1) present.delete(tenantId)
    else present.set(tenantId, count - 1)
  }

  return {
    async run(tenantId, job) {
      enter(tenantId)
      try {
        return await queue.run(() => inCell({ ...job, tenant: tenantId }))
      } finally {
        leave(tenantId)
      }
    },
    close() {
      closed = true
      for (const { cell } of idle.splice(0)) cell.end()
    },
  }
}

const BROKEN: Ran = {
  outcome: 'broken',
  error: { name: 'Broken', message: 'the thread could not be started', stack: '' },
  calls: [],
  lines: [],
  droppedLines: 0,
  milliseconds: 0,
}
