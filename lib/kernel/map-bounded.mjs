// `Promise.all` over a list of any length, with a bound on what runs at once: open files, connections and memory are limited.
// JavaScript, because the launchers run before anything is compiled.

/** The default suits files and queries: a process may be limited to 1,024 open files, and has a few dozen connections. */
const AT_ONCE = 16

/**
 * The results in the order of the items. After a failure no further item is started.
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T, place: number) => Promise<R>} work
 * @param {number} [atOnce]
 * @returns {Promise<R[]>}
 */
export async function mapBounded(items, work, atOnce = AT_ONCE) {
  /** @type {R[]} */
  const results = new Array(items.length)
  let next = 0
  let failed = false
  const takeTurns = async () => {
    while (next < items.length && !failed) {
      const place = next
      next += 1
      try {
        results[place] = await work(/** @type {T} */ (items[place]), place)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns))
  return results
}
