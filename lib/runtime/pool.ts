// The connections of a process to its PostgreSQL, the same behind both doors, and how long anything may take on one.
// - Nobody waits for ever (threat-model.md RE4): for a connection three seconds; for an answer, four (lib/store/database.ts);
//   the server gives up waiting for a lock before that, and ends what was left behind by a caller who has gone.
// - Behind a pooler in transaction mode (`pooled`) each statement may run on another connection: none is prepared under a
//   name, and nothing is asked of a connection at its start. There the time-outs belong to the role (docs/runbook.md).
import { Client, Pool, type QueryConfig } from 'pg'

export type PoolOptions = {
  url: string
  max: number
  pooled: boolean
  /** A connection that was lost while nobody used it; the pool replaces it. */
  onLostConnection(error: Error): void
}

/** An address that brings its own `options` keeps them. */
const TIMEOUTS = { lock_timeout: '3s', statement_timeout: '30s', idle_in_transaction_session_timeout: '60s' }

const AT_START = Object.entries(TIMEOUTS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

export function openPool({ url, max, pooled, onLostConnection }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    application_name: 'latchkey',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(pooled ? { Client: NamelessClient } : { options: AT_START }),
  })
  pool.on('error', onLostConnection)
  // The pool listens to idle connections alone. Of one that is lost in use its statement tells, or the next that is sent
  // on it; it must not end the process (threat-model.md RE4).
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

class NamelessClient extends Client {}

/**
 * Every form in which a statement is asked for, without the name that it would be prepared under. One of ours
 * (lib/store/prepared.ts) becomes one of pg's own by that.
 */
NamelessClient.prototype.query = function query(this: Client, first: unknown, ...rest: unknown[]) {
  const nameless = isNamed(first) ? { ...first, name: undefined } : first
  return Reflect.apply(Client.prototype.query, this, [nameless, ...rest])
} as typeof Client.prototype.query

const isNamed = (asked: unknown): asked is QueryConfig =>
  typeof asked === 'object' && asked !== null && 'name' in asked && typeof asked.name === 'string'
