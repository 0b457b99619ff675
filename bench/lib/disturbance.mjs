// The share of the machine's CPU that other processes used during the measurement. Shared caches and cores increase CPU time
// per operation, so the report shows it. The ratio is less affected, because the servers alternate.
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { machineMicroseconds, treeMicroseconds } from './proc.mjs'

/** Starts the observation; the returned function gives the share (0 to 1) that other processes have used since. */
export function watchOthers(postmaster) {
  const others = () => machineMicroseconds() - treeMicroseconds(process.pid, postmaster)
  const [used, started] = [others(), performance.now()]
  return () => Math.max(0, (others() - used) / ((performance.now() - started) * 1000 * cpus().length))
}
