// The limit of wrong codes of a user's factors, a token bucket (threat-model.md MF5): ten, and one more every six minutes, over
// all logins, tokens, challenges, addresses and pages of the user.
// - An attempt is counted BEFORE the check, so a parallel burst evaluates no more guesses than are left; a correct code is
//   refunded.
// - A blocked attempt is not evaluated, and does not extend the block.
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { digest } from '../../kernel/secret'

export const MAX_FAILURES = 10
export const REFILL_SECONDS = 360

/** A token bucket: `most` tokens, and one more every `seconds`. */
export type FailureLimit = { key: Uint8Array; most: number; seconds: number }

export type BucketPort = {
  /** Takes one token in one statement; false if the bucket is empty. */
  spend(bucket: FailureLimit, now: Date): Promise<boolean>
  refund(bucket: FailureLimit): Promise<void>
}

export type FailureDeps = { buckets: BucketPort; clock: Clock }

/** Runs the check unless too many have failed; `check` returns null for a wrong code. */
export async function withinFailureLimit<T extends object>(
  userId: string,
  check: () => Promise<T | null>,
  { buckets, clock }: FailureDeps,
): Promise<({ outcome: 'passed' } & T) | { outcome: 'wrong' | 'blocked' }> {
  const bucket = { key: digest(JSON.stringify(['mfa', userId])), most: MAX_FAILURES, seconds: REFILL_SECONDS }
  if (!(await buckets.spend(bucket, clock.now()))) return { outcome: 'blocked' }
  const giveBack = () => buckets.refund(bucket)
  const value = await check().catch(async (error: unknown) => {
    await giveBack()
    throw error
  })
  if (value === null) return { outcome: 'wrong' }
  await giveBack()
  return { outcome: 'passed', ...value }
}

export const tooManyWrong = (): DomainError =>
  new DomainError('too_many_attempts', 'Too many wrong codes. Wait for some minutes before you try again.', {
    reason: 'too_many_factor_failures',
    retryAfter: REFILL_SECONDS,
  })
