// The budget of password guesses (threat-model.md RL1, RL2, RL4, BF6, BF7).
// - A guess is counted on the account BEFORE the check, by the statement that finds the account, so a parallel burst,
//   over however many instances, cannot evaluate more guesses than the limit.
// - Three counters: account and network; account over all networks; network over all accounts. Accounts that do not exist
//   are counted alike. An IPv6 address counts as its /64, and over all accounts as its /56 and /48 too.
// - The ceiling of an account over all networks slows guesses down before it blocks them. It counts what comes from
//   networks and browsers that never signed in to the account: strangers cannot use up what its owner has, a network or
//   browser that signed in lately has a count of its own. Guesses that are not looked at are not counted there.
// - The network's count over all accounts counts failures, and what this process is checking for it right now. A good
//   login leaves its row alone: everybody behind one address would queue for it. What other instances are checking at that
//   moment is not counted.
// - A blocked attempt still does the work of a check, which is told not to look: neither the answer nor the time nor
//   anything stored says whether the guess was right.
// - Before all this the limit of attempts for one account at one network counts them, good ones too; one too many is
//   turned away as it came, whatever was sent. An alternate name of the account takes one from that, too.
// - Success forgets the account's failures at that network, makes the network known and refunds the ceiling this guess
//   alone: the caller settles it, with what comes next or by `settle`. A check that could not be made was no attempt.
import { addSeconds, type Clock, epochSeconds } from '../kernel/clock'
import { DomainError } from '../kernel/errors'
import { NETWORK_SHARES, networkOf, networksOf } from '../kernel/network'
import { digest } from '../kernel/secret'
import type { Limiter } from '../rate-limit/limiter'
import { accountAt } from '../rate-limit/meter'
import type { TenantSettings } from '../tenants/settings'
import type { Familiarity, RecognizedBrowser } from './recognized-browser'
import type { Account } from './user'

type Counter = { key: Uint8Array; until: Date }

/** What somebody typed to be found by at a database connection, in its canonical form. */
type Typed = { connectionId: string; name: string }

/** A key is the digest of this with the guessed account between, as JSON (`guessedOf`; else the name). */
export type Around = readonly [before: string, after: string]

export type CountedGuess = Typed & {
  /** The counter of the account at the network. */
  network: Around
  /** The counter of a guess from where the account never signed in. */
  stranger: Around
  /** The counter of the account over all networks. */
  ceiling: Around
  browsers: readonly RecognizedBrowser[]
  /** How many guesses are looked at on a counter; null where nothing is limited. */
  most: number | null
  until: Date
}

/** What one good guess does, in one statement. Keys are locked in the order in which a guess locks them. */
export type Settlement = {
  /** Refunded one. */
  ceiling: Uint8Array | null
  forgotten: Uint8Array | null
  /** Emptied, and known from then on. */
  known: Uint8Array | null
}

export type GuessCount = {
  account: Account | null
  /** Keys of the counters that this guess is about; `subject` is the one of whoever guesses. */
  ceilingKey: Uint8Array
  networkKey: Uint8Array
  subjectKey: Uint8Array
  /** The subject is a recognized browser. */
  byBrowser: boolean
  /** Counted on the subject including this one; null where the ceiling refused it, which counts nothing. */
  guesses: number | null
  /** Counted on the ceiling including this one; null where it was not counted there. */
  looked: number | null
  /** What the ceiling had before where it refused. */
  spent: number | null
  notBefore: Date | null
  /** Failures of each of the networks. */
  failures: number[]
}

export type AttemptPort = {
  /** Counts one more on each key, in one statement; the counts including this one, in order. */
  reserve(entries: readonly Counter[], now: Date): Promise<number[]>
  /** The same, but `strangers` are counted only where `known` is not; 0 for what was not counted. */
  reserveUnlessKnown(
    entries: readonly Counter[],
    strangers: readonly Counter[],
    known: Uint8Array,
    now: Date,
  ): Promise<{ counts: number[]; isKnown: boolean }>
  /** In one statement: finds whose name that is, counts one more guess of theirs, and reads what the networks have. */
  countGuess(guess: CountedGuess, networks: readonly Uint8Array[], now: Date): Promise<GuessCount>
  clear(key: Uint8Array): Promise<void>
  /** What it forgets may come back should the database crash in that moment. */
  settle(settlement: Settlement, now: Date): Promise<void>
  /** Takes one back from each, in one statement. */
  giveBack(keys: readonly Uint8Array[]): Promise<void>
  /** What is counted on a key now. */
  count(key: Uint8Array, now: Date): Promise<number>
}

/** One account at one network; `identifier` as `guessedOf` has it. */
export type AttemptSubject = { connectionId: string; identifier: string; ip: string }

export type Guess = Typed & { ip: string; browsers?: readonly RecognizedBrowser[] }

