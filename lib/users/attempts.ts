// Brute-force protection around every check of a credential (threat-model.md RL1, RL2, RL4).
// - The attempt is counted BEFORE the check, so a parallel burst cannot evaluate more guesses than the limit.
// - Two counters: account + address, and address over all accounts. Accounts that do not exist are counted alike, and an
//   IPv6 address counts as its /64, all of which one party has.
// - A blocked attempt still does the work of a check, which is told not to look: neither the answer nor the time nor
//   anything stored says whether the guess was right.
// - Success forgets the account's failures and gives the address its attempt back. A check that could not be made (the
//   hashing queue was full) was no attempt.
import { addSeconds, type Clock } from '../kernel/clock'
import { networkOf } from '../kernel/network'
import { digest } from '../kernel/secret'
import type { TenantSettings } from '../tenants/settings'

export type AttemptPort = {
  /** Counts one more on each key, in one statement; the counts including this one, in order. */
  reserve(entries: readonly { key: Uint8Array; until: Date }[], now: Date): Promise<number[]>
  clear(key: Uint8Array): Promise<void>
  giveBack(key: Uint8Array): Promise<void>
  /** After a success, in one statement: forgets the account's failures and gives the address one attempt back. */
  settle(account: Uint8Array, address: Uint8Array): Promise<void>
}

export type AttemptSubject = { connectionId: string; identifier: string; ip: string }

export type AttemptVerdict<T> =
  | { verdict: 'passed'; value: T }
  /** `blockedNow`: this failure was the last one allowed. */
  | { verdict: 'failed'; blockedNow: boolean }
  | { verdict: 'blocked' }

export type AttemptGuard = {
  run<T>(subject: AttemptSubject, check: (blocked: boolean) => Promise<T | null>): Promise<AttemptVerdict<T>>
  /** Lifts the block of one account at one address. */
  unblock(subject: AttemptSubject): Promise<void>
}

/** The vendor's: a block ends 30 days after the last failure; the address throttle begins anew each day (UTC). */
const ACCOUNT_SECONDS = 30 * 86400
const DAY_MS = 86_400_000

export function createAttemptGuard(
  port: AttemptPort,
  settings: TenantSettings['attackProtection'],
  clock: Clock,
): AttemptGuard {
  const accountKey = ({ connectionId, identifier, ip }: AttemptSubject) =>
    digest(JSON.stringify(['account', connectionId, identifier, networkOf(ip)]))
  const addressKey = ({ ip }: AttemptSubject, day: number) => digest(JSON.stringify(['address', networkOf(ip), day]))

  const isBlocked = (counts: number[], ip: string): boolean => {
    const [account = 0, address = 0] = counts
    const { bruteForceProtection: brute, suspiciousIpThrottling: throttle } = settings
    return (
      (brute.enabled && account > brute.max_attempts && !brute.allowlist.includes(ip)) ||
      (throttle.enabled && address > throttle.stage['pre-login'].max_attempts && !throttle.allowlist.includes(ip))
    )
  }

  return {
    async run(subject, check) {
      const now = clock.now()
      const day = Math.floor(now.getTime() / DAY_MS)
      const [account, address] = [accountKey(subject), addressKey(subject, day)]
      const entries = [
        { key: account, until: addSeconds(now, ACCOUNT_SECONDS) },
        // One moment for the whole day: the busiest row there is keeps its place in the index of ends.
        { key: address, until: new Date((day + 1) * DAY_MS) },
      ]
      const counts = await port.reserve(entries, now)
      const blocked = isBlocked(counts, subject.ip)
      const value = await check(blocked).catch(async (error: unknown) => {
        await Promise.allSettled(entries.map(({ key }) => port.giveBack(key)))
        throw error
      })
      if (blocked) return { verdict: 'blocked' }
      if (value === null) {
        const { enabled, max_attempts } = settings.bruteForceProtection
        return { verdict: 'failed', blockedNow: enabled && counts[0] === max_attempts }
      }
      await port.settle(account, address)
      return { verdict: 'passed', value }
    },
    unblock: (subject) => port.clear(accountKey(subject)),
  }
}
