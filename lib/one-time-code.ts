// Codes and links that prove an address (threat-model.md PW1 to PW3): what is sent, and what one try at it says.
// - One row for an address of a connection: sending again ends what was sent before. What was used stays used, whatever
//   the clock says, until a newer one takes its place.
// - A code is short, so only a keyed digest is stored, wrong tries at it are counted in the statement that tries it, and
//   tries at one address are counted over all of its codes, clients and ways in: by network or recognized browser, and
//   over all networks where it was never proven. A link holds 256 bits.
// - The tries of one network are counted over all addresses.

import { addSeconds, type Clock } from './kernel/clock'
import type { Random } from './kernel/random'
import type { Vault } from './kernel/secret'
import type { DeadRow, OutboxRow } from './outbox/outbox'
import type { TenantSettings } from './tenants/settings'
import {
  type AllowanceDeps,
  type Asker,
  familiarTo,
  makeKnown,
  networkBounds,
  type RecipientBounds,
  reserveFor,
} from './users/allowance'
import type { User } from './users/user'

/** Where a code was sent, in its canonical spelling. */
export type CodeAddress = { connectionId: string; address: string }

export type StoredCode = CodeAddress & {
  clientId: string
  digest: Uint8Array
  /** Of a link: the authorization request it goes on with. */
  request: LinkRequest | null
  /** Sent beside the code or in its place: a link that goes on with a login of the hosted pages. */
  link: StoredLink | null
  createdAt: Date
  expiresAt: Date
}

export type LinkRequest = Readonly<Record<string, string>>

export type StoredLink = {
  digest: Uint8Array
  /** Digest of the handle of the login that waits for it. */
  login: Uint8Array
  /** Shown by that login; whoever opens the link in another browser has to name it. */
  number: string
}

/** The user who is made when an address that nobody has is proven. */
export type NewcomerAtAddress = {
  userId: string
  providerUserId: string
  provider: 'email' | 'sms'
}

export type Try = CodeAddress & {
  digest: Uint8Array
  /** Null where whoever asks names no client; what is used up must name one. */
  clientId: string | null
  /** Wrong tries that are judged and counted; null for a link's, which nobody guesses. */
  most: number | null
  /** From where the address was proven before: wrong tries of strangers do not end the code there. */
  known: boolean
  now: Date
}

export type Tried =
  | { outcome: 'fits'; clientId: string; request: LinkRequest | null; expiresAt: Date }
  /** `judged`: there was a code that it was compared with. */
  | { outcome: 'wrong' | 'expired' | 'exhausted'; judged: boolean }

export type Redeemed = { outcome: 'fits'; user: User | null } | Exclude<Tried, { outcome: 'fits' }>

/** What waits for a link; with `digest`, only if the link is this one. */
export type LinkRef = CodeAddress & { login: Uint8Array; digest: Uint8Array | null }

export type LinkState = { status: 'waiting' | 'approved' | 'rejected' | 'over'; number: string }

export type LoginLinkPort = {
  findLink(ref: LinkRef, now: Date): Promise<LinkState | null>
  /** The answer of another browser, once: approved where it names the number, else rejected, which ends the code too. */
  answerLink(ref: LinkRef, number: string | null, now: Date): Promise<'approved' | 'rejected' | null>
  /** Uses the link that was opened, or without its digest the one that was approved: of any number of callers one. */
  redeemLink(ref: LinkRef, newcomer: NewcomerAtAddress | null, now: Date): Promise<{ user: User | null } | null>
}

export type OneTimeCodePort = LoginLinkPort & {
  /** Takes the place of what was sent before, and writes the message, in one transaction. */
  put(code: StoredCode, message: OutboxRow | DeadRow): Promise<void>
  /** Judges one try in one statement, which counts it where it is wrong. */
  look(attempt: Try): Promise<Tried>
  /**
   * The same, and uses what fits: of any number of callers one gets the user. Nobody has the address: the newcomer is made
   * in the same transaction, or, where there is to be none, nobody is signed in.
   */
  redeem(attempt: Try & { clientId: string }, newcomer: NewcomerAtAddress | null): Promise<Redeemed>
}

