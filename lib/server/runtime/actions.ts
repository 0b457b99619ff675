// Opens what the actions of all tenants need: the sandbox, whose worker threads start with the first run, and the log of runs.
import { join } from 'node:path'
import type { Pool } from 'pg'
import { createRunLog, type RunLogStore } from '../../adapters/store/action-runs'
import { createSandbox, type Sandbox } from '../../identity/tenant-code/sandbox/sandbox'
import { type ActionNetwork, createServices } from '../../identity/tenant-code/services/index'
import type { Logger } from '../maintenance/log'

export type Actions = { sandbox: Sandbox; actionRuns: RunLogStore; endActions(): Promise<void> }

/** WAITING is the longest queue of slices of runs for the threads (threat-model.md AC7). */
const THREADS = 2
const WAITING = 512

/** The worker reads its sources from its folder, because they are not bundled. */
export const sandboxFiles = (root: string) => ({
  worker: join(root, 'lib', 'identity', 'tenant-code', 'sandbox', 'worker.mjs'),
  platform: join(root, 'dist', 'action-platform.js'),
})

export function openSandbox(root: string, outgoing: ActionNetwork): Sandbox {
  const services = createServices(outgoing)
  return createSandbox({ ...sandboxFiles(root), threads: THREADS, queueLimit: WAITING, services })
}

export function openActions(root: string, pool: Pool, log: Logger, outgoing: ActionNetwork): Actions {
  const sandbox = openSandbox(root, outgoing)
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
