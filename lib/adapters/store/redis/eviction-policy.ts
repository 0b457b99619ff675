// Reads the server's eviction policy, for the doctor.
import type { RedisClient } from './client'
import { redisScript } from './script'

/** A user without the right to call INFO gets an empty answer: a failed call would count as Redis being unavailable. */
const MEMORY = redisScript(`
local reply = redis.pcall('INFO', 'memory')
return type(reply) == 'string' and reply or ''
`)

/** Null if the server does not report it. */
export async function evictionPolicyOf(redis: RedisClient): Promise<string | null> {
  const answer = await redis.run(MEMORY, 'latchkey', []).catch(() => '')
  return /^maxmemory_policy:(\S+)/m.exec(String(answer))?.[1] ?? null
}
