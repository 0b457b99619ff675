// When is it a leak? Judged by what one operation leaves behind, since that is what leaks do.
// - Heap: 32 bytes an operation, below which not even an entry of a map fits. It is what is left after a full collection, so
//   nothing else than references that somebody still holds makes it grow. Resident memory moves with the allocator, too: 256.
// - The slope counts as a leak when it is above that by twice its standard error: one sample more or less must not decide.
// - Connections to the database: at the end no more than a pool and its listener may have. File descriptors, those connections not
//   counted: no more than at the beginning, but for two that come and go (a look at a log file, a lookup). Both at rest.
import { slopeOf } from '../lib/least-squares.mjs'

export const BYTES = { heap: 32, rss: 256 }
const SPARE_DESCRIPTORS = 2
/** LATCHKEY_DATABASE_POOL unless set, and the one that hears of changes. */
const MAX_CONNECTIONS = 11
/** Caches fill and code is compiled at first: that is no leak, and it ends. */
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
      ? [`${counts.skipped} operations could not be begun: half of the capacity was too much`]
      : []),
  ]
  return { rows, broken }
}
