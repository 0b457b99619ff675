// Logs the steps of the machine's wall clock, and what the database says about them; docs/adr/0048 describes how the server's
// time reacts.
import type { ClockDecision, ClockStep, ClockVerdict } from '../../kernel/clock'
import type { Logger } from './log'

export const clockReports = (log: Logger) => ({
  onStep({ seconds, aheadSeconds, isConsulted }: ClockStep): void {
    const fields = { stepSeconds: Math.round(seconds), aheadSeconds: Math.round(aheadSeconds) }
    if (isConsulted) log.warn(fields, CONSULTED)
    else log.warn(fields, `${aheadSeconds >= 1 ? AHEAD : FOLLOWED} ${ALONE}`)
  },
  onVerdict({ verdict, correctedSeconds, wallAheadSeconds }: ClockVerdict): void {
    const fields = { correctedSeconds: Math.round(correctedSeconds), wallAheadSeconds: Math.round(wallAheadSeconds) }
    log.warn(fields, SENTENCES[verdict])
  },
})

const CONSULTED = "This machine's wall clock was stepped; the database is consulted about the time."
const FOLLOWED = "This machine's wall clock was stepped forward, as after a suspend; the server's time follows it."
const AHEAD =
  "This machine's wall clock was stepped. The server's time never goes back and is ahead until the wall clock has caught up; if the wall clock is right now, restart the server."
const ALONE = 'There is no second source of time: the database is on this machine.'

const SENTENCES: Record<ClockDecision, string> = {
  wall: "The database confirms this machine's wall clock; the server's time follows it.",
  source:
    "This machine's wall clock is wrong. The server keeps to the database's time until the wall clock is right: check NTP, and do not restart the server before.",
  unknown:
    "This machine's clock and the database's contradict each other, so neither can confirm the time: check NTP on both machines.",
}
