// This process as one of several workers (supervisor.ts). Without a parent it is the whole server.
import cluster from 'node:cluster'
import type { OtherMetrics } from '../../adapters/metrics/metrics'
import type { Env } from '../../settings/env'
import { type FromWorker, nextMessage, type ToWorker } from './worker-messages'

/** Long enough for a parent that asks every other worker. */
const COLLECT_MS = 3000

const say = (message: FromWorker): void => {
  // The parent may be gone; then this process ends too.
  if (process.connected) process.send?.(message)
}

/** A parent states the number to its workers. */
export const processesOf = ({ workers }: Pick<Env, 'workers'>): number => (cluster.worker ? Number(workers) : 1)

/** One process of a server prints what concerns the whole server. */
export const isFirstProcess = (): boolean => !cluster.worker || cluster.worker.id === 1

/** Accepts requests now. `retire` is called when another worker has taken this one's place. */
export function joinParent(retire: () => void): void {
  if (!cluster.worker) return
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'retire') retire()
  })
  say({ kind: 'ready' })
}

/** The metrics of the other workers; undefined where this process is the whole server. */
export const otherMetrics: OtherMetrics = (own) => {
  if (!cluster.worker) return undefined
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'read-metrics') void own().then((metrics) => say({ kind: 'metrics', metrics }))
  })
  return async () => {
    const collected = nextMessage<ToWorker, 'collected-metrics'>(
      process,
      'collected-metrics',
      AbortSignal.timeout(COLLECT_MS),
    )
    say({ kind: 'collect-metrics' })
    return (await collected)?.others ?? []
  }
}
