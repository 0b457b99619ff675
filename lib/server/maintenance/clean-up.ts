// Removes expired rows, in periodic rounds: table by table, batch by batch.
// - Any number of instances may run it; one at a time removes, and the others skip the table (lib/adapters/store/clean-up.ts).
// - Between batches it rests for as long as the last batch took, so it uses at most half of one connection.
// - A round that fails (database unavailable) is logged, and the next round tries again. No request is affected.
// - While a step of the clock is unconfirmed, a row is removed only if it was over by the time from before the step, too.
// - `stop` ends the round after the current batch.
import type { Pool } from 'pg'
import { BATCH_ROWS, DUE, ENDED, hasten, removeBatch } from '../../adapters/store/clean-up'
import type { CertainClock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { Random } from '../../kernel/random'
import type { Logger } from './log'

export type CleanUp = {
  start(): void
  stop(): Promise<void>
}

export type CleanUpDeps = {
  pool: Pool
  clock: CertainClock
  random: Random
  log: Logger
  /** The days that expired rows are kept, where the operator decides. */
  keepDays: number
  /** Drops the expired days of the audit log; returns their names. */
  dropOldDays(now: Date): Promise<readonly string[]>
  /** Deletes the accounts whose owners asked for it long enough ago; returns their number. */
  deleteAccounts(now: Date): Promise<number>
}

/** Removed rows by table, and removed days of the audit log; a table without removed rows is not listed. */
export type Removed = Record<string, number>

const EVERY_SECONDS = 300
const LEAST_REST_MS = 10

export function createCleanUp(deps: CleanUpDeps): CleanUp {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  const stopping = new AbortController()

  /** A random time in the second half of the interval, so that instances that started together drift apart. */
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
        (error: unknown) => deps.log.error({ err: error }, 'Expired rows could not be removed; trying again later.'),
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

type RoundDeps = Omit<CleanUpDeps, 'random' | 'log'>

/** One round over every table. A failure in one table does not stop the others; an unavailable database ends the round. */
export async function cleanUp(deps: RoundDeps, stop?: AbortSignal): Promise<Removed> {
  const removed: Removed = {}
  const failures: unknown[] = []
  const note = (table: string, count: number): void => {
    if (count > 0) removed[table] = (removed[table] ?? 0) + count
  }
  const parts = [
    ...ENDED.map((ended) => () => cleanTable(ended, note, deps, stop)),
    ...DUE.map((due) => async () => {
      await hasten(deps.pool, due, deps.clock.now())
      return 'done' as const
    }),
    async () => {
      note('audit_record', (await deps.dropOldDays(deps.clock.certain())).length)
      return 'done' as const
    },
    async () => {
      note('user', await deps.deleteAccounts(deps.clock.certain()))
      return 'done' as const
    },
  ]
  for (const part of parts) {
    try {
      if ((await part()) === 'over') return removed
    } catch (error) {
      if (error instanceof DomainError) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

/** `over`: another instance cleans this table, or this instance is stopping. */
async function cleanTable(
  ended: (typeof ENDED)[number],
  note: (table: string, count: number) => void,
  { pool, clock, keepDays }: RoundDeps,
  stop?: AbortSignal,
): Promise<'done' | 'over'> {
  for (;;) {
    if (stop?.aborted) return 'over'
    const startedAt = performance.now()
    const count = await removeBatch(pool, ended, { now: clock.certain(), keepDays })
    if (count === null) return 'over'
    note(ended.table, count)
    if (count < BATCH_ROWS) return 'done'
    await rest(performance.now() - startedAt)
  }
}

const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(ms, LEAST_REST_MS))
  })

function report(removed: Removed, log: Logger): void {
  if (Object.keys(removed).length > 0) log.info({ removed }, 'Expired rows were removed.')
}
