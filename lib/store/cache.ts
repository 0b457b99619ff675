// A per-process read-through cache for configuration: a change made by any instance is seen by all within a second.
// - Where changes are announced (announcements.ts) a value stays for fifteen seconds, or until one that may concern it is
//   heard of; otherwise for one second (docs/adr/0010-one-second-cache.md).
// - While the database is away or slow the last known value keeps answering (threat-model.md RE4).
// - Concurrent readers of one key share one read. Bounded: the least recently read keys go first.
import { type Clock, secondsBetween } from '../kernel/clock'
import { explain } from './database'

/** What a cache knows of changes that it has not read. */
export type News = {
  /** Another number once a change was announced. */
  version(): number
  /** Whether every change made in the last seconds has been announced. */
  live(now: Date): boolean
}

const SILENCE: News = { version: () => 0, live: () => false }

/** The longest that anything stays unread, whatever was or was not announced. */
export const MAX_SECONDS = 15
const UNANNOUNCED_SECONDS = 1
/** However much is announced, such as by strangers who register clients. */
const LEAST_SECONDS = 0.5
const PATIENCE_MS = 1000
const MAX_KEYS = 10_000

type Entry<V> = { value: V; readAt: Date; version: number; reading?: Promise<V> | undefined; late?: boolean }

/** Of all caches of this process. */
export const cacheReads = { asked: 0, read: 0 }

export type ReadThrough<K extends string, V> = {
  (key: K): Promise<V>
  /** What this process has just changed is read anew. */
  forget(key: K): void
}

export function readThrough<K extends string, V>(
  clock: Clock,
  read: (key: K) => Promise<V>,
  news: News = SILENCE,
): ReadThrough<K, V> {
  const entries = new Map<K, Entry<V>>()
  const first = new Map<K, Promise<V>>()

  /** As old as the asking: what changed while it was on its way may be missing from it. */
  const readAndKeep = async (key: K): Promise<V> => {
    cacheReads.read += 1
    const asked = { readAt: clock.now(), version: news.version() }
    const value = await read(key)
    entries.delete(key)
    entries.set(key, { value, ...asked })
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
    const age = secondsBetween(readAt, now)
    if (age < LEAST_SECONDS) return true
    return news.live(now) ? age < MAX_SECONDS && version === news.version() : age < UNANNOUNCED_SECONDS
  }

  const get = (key: K): Promise<V> => {
    cacheReads.asked += 1
    const entry = entries.get(key)
    if (!entry) return readFirst(key)
    return entry.late || isFresh(entry) ? Promise.resolve(entry.value) : refresh(key, entry)
  }
  return Object.assign(get, { forget: (key: K) => void entries.delete(key) })
}

/** Whoever asks meanwhile is not kept waiting by a database that does not answer. */
function beforeLong<V>(reading: Promise<V>, entry: Entry<V>): Promise<V> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      entry.late = true
      resolve(entry.value)
    }, PATIENCE_MS)
    reading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
