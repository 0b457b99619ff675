// The threads that run actions: few, with a bounded queue (threat-model.md AC2, AC7). Threads serve every tenant, each in its own
// interpreter (instances.mjs), so a job goes to the thread that served its tenant last, if that is idle. A run ends with a result,
// by its own deadline inside, or the thread is terminated: because it missed the deadline, or because its interpreter failed.
import { createThreadPool } from '../../kernel/thread-pool'
import type { Job, Ran, TenantJob } from './job'

export type Sandbox = {
  /** Rejects only with 503, when the queue is full. */
  run(tenantId: string, job: Job): Promise<Ran>
  close(): void
}

type SandboxOptions = { worker: string; threads: number; queueLimit: number }

const BUSY = 'The server is busy running rules, try again shortly'

/** Time for the thread to notice its own deadline, also on a busy machine. */
const GRACE_MS = 1000
/** The interpreter's own limit ends deep recursion long before the thread's stack does. */
const RESOURCES = { stackSizeMb: 16, maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

export function createSandbox({ worker, threads, queueLimit }: SandboxOptions): Sandbox {
  const pool = createThreadPool<TenantJob, Ran>({
    file: worker,
    name: 'action',
    resources: RESOURCES,
    isFatal: ({ outcome }) => outcome === 'broken',
    threads,
    queueLimit,
    whenFull: BUSY,
  })
  return {
    async run(tenant, job) {
      const milliseconds = job.milliseconds + GRACE_MS
      const ended = await pool.run({ ...job, tenant }, { owner: tenant, milliseconds })
      if (ended.kind === 'answered') return ended.answer
      return ended.kind === 'overrun' ? { ...OVERRUN, milliseconds } : BROKEN
    },
    close: pool.close,
  }
}

const OVERRUN = { outcome: 'timeout' as const, error: null, calls: [], lines: [], droppedLines: 0 }

const BROKEN: Ran = {
  outcome: 'broken',
  error: { name: 'Broken', message: 'its thread ended before it answered', stack: '' },
  calls: [],
  lines: [],
  droppedLines: 0,
  milliseconds: 0,
}
