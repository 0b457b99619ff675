// The connections of a process to its PostgreSQL, the same behind both doors.
import { Pool } from 'pg'

export type PoolOptions = {
  url: string
  max: number
  /** A connection that was lost while nobody used it; the pool replaces it. */
  onLostConnection(error: Error): void
}

export function openPool({ url, max, onLostConnection }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'latchkey',
    keepAlive: true,
  })
  pool.on('error', onLostConnection)
  return pool
}
