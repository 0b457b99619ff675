// Logs a step of the machine's wall clock; docs/adr/0026 describes how the server's time reacts.
import type { ClockStep } from '../kernel/clock'
import type { Logger } from './log'

export const reportClockStep =
  (log: Logger) =>
  ({ seconds, aheadSeconds }: ClockStep): void => {
    const fields = { stepSeconds: Math.round(seconds), aheadSeconds: Math.round(aheadSeconds) }
    log.warn(fields, aheadSeconds >= 1 ? AHEAD : FOLLOWED)
  }

const FOLLOWED = "This machine's wall clock was stepped forward, as after a suspend; the server's time follows it."
const AHEAD =
  "This machine's wall clock was stepped. The server's time never goes back and is ahead until the wall clock has caught up; if the wall clock is right now, restart the server."
