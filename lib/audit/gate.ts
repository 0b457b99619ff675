// Once a minute for each key: what a flood causes by itself must not flood the log (threat-model.md AU4). Beyond so many keys
// in one minute, nothing more is let through.
import type { Clock } from '../kernel/clock'

export type Gate = (key: string) => boolean

const MOST_KEYS = 10_000

export function createGate(clock: Clock): Gate {
  let minute = 0
  let seen = new Set<string>()
  return (key) => {
    const now = Math.floor(clock.now().getTime() / 60_000)
    if (now !== minute) {
      minute = now
      seen = new Set()
    }
    if (seen.has(key) || seen.size >= MOST_KEYS) return false
    seen.add(key)
    return true
  }
}
