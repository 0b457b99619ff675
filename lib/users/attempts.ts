// Brute-force protection around every check of a credential (threat-model.md RL1, RL2, RL4).
// - The attempt is counted on the account BEFORE the check, so a parallel burst, over however many instances, cannot
//   evaluate more guesses than the limit.
// - Two counters: account + address, and address over all accounts. Accounts that do not exist are counted alike, and an
//   IPv6 address counts as its /64, all of which one party has.
// - The address counts failures, and what this process is checking for it right now. A good login leaves its row alone:
//   everybody behind one address would queue for it. What other instances are checking at that moment is not counted.
// - A blocked attempt still does the work of a check, which is told not to look: neither the answer nor the time nor
//   anything stored says whether the guess was right.
// - Before all this the vendor's limit of attempts for one account at one network counts them, good ones too; one too many
//   is turned away as it came, whatever was sent.
// - Success forgets the account's failures. A check that could not be made (the hashing queue was full) was no attempt.
import { addSeconds, type Clock } from '../kernel/clock'
import type { DomainError } from '../kernel/errors'
import { networkOf } from '../kernel/network'
import { digest } from '../kernel/secret'
import type { Limiter } from '../rate-limit/limiter'
import { accountAt } from '../rate-limit/meter'
import type { TenantSettings } from '../tenants/settings'

type Counter = { key: Uint8Array; until: Date }

export type AttemptPort = {
  /** Counts one more on each key, in one statement; the counts including this one, in order. */
  reserve(entries: readonly Counter[], now: Date): Promise<number[]>
  /** Counts one more on the account and reads the address, in one statement. */
  reserveAt(account: Counter, address: Uint8Array, now: Date): Promise<{ account: number; address: number }>
  clear(key: Uint8Array): Promise<void>
  /** As clear, but what is forgotten may come back should the database crash in that moment. */
  forget(key: Uint8Array): Promise<void>
  giveBack(key: Uint8Array): Promise<void>
  /** What is counted on a key now. */
  count(key: Uint8Array, now: Date): Promise<number>
}

export type AttemptSubject = { connectionId: string; identifier: string; ip: string }

export type AttemptVerdict<T> =
  | { verdict: 'passed'; value: T }
  /** `blockedNow`: this failure was the last one allowed. */
  | { verdict: 'failed'; blockedNow: boolean }
  /** `by` which count; the account's where both have too many. */
  | { verdict: 'blocked'; by: 'account' | 'address' }
  /** Not even counted: too many in a short time, right or wrong. */
  | { verdict: 'hurried'; refusal: DomainError }

export type AttemptGuard = {
  run<T>(subject: AttemptSubject, check: (blocked: boolean) => Promise<T | null>): Promise<AttemptVerdict<T>>
  /** Whether many sign-ins have failed there today, over all accounts; what makes a login risky. */
  isBusy(ip: string): Promise<boolean>
  /** Lifts the block of one account at one address. */
  unblock(subject: AttemptSubject): Promise<void>
}

/** The vendor's: a block ends 30 days after the last failure; the address throttle begins anew each day (UTC). */
const ACCOUNT_SECONDS = 30 * 86400
const DAY_MS = 86_400_000

/** Of one address in a day: more than the people of a household mistype. */
const BUSY_FAILURES = 10

export function createAttemptGuard(
  port: AttemptPort,
  settings: TenantSettings['attackProtection'],
  limiter: Limiter,
  clock: Clock,
): AttemptGuard {
  const underWay = createTally()
  const accountKey = ({ connectionId, identifier, ip }: AttemptSubject) =>
    digest(JSON.stringify(['account', connectionId, identifier, networkOf(ip)]))
  const addressKey = ({ ip }: Pick<AttemptSubject, 'ip'>, day: number) =>
    digest(JSON.stringify(['address', networkOf(ip), day]))

  const blockedBy = (account: number, address: number, ip: string): 'account' | 'address' | null => {
    const { bruteForceProtection: brute, suspiciousIpThrottling: throttle } = settings
    if (brute.enabled && account > brute.max_attempts && !brute.allowlist.includes(ip)) return 'account'
    const { max_attempts } = throttle.stage['pre-login']
    return throttle.enabled && address > max_attempts && !throttle.allowlist.includes(ip) ? 'address' : null
  }

  return {
    async run(subject, check) {
      const refusal = await refusalOf(subject, limiter)
      if (refusal) return { verdict: 'hurried', refusal }
      const now = clock.now()
      const day = Math.floor(now.getTime() / DAY_MS)
      const account = { key: accountKey(subject), until: addSeconds(now, ACCOUNT_SECONDS) }
      const address = { key: addressKey(subject, day), until: new Date((day + 1) * DAY_MS) }
      // Taken before the failures are read, so one that ends in between is counted rather than missed.
      const checking = underWay.add(address.key, 1)
      try {
        const counts = await port.reserveAt(account, address.key, now)
        const by = blockedBy(counts.account, counts.address + checking, subject.ip)
        const value = await check(by !== null).catch(async (error: unknown) => {
          await port.giveBack(account.key)
          throw error
        })
        if (by === null && value !== null) {
          await port.forget(account.key)
          return { verdict: 'passed', value }
        }
        await port.reserve([address], now)
        const { enabled, max_attempts } = settings.bruteForceProtection
        return by !== null
          ? { verdict: 'blocked', by }
          : { verdict: 'failed', blockedNow: enabled && counts.account === max_attempts }
      } finally {
        underWay.add(address.key, -1)
      }
    },
    async isBusy(ip) {
      const now = clock.now()
      return (await port.count(addressKey({ ip }, Math.floor(now.getTime() / DAY_MS)), now)) >= BUSY_FAILURES
    },
    unblock: (subject) => port.clear(accountKey(subject)),
  }
}

async function refusalOf(
  { connectionId, identifier, ip }: AttemptSubject,
  limiter: Limiter,
): Promise<DomainError | undefined> {
  const outcome = limiter.take('login', accountAt(ip, JSON.stringify([connectionId, identifier])))
  return (outcome instanceof Promise ? await outcome : outcome)?.refusal
}

/** Counts by key that forget what is back at zero. */
function createTally(): { add(key: Uint8Array, change: number): number } {
  const counts = new Map<string, number>()
  return {
    add(key, change) {
      const name = Buffer.from(key).toString('base64')
      const count = (counts.get(name) ?? 0) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
      return count
    },
  }
}
