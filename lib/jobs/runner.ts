// Runs jobs: after one was made (`wake`), and periodically those of other processes, or of one that died.
// - A process works on one job at a time. Its lease is extended by every step.
// - A platform that freezes the process between requests calls `catchUp` within a request instead of `start`; what is not done in
//   its time is released for the next request.
// - A job that is taken again and again without any progress is given up.
import { addSeconds, secondsBetween } from '../kernel/clock'
import { runExport } from './export'
import { type ImportDeps, runImport } from './import'
import type { Job, Step } from './job'

export type JobRunner = {
  start(): void
  /** Call after the commit that made a job. Returns immediately. */
  wake(): void
  /** Resolves when no pass is running. Never rejects. */
  settled(): Promise<void>
  /** A pass, bounded in time, if one is due. Never rejects. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

export type JobRunnerDeps = ImportDeps & {
  log: Record<'error', (fields: Record<string, unknown>, sentence: string) => void>
}

const POLL_SECONDS = 15
const LEASE_SECONDS = 60
const MAX_STALLS = 5
/** In milliseconds of this process. */
const PASS_ON_PLATFORM = 20_000

export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  let state: 'new' | 'running' | 'stopped' = 'new'
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | undefined
  let woken = false
  let caughtUpAt: Date | undefined

  const runPasses = async (isOver: () => boolean): Promise<void> => {
    do {
      woken = false
      await runJobs(deps, isOver)
    } while (woken && !isOver())
  }

  const begin = (isOver: () => boolean): void => {
    clearTimeout(timer)
    pass ??= runPasses(isOver)
      .catch((error: unknown) => deps.log.error({ err: error }, 'A job could not be worked on; trying again.'))
      .finally(() => {
        pass = undefined
        if (state !== 'running') return
        timer = setTimeout(() => begin(isStopped), POLL_SECONDS * 1000)
        timer.unref()
      })
  }

  const isStopped = (): boolean => state === 'stopped'

  return {
    start() {
      if (state !== 'new') return
      state = 'running'
      begin(isStopped)
    },
    wake() {
      woken = true
      if (state === 'running') begin(isStopped)
    },
    async settled() {
      while (pass !== undefined) await pass
    },
    async catchUp() {
      await pass
      const now = deps.clock.now()
      if (!woken && caughtUpAt !== undefined && secondsBetween(caughtUpAt, now) < POLL_SECONDS) return
      caughtUpAt = now
      const endsAt = performance.now() + PASS_ON_PLATFORM
      begin(() => performance.now() > endsAt)
      await pass
    },
    async stop() {
      state = 'stopped'
      clearTimeout(timer)
      await pass
    },
  }
}

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
