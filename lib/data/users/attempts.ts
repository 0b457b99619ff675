// The budget of password guesses (threat-model.md RL1, RL2, RL4, BF6, BF7): an account is blocked at a network, or at all of them by
// `mode`, after `max_attempts` wrong passwords in a row, ten by default (lib/data/tenants/settings.ts).
// - A guess is counted on the account BEFORE the check, by the statement that finds the account. So a parallel burst, over any
//   number of instances, cannot evaluate more guesses than the limit.
// - Three counters: account and network; account over all networks; network over all accounts. Accounts that do not exist are
//   counted alike. An IPv6 address counts as its /64, and over all accounts as its /56 and /48 too.
// - The ceiling of an account over all networks slows guesses down before it blocks them. It counts guesses from networks and
//   browsers that never signed in to the account. A network or browser that signed in lately has its own counter, so strangers
//   cannot lock the owner out. Guesses that are not evaluated are not counted on the ceiling.
// - The counter of a network over all accounts counts failures, plus the checks of that network that this process runs now. A
//   successful login does not write its row: all clients behind one address would queue for it. Checks in progress on other
//   instances are not counted.
// - A blocked attempt still costs the work of a check, without evaluating the guess: neither the answer nor the time nor any
//   stored value reveals whether the guess was right.
// - Before all this, the rate limit per account and network counts every attempt, successful ones too. It refuses an attempt over
//   the limit before looking at it. An alternate name of the account takes from the same limit.
// - Success clears the account's failures at that network, makes the network known and refunds this one guess to the ceiling. The
//   caller settles it, in its own statement or by `settle`. A check that could not run does not count.
// - A guess may be at several databases: one attempt, counted on the account of each. All of them are checked whatever the result of
//   the others is, so the work says nothing. The first that passes wins. A failure counts on every account that was evaluated, and
//   once on the network. After a success only what the winner shows to be wrong stays counted (`provesPasswordWrong`).
import { addSeconds, type Clock, epochSeconds } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { NETWORK_SHARES, networkOf, networksOf } from '../../kernel/network'
import { digest } from '../../kernel/secret'
import type { Limiter } from '../rate-limit/limiter'
import { accountAt } from '../rate-limit/meter'
import type { TenantSettings } from '../tenants/settings'
import type { Familiarity, RecognizedBrowser } from './recognized-browser'
import type { DatabaseAccount } from './user'

type Counter = { key: Uint8Array; until: Date }

/** The name typed at a database connection, in its canonical form. */
type Typed = { connectionId: string; name: string }

/**
 * A key is the digest of `before`, the guessed account as JSON (`guessedOf`, or the name if there is no account), and `after`.
 */
export type Around = readonly [before: string, after: string]

export type CountedGuess = Typed & {
  /** The counter of the account at the network. */
  network: Around
  /** The counter of a guess from a network where the account never signed in. */
  stranger: Around
  /** The counter of the account over all networks. */
  ceiling: Around
  browsers: readonly RecognizedBrowser[]
  /** How many guesses are evaluated per counter; null for no limit. */
  most: number | null
  until: Date
}

/** The effects of a successful guess, in one statement. Keys are locked in the same order as by a guess. */
export type GuessSettlement = {
  /** The counter that is refunded one guess. */
  ceiling: Uint8Array | null
  clearedCounter: Uint8Array | null
  /** The counter that is cleared, and its network is known from then on. */
  known: Uint8Array | null
}

export type GuessCount = {
  account: DatabaseAccount | null
  /** Keys of the counters of this guess; `subject` is the counter of its source. */
  ceilingKey: Uint8Array
  networkKey: Uint8Array
  sourceKey: Uint8Array
  /** The subject is a recognized browser. */
  byBrowser: boolean
  /** The subject's count including this guess; null if the ceiling refused the guess, which counts nothing. */
  guesses: number | null
  /** The ceiling's count including this guess; null if it was not counted there. */
  ceilingCount: number | null
  /** The ceiling's count before a guess that it refused. */
  refusedCeilingCount: number | null
  notBefore: Date | null
  /** Failures per network. */
  failures: number[]
}

/** Where a guess came from, for those who lift the block: its counter, and the address unless the counter has all addresses. */
export type GuessSource = { account: Uint8Array; key: Uint8Array; address: string | null; until: Date }

/** A counter of wrong guesses of an account. */
export type GuessTally = { account: Uint8Array; key: Uint8Array; address: string | null; count: number }

