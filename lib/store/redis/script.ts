// A script that Redis runs, and what it is known by there. Apart from the client, which loads the driver.
import { createHash } from 'node:crypto'

export type RedisScript = { text: string; digest: string }

export const redisScript = (text: string): RedisScript => ({
  text,
  digest: createHash('sha1').update(text).digest('hex'),
})
