// Rate limit of log events: one per key and minute, so that a flood of requests does not flood the log (threat-model.md AU4). The number of keys per
// minute is bounded; beyond it nothing is logged.
import type { Clock } from '../../kernel/clock'

export type OncePerMinute = (key: string) => boolean

const MAX_KEYS = 10_000

export function createOncePerMinute(clock: Clock): OncePerMinute {
  let minute = 0
  let seen = new Set<string>()
  return (key) => {
    const now = Math.floor(clock.now().getTime() / 60_000)
    if (now !== minute) {
      minute = now
      seen = new Set()
    }
    if (seen.has(key) || seen.size >= MAX_KEYS) return false
    seen.add(key)
    return true
  }
}
