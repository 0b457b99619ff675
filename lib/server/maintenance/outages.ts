// Logs the causes of 503 responses: once a minute for each cause, however many requests fail.
import { createOncePerMinute } from '../../data/audit/once-per-minute'
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import type { Logger } from './log'

export type Outages = {
  /** `error` is the error of the request; `fields` describe the first request that failed. */
  report(error: unknown, fields: Record<string, unknown>): void
}

type OutageDeps = {
  clock: Clock
  log: Logger
  /** `error` where the cause may be a fault of this server. */
  level?: 'warn' | 'error'
}

export function createOutages({ clock, log, level = 'warn' }: OutageDeps): Outages {
  const oncePerMinute = createOncePerMinute(clock)
  return {
    report(error, fields) {
      const cause = causeOf(error)
      if (oncePerMinute(nameOf(cause))) log[level]({ ...fields, err: cause }, SENTENCE)
    },
  }
}

const SENTENCE = 'Requests are answered 503; this cause is not logged again for a minute.'

/** The root cause of an error; for several failed addresses, the first. */
function causeOf(error: unknown): unknown {
  if (error instanceof DomainError) return error.cause === undefined ? error : causeOf(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0]
  return error
}

const nameOf = (cause: unknown): string =>
  cause instanceof Error ? `${'code' in cause ? cause.code : cause.name} ${cause.message}` : String(cause)
