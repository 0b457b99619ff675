// SQL about stored moments that a clock ahead has dated (docs/adr/0048). They bind no longer than others once time is right.
import { isAhead, MAX_SKEW_SECONDS } from '../../../kernel/clock'

/** A moment of the past that lies further ahead than the clocks of instances differ. */
export const isAheadOf = (now: string, moment: string): string =>
  `${moment}::timestamptz > ${now}::timestamptz + interval '${MAX_SKEW_SECONDS} seconds'`

/**
 * Whether a user was not signed out everywhere after the proof. A sign-out that a clock ahead has dated voids the proofs that the
 * same clock has dated, and not those after it.
 */
export const isProvenSince = (proof: string, now: string): string =>
  `(not_before IS NULL OR not_before <= ${proof} OR (${isAheadOf(now, 'not_before')} AND NOT ${isAheadOf(now, proof)}))`

/** The same of values that were read. */
export const wasProvenSince = (notBefore: Date | null, provenAt: Date, now: Date): boolean =>
  notBefore === null || notBefore <= provenAt || (isAhead(notBefore, now) && !isAhead(provenAt, now))
