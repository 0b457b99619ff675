// What a worker and its parent say to each other over the channel of Node's cluster.
import type { EventEmitter } from 'node:events'
import type { ProcessMetrics } from '../../adapters/metrics/metrics'

export type ToWorker =
  | { kind: 'retire' }
  /** Answered by `metrics`. */
  | { kind: 'read-metrics' }
  /** The answer to `collect-metrics`: of every other worker. */
  | { kind: 'collected-metrics'; others: ProcessMetrics[] }

export type FromWorker =
  /** The worker accepts requests. */
  { kind: 'ready' } | { kind: 'metrics'; metrics: ProcessMetrics } | { kind: 'collect-metrics' }

/** The next message of the kind; null when the signal aborts first. */
export function nextMessage<M extends ToWorker | FromWorker, K extends M['kind']>(
  source: EventEmitter,
  kind: K,
  signal: AbortSignal,
): Promise<Extract<M, { kind: K }> | null> {
  return new Promise((resolve) => {
    const done = (message: Extract<M, { kind: K }> | null): void => {
      source.off('message', listen)
      signal.removeEventListener('abort', give)
      resolve(message)
    }
    const listen = (message: M): void => {
      if (message.kind === kind) done(message as Extract<M, { kind: K }>)
    }
    const give = (): void => done(null)
    source.on('message', listen)
    signal.addEventListener('abort', give)
    if (signal.aborted) give()
  })
}
