// Reads the gauges of /metrics in this process. Loaded, with all counters, only where an operator enabled metrics.
import type { Pool } from 'pg'
import type { Metrics, OtherMetrics } from '../../adapters/metrics/metrics'
import { cacheReads } from '../../adapters/store/cache'
import type { RedisClient } from '../../adapters/store/redis/client'
import { readOutbox } from '../../adapters/store/sql/waiting-messages'
import type { Clock } from '../../kernel/clock'
import type { Load } from '../../kernel/work-queue'
import { GRANT_NAMES } from '../../protocols/oauth/grants/index'
import type { Env } from '../../settings/env'

type Deps = {
  pool: Pool
  passwords: { load(): Load }
  clock: Clock
  redis: RedisClient | undefined
  others?: OtherMetrics | undefined
}

export async function openMetrics(
  env: Env,
  { pool, passwords, clock, redis, others }: Deps,
): Promise<Metrics | undefined> {
  if (env.operatorToken === undefined) return undefined
  const { createMetrics } = await import('../../adapters/metrics/metrics')
  return createMetrics(env.operatorToken, {
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    hashing: () => passwords.load(),
    caches: () => cacheReads,
    outbox: () => readOutbox(pool, clock),
    redis: () => redis?.state(),
    grants: GRANT_NAMES,
    ...(others && { others }),
  })
}
