// The PostgreSQL connection pool of a process, the same for both adapters, with its time-outs.
// - Every wait is bounded (threat-model.md RE4): three seconds for a connection, four for a result (lib/adapters/store/database.ts). The
//   server gives up waiting for a lock earlier, and ends the sessions of callers that have gone.
// - A database without a free connection is tried again within those three seconds: after a burst of cold starts connections
//   become free soon (threat-model.md BF15).
// - Behind a pooler in transaction mode (`pooled`) each statement may run on another connection, so no statement is prepared
//   under a name, and no session parameters are set. There the time-outs belong to the role (docs/runbook.md).
import { Client, Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg'
import { isFull } from '../../adapters/store/database'
import type { Random } from '../../kernel/random'
import { sessionOf } from '../../settings/database-address'

export type PoolOptions = {
  url: string
  max: number
  pooled: boolean
  /** Milliseconds after which an idle connection is closed. */
  idleMs?: number
  random: Random
  /** Called when an idle connection is lost; the pool replaces it. */
  onLostConnection(error: Error): void
}

const TIMEOUTS = { lock_timeout: '3s', statement_timeout: '30s', idle_in_transaction_session_timeout: '60s' }

const AT_START = Object.entries(TIMEOUTS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

export function openPool({ url, max, pooled, idleMs = 30_000, random, onLostConnection }: PoolOptions): Pool {
  const { address, options } = pooled ? { address: url, options: undefined } : sessionOf(url, AT_START)
  const pool = new RetryingPool(random, {
    connectionString: address,
    max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: idleMs,
    application_name: 'latchkey',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(pooled ? { Client: NamelessClient } : { options }),
  })
  pool.on('error', onLostConnection)
  // The pool handles errors of idle connections only. When a connection in use is lost, its current or next statement fails;
  // without this listener the error event would end the process (threat-model.md RE4).
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Longer than the pool needs to close an expired connection. */
const CLOSING_MS = 100

/** Resolves when no connection is left, or after the idle time where connections were used again. */
export const idleConnectionsClosed = (pool: Pool): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      pool.off('remove', look)
      resolve()
    }
    const look = (): void => {
      if (pool.totalCount === 0) finish()
    }
    const timer = setTimeout(finish, (pool.options.idleTimeoutMillis ?? 0) + CLOSING_MS)
    pool.on('remove', look)
    look()
  })

/** Pauses before each retry; 2.8 seconds in total at most. */
const PAUSES_MS = [100, 200, 400, 700, 700, 700]

type Connected = Parameters<Pool['connect']>[0]

class RetryingPool extends Pool {
  readonly #random: Random

  constructor(random: Random, options: PoolConfig) {
    super(options)
    this.#random = random
  }

  override connect(): Promise<PoolClient>
  override connect(done: Connected): void
  override connect(done?: Connected): Promise<PoolClient> | undefined {
    if (done) return void this.#attempt(done, 0)
    return new Promise((resolve, reject) => {
      this.#attempt((error, client) => (client ? resolve(client) : reject(error)), 0)
    })
  }

  #attempt(done: Connected, failed: number): void {
    super.connect((error, client, release) => {
      const pause = PAUSES_MS[failed]
      if (pause === undefined || !isFull(error)) return done(error, client, release)
      setTimeout(() => this.#attempt(done, failed + 1), this.#scattered(pause))
    })
  }

  /** Jitter between half the pause and the whole pause, so that instances that were refused together do not retry together. */
  #scattered(ms: number): number {
    return ms * (1 - this.#random.bytes(1).readUInt8() / 512)
  }
}

class NamelessClient extends Client {}

/**
 * Removes the name from a query in any of its forms. A query object of this server (lib/adapters/store/prepared.ts) thereby becomes a
 * plain pg query.
 */
NamelessClient.prototype.query = function query(this: Client, first: unknown, ...rest: unknown[]) {
  const nameless = isNamed(first) ? { ...first, name: undefined } : first
  return Reflect.apply(Client.prototype.query, this, [nameless, ...rest])
} as typeof Client.prototype.query

const isNamed = (query: unknown): query is QueryConfig =>
  typeof query === 'object' && query !== null && 'name' in query && typeof query.name === 'string'
