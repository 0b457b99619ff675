// Where the process runs its tenants' actions: the sandbox, whose threads begin with the first run, and what is kept of runs.
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { Logger } from '../operations/log'
import { createSandbox, type Sandbox } from '../rules/sandbox/sandbox'
import { createRunLog, type RunLogStore } from '../store/action-runs'

export type Actions = { sandbox: Sandbox; actionRuns: RunLogStore; endActions(): Promise<void> }

/** How many runs may wait for the threads (threat-model.md AC7). */
const THREADS = 2
const WAITING = 64

/** The thread's sources are read where they lie: nothing bundles them. */
export const workerIn = (root: string): string => join(root, 'lib', 'rules', 'sandbox', 'worker.mjs')

export function openActions(root: string, pool: Pool, log: Logger): Actions {
  const sandbox = createSandbox({ worker: workerIn(root), threads: THREADS, queueLimit: WAITING })
  const actionRuns = createRunLog(pool, log)
  return {
    sandbox,
    actionRuns,
    endActions() {
      sandbox.close()
      return actionRuns.close()
    },
  }
}
