// What the server forgets when it is full, for the doctor.
import type { RedisClient } from './client'
import { redisScript } from './script'

/** A user who may not ask is told nothing, rather than failing: a call that fails counts as Redis being away. */
const MEMORY = redisScript(`
local told = redis.pcall('INFO', 'memory')
return type(told) == 'string' and told or ''
`)

/** Null where it does not say. */
export async function evictionPolicyOf(redis: RedisClient): Promise<string | null> {
  const told = await redis.run(MEMORY, 'latchkey', []).catch(() => '')
  return /^maxmemory_policy:(\S+)/m.exec(String(told))?.[1] ?? null
}
