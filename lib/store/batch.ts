// Look-ups that come at the same time share one statement (as DataLoader does): while one is with the database the next
// ones wait for it together. A busy server sends far fewer statements; one that is not busy notices nothing.
// - Only for reading by primary key. A statement that fails, fails for everybody who shared it.
// - What is read is as fresh as by a statement of one's own: it is sent after it was asked for.

/** More than this would make the first wait for the last. */
const MAX = 100

type Waiting<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void }

/** `read` answers in the order of its keys, as of `now`, the latest moment that any of them was asked at. */
export function batchAt<K, V>(
  read: (keys: readonly K[], now: Date) => Promise<readonly V[]>,
): (key: K, now: Date) => Promise<V> {
  const find = batch((asked: readonly { key: K; now: Date }[]) => {
    const latest = Math.max(...asked.map(({ now }) => now.getTime()))
    return read(
      asked.map(({ key }) => key),
      new Date(latest),
    )
  })
  return (key, now) => find({ key, now })
}

/** `read` answers in the order of its keys. */
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
    // What arrived with the same turn of the event loop still comes along.
    setImmediate(readAll)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      start()
    })
}

/** Rows that carry the place of their key, from 1, as values in the order of the keys; null where there is no row. */
export function inOrder<Row extends { place: number }>(rows: readonly Row[], count: number): (Row | null)[] {
  const values: (Row | null)[] = Array.from({ length: count }, () => null)
  for (const row of rows) values[row.place - 1] = row
  return values
}

/**
 * The keys of a statement, an array in `$2`, as rows `asked(key, place)`. That places lie in a range is no news, but it
 * makes PostgreSQL expect few rows: it then looks each up by its index, and plans once instead of at every call.
 */
export const asked = (type: 'uuid' | 'bytea'): string =>
  `(SELECT * FROM unnest($2::${type}[]) WITH ORDINALITY AS asked(key, place) WHERE place BETWEEN 1 AND ${MAX}) asked`
