// Keeps the database from growing with what has ended: a round now and then, table after table, batch after batch.
// - Any number of instances may run it; one at a time removes, the others pass (lib/store/clean-up.ts).
// - Between batches it rests for as long as the last one took: half of one connection is the most that it takes.
// - A round that fails (database away) is logged and left to the next; it never reaches a request.
// - `stop` ends it after the batch under way.
import type { Pool } from 'pg'
import type { Clock } from '../kernel/clock'
import type { Random } from '../kernel/random'
import { BATCH_ROWS, ENDED, removeBatch } from '../store/clean-up'
import type { Logger } from './log'

export type CleanUp = {
  start(): void
  stop(): Promise<void>
}

export type CleanUpDeps = {
  pool: Pool
  clock: Clock
  random: Random
  log: Logger
  /** How many days what has ended is kept where that is the operator's choice. */
  keepDays: number
  /** Drops the days of the audit log that are over; their names. */
  dropOldDays(now: Date): Promise<readonly string[]>
}

/** Rows removed, by table, of the audit log days; tables of which nothing was removed are not named. */
export type Removed = Record<string, number>

const EVERY_SECONDS = 300
const LEAST_REST_MS = 10

export function createCleanUp(deps: CleanUpDeps): CleanUp {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  const stopping = new AbortController()

  /** Somewhere in the second half of the interval, so that instances started together drift apart. */
  const schedule = (): void => {
    if (stopping.signal.aborted) return
    const share = deps.random.bytes(4).readUInt32BE() / 2 ** 32
    timer = setTimeout(begin, EVERY_SECONDS * 1000 * (1 - share / 2))
    timer.unref()
  }

  const begin = (): void => {
    round = cleanUp(deps, stopping.signal)
      .then(
        (removed) => report(removed, deps.log),
        (error: unknown) => deps.log.error({ err: error }, 'Ended rows could not be removed; trying again later.'),
      )
      .finally(() => {
        round = undefined
        schedule()
      })
  }

  return {
    start: schedule,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await round
    },
  }
}

/** One round over every table. */
export async function cleanUp(deps: Omit<CleanUpDeps, 'random' | 'log'>, stop?: AbortSignal): Promise<Removed> {
  const removed: Removed = {}
  for (const ended of ENDED) {
    for (;;) {
      if (stop?.aborted) return removed
      const begun = performance.now()
      const count = await removeBatch(deps.pool, ended, { now: deps.clock.now(), keepDays: deps.keepDays })
      if (count === null) return removed
      if (count > 0) removed[ended.table] = (removed[ended.table] ?? 0) + count
      if (count < BATCH_ROWS) break
      await rest(performance.now() - begun)
    }
  }
  const days = await deps.dropOldDays(deps.clock.now())
  if (days.length > 0) removed.audit_record = days.length
  return removed
}

const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(ms, LEAST_REST_MS))
  })

function report(removed: Removed, log: Logger): void {
  if (Object.keys(removed).length > 0) log.info({ removed }, 'Rows that had ended were removed.')
}
