// Retry policy (pure).
// - Exponential backoff from 5 seconds to one hour. Jitter removes up to half of the wait, so that messages that failed together
//   are not retried together. A provider that asks for a longer wait gets it (`Retry-After`), up to an hour.
// - A permanent refusal ends the retries, and so does an age of one day: by then every link and code in the message has expired.
import { addSeconds } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import { retryAfterSeconds } from '../../kernel/retry-after'
import type { DeliveryError } from './message'
import type { DeliverySettlement } from './outbox'

const FIRST_WAIT = 5
const MAX_WAIT = 3600
export const MAX_AGE_SECONDS = 24 * 3600

export function waitBefore(attempt: number, random: Random): number {
  const full = Math.min(FIRST_WAIT * 2 ** (attempt - 1), MAX_WAIT)
  const share = random.bytes(4).readUInt32BE() / 2 ** 32
  return full * (1 - share / 2)
}

export type FailedAttempt = {
  error: DeliveryError
  attempt: number
  createdAt: Date
  now: Date
  /** The age of a message counts up to this moment: an unconfirmed step of the clock gives up nothing. */
  certain: Date
  keepContent: boolean
}

/** The settlement of a message whose attempt number `attempt` (from 1) failed. */
export function afterFailure(
  { error, attempt, createdAt, now, certain, keepContent }: FailedAttempt,
  random: Random,
): DeliverySettlement {
  const wait = Math.max(waitBefore(attempt, random), retryAfterSeconds(error.retryAfter, now))
  const at = addSeconds(now, wait)
  const final = error.permanent || addSeconds(certain, wait) >= addSeconds(createdAt, MAX_AGE_SECONDS)
  return final
    ? { kind: 'failed', at: now, reason: error.message, keepContent }
    : { kind: 'retry', at, reason: error.message }
}
