// Decides whether a slope is a leak, by what one operation leaves behind.
// - Heap: 32 bytes per operation, less than an entry of a map. It is measured after a full collection, so only live references
//   increase it. Resident memory also varies with the allocator: 256 bytes.
// - A slope is a leak if it exceeds this by twice its standard error, so that a single sample does not decide.
// - Database connections at the end: at most the pool and its listener. File descriptors, excluding those connections: at most
//   two more than at the beginning, for temporary ones (the log file, a DNS look-up). Both are measured while idle.
import { slopeOf } from '../lib/least-squares.mjs'

export const BYTES = { heap: 32, rss: 256 }
const SPARE_DESCRIPTORS = 2
/** The default of LATCHKEY_DATABASE_POOL, and the listener for changes. */
const MAX_CONNECTIONS = 11
/** At first caches fill and code is compiled; this is not a leak. */
const WARM_UP_SHARE = 0.2
const HOUR_MS = 3_600_000

const others = ({ descriptors, connections }) => descriptors - connections

export function judge({ samples, operationsPerHour, begin, end, counts }) {
  const steady = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const rows = ['heap', 'rss'].map((name) => {
    const points = steady.map((sample) => ({ x: sample.at / HOUR_MS, y: sample[name] }))
    const { slope, error } = slopeOf(points)
    const allowed = BYTES[name] * operationsPerHour
    return {
      name,
      first: steady[0][name],
      last: steady.at(-1)[name],
      slope,
      error,
      allowed,
      leaks: slope - 2 * error > allowed,
    }
  })
  const broken = [
    ...rows.filter(({ leaks }) => leaks).map(({ name }) => `${name} grows with every operation`),
    ...(others(end) > others(begin) + SPARE_DESCRIPTORS ? ['file descriptors are not given back'] : []),
    ...(end.connections > MAX_CONNECTIONS ? ['database connections are not given back'] : []),
    ...(counts.failed.length > 0 ? [`${counts.failed.length} operations failed: ${counts.failed[0]}`] : []),
    ...(counts.skipped > 0
      ? [`${counts.skipped} operations could not be started: half of the capacity was too much`]
      : []),
  ]
  return { rows, broken }
}
