// How often something may be caused from outside: mails to one address or from one network, sign-ups (threat-model.md
// DB6, RL4). Counted in the database, so it is one count for all processes, and counted whether or not there is an
// account, so it tells nothing. Windows are fixed: they begin anew at every multiple of their length.
import type { Clock } from '../kernel/clock'
import { networkOf } from '../kernel/network'
import { digest } from '../kernel/secret'
import type { AttemptPort } from './attempts'

export type Bound = { name: string; of: readonly string[]; most: number; seconds: number }

export type AllowanceDeps = { attemptCounters: Pick<AttemptPort, 'reserve' | 'giveBack'>; clock: Clock }

/** Counts one more on every bound, in one statement; whether none of them is exceeded by it. */
export async function isAllowed(bounds: readonly Bound[], { attemptCounters, clock }: AllowanceDeps): Promise<boolean> {
  const now = clock.now()
  const counts = await attemptCounters.reserve(
    bounds.map((bound) => entryOf(bound, now)),
    now,
  )
  return bounds.every(({ most }, index) => (counts[index] ?? 0) <= most)
}

/** Takes back what was counted a moment ago: it turned out to be nothing that is counted. */
export async function giveBack(bounds: readonly Bound[], { attemptCounters, clock }: AllowanceDeps): Promise<void> {
  const now = clock.now()
  const keys = bounds.map((bound) => entryOf(bound, now).key).sort(Buffer.compare)
  await attemptCounters.giveBack(keys)
}

function entryOf({ name, of, seconds }: Bound, now: Date): { key: Buffer; until: Date } {
  const window = Math.floor(now.getTime() / (seconds * 1000))
  return { key: digest(JSON.stringify([name, ...of, window])), until: new Date((window + 1) * seconds * 1000) }
}

const HOUR = 3600

/** Of one kind, to one address and from one network: enough for somebody who is impatient, too little for a nuisance. */
export const mailBounds = (kind: string, connectionId: string, address: string, ip: string): Bound[] => [
  { name: 'mail-address', of: [kind, connectionId, address], most: 5, seconds: HOUR },
  { name: 'mail-network', of: [networkOf(ip)], most: 50, seconds: HOUR },
]
