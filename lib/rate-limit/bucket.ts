// The contract's rate limit as arithmetic (its "Limits"): a bucket that each request takes one from and that refills
// by its rate per minute. Pure; where buckets live is the limiter's business.
import { addSeconds, epochSeconds, secondsBetween } from '../kernel/clock'

export type Limit = {
  /** Requests that fit at once. */
  burst: number
  /** Requests that come back each minute. */
  per_minute: number
}

export type Bucket = { tokens: number; at: Date }

export type Standing = {
  allowed: boolean
  limit: number
  remaining: number
  /** Epoch seconds at which the bucket is full again. */
  reset: number
}

export function take(bucket: Bucket | undefined, limit: Limit, now: Date): { bucket: Bucket; standing: Standing } {
  const available = bucket ? refill(bucket, limit, now) : limit.burst
  const allowed = available >= 1
  const tokens = allowed ? available - 1 : available
  const secondsToFull = ((limit.burst - tokens) * 60) / limit.per_minute
  return {
    bucket: { tokens, at: now },
    standing: {
      allowed,
      limit: limit.burst,
      remaining: Math.floor(tokens),
      reset: Math.ceil(epochSeconds(addSeconds(now, secondsToFull))),
    },
  }
}

const refill = ({ tokens, at }: Bucket, { burst, per_minute }: Limit, now: Date): number =>
  Math.min(burst, tokens + (Math.max(0, secondsBetween(at, now)) * per_minute) / 60)
