// Redis is optional, and may be unavailable at any time, also now (threat-model.md RE8).
import type { RedisClient } from '../../adapters/store/redis/client'
import type { Env } from '../../settings/env'
import { parseRedisUrl } from '../../settings/redis-address'
import type { Logger } from '../maintenance/log'

/** The client, connected or after `patienceMs`; undefined without Redis. */
export async function openRedis(
  { redisUrl }: Pick<Env, 'redisUrl'>,
  log: Pick<Logger, 'info' | 'warn'>,
  patienceMs: number,
): Promise<RedisClient | undefined> {
  const address = redisUrl === undefined ? null : parseRedisUrl(redisUrl)
  if (!address) return undefined
  const redis = (await import('../../adapters/store/redis/client')).openRedis(address, { log })
  await redis.settled(patienceMs)
  return redis
}