export type AttemptPort = {
  /** Adds one to each key in one statement; returns the counts including this one, in order. */
  reserve(entries: readonly Counter[], now: Date): Promise<number[]>
  /** Adds one to each key, and records where the failed guess came from; no source for one that no counter of an account counted. */
  fail(entries: readonly Counter[], sources: readonly GuessSource[], now: Date): Promise<void>
  /** The counters of wrong guesses of accounts, by the keys of their ceilings. */
  tallies(accounts: readonly Uint8Array[], now: Date): Promise<GuessTally[]>
  /** Sets a counter to zero; a known network stays known. */
  forgive(key: Uint8Array): Promise<void>
  /** The same, but `strangers` are counted only if `known` is not known; 0 for keys that were not counted. */
  reserveUnlessKnown(
    entries: readonly Counter[],
    strangers: readonly Counter[],
    known: Uint8Array,
    now: Date,
  ): Promise<{ counts: number[]; isKnown: boolean }>
  /** In one statement: finds the account of the name, counts one more guess on it, and reads the failures of the networks. */
  countGuess(guess: CountedGuess, networks: readonly Uint8Array[], now: Date): Promise<GuessCount>
  clear(key: Uint8Array): Promise<void>
  /** Not durable: a crash of the database at that moment may restore what was cleared. */
  settle(settlement: GuessSettlement, now: Date): Promise<void>
  /** Takes one back from each key, in one statement. */
  giveBack(keys: readonly Uint8Array[]): Promise<void>
  /** The current count of a key. */
  count(key: Uint8Array, now: Date): Promise<number>
}

/** One account at one network; `identifier` is the value of `guessedOf`. */
export type AttemptSubject = { connectionId: string; identifier: string; ip: string }

/** An account at all addresses; `identifier` is the value of `guessedOf`, or the name typed where there is no account. */
export type GuessedAccount = Omit<AttemptSubject, 'ip'>

/** A block of an account; `ip` is null if it does not concern one address alone. */
export type AccountBlock<Of extends GuessedAccount> = { account: Of; ip: string | null }

/** One password for a name, in its canonical form, at each of these databases; their order decides which success wins. */
export type PasswordGuess = {
  connectionIds: readonly string[]
  name: string
  ip: string
  browsers?: readonly RecognizedBrowser[]
}

/** The settlement of a successful guess, and the key by which browsers are recognized. */
export type GoodGuess = { settlement: GuessSettlement; account: Uint8Array }

/** The account of one database for which the guess failed. */
export type FailedGuess = {
  connectionId: string
  account: DatabaseAccount | null
  /** The counter that blocks, so that the guess was not evaluated; the account's if both do. Null if the guess was wrong. */
  blockedBy: 'account' | 'address' | null
  /** This failure was the last one allowed. */
  blockedNow: boolean
}

export type AttemptVerdict<T> =
  /** The caller must settle it. `failures` are those that stay counted. */
  | { verdict: 'passed'; value: T; guess: GoodGuess; failures: FailedGuess[] }
  /** `blocked`: nothing was evaluated. */
  | { verdict: 'failed' | 'blocked'; failures: FailedGuess[] }
  /** Not counted: too many attempts in a short time, right or wrong. */
  | { verdict: 'throttled'; refusal: DomainError }

/** Checks the password of one account; `found` is null for none and where the guess is not evaluated, at the same cost. */
export type Check<T> = (found: DatabaseAccount | null, connectionId: string, isEvaluated: boolean) => Promise<T | null>

export type AttemptGuard = {
  /** `ownsName`: whether the person who passes with this value owns the name, at every database. */
  run<T>(guess: PasswordGuess, check: Check<T>, ownsName?: (value: T) => boolean): Promise<AttemptVerdict<T>>
  /** To call after a successful guess. */
  settle(guess: GoodGuess): Promise<void>
  /** The failed logins of this network today, over all accounts. */
  failuresFrom(ip: string): Promise<number>
  /** Whether they are many; makes a login risky. */
  isBusy(ip: string): Promise<boolean>
  /** Whether this address is blocked over all accounts today. */
  isBlocked(ip: string): Promise<boolean>
  /** Lifts the block of this address over all accounts, and of the networks around it. */
  unblockAddress(ip: string): Promise<void>
  /** The blocks of these accounts. */
  blocksOf<Of extends GuessedAccount>(accounts: readonly Of[]): Promise<AccountBlock<Of>[]>
  /** Lifts every block of these accounts. */
  liftBlocks(accounts: readonly GuessedAccount[]): Promise<void>
  /** Lifts the block of one account at one address, and makes the network `from` known. */
  unblock(subject: AttemptSubject, from: string): Promise<void>
}

