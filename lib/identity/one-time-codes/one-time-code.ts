// One-time codes and links that prove an address (threat-model.md PW1 to PW3): how they are made, and how a try is judged.
// - One row per address of a connection: sending again replaces what was sent before. A used code stays used, regardless of the
//   time, until a newer one replaces it.
// - A code is short, so only a keyed digest is stored. The statement that tries a code also counts wrong tries. Tries at one
//   address are counted over all its codes, clients and flows: per network or recognized browser, and over all networks where the
//   address was never proven. A link holds 256 bits.
// - The tries of one network are counted over all addresses.

import type { DeadRow, OutboxRow } from '../../data/outbox/outbox'
import type { TenantSettings } from '../../data/tenants/settings'
import {
  type AllowanceDeps,
  familiarTo,
  makeKnown,
  networkBounds,
  type RecipientBounds,
  type RequestSource,
  reserveFor,
} from '../../data/users/allowance'
import type { User } from '../../data/users/user'
import { addSeconds, type Clock } from '../../kernel/clock'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { readCode } from '../../kernel/typed'

/** The address of a code, in its canonical form. */
export type CodeAddress = { connectionId: string; address: string }

export type StoredCode = CodeAddress & {
  clientId: string
  digest: Uint8Array
  /** For a link: the authorization request that it continues. */
  request: CarriedParameters | null
  /** Sent with the code or instead of it: a link that continues a login of the hosted pages. */
  link: StoredLink | null
  createdAt: Date
  expiresAt: Date
}

export type CarriedParameters = Readonly<Record<string, string>>

export type StoredLink = {
  digest: Uint8Array
  /** Digest of the handle of the login that waits for the link. */
  login: Uint8Array
  /** The login shows it; a person who opens the link in another browser has to enter it. */
  number: string
}

/** The user to create when an address without an account is proven. */
export type NewcomerAtAddress = {
  userId: string
  providerUserId: string
  provider: 'email' | 'sms'
}

export type Try = CodeAddress & {
  digest: Uint8Array
  /** Null if the caller names no client; a redemption must name one. */
  clientId: string | null
  /** Maximum of wrong tries, which are counted; null for a link, which cannot be guessed. */
  most: number | null
  /** The try comes from a source where the address was proven before. Wrong tries of strangers do not end the code there. */
  known: boolean
  now: Date
}

/** `sentAt` is when the code of the address was made; missing where none was. */
export type Tried = { sentAt?: Date } & (
  | { outcome: 'fits'; clientId: string; request: CarriedParameters | null; expiresAt: Date }
  /** `judged`: the try was compared with a code. */
  | { outcome: 'wrong' | 'expired' | 'exhausted'; judged: boolean }
)

export type CodeRedemption = { outcome: 'fits'; user: User | null; sentAt?: Date } | Exclude<Tried, { outcome: 'fits' }>

/** A login that waits for a link; with `digest`, only if it is this link. */
export type LinkRef = CodeAddress & { login: Uint8Array; digest: Uint8Array | null }

export type LinkState = { status: 'waiting' | 'approved' | 'rejected' | 'over'; number: string }

export type LoginLinkPort = {
  findLink(ref: LinkRef, now: Date): Promise<LinkState | null>
  /**
   * Records the answer of another browser, once: approved if it has the right number, else rejected, which also ends the code.
   */
  answerLink(ref: LinkRef, number: string | null, now: Date): Promise<'approved' | 'rejected' | null>
  /** Redeems the opened link, or without its digest the approved one; of concurrent callers one succeeds. */
  redeemLink(ref: LinkRef, newcomer: NewcomerAtAddress | null, now: Date): Promise<{ user: User | null } | null>
}

export type OneTimeCodePort = LoginLinkPort & {
  /** Replaces what was sent before, and writes the message, in one transaction. */
  put(code: StoredCode, message: OutboxRow | DeadRow): Promise<void>
  /** Judges one try in one statement, which counts it if it is wrong. */
  look(attempt: Try): Promise<Tried>
  /**
   * Like `look`, and redeems a match; of concurrent callers one gets the user. If no account has the address, the newcomer is
   * created in the same transaction; without a newcomer the result has no user.
   */
  redeem(attempt: Try & { clientId: string }, newcomer: NewcomerAtAddress | null): Promise<CodeRedemption>
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

/** The text to send, and the row to store for it. */
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

/** A link for the login with this handle. */
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

/** The secret of a link is case-sensitive and holds dashes, so what is no code stays as it is. */
function asTyped(typed: string): string {
  const code = readCode(typed)
  return /^\d+$/.test(code) ? code : typed.slice(0, 100)
}

export type CodeGuess = CodeAddress & RequestSource & { code: string }

/** The secret of a link is longer than any typed code. */
export const isLinkSecret = (code: string): boolean => code.length > 40

/**
 * Counts the try before it is made, so that a burst makes no more tries than allowed. Takes the count back if the try was right
 * or was not made. A try that was compared with no code counts only for the network (BF6). Null: the try exceeds a limit.
 */
export async function counted<T extends { outcome: string; judged?: boolean }>(
  { ip, browsers, code, ...at }: CodeGuess,
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

/** Tries per address, for a million possible codes. The limit per network and day is a tenant setting. */
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
