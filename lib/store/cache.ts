// A per-process read-through cache for configuration. A value is at most one second old, so a change made by any
// instance is seen by all within that second; while the database is away the last known value keeps answering (RE4).
// Concurrent readers of one key share one read. Bounded: the least recently read keys go first.
import { type Clock, secondsBetween } from '../kernel/clock'
import { explain } from './database'

const FRESH_SECONDS = 1
const MOST_KEYS = 10_000

type Entry<V> = { value: V; readAt: Date; reading?: Promise<V> | undefined }

export type ReadThrough<K extends string, V> = {
  (key: K): Promise<V>
  /** What this process has just changed is read anew. */
  forget(key: K): void
}

export function readThrough<K extends string, V>(clock: Clock, read: (key: K) => Promise<V>): ReadThrough<K, V> {
  const entries = new Map<K, Entry<V>>()
  const first = new Map<K, Promise<V>>()

  const keep = (key: K, value: V): V => {
    entries.delete(key)
    entries.set(key, { value, readAt: clock.now() })
    if (entries.size > MOST_KEYS) entries.delete(entries.keys().next().value as K)
    return value
  }

  const readFirst = (key: K): Promise<V> => {
    const running = first.get(key)
    if (running !== undefined) return running
    const reading = read(key).then(
      (value) => keep(key, value),
      (error: unknown) => {
        throw explain(error)
      },
    )
    first.set(key, reading)
    return reading.finally(() => first.delete(key))
  }

  const refresh = (key: K, entry: Entry<V>): Promise<V> => {
    entry.reading ??= read(key).then(
      (value) => keep(key, value),
      () => {
        entry.reading = undefined
        entry.readAt = clock.now()
        return entry.value
      },
    )
    return entry.reading
  }

  const get = (key: K): Promise<V> => {
    const entry = entries.get(key)
    if (!entry) return readFirst(key)
    if (secondsBetween(entry.readAt, clock.now()) < FRESH_SECONDS) return Promise.resolve(entry.value)
    return refresh(key, entry)
  }
  return Object.assign(get, { forget: (key: K) => void entries.delete(key) })
}
