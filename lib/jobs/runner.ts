// Runs jobs: after one was made, and periodically those of other processes, or of one that died.
// - A process works on one job at a time. Its lease is extended by every step.
// - A job that is taken again and again without any progress is given up.
import { addSeconds } from '../kernel/clock'
import { createPassRunner, type PassRunner } from '../kernel/pass-runner'
import { runExport } from './export'
import { type ImportDeps, runImport } from './import'
import type { Job, Step } from './job'

export type JobRunnerDeps = ImportDeps & {
  log: Record<'error', (fields: Record<string, unknown>, sentence: string) => void>
}

const POLL_SECONDS = 15
const LEASE_SECONDS = 60
const MAX_STALLS = 5

export const createJobRunner = (deps: JobRunnerDeps): PassRunner =>
  createPassRunner({
    async pass(isOver) {
      await runJobs(deps, isOver)
      return undefined
    },
    failed: (error) => deps.log.error({ err: error }, 'A job could not be worked on; trying again.'),
    clock: deps.clock,
    pollSeconds: POLL_SECONDS,
  })

/** Works on every job that is due. */
export async function runJobs(deps: JobRunnerDeps, isOver: () => boolean = () => false): Promise<void> {
  const step = (): Step => {
    const at = deps.clock.now()
    return { at, leaseUntil: addSeconds(at, LEASE_SECONDS) }
  }
  while (!isOver()) {
    const job = await deps.store.take(step())
    if (!job) return
    await runJob(job, deps, step, isOver)
  }
}

async function runJob(job: Job, deps: JobRunnerDeps, step: () => Step, isOver: () => boolean): Promise<void> {
  const { store, clock } = deps
  if (job.stalls > MAX_STALLS) {
    const details = 'The job was given up after several attempts without progress.'
    return store.finish(job, { status: 'failed', details }, clock.now())
  }
  const done =
    job.type === 'users_import' ? await runImport(job, deps, step, isOver) : await runExport(job, deps, step, isOver)
  if (done === true) await store.finish(job, { status: 'completed', details: null }, clock.now())
  if (done === false) await store.release(job, clock.now())
}