export type CodeShape = { length: number; time_step: number; attempts: number }

export type CodeDeps = AllowanceDeps & {
  codes: OneTimeCodePort
  settings: TenantSettings
  vault: Vault
  clock: Clock
  random: Random
}

const PURPOSE = 'one-time-code'

const digestOf = ({ connectionId, address }: CodeAddress, code: string, vault: Vault): Buffer =>
  vault.mac(PURPOSE, JSON.stringify([connectionId, address, code]))

/** What to send, and the row to store for it. */
export function makeCode(
  { connectionId, address, clientId, request }: Pick<StoredCode, 'connectionId' | 'address' | 'clientId' | 'request'>,
  { length, time_step }: CodeShape,
  { vault, clock, random }: Pick<CodeDeps, 'vault' | 'clock' | 'random'>,
): { plain: string; code: StoredCode } {
  const plain = request === null ? random.digits(length) : random.token()
  const createdAt = clock.now()
  const digest = digestOf({ connectionId, address }, plain, vault)
  const expiresAt = addSeconds(createdAt, time_step)
  return { plain, code: { connectionId, address, clientId, digest, request, link: null, createdAt, expiresAt } }
}

/** A link that the login of this handle waits for. */
export function makeLink(
  at: CodeAddress,
  login: Uint8Array,
  { vault, random }: Pick<CodeDeps, 'vault' | 'random'>,
): { secret: string; link: StoredLink } {
  const secret = random.token()
  return { secret, link: { digest: digestOf(at, secret, vault), login, number: random.digits(2) } }
}

export const linkRef = (
  { connectionId, address }: CodeAddress,
  login: Uint8Array,
  secret: string | null,
  { vault }: Pick<CodeDeps, 'vault'>,
): LinkRef => ({
  connectionId,
  address,
  login,
  digest: secret === null ? null : digestOf({ connectionId, address }, secret, vault),
})

/** "123 456" and "123-456" are what people type and paste. */
const asTyped = (code: string): string => (/^[\d\s-]{1,40}$/.test(code) ? code.replace(/\D/g, '') : code.slice(0, 100))

export type Guess = CodeAddress & Asker & { code: string }

/** What a link holds is longer than any code that is typed. */
export const isLinkSecret = (code: string): boolean => code.length > 40

/**
 * Counts the try before it is made, so that a burst makes no more than are allowed, and takes the count back where it was
 * right or was not made. What was compared with no code counts for the network alone (BF6). Null: it was one too many.
 */
export async function counted<T extends { outcome: string; judged?: boolean }>(
  { ip, browsers, code, ...at }: Guess,
  shape: CodeShape,
  attempt: (made: Omit<Try, 'clientId'>) => Promise<T>,
  deps: CodeDeps,
): Promise<T | null> {
  const made = { ...at, digest: digestOf(at, asTyped(code), deps.vault), now: deps.clock.now() }
  if (isLinkSecret(code)) return attempt({ ...made, most: null, known: false })
  const { allowed, isKnown, giveBack } = await reserveFor(at, { ip, browsers }, guessBounds(ip, deps), deps)
  if (!allowed) return null
  const result = await attempt({ ...made, most: shape.attempts, known: isKnown })
  if (result.outcome === 'fits') await giveBack()
  else if (!result.judged) await giveBack('always')
  if (result.outcome === 'fits') await makeKnown(familiarTo(at), ip, deps)
  return result
}

/** Of a million codes. Those of the network are the tenant's setting, in a day. */
function guessBounds(ip: string, { settings }: CodeDeps): RecipientBounds {
  const { enabled, allowlist, stage } = settings.attackProtection.suspiciousIpThrottling
  const isLimited = enabled && !allowlist.includes(ip)
  return {
    own: [{ name: 'code-guess', most: 10, seconds: 3600 }],
    strangers: [
      { name: 'code-guess-hour', most: 15, seconds: 3600 },
      { name: 'code-guess-day', most: 100, seconds: 86400 },
    ],
    always: isLimited ? networkBounds('code-network', ip, stage['pre-login'].max_attempts, 86400) : [],
  }
}
