// Limits on actions that any client can cause: messages to one address or from one network, wrong codes, sign-ups
// (threat-model.md DB6, RL4, BF6, BF8).
// - The counters are in the database, so all processes share them.
// - Requests count whether or not the account exists, so the limits do not reveal accounts.
// - Windows are fixed: they start at every multiple of their length.
import type { Clock } from '../../kernel/clock'
import { NETWORK_SHARES, networkOf, networksOf } from '../../kernel/network'
import { digest } from '../../kernel/secret'
import type { MailBound } from '../outbox/outbox'
import type { AttemptPort } from './attempts'
import { type Familiarity, type RecognizedBrowser, tagOf } from './recognized-browser'

export type CountLimit = { name: string; of: readonly string[]; most: number; seconds: number }

export type AllowanceDeps = {
  attemptCounters: Pick<AttemptPort, 'reserve' | 'reserveUnlessKnown' | 'giveBack' | 'settle'>
  clock: Clock
}

/**
 * Adds one to every counter in one statement, and returns whether all of them are within their bound. A refused request is
 * counted nowhere: otherwise a client over its own bound would use up a shared one.
 */
export async function takeAllowance(bounds: readonly CountLimit[], deps: AllowanceDeps): Promise<boolean> {
  const now = deps.clock.now()
  const counts = await deps.attemptCounters.reserve(
    bounds.map((bound) => entryOf(bound, now)),
    now,
  )
  const allowed = isWithin(bounds, counts)
  if (!allowed) await giveBack(bounds, now, deps)
  return allowed
}

const isWithin = (bounds: readonly CountLimit[], counts: readonly number[]): boolean =>
  bounds.every(({ most }, index) => (counts[index] ?? 0) <= most)

/** Takes back the counts of that moment. */
async function giveBack(bounds: readonly CountLimit[], now: Date, { attemptCounters }: AllowanceDeps): Promise<void> {
  const keys = bounds.map((bound) => entryOf(bound, now).key).sort(Buffer.compare)
  await attemptCounters.giveBack(keys)
}

function entryOf({ name, of, seconds }: CountLimit, now: Date): { key: Buffer; until: Date } {
  const window = Math.floor(now.getTime() / (seconds * 1000))
  return { key: digest(JSON.stringify([name, ...of, window])), until: new Date((window + 1) * seconds * 1000) }
}

/** The counter of a bound, for a store that counts on it in a transaction. */
export const countedOn = (bound: CountLimit, at: Date): MailBound => ({ ...entryOf(bound, at), most: bound.most, at })

/** What is counted on a bound now. */
export const countOf = (
  bound: CountLimit,
  { attemptCounters, clock }: { attemptCounters: Pick<AttemptPort, 'count'>; clock: Clock },
): Promise<number> => {
  const now = clock.now()
  return attemptCounters.count(entryOf(bound, now).key, now)
}

/** Bounds of the networks that contain an address; a larger network has a larger bound. */
export const networkBounds = (name: string, ip: string, most: number, seconds: number): CountLimit[] =>
  networksOf(ip).map((network, place) => ({
    name,
    of: [network],
    most: most * (NETWORK_SHARES[place] ?? 1),
    seconds,
  }))

/** An address of a connection: a mailbox or a phone number. */
export type Recipient = { connectionId: string; address: string }

/** The source of a request about a recipient. */
export type RequestSource = { ip: string; browsers?: readonly RecognizedBrowser[] | undefined }

/** Where the address was verified by a code or a link. */
export const familiarTo = ({ connectionId, address }: Recipient): Familiarity => {
  const key = (...of: string[]) => digest(JSON.stringify(['recipient', connectionId, address, ...of]))
  return { tag: key(), network: (ip) => key(networkOf(ip)) }
}

/**
 * Limits on requests about a recipient.
 * - `own`: per network or recognized browser.
 * - `strangers`: for all sources together where the address was never verified. Known sources are not affected by them (BF6).
 * - `always`: for every source.
 */
export type RecipientBounds = { own: Limit[]; strangers: Limit[]; always: CountLimit[] }
type Limit = Omit<CountLimit, 'of'>

/** A refused request is counted nowhere. */
export type RecipientVerdict = {
  allowed: boolean
  isKnown: boolean
  /** Takes the counts back; with `kept`, all but those of `always`. */
  giveBack(kept?: 'always'): Promise<void>
}

export async function reserveFor(
  recipient: Recipient,
  { ip, browsers = [] }: RequestSource,
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

/** The owner verified the address from this network, so the network does not count as a stranger's for a month. */
export const makeKnown = (
  familiarity: Familiarity,
  ip: string,
  { attemptCounters, clock }: Pick<AllowanceDeps, 'attemptCounters' | 'clock'>,
): Promise<void> =>
  attemptCounters.settle({ ceiling: null, clearedCounter: null, known: familiarity.network(ip) }, clock.now())

const HOUR = 3600
const DAY = 86_400

/** Mails of one kind to one address: three a day from unknown sources, five an hour from a known one. */
export async function mayMail(
  kind: string,
  recipient: Recipient,
  asker: RequestSource,
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