/** As at the vendor: a block ends 30 days after the last failure; the throttle of an address restarts each day (UTC). */
const ACCOUNT_SECONDS = 30 * 86400
const DAY_MS = 86_400_000

/** Failures per address and day; more than the people behind one address mistype. */
const BUSY_FAILURES = 10

/**
 * The ceiling of one account, for sources where it never signed in (NIST SP 800-63B-4 section 3.2.2). After `free` guesses each
 * one has to wait `stepSeconds` longer than the previous. After `most` guesses none is evaluated until a day after the last
 * counted one.
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
    brute.enabled && brute.shields.includes('block') && !brute.allowlist.includes(ip) ? brute.max_attempts : null

  const isThrottled = (failures: readonly number[], ip: string): boolean => {
    const { max_attempts } = throttle.stage['pre-login']
    const exceeds = failures.some((count, place) => count > max_attempts * (NETWORK_SHARES[place] ?? 1))
    return throttle.enabled && throttle.shields.includes('block') && exceeds && !throttle.allowlist.includes(ip)
  }

  /** A throttled network no longer counts on the larger networks, which other clients share. */
  const placesOf = (failures: readonly number[], ip: string): number => {
    const place = failures.findIndex((_, index) =>
      isThrottled(
        failures.slice(0, index + 1).map((n) => n + 1),
        ip,
      ),
    )
    return place === -1 ? failures.length : place + 1
  }

  /** `checking`: checks in progress per network. */
  const blockedBy = ({ guesses, failures }: GuessCount, checking: readonly number[], ip: string) => {
    if (guesses === null || guesses > (limitAt(ip) ?? Number.POSITIVE_INFINITY)) return 'account'
    const counts = failures.map((count, place) => count + (checking[place] ?? 0))
    return isThrottled(counts, ip) ? 'address' : null
  }

  const guessOf = (
    { connectionId, name }: Typed,
    browsers: readonly RecognizedBrowser[],
    ip: string,
    now: Date,
  ): CountedGuess => ({
    connectionId,
    name,
    network: aroundNetwork(connectionId, ip),
    stranger: perAccount ? aroundAll(connectionId) : aroundNetwork(connectionId, ip),
    ceiling: aroundCeiling(connectionId),
    browsers,
    most: limitAt(ip),
    until: addSeconds(now, ACCOUNT_SECONDS),
  })

  const sourceOf = (
    { ceilingKey, networkKey, sourceKey, byBrowser }: GuessCount,
    ip: string,
    now: Date,
  ): GuessSource => {
    const isOfAddress = !perAccount || byBrowser || Buffer.compare(sourceKey, networkKey) === 0
    const until = addSeconds(now, ACCOUNT_SECONDS)
    return { account: ceilingKey, key: sourceKey, address: isOfAddress ? ip : null, until }
  }

  const sourcesOf = (tried: readonly Counted[], ip: string, now: Date): GuessSource[] =>
    tried.flatMap(({ counted }) => (counted.guesses === null ? [] : [sourceOf(counted, ip, now)]))

  const failureOf = ({ connectionId, counted, by }: Counted, ip: string): FailedGuess => {
    const { account, guesses, ceilingCount } = counted
    const blockedNow = by === null && (guesses === limitAt(ip) || ceilingCount === CEILING.most)
    return { connectionId, account, blockedBy: by, blockedNow }
  }

  /** The counters that block these accounts now. */
  const blocking = async <Of extends GuessedAccount>(accounts: readonly Of[]) => {
    const keyed = accounts.map((account) => ({ account, ceiling: ceilingOf(account) }))
    const tallies = await port.tallies(
      keyed.map(({ ceiling }) => ceiling),
      clock.now(),
    )
    return keyed.flatMap(({ account, ceiling }) =>
      tallies
        .filter((tally) => Buffer.compare(tally.account, ceiling) === 0 && blocks(tally))
        .map(({ key, address }) => ({ account, ip: address, key })),
    )
  }

  /** Whether the next guess would not be evaluated. */
  const blocks = ({ account, key, address, count }: GuessTally): boolean => {
    const most = limitAt(address ?? '')
    return most !== null && count >= (Buffer.compare(key, account) === 0 ? CEILING.most : most)
  }

  const failuresFrom = (ip: string): Promise<number> => {
    const now = clock.now()
    const [key] = networkKeys(ip, Math.floor(now.getTime() / DAY_MS))
    return port.count(key, now)
  }

  return {
    async run({ connectionIds, name, ip, browsers = [] }, check, ownsName = () => false) {
      const typed = connectionIds.map((connectionId): Typed => ({ connectionId, name }))
      const refusals = await Promise.all(typed.map((each) => refusalOf(each, ip, limiter)))
      const refused = refusals.find((refusal) => refusal !== undefined)
      if (refused && refusals.every((refusal) => refusal !== undefined))
        return { verdict: 'throttled', refusal: refused }
      const now = clock.now()
      const day = Math.floor(now.getTime() / DAY_MS)
      const networks = networkKeys(ip, day)
      // Read before the failures, so a check that ends in between is counted twice rather than not at all.
      const checking = networks.map((key) => underWay.add(key, 1))
      const tryAt = async (each: Typed, refusal: DomainError | undefined): Promise<Tried> => {
        if (refusal) return { ...each, refusal }
        const counted = await port.countGuess(guessOf(each, browsers, ip, now), networks, now)
        const again = waitOf(counted, now) ?? (await refusalOfOther(each, counted.account, ip, limiter))
        if (!again) return { ...each, counted, by: blockedBy(counted, checking, ip) }
        await port.giveBack(takenBy(counted))
        return { ...each, refusal: again }
      }
      try {
        const tried = await Promise.all(typed.map((each, place) => tryAt(each, refusals[place])))
        const counted = tried.filter(isCounted)
        const [first] = tried
        if (counted.length === 0 && first && 'refusal' in first) return { verdict: 'throttled', refusal: first.refusal }
        const values = await checkAll(tried, check).catch(async (error: unknown) => {
          for (const each of counted) await port.giveBack(takenBy(each.counted))
          throw error
        })
        const winner = counted.find(({ connectionId, by }) => by === null && values.has(connectionId))
        const value = winner && values.get(winner.connectionId)
        if (winner && value !== undefined) {
          const owned = ownsName(value)
          const others = counted.filter((each) => each !== winner)
          const wrong = others.filter((each) => !owned && provesPasswordWrong(each, winner, counted))
          for (const each of others) if (!wrong.includes(each)) await port.giveBack(takenBy(each.counted))
          if (wrong.length > 0) await port.fail([], sourcesOf(wrong, ip, now), now)
          const failures = wrong.map((each) => failureOf(each, ip))
          return { verdict: 'passed', value, guess: goodGuess(winner.counted), failures }
        }
        // A guess that was not evaluated takes nothing from the ceiling.
        for (const { by, counted: each } of counted)
          if (by !== null && each.ceilingCount !== null) await port.giveBack([each.ceilingKey])
        const until = new Date((day + 1) * DAY_MS)
        const failing = networks.slice(0, placesOf(counted[0]?.counted.failures ?? [], ip))
        await port.fail(
          failing.map((key) => ({ key, until })),
          sourcesOf(counted, ip, now),
          now,
        )
        const verdict = counted.every(({ by }) => by !== null) ? 'blocked' : 'failed'
        return { verdict, failures: counted.map((each) => failureOf(each, ip)) }
      } finally {
        for (const key of networks) underWay.add(key, -1)
      }
    },
    settle: ({ settlement }) => port.settle(settlement, clock.now()),
    failuresFrom,
    isBusy: async (ip) => (await failuresFrom(ip)) >= BUSY_FAILURES,
    async isBlocked(ip) {
      const now = clock.now()
      const keys = networkKeys(ip, Math.floor(now.getTime() / DAY_MS))
      const counts = await Promise.all(keys.map((key) => port.count(key, now)))
      // The next guess would be counted on top.
      return isThrottled(
        counts.map((count) => count + 1),
        ip,
      )
    },
    async unblockAddress(ip) {
      const keys = networkKeys(ip, Math.floor(clock.now().getTime() / DAY_MS))
      for (const key of keys) await port.clear(key)
    },
    async blocksOf(accounts) {
      return (await blocking(accounts)).map(({ account, ip }) => ({ account, ip }))
    },
    async liftBlocks(accounts) {
      // Each is a statement of its own: a guess locks two of them, in another order.
      for (const { key } of await blocking(accounts)) await port.forgive(key)
    },
    async unblock({ connectionId, identifier, ip }, from) {
      await port.clear(keyOf(aroundNetwork(connectionId, ip), identifier))
      const forgotten = perAccount ? keyOf(aroundAll(connectionId), identifier) : null
      const known = keyOf(aroundNetwork(connectionId, from), identifier)
      await port.settle({ ceiling: null, clearedCounter: forgotten, known }, clock.now())
    },
  }
}

