import { DomainError } from './errors'

type Log = Record<'warn' | 'error', (fields: Record<string, unknown>, sentence: string) => void>

/** Failures in a row for which a server that is only busy is no fault. */
const PASSING = 3

/**
 * Reports a failure after which the same is tried again. `inARow`: how often it has failed, this time included. What the server had no time
 * or connection for is a warning, until it goes on.
 */
export function reportRetried(error: unknown, inARow: number, sentence: string, log: Log): void {
  const isBusy = error instanceof DomainError && error.code === 'temporarily_unavailable'
  log[isBusy && inARow < PASSING ? 'warn' : 'error']({ err: error }, sentence)
}
