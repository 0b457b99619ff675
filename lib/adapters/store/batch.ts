// Batches concurrent look-ups into one statement (as DataLoader does): while a statement runs, the next look-ups wait and share
// one statement. A busy server sends far fewer statements; an idle server pays nothing.
// - Only for reads by primary key. A failed statement fails for every caller that shares it.
// - A result is as fresh as from a separate statement: the statement is sent after the look-up was requested.

/** The maximum batch size: a larger batch would delay its first caller. */
const MAX = 100

type Waiting<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void }

/** `read` returns values in the order of its keys, as of `now`, the latest request time in the batch. */
export function batchAt<K, V>(
  read: (keys: readonly K[], now: Date) => Promise<readonly V[]>,
): (key: K, now: Date) => Promise<V> {
  const find = batch((requests: readonly { key: K; now: Date }[]) => {
    const latest = Math.max(...requests.map(({ now }) => now.getTime()))
    return read(
      requests.map(({ key }) => key),
      new Date(latest),
    )
  })
  return (key, now) => find({ key, now })
}

/** `read` returns values in the order of its keys. */
export function batch<K, V>(read: (keys: readonly K[]) => Promise<readonly V[]>): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = []
  let busy = false

  const readAll = async (): Promise<void> => {
    const group = waiting.slice(0, MAX)
    waiting = waiting.slice(MAX)
    try {
      const values = await read(group.map(({ key }) => key))
      group.forEach(({ resolve }, index) => {
        resolve(values[index] as V)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    busy = false
    start()
  }

  const start = (): void => {
    if (busy || waiting.length === 0) return
    busy = true
    // Look-ups from the same turn of the event loop join the batch.
    setImmediate(readAll)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      start()
    })
}

/** Arranges rows by their `place` (from 1) in the order of the keys. A missing row becomes null. */
export function inOrder<Row extends { place: number }>(rows: readonly Row[], count: number): (Row | null)[] {
  const values: (Row | null)[] = Array.from({ length: count }, () => null)
  for (const row of rows) values[row.place - 1] = row
  return values
}

/**
 * The keys of a statement, an array in `$2`, as rows `requested(key, place)`. The range predicate is redundant, but it makes the
 * planner expect few rows, so it uses the index and a generic plan instead of planning every call.
 */
export const requestedKeys = (type: 'uuid' | 'bytea'): string =>
  `(SELECT * FROM unnest($2::${type}[]) WITH ORDINALITY AS requested(key, place) WHERE place BETWEEN 1 AND ${MAX}) requested`
