// The contract's rate limit as arithmetic (its "Limits"): a bucket that each request takes one from and that refills
// by its rate per minute. Pure; where buckets live is their store's business.
// - A bucket that nobody kept is a full one, so a full one need not be kept.
// - Several may be taken at once (a store may gather): each has a standing of its own, one less than the one before.

export type Limit = {
  /** Requests that fit at once. */
  burst: number
  /** Requests that come back each minute. */
  per_minute: number
}

/** `at` in milliseconds, of the clock of whoever keeps it. */
export type Bucket = { tokens: number; at: number }

/** What became of a bucket when some were asked for: how many there were, and what is left. */
export type Taken = Bucket & { count: number }

export type Standing = {
  allowed: boolean
  limit: number
  remaining: number
  /** Epoch seconds at which the bucket is full again. */
  reset: number
  /** Seconds after which one more will be allowed. */
  retryAfter: number
}

const MINUTE_MS = 60_000

/** Sums of fractions may end a hair below a whole number. */
export const HAIR = 1e-6

/** A clock that runs backwards gains nothing, and a bucket that became smaller holds no more than it can. */
export function take(bucket: Bucket | undefined, { burst, per_minute }: Limit, now: number, asked = 1): Taken {
  const refilled = bucket ? bucket.tokens + (Math.max(0, now - bucket.at) * per_minute) / MINUTE_MS : burst
  const available = Math.min(burst, refilled)
  const count = Math.min(asked, Math.floor(available + HAIR))
  return { count, tokens: available - count, at: Math.max(now, bucket?.at ?? now) }
}

/** The standing of the request at `place`, from 0, among those that were asked for together. */
export function standingOf({ count, tokens, at }: Taken, { burst, per_minute }: Limit, place = 0): Standing {
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
