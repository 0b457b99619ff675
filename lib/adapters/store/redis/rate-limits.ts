// Token buckets in Redis or Valkey: one atomic script call each, by the server's own clock, so the clocks of instances need not
// agree. A full bucket expires by itself. The arithmetic is the same as in lib/data/rate-limit/bucket.ts; a test compares the two.
import { HAIR, MAX_AHEAD_MS, standingOf } from '../../../data/rate-limit/bucket'
import type { BucketStore } from '../../../data/rate-limit/store'
import type { RedisClient } from './client'
import { redisScript } from './script'

/** Numbers are returned as text: Redis truncates fractions of returned numbers. */
const TAKE = redisScript(`
local burst, per_minute = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local available, at = burst, now
if kept[1] then
  local since = tonumber(kept[2])
  if since > now + ${MAX_AHEAD_MS} then since = now end
  at = math.max(now, since)
  available = math.min(burst, tonumber(kept[1]) + (at - since) * per_minute / 60000)
end
local count = 0
if available + ${HAIR} >= 1 then count = 1 end
local tokens = available - count
local tokens_text, at_text = string.format('%.17g', tokens), string.format('%.3f', at)
redis.call('HSET', KEYS[1], 'tokens', tokens_text, 'at', at_text)
redis.call('PEXPIRE', KEYS[1], math.min(31536000000, math.ceil((burst - tokens) * 60000 / per_minute) + 1000))
return {count, tokens_text, at_text}
`)

/** `nameOf` derives an opaque key that is unique to this installation. */
export const redisBuckets = (redis: RedisClient, nameOf: (key: string) => Buffer): BucketStore => ({
  async take(key, limit) {
    const name = `latchkey:limit:${nameOf(key).toString('base64url')}`
    const [count, tokens, at] = (await redis.run(TAKE, name, [limit.burst, limit.per_minute])) as [
      number,
      string,
      string,
    ]
    return standingOf({ count, tokens: Number(tokens), at: Number(at) }, limit)
  },
})
