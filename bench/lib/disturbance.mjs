// How much of the machine went to somebody else while measuring. CPU per operation grows when caches and cores are
// shared, so a reader must know; the ratio suffers less, because both sides are hit in turn.
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { machineMicroseconds, treeMicroseconds } from './proc.mjs'

/** Starts watching; what it returns tells the share of the machine (0 to 1) that others used since. */
export function watchOthers(postmaster) {
  const others = () => machineMicroseconds() - treeMicroseconds(process.pid, postmaster)
  const [used, started] = [others(), performance.now()]
  return () => Math.max(0, (others() - used) / ((performance.now() - started) * 1000 * cpus().length))
}
