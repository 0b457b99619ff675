// Enrolled second factors: the model and the port.
// - A TOTP seed is stored sealed; a recovery code and a device's token only as digests (threat-model.md MF4, MF6).
// - A TOTP step and a recovery code are accepted once; one statement decides each.
// - A view never contains a seed, a code or a full address (MF3).

import type { ChangeMail } from '../../data/outbox/outbox'
import type { ProofStanding } from '../../data/users/first-proof'
import { displayNameOf, type User } from '../../data/users/user'
import { alphanumeric, type Random } from '../../kernel/random'

export type Authenticator = {
  id: string
  userId: string
  /** The vendor's names of the kind of proof, and of the out-of-band channel (lib/identity/mfa/factors/). */
  type: string
  channel: string | null
  /** The name of a device. */
  name: string | null
  active: boolean
  sealed: Uint8Array | null
  phoneNumber: string | null
  email: string | null
  secretDigest: Uint8Array | null
  /** Started by a user who had proven a factor: it may be confirmed although another is active. A column has this name. */
  vouched: boolean
  createdAt: Date
}

/** Confirms a waiting factor; `step` is the TOTP step used, `kinds` are the kinds of which another may have become active. */
export type Confirmation = {
  userId: string
  id: string
  step: number | null
  kinds: readonly string[]
  at: Date
  createdAfter: Date
  mail: ChangeMail | null
}

/** `recoveryEpoch`: only if the account was not recovered since. */
export type GivenRecoveryCode = {
  recoveryEpoch?: string
  id: string
  userId: string
  secretDigest: Uint8Array
  at: Date
  mail: ChangeMail | null
}

export type AuthenticatorPort = {
  /** All authenticators of the user, including waiting ones, oldest first, the recovery code last. */
  list(userId: string): Promise<Authenticator[]>
  /**
   * Stores a waiting factor and removes the user's other waiting ones of its kind; recovery codes are removed with their factors.
   * False if the owner's address was verified in the meantime.
   */
  insert(authenticator: Authenticator, owner: ProofStanding): Promise<boolean>
  /**
   * Activates a waiting factor, and its waiting recovery code. False if it does not exist, is older than `createdAfter`, or
   * another factor became active first and this one is not marked `vouched`.
   */
  confirm(confirmation: Confirmation): Promise<boolean>
  /** Accepts a TOTP step that is later than every previous one; a previous one later than `latest` was accepted by a clock ahead. */
  takeStep(id: string, step: number, latest: number): Promise<boolean>
  /** Redeems the recovery code and stores the next one; false if the code is not the current one. */
  replaceRecoveryCode(userId: string, from: Uint8Array, to: Uint8Array, mail: ChangeMail | null): Promise<boolean>
  /** Puts an active recovery code in the place of the user's. False if the user has no active factor that it could replace. */
  giveRecoveryCode(given: GivenRecoveryCode): Promise<boolean>
  /** Changes what is given; undefined keeps. False if there is no such factor. */
  change(userId: string, id: string, to: { name?: string | undefined; channel?: string | undefined }): Promise<boolean>
  /** Removes these of the user's authenticators; with the last one, also what depends on it. The ids of those that existed. */
  remove(userId: string, ids: readonly string[], mail: ChangeMail | null): Promise<string[]>
  /** From now on logins ask for a factor of this user (policy.ts). Ends with the user's last factor. */
  want(userId: string, at: Date): Promise<void>
  /** The device with this token, and its user. */
  findDevice(secretDigest: Uint8Array): Promise<{ device: Authenticator; user: User } | null>
  /** Sets the token and name of a waiting device. */
  claimDevice(id: string, claim: { secretDigest: Uint8Array; name: string }): Promise<boolean>
}

export const newAuthenticatorId = (prefix: string, random: Random): string =>
  `${prefix}|dev_${alphanumeric(random, 16)}`

/** What names an account on a page that is open to the holder of a link. */
export function maskedAccount(user: User): string {
  if (user.email !== null) return maskEmail(user.email)
  return user.phoneNumber === null ? displayNameOf(user) : maskPhone(user.phoneNumber)
}

export const maskPhone = (number: string): string => number.replace(/^\+?/, '').replace(/.(?=.{4})/g, 'X')

export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at), address.slice(at + 1)]
  const shown = host.slice(0, Math.min(4, Math.ceil(host.length / 2)))
  return `${'*'.repeat(Math.min(4, Math.max(1, local.length)))}@${shown}${'*'.repeat(host.length - shown.length)}`
}