/** What is to be settled after a good guess, and the key that a browser is recognized by. */
export type GoodGuess = { settlement: Settlement; account: Uint8Array }

export type AttemptVerdict<T> =
  /** The caller settles it. */
  | { verdict: 'passed'; value: T; guess: GoodGuess }
  /** `blockedNow`: this failure was the last one allowed. */
  | { verdict: 'failed'; account: Account | null; blockedNow: boolean }
  /** `by` which count; the account's where both have too many. */
  | { verdict: 'blocked'; account: Account | null; by: 'account' | 'address' }
  /** Not even counted: too many in a short time, right or wrong. */
  | { verdict: 'throttled'; refusal: DomainError }

export type AttemptGuard = {
  run<T>(
    guess: Guess,
    check: (found: Account | null, blocked: boolean) => Promise<T | null>,
  ): Promise<AttemptVerdict<T>>
  /** After a good one. */
  settle(guess: GoodGuess): Promise<void>
  /** Whether many sign-ins have failed there today, over all accounts; what makes a login risky. */
  isBusy(ip: string): Promise<boolean>
  /** Lifts the block of one account at one address, and makes the network known from which its owner lifts it. */
  unblock(subject: AttemptSubject, from: string): Promise<void>
}

/** The vendor's: a block ends 30 days after the last failure; the address throttle begins anew each day (UTC). */
const ACCOUNT_SECONDS = 30 * 86400
const DAY_MS = 86_400_000

/** Of one address in a day: more than the people of a household mistype. */
const BUSY_FAILURES = 10

/**
 * Of one account, from wherever it never signed in (NIST SP 800-63B-4 section 3.2.2): after `free` guesses each has to wait
 * `stepSeconds` longer than the one before; after `most` none is looked at until there was none for a day.
 */
export const CEILING = { most: 100, free: 50, stepSeconds: 30, seconds: 86_400 } as const

export function createAttemptGuard(
  port: AttemptPort,
  settings: TenantSettings['attackProtection'],
  limiter: Limiter,
  clock: Clock,
): AttemptGuard {
  const underWay = createTally()
  const { bruteForceProtection: brute, suspiciousIpThrottling: throttle } = settings
  const perAccount = brute.mode === 'count_per_identifier'

  const limitAt = (ip: string): number | null =>
    brute.enabled && !brute.allowlist.includes(ip) ? brute.max_attempts : null

  const isThrottled = (failures: readonly number[], ip: string): boolean => {
    const { max_attempts } = throttle.stage['pre-login']
    const exceeds = failures.some((count, place) => count > max_attempts * (NETWORK_SHARES[place] ?? 1))
    return throttle.enabled && exceeds && !throttle.allowlist.includes(ip)
  }

  /** One that is throttled already counts no more on the larger ones, which others share. */
  const placesOf = (failures: readonly number[], ip: string): number => {
    const place = failures.findIndex((_, index) =>
      isThrottled(
        failures.slice(0, index + 1).map((n) => n + 1),
        ip,
      ),
    )
    return place === -1 ? failures.length : place + 1
  }

  /** `checking` is what is under way for each of the networks. */
  const blockedBy = ({ guesses, failures }: GuessCount, checking: readonly number[], ip: string) => {
    if (guesses === null || guesses > (limitAt(ip) ?? Number.POSITIVE_INFINITY)) return 'account'
    const counts = failures.map((count, place) => count + (checking[place] ?? 0))
    return isThrottled(counts, ip) ? 'address' : null
  }

  const guessOf = ({ connectionId, name, ip, browsers = [] }: Guess, now: Date): CountedGuess => ({
    connectionId,
    name,
    network: aroundNetwork(connectionId, ip),
    stranger: perAccount ? aroundAll(connectionId) : aroundNetwork(connectionId, ip),
    ceiling: aroundCeiling(connectionId),
    browsers,
    most: limitAt(ip),
    until: addSeconds(now, ACCOUNT_SECONDS),
  })

  return {
    async run({ ip, ...guess }, check) {
      const refusal = await refusalOf(guess, ip, limiter)
      if (refusal) return { verdict: 'throttled', refusal }
      const now = clock.now()
      const day = Math.floor(now.getTime() / DAY_MS)
      const networks = networkKeys(ip, day)
      // Taken before the failures are read, so one that ends in between is counted rather than missed.
      const checking = networks.map((key) => underWay.add(key, 1))
      try {
        const counted = await port.countGuess(guessOf({ ...guess, ip }, now), networks, now)
        const { account, guesses, looked } = counted
        const taken = takenBy(counted)
        const again = waitOf(counted, now) ?? (await refusalOfOther(guess, account, ip, limiter))
        if (again) {
          await port.giveBack(taken)
          return { verdict: 'throttled', refusal: again }
        }
        const by = blockedBy(counted, checking, ip)
        const value = await check(account, by !== null).catch(async (error: unknown) => {
          await port.giveBack(taken)
          throw error
        })
        if (by === null && value !== null) return { verdict: 'passed', value, guess: goodGuess(counted) }
        // A guess that was not looked at takes nothing from the ceiling.
        if (by !== null && looked !== null) await port.giveBack([counted.ceilingKey])
        const until = new Date((day + 1) * DAY_MS)
        const failing = networks.slice(0, placesOf(counted.failures, ip))
        await port.reserve(
          failing.map((key) => ({ key, until })),
          now,
        )
        if (by !== null) return { verdict: 'blocked', account, by }
        return { verdict: 'failed', account, blockedNow: guesses === limitAt(ip) || looked === CEILING.most }
      } finally {
        for (const key of networks) underWay.add(key, -1)
      }
    },
    settle: ({ settlement }) => port.settle(settlement, clock.now()),
    async isBusy(ip) {
      const now = clock.now()
      const [key] = networkKeys(ip, Math.floor(now.getTime() / DAY_MS))
      return (await port.count(key, now)) >= BUSY_FAILURES
    },
    async unblock({ connectionId, identifier, ip }, from) {
      await port.clear(keyOf(aroundNetwork(connectionId, ip), identifier))
      const forgotten = perAccount ? keyOf(aroundAll(connectionId), identifier) : null
      const known = keyOf(aroundNetwork(connectionId, from), identifier)
      await port.settle({ ceiling: null, forgotten, known }, clock.now())
    },
  }
}

