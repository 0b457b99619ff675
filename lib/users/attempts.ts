// Brute-force protection around every check of a credential (threat-model.md RL1, RL2, RL4).
// - The attempt is counted on the account BEFORE the check, by the statement that finds the account, so a parallel burst,
//   over however many instances, cannot evaluate more guesses than the limit.
// - Two counters: account + address, and address over all accounts. Accounts that do not exist are counted alike, and an
//   IPv6 address counts as its /64, all of which one party has.
// - The address counts failures, and what this process is checking for it right now. A good login leaves its row alone:
//   everybody behind one address would queue for it. What other instances are checking at that moment is not counted.
// - A blocked attempt still does the work of a check, which is told not to look: neither the answer nor the time nor
//   anything stored says whether the guess was right.
// - Before all this the vendor's limit of attempts for one account at one network counts them, good ones too; one too many
//   is turned away as it came, whatever was sent. Who is found by another name than their address takes one from that, too.
// - Success forgets the account's failures: whoever asked does, with what comes next or by `forget`. A check that could not
//   be made (the hashing queue was full) was no attempt.
import { addSeconds, type Clock } from '../kernel/clock'
import type { DomainError } from '../kernel/errors'
import { networkOf } from '../kernel/network'
import { digest } from '../kernel/secret'
import type { Limiter } from '../rate-limit/limiter'
import { accountAt } from '../rate-limit/meter'
import type { TenantSettings } from '../tenants/settings'
import type { Account } from './user'

type Counter = { key: Uint8Array; until: Date }

/** What somebody typed to be found by at a database connection, in its canonical form. */
type Typed = { connectionId: string; name: string }

/** Its counter's key is the digest of `around` with the guessed account between, as JSON (`guessedOf`; else the name). */
export type CountedGuess = Typed & { around: readonly [string, string]; until: Date }

export type AttemptPort = {
  /** Counts one more on each key, in one statement; the counts including this one, in order. */
  reserve(entries: readonly Counter[], now: Date): Promise<number[]>
  /** In one statement: finds whose name that is, counts one more guess of theirs, and reads what the address has. */
  countGuess(
    guess: CountedGuess,
    address: Uint8Array,
    now: Date,
  ): Promise<{ account: Account | null; key: Uint8Array; guesses: number; failures: number }>
  clear(key: Uint8Array): Promise<void>
  /** As clear, but what is forgotten may come back should the database crash in that moment. */
  forget(key: Uint8Array): Promise<void>
  giveBack(key: Uint8Array): Promise<void>
  /** What is counted on a key now. */
  count(key: Uint8Array, now: Date): Promise<number>
}

/** One account at one network; `identifier` as `guessedOf` has it. */
export type AttemptSubject = { connectionId: string; identifier: string; ip: string }

export type Guess = Typed & { ip: string }

export type AttemptVerdict<T> =
  /** `failures` is where they are counted; the caller has them forgotten. */
  | { verdict: 'passed'; value: T; failures: Uint8Array }
  /** `blockedNow`: this failure was the last one allowed. */
  | { verdict: 'failed'; account: Account | null; blockedNow: boolean }
  /** `by` which count; the account's where both have too many. */
  | { verdict: 'blocked'; account: Account | null; by: 'account' | 'address' }
  /** Not even counted: too many in a short time, right or wrong. */
  | { verdict: 'hurried'; refusal: DomainError }

export type AttemptGuard = {
  run<T>(
    guess: Guess,
    check: (found: Account | null, blocked: boolean) => Promise<T | null>,
  ): Promise<AttemptVerdict<T>>
  /** After a good one. */
  forget(failures: Uint8Array): Promise<void>
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
  const addressKey = ({ ip }: Pick<AttemptSubject, 'ip'>, day: number) =>
    digest(JSON.stringify(['address', networkOf(ip), day]))

  const blockedBy = (account: number, address: number, ip: string): 'account' | 'address' | null => {
    const { bruteForceProtection: brute, suspiciousIpThrottling: throttle } = settings
    if (brute.enabled && account > brute.max_attempts && !brute.allowlist.includes(ip)) return 'account'
    const { max_attempts } = throttle.stage['pre-login']
    return throttle.enabled && address > max_attempts && !throttle.allowlist.includes(ip) ? 'address' : null
  }

  return {
    async run({ ip, ...typed }, check) {
      const refusal = await refusalOf(typed, ip, limiter)
      if (refusal) return { verdict: 'hurried', refusal }
      const now = clock.now()
      const day = Math.floor(now.getTime() / DAY_MS)
      const address = { key: addressKey({ ip }, day), until: new Date((day + 1) * DAY_MS) }
      // Taken before the failures are read, so one that ends in between is counted rather than missed.
      const checking = underWay.add(address.key, 1)
      try {
        const guess = { around: around(typed.connectionId, ip), until: addSeconds(now, ACCOUNT_SECONDS), ...typed }
        const { account, key, guesses, failures } = await port.countGuess(guess, address.key, now)
        const again = await refusalOfOther(typed, account, ip, limiter)
        if (again) {
          await port.giveBack(key)
          return { verdict: 'hurried', refusal: again }
        }
        const by = blockedBy(guesses, failures + checking, ip)
        const value = await check(account, by !== null).catch(async (error: unknown) => {
          await port.giveBack(key)
          throw error
        })
        if (by === null && value !== null) return { verdict: 'passed', value, failures: key }
        await port.reserve([address], now)
        const { enabled, max_attempts } = settings.bruteForceProtection
        return by !== null
          ? { verdict: 'blocked', account, by }
          : { verdict: 'failed', account, blockedNow: enabled && guesses === max_attempts }
      } finally {
        underWay.add(address.key, -1)
      }
    },
    forget: (failures) => port.forget(failures),
    async isBusy(ip) {
      const now = clock.now()
      return (await port.count(addressKey({ ip }, Math.floor(now.getTime() / DAY_MS)), now)) >= BUSY_FAILURES
    },
    unblock({ connectionId, identifier, ip }) {
      const [before, after] = around(connectionId, ip)
      return port.clear(digest(before + JSON.stringify(identifier) + after))
    },
  }
}

const around = (connectionId: string, ip: string): [string, string] => [
  `["account",${JSON.stringify(connectionId)},`,
  `,${JSON.stringify(networkOf(ip))}]`,
]

async function refusalOf(
  { connectionId, name }: Typed,
  ip: string,
  limiter: Limiter,
): Promise<DomainError | undefined> {
  const outcome = limiter.take('login', accountAt(ip, JSON.stringify([connectionId, name])))
  return (outcome instanceof Promise ? await outcome : outcome)?.refusal
}

/** A second name is no second pace: whoever has an address is paced by it, whatever was typed. */
async function refusalOfOther(
  { connectionId, name }: Typed,
  account: Account | null,
  ip: string,
  limiter: Limiter,
): Promise<DomainError | undefined> {
  const email = account?.email ?? name
  return email === name ? undefined : refusalOf({ connectionId, name: email }, ip, limiter)
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
