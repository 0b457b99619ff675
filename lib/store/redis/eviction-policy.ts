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
  const answer = await redis.run(MEMORY, 'latchkey', []).catch(() => '')
  return /^maxmemory_policy:(\S+)/m.exec(String(answer))?.[1] ?? null
}