const aroundNetwork = (connectionId: string, ip: string): Around => [
  `["account",${JSON.stringify(connectionId)},`,
  `,${JSON.stringify(networkOf(ip))}]`,
]
const aroundAll = (connectionId: string): Around => [`["account",${JSON.stringify(connectionId)},`, ',"*"]']
const aroundCeiling = (connectionId: string): Around => [`["ceiling",${JSON.stringify(connectionId)},`, ']']

/** Where the account signed in before: its known networks, and browsers by the tag of its ceiling. */
export const familiarToAccount = (connectionId: string, identifier: string): Familiarity => ({
  tag: keyOf(aroundCeiling(connectionId), identifier),
  network: (ip) => keyOf(aroundNetwork(connectionId, ip), identifier),
})

const keyOf = ([before, after]: Around, guessed: string): Buffer => digest(before + JSON.stringify(guessed) + after)

/** The counters of the networks of an address over all accounts, from the smallest. */
function networkKeys(ip: string, day: number): readonly [Buffer, ...Buffer[]] {
  const [smallest, ...larger] = networksOf(ip)
  const key = (network: string): Buffer => digest(JSON.stringify(['address', network, day]))
  return [key(smallest), ...larger.map(key)]
}

/** The keys that this guess is counted on. */
const takenBy = ({ ceilingKey, subjectKey, looked, guesses }: GuessCount): Uint8Array[] => [
  ...(looked === null ? [] : [ceilingKey]),
  ...(guesses === null ? [] : [subjectKey]),
]

/** A browser's counter is forgotten and makes no network known: others may have used up what that network had. */
function goodGuess({ ceilingKey, networkKey, subjectKey, looked, byBrowser }: GuessCount): GoodGuess {
  const isNetworks = Buffer.compare(subjectKey, networkKey) === 0
  return {
    account: ceilingKey,
    settlement: {
      ceiling: looked === null ? null : ceilingKey,
      forgotten: isNetworks ? null : subjectKey,
      known: byBrowser ? null : networkKey,
    },
  }
}

/** Undefined unless the ceiling of the account makes this guess wait. */
function waitOf({ guesses, spent, notBefore }: GuessCount, now: Date): DomainError | undefined {
  if (guesses !== null || (spent ?? 0) >= CEILING.most) return undefined
  const free = notBefore ?? addSeconds(now, 1)
  const retryAfter = Math.max(1, epochSeconds(free) - epochSeconds(now))
  return new DomainError('too_many_requests', 'Too many failed logins of this account. Try again later.', {
    detail: 'ceiling of guesses',
    retryAfter,
    headers: [
      ['x-ratelimit-limit', String(CEILING.most)],
      ['x-ratelimit-remaining', '0'],
      ['x-ratelimit-reset', String(epochSeconds(free))],
    ],
    redirectable: false,
  })
}

async function refusalOf(
  { connectionId, name }: Typed,
  ip: string,
  limiter: Limiter,
): Promise<DomainError | undefined> {
  const outcome = limiter.take('login', accountAt(ip, JSON.stringify([connectionId, name])))
  return (outcome instanceof Promise ? await outcome : outcome)?.refusal
}

/** Alternate names share one counter: the account's address. */
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
