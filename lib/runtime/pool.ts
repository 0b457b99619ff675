// The connections of a process to its PostgreSQL, the same behind both doors, and how long anything may take on one.
// - Nobody waits for ever (threat-model.md RE4): for a connection three seconds; for an answer, four (lib/store/database.ts);
//   the server gives up waiting for a lock before that, and ends what was left behind by a caller who has gone.
// - A database that has no connection left at this moment is asked again within those three seconds: after a burst of
//   cold starts it has some soon (threat-model.md BF15).
// - Behind a pooler in transaction mode (`pooled`) each statement may run on another connection: none is prepared under a
//   name, and nothing is asked of a connection at its start. There the time-outs belong to the role (docs/runbook.md).
import { Client, Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg'
import type { Random } from '../kernel/random'
import { isFull } from '../store/database'

export type PoolOptions = {
  url: string
  max: number
  pooled: boolean
  /** Milliseconds after which a connection that is not used is closed. */
  idleMs?: number
  random: Random
  /** A connection that was lost while nobody used it; the pool replaces it. */
  onLostConnection(error: Error): void
}

/** An address that brings its own `options` keeps them. */
const TIMEOUTS = { lock_timeout: '3s', statement_timeout: '30s', idle_in_transaction_session_timeout: '60s' }

const AT_START = Object.entries(TIMEOUTS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

export function openPool({ url, max, pooled, idleMs = 30_000, random, onLostConnection }: PoolOptions): Pool {
  const pool = new RetryingPool(random, {
    connectionString: url,
    max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: idleMs,
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

/** Longer than it takes to close a connection whose time is over. */
const CLOSING_MS = 100

/** Resolves when no connection is left, or those that are left were used again meanwhile. */
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

/** Before each further attempt; 2.8 seconds at most. */
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

  /** At least half of it: instances that were refused together do not come back together. */
  #scattered(ms: number): number {
    return ms * (1 - this.#random.bytes(1).readUInt8() / 512)
  }
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