/** What became of a guess at one database before its check. */
type Tried = Throttled | Counted
type Throttled = Typed & { refusal: DomainError }
type Counted = Typed & { counted: GuessCount; by: FailedGuess['blockedBy'] }

const isCounted = (tried: Tried): tried is Counted => 'counted' in tried

/** The values of the checks that passed. Each runs to its end, also after another one has failed to run. */
async function checkAll<T>(tried: readonly Tried[], check: Check<T>): Promise<Map<string, T>> {
  const results = await Promise.allSettled(
    tried.map((each) => {
      const isEvaluated = isCounted(each) && each.by === null
      return check(isEvaluated ? each.counted.account : null, each.connectionId, isEvaluated)
    }),
  )
  const values = new Map<string, T>()
  for (const [place, result] of results.entries()) {
    if (result.status === 'rejected') throw result.reason
    const { connectionId } = tried[place] as Tried
    if (result.value !== null) values.set(connectionId, result.value)
  }
  return values
}

/**
 * Whether the success of the winner shows that this guess was wrong: with the right one, this account would have won. It must stay
 * counted, or the owner of an account of the same name in another database could guess passwords without limit, by making each of
 * them its own first.
 */
const provesPasswordWrong = (tried: Counted, winner: Counted, order: readonly Counted[]): boolean =>
  tried.by === null && order.indexOf(tried) < order.indexOf(winner)

