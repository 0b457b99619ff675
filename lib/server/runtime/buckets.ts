// Chooses where limits are counted (docs/adr/0023): in Redis, else in PostgreSQL, else in this process. The embedded database
// belongs to one process, which counts in memory.
import type { Pool } from 'pg'
import type { RedisClient } from '../../adapters/store/redis/client'
import { redisBuckets } from '../../adapters/store/redis/rate-limits'
import { databaseBuckets } from '../../adapters/store/sql/rate-limits'
import { circuitBreaker, orElse } from '../../data/rate-limit/fallback'
import { processBuckets } from '../../data/rate-limit/in-process'
import type { Stores } from '../../data/rate-limit/limiter'
import type { BucketStore } from '../../data/rate-limit/store'
import type { Clock } from '../../kernel/clock'
import type { Vault } from '../../kernel/secret'
import type { Logger } from '../maintenance/log'

type Parts = {
  redis: RedisClient | undefined
  /** Undefined with the embedded database, which belongs to this process. */
  pool: Pool | undefined
  vault: Vault
  clock: Clock
  log: Logger
  /** How long a request waits for PostgreSQL's count, if not for the default time. */
  patienceMs?: number
}

/** Bucket names are keyed hashes, so they do not reveal what is counted. 128 bits make them unique. */
const NAME_BYTES = 16

export function openBuckets({ redis, pool, vault, clock, log, patienceMs }: Parts): Stores {
  const nameOf = (key: string): Buffer => vault.mac('rate-limit', key).subarray(0, NAME_BYTES)
  const own = processBuckets(clock)
  const onChange = (state: 'up' | 'down', err?: unknown): void => {
    if (state === 'up') log.info({}, 'Limits are counted in PostgreSQL again.')
    else log.warn({ err }, 'Limits cannot be counted in PostgreSQL; until they can, each process counts separately.')
  }
  const without: BucketStore = pool
    ? orElse(circuitBreaker(databaseBuckets(pool, nameOf), { clock, onChange, patienceMs }), own)
    : own
  return { own, shared: redis ? orElse(redisBuckets(redis, nameOf), without) : without }
}
