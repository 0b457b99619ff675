// The token bucket of the contract's "Limits": each request takes one token, and tokens come back at a rate per minute. Pure; a
// store keeps the buckets.
// - A bucket without a record is full, so a full bucket need not be stored.
// - A store may take several tokens in one batch: each request has its own standing, one less than the one before.

export type Limit = {
  /** Capacity: the requests that may arrive at once. */
  burst: number
  /** Tokens that come back each minute. */
  per_minute: number
}

/** `at` is in milliseconds, by the clock of the store. */
export type BucketState = { tokens: number; at: number }

/** A bucket after a batch: `count` requests were allowed, `tokens` are left. */
export type Taken = BucketState & { count: number }

export type BucketStanding = {
  allowed: boolean
  limit: number
  remaining: number
  /** Epoch seconds at which the bucket is full again. */
  reset: number
  /** Seconds until one more request is allowed. */
  retryAfter: number
}

const MINUTE_MS = 60_000

/** Tolerance: sums of fractions may end just below a whole number. */
export const HAIR = 1e-6

/** In milliseconds. A bucket that was used further ahead was dated by a clock that was wrong: it refills from now on. */
export const MAX_AHEAD_MS = 60_000

/** A clock that runs backwards adds no tokens, and a bucket whose capacity was reduced holds at most the new capacity. */
export function take(bucket: BucketState | undefined, { burst, per_minute }: Limit, now: number, requested = 1): Taken {
  const refilled = bucket ? bucket.tokens + (Math.max(0, now - bucket.at) * per_minute) / MINUTE_MS : burst
  const available = Math.min(burst, refilled)
  const count = Math.min(requested, Math.floor(available + HAIR))
  const at = bucket && bucket.at <= now + MAX_AHEAD_MS ? Math.max(now, bucket.at) : now
  return { count, tokens: available - count, at }
}

/** The standing of the request at `place` (from 0) in a batch. */
export function standingOf({ count, tokens, at }: Taken, { burst, per_minute }: Limit, place = 0): BucketStanding {
  const allowed = place < count
  const left = allowed ? tokens + count - 1 - place : tokens
  const secondsEach = 60 / per_minute
  return {
    allowed,
    limit: burst,
    remaining: Math.max(0, Math.floor(left + HAIR)),
    reset: Math.ceil(at / 1000 + (burst - left) * secondsEach - HAIR),
    retryAfter: Math.max(1, Math.ceil((1 - left) * secondsEach - HAIR)),
  }
}
