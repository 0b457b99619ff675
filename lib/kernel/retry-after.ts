// How long a server asks to wait before the next attempt: `Retry-After` (RFC 9110 10.2.3), as seconds or as a date.
import { secondsBetween } from './clock'

/** Longer waits count as this one. */
const MAX_SECONDS = 3600

/** RFC 9110 5.6.7; the form that servers must send, and those that recipients must accept. */
const DATE = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/

/** Zero where nothing readable is asked for, or a time that is past. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : DATE.test(text) ? secondsBetween(now, new Date(text)) : 0
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_SECONDS)
}
