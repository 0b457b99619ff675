// Runs jobs: after one was made, and periodically those of other processes, or of one that died.
// - A process works on one job at a time. Its lease is extended by every step.
// - A job that is taken again and again without any progress is given up.

import type { OutboxRow } from '../../data/outbox/outbox'
import { addSeconds, type Clock } from '../../kernel/clock'
import { createPassRunner, type PassRunner } from '../../kernel/pass-runner'
import { reportRetried } from '../../kernel/retried'
import type { ImportDeps } from './import'
import type { Job, Step } from './job'

export type JobRunnerDeps = ImportDeps & {
  clock: Clock
  /** The mail about the end of an import; null where the tenant is gone. */
  completionMail: { compose(job: Job, to: string): Promise<OutboxRow | null>; wake(): void }
  log: Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>
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
    failed: (error, inARow) => reportRetried(error, inARow, 'A job could not be worked on; trying again.', deps.log),
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
  const run = job.type === 'users_import' ? (await import('./import')).runImport : (await import('./export')).runExport
  const ending = job.stalls > MAX_STALLS ? GIVEN_UP : await run(job, deps, step, isOver)
  if (ending === 'lost') return
  if (ending === 'paused') return store.release(job, clock.now())
  const status = ending === 'completed' ? 'completed' : 'failed'
  const details = ending === 'completed' ? null : ending.failed
  const mail = await mailAbout(job, deps)
  await store.finish(job, { status, details, mail }, clock.now())
  if (mail) deps.completionMail.wake()
}

const GIVEN_UP = { failed: 'The job was given up after several attempts without progress.' }

/** The mail to the address that the import was made with. */
async function mailAbout({ id, settings }: Job, { store, completionMail }: JobRunnerDeps): Promise<OutboxRow | null> {
  if (typeof settings.notify !== 'string') return null
  const job = await store.find(id)
  return job && completionMail.compose(job, settings.notify)
}