const aroundNetwork = (connectionId: string, ip: string): Around => [
  `["account",${JSON.stringify(connectionId)},`,
  `,${JSON.stringify(networkOf(ip))}]`,
]
const aroundAll = (connectionId: string): Around => [`["account",${JSON.stringify(connectionId)},`, ',"*"]']
const aroundCeiling = (connectionId: string): Around => [`["ceiling",${JSON.stringify(connectionId)},`, ']']

/** Where the account signed in before: its known networks, and browsers by the tag of its ceiling. */
export const familiarToAccount = (connectionId: string, identifier: string): Familiarity => ({
  tag: ceilingOf({ connectionId, identifier }),
  network: (ip) => keyOf(aroundNetwork(connectionId, ip), identifier),
})

const ceilingOf = ({ connectionId, identifier }: GuessedAccount): Buffer =>
  keyOf(aroundCeiling(connectionId), identifier)

const keyOf = ([before, after]: Around, guessed: string): Buffer => digest(before + JSON.stringify(guessed) + after)

/** The keys of the networks that contain an address, over all accounts, smallest network first. */
function networkKeys(ip: string, day: number): readonly [Buffer, ...Buffer[]] {
  const [smallest, ...larger] = networksOf(ip)
  const key = (network: string): Buffer => digest(JSON.stringify(['address', network, day]))
  return [key(smallest), ...larger.map(key)]
}

/** The keys on which this guess was counted. */
const takenBy = ({ ceilingKey, sourceKey, ceilingCount, guesses }: GuessCount): Uint8Array[] => [
  ...(ceilingCount === null ? [] : [ceilingKey]),
  ...(guesses === null ? [] : [sourceKey]),
]

/** A browser's counter is cleared, but makes no network known: other clients may have used up that network's count. */
function goodGuess({ ceilingKey, networkKey, sourceKey, ceilingCount, byBrowser }: GuessCount): GoodGuess {
  const isNetworks = Buffer.compare(sourceKey, networkKey) === 0
  return {
    account: ceilingKey,
    settlement: {
      ceiling: ceilingCount === null ? null : ceilingKey,
      clearedCounter: isNetworks ? null : sourceKey,
      known: byBrowser ? null : networkKey,
    },
  }
}

/** Undefined unless the account's ceiling delays this guess. */
function waitOf({ guesses, refusedCeilingCount, notBefore }: GuessCount, now: Date): DomainError | undefined {
  if (guesses !== null || (refusedCeilingCount ?? 0) >= CEILING.most) return undefined
  const free = notBefore ?? addSeconds(now, 1)
  const retryAfter = Math.max(1, epochSeconds(free) - epochSeconds(now))
  return new DomainError('too_many_requests', 'Too many failed logins of this account. Try again later.', {
    reason: 'login_hurried',
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
  account: DatabaseAccount | null,
  ip: string,
  limiter: Limiter,
): Promise<DomainError | undefined> {
  const email = account?.email ?? name
  return email === name ? undefined : refusalOf({ connectionId, name: email }, ip, limiter)
}

/** Counters in memory; an entry is removed when it is zero again. */
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
