// Limits stay in force while the shared store is unavailable (threat-model.md RE8): a second store replaces it.
import { addSeconds, type Clock, lasts } from '../../kernel/clock'
import type { BucketStanding, Limit } from './bucket'
import type { BucketStore } from './store'

/** Uses `first`, and `second` for each call that fails. */
export const orElse = (first: BucketStore, second: BucketStore): BucketStore => ({
  take(key, limit) {
    const standing = first.take(key, limit)
    return standing instanceof Promise ? standing.catch(() => second.take(key, limit)) : standing
  },
})

type BreakerDeps = { clock: Clock; onChange(state: 'up' | 'down', error?: unknown): void; patienceMs?: number }

/** The longest time that a request waits for its count. */
const PATIENCE_MS = 500
/** How long a failed store is not called; after each pause one request tries it again. */
const PAUSE_SECONDS = 1

/** Fails at once while the store is known to be unavailable. `onChange` is called once for each change of state. */
export function circuitBreaker(
  store: BucketStore,
  { clock, onChange, patienceMs = PATIENCE_MS }: BreakerDeps,
): BucketStore {
  let awayUntil: Date | undefined
  const ask = async (key: string, limit: Limit): Promise<BucketStanding> => {
    const now = clock.now()
    if (awayUntil && lasts(awayUntil, now, PAUSE_SECONDS)) throw new Error('the store is away')
    if (awayUntil) awayUntil = addSeconds(now, PAUSE_SECONDS)
    try {
      const standing = await inTime(store.take(key, limit), patienceMs)
      if (awayUntil) onChange('up')
      awayUntil = undefined
      return standing
    } catch (error) {
      if (!awayUntil) onChange('down', error)
      awayUntil = addSeconds(clock.now(), PAUSE_SECONDS)
      throw error
    }
  }
  return { take: ask }
}

async function inTime<T>(answer: T | Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
