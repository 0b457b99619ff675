// Once a minute for each key: what a flood causes by itself must not flood the log (threat-model.md AU4). Beyond so many keys
// in one minute, nothing more is let through.
import type { Clock } from '../kernel/clock'

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
