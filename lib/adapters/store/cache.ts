// A per-process read-through cache for configuration: every instance sees a change by any other within a second.
// - With change notifications (announcements.ts) a value is valid for fifteen seconds or until a notification may concern it;
//   without them for one second (docs/adr/0010-one-second-cache.md).
// - While the database is unavailable or slow, the last known value is served (threat-model.md RE4).
// - Concurrent reads of one key are single-flight. The size is bounded: the least recently read keys are evicted first.
import { ageHere, type Clock } from '../../kernel/clock'
import { explain } from './database'

/** The change notifications of one topic, as the cache sees them. */
export type News = {
  /** Changes with every notification. */
  version(): number
  /** Whether notifications are known to arrive. */
  live(now: Date): boolean
}

const SILENCE: News = { version: () => 0, live: () => false }

/** The maximum age of a value, with or without notifications. */
export const MAX_SECONDS = 15
const UNANNOUNCED_SECONDS = 1
/** The minimum lifetime of a value under frequent notifications, for example when anyone may register clients. */
const LEAST_SECONDS = 0.5
const PATIENCE_MS = 1000
const MAX_KEYS = 10_000

type Entry<V> = { value: V; readAt: Date; version: number; reading?: Promise<V> | undefined; late?: boolean }

/** Counts the reads of all caches in this process. */
export const cacheReads = { lookups: 0, read: 0 }

export type ReadThrough<K extends string, V> = {
  (key: K): Promise<V>
  /** Evicts a value that this process has just changed. */
  forget(key: K): void
}

export function readThrough<K extends string, V>(
  clock: Clock,
  read: (key: K) => Promise<V>,
  news: News = SILENCE,
): ReadThrough<K, V> {
  const entries = new Map<K, Entry<V>>()
  const first = new Map<K, Promise<V>>()

  /** Uses the time and version from before the read: the value may miss changes made during the read. */
  const readAndKeep = async (key: K): Promise<V> => {
    cacheReads.read += 1
    const stamp = { readAt: clock.now(), version: news.version() }
    const value = await read(key)
    entries.delete(key)
    entries.set(key, { value, ...stamp })
    if (entries.size > MAX_KEYS) entries.delete(entries.keys().next().value as K)
    return value
  }

  const readFirst = (key: K): Promise<V> => {
    const running = first.get(key)
    if (running !== undefined) return running
    const reading = readAndKeep(key).catch((error: unknown) => {
      throw explain(error)
    })
    first.set(key, reading)
    return reading.finally(() => first.delete(key))
  }

  const refresh = (key: K, entry: Entry<V>): Promise<V> => {
    entry.reading ??= beforeLong(
      readAndKeep(key).catch(() => {
        Object.assign(entry, { reading: undefined, late: false, readAt: clock.now() })
        return entry.value
      }),
      entry,
    )
    return entry.reading
  }

  const isFresh = ({ readAt, version }: Entry<V>): boolean => {
    const now = clock.now()
    const age = ageHere(readAt, now)
    if (age < LEAST_SECONDS) return true
    return news.live(now) ? age < MAX_SECONDS && version === news.version() : age < UNANNOUNCED_SECONDS
  }

  const get = (key: K): Promise<V> => {
    cacheReads.lookups += 1
    const entry = entries.get(key)
    if (!entry) return readFirst(key)
    return entry.late || isFresh(entry) ? Promise.resolve(entry.value) : refresh(key, entry)
  }
  return Object.assign(get, { forget: (key: K) => void entries.delete(key) })
}

/** Serves the old value to callers if the database does not answer within the limit. */
function beforeLong<V>(reading: Promise<V>, entry: Entry<V>): Promise<V> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      entry.late = true
      resolve(entry.value)
    }, PATIENCE_MS)
    reading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
