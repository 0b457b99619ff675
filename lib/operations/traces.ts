// Traces of this process, loaded only where an operator configured a collector.
import type { Pool } from 'pg'
import type { Env } from '../settings/env'
import type { Tracing } from '../tracing/tracing'

export async function openTraces(env: Env, pool: Pool): Promise<Tracing | undefined> {
  if (env.tracing === undefined) return undefined
  const { openTracing } = await import('../tracing/tracing')
  const tracing = openTracing(env.tracing)
  pool.on('acquire', (connection) => tracing.watch(connection))
  return tracing
}
