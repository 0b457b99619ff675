// Traces of this process, loaded only where an operator configured a collector.
import type { Pool } from 'pg'
import type { Tracing } from '../../adapters/tracing/tracing'
import type { Env } from '../../settings/env'

export async function openTraces(env: Env, pool: Pool): Promise<Tracing | undefined> {
  if (env.tracing === undefined) return undefined
  const { openTracing } = await import('../../adapters/tracing/tracing')
  const tracing = openTracing(env.tracing)
  pool.on('acquire', (connection) => tracing.watch(connection))
  return tracing
}
