// How often something may be caused from outside: messages to one address or from one network, wrong codes, sign-ups
// (threat-model.md DB6, RL4, BF6, BF8). Counted in the database, so it is one count for all processes, and counted whether or
// not there is an account, so it tells nothing. Windows are fixed: they begin anew at every multiple of their length.
import type { Clock } from '../kernel/clock'
import { NETWORK_SHARES, networkOf, networksOf } from '../kernel/network'
import { digest } from '../kernel/secret'
import type { AttemptPort } from './attempts'
import { type Familiarity, type RecognizedBrowser, tagOf } from './recognized-browser'

export type Bound = { name: string; of: readonly string[]; most: number; seconds: number }

export type AllowanceDeps = {
  attemptCounters: Pick<AttemptPort, 'reserve' | 'reserveUnlessKnown' | 'giveBack' | 'settle'>
  clock: Clock
}

/**
 * Counts one more on every bound, in one statement; whether none of them is exceeded by it. What is refused is counted on
 * none: else whoever exceeds a bound of their own would use up one that others share.
 */
export async function isAllowed(bounds: readonly Bound[], deps: AllowanceDeps): Promise<boolean> {
  const now = deps.clock.now()
  const counts = await deps.attemptCounters.reserve(
    bounds.map((bound) => entryOf(bound, now)),
    now,
  )
  const allowed = isWithin(bounds, counts)
  if (!allowed) await giveBack(bounds, now, deps)
  return allowed
}

const isWithin = (bounds: readonly Bound[], counts: readonly number[]): boolean =>
  bounds.every(({ most }, index) => (counts[index] ?? 0) <= most)

/** Takes back what was counted at that moment. */
async function giveBack(bounds: readonly Bound[], now: Date, { attemptCounters }: AllowanceDeps): Promise<void> {
  const keys = bounds.map((bound) => entryOf(bound, now).key).sort(Buffer.compare)
  await attemptCounters.giveBack(keys)
}

function entryOf({ name, of, seconds }: Bound, now: Date): { key: Buffer; until: Date } {
  const window = Math.floor(now.getTime() / (seconds * 1000))
  return { key: digest(JSON.stringify([name, ...of, window])), until: new Date((window + 1) * seconds * 1000) }
}

/** Of the networks that an address is in: a larger one is allowed more. */
export const networkBounds = (name: string, ip: string, most: number, seconds: number): Bound[] =>
  networksOf(ip).map((network, place) => ({
    name,
    of: [network],
    most: most * (NETWORK_SHARES[place] ?? 1),
    seconds,
  }))

/** An address of a connection: a mailbox, a telephone. */
export type Recipient = { connectionId: string; address: string }

/** Who asks for something about a recipient, and from where. */
export type Asker = { ip: string; browsers?: readonly RecognizedBrowser[] | undefined }

/** Where a code or link proved the address. */
export const familiarTo = ({ connectionId, address }: Recipient): Familiarity => {
  const key = (...of: string[]) => digest(JSON.stringify(['recipient', connectionId, address, ...of]))
  return { tag: key(), network: (ip) => key(networkOf(ip)) }
}

/**
 * What may be caused at a recipient.
 * - `own`: by one network or recognized browser.
 * - `strangers`: by all together from where the address was never proven. What they use up, others keep (BF6).
 * - `always`: whoever it is.
 */
export type RecipientBounds = { own: Limit[]; strangers: Limit[]; always: Bound[] }
type Limit = Omit<Bound, 'of'>

/** What is not allowed is counted on nothing. */
export type RecipientVerdict = {
  allowed: boolean
  isKnown: boolean
  /** Takes the counts back, but those of `always` where `kept`. */
  giveBack(kept?: 'always'): Promise<void>
}

export async function reserveFor(
  recipient: Recipient,
  { ip, browsers = [] }: Asker,
  { own, strangers, always }: RecipientBounds,
  deps: AllowanceDeps,
  familiarity: Familiarity = familiarTo(recipient),
): Promise<RecipientVerdict> {
  const { attemptCounters, clock } = deps
  const now = clock.now()
  const at = [recipient.connectionId, recipient.address]
  const browser = browsers.find(({ tag }) => Buffer.compare(tag, tagOf(familiarity.tag)) === 0)
  const asker = browser ? Buffer.from(browser.key).toString('base64') : networkOf(ip)
  const ownBounds = own.map((limit) => ({ ...limit, of: [...at, asker] }))
  const strangerBounds = browser ? [] : strangers.map((limit) => ({ ...limit, of: at }))
  const bounds = [...ownBounds, ...always, ...strangerBounds]
  const { counts, isKnown } = await attemptCounters.reserveUnlessKnown(
    [...ownBounds, ...always].map((bound) => entryOf(bound, now)),
    strangerBounds.map((bound) => entryOf(bound, now)),
    familiarity.network(ip),
    now,
  )
  const counted = bounds.filter((_, place) => counts[place] !== 0)
  const allowed = isWithin(bounds, counts)
  if (!allowed) await giveBack(counted, now, deps)
  return {
    allowed,
    isKnown: isKnown || browser !== undefined,
    giveBack: (kept) => giveBack(kept ? counted.filter((bound) => !always.includes(bound)) : counted, now, deps),
  }
}

/** Its owner was there: what comes from that network is not a stranger's for a month. */
export const makeKnown = (
  familiarity: Familiarity,
  ip: string,
  { attemptCounters, clock }: Pick<AllowanceDeps, 'attemptCounters' | 'clock'>,
): Promise<void> =>
  attemptCounters.settle({ ceiling: null, forgotten: null, known: familiarity.network(ip) }, clock.now())

const HOUR = 3600
const DAY = 86_400

/** Of one kind to one address: three a day from strangers, five an hour from where the address is known. */
export async function mayMail(
  kind: string,
  recipient: Recipient,
  asker: Asker,
  deps: AllowanceDeps,
  familiarity?: Familiarity,
): Promise<boolean> {
  const bounds = {
    own: [{ name: `mail-own-${kind}`, most: 5, seconds: HOUR }],
    strangers: [{ name: `mail-${kind}`, most: 3, seconds: DAY }],
    always: networkBounds('mail-network', asker.ip, 50, HOUR),
  }
  return (await reserveFor(recipient, asker, bounds, deps, familiarity)).allowed
}
