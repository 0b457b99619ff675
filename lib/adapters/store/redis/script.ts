// A Lua script and its SHA-1 digest. Separate from the client, which loads the driver.
import { createHash } from 'node:crypto'

export type RedisScript = { text: string; digest: string }

export const redisScript = (text: string): RedisScript => ({
  text,
  digest: createHash('sha1').update(text).digest('hex'),
})
