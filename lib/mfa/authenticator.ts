// Second factors as they are enrolled: the model, the port and what anybody is told of them.
// - A TOTP seed is kept sealed; a recovery code and a device's token only as digests (threat-model.md MF4, MF6).
// - A step of a TOTP counts once, a recovery code once; each is decided by one statement.
// - What is listed never holds a seed, a code or a whole address (MF3).
import { alphanumeric, type Random } from '../kernel/random'
import { digest } from '../kernel/secret'
import type { ProofStanding } from '../users/first-proof'
import type { User } from '../users/user'

/** The vendor's words for what proves a factor, and for the way out of band. */
export type AuthenticatorType = 'otp' | 'oob' | 'recovery-code'
export const OOB_CHANNELS = ['auth0', 'sms', 'voice', 'email'] as const
export type OobChannel = (typeof OOB_CHANNELS)[number]

export type Authenticator = {
  id: string
  userId: string
  type: AuthenticatorType
  channel: OobChannel | null
  /** Of a device. */
  name: string | null
  active: boolean
  sealed: Uint8Array | null
  phoneNumber: string | null
  email: string | null
  secretDigest: Uint8Array | null
  /** Begun by somebody who had proven a factor: it may be confirmed although another is active. */
  vouched: boolean
  createdAt: Date
}

/** Confirms a waiting factor; `step` is the TOTP step that did it, `kinds` those of which another may have become active. */
export type Confirmation = {
  userId: string
  id: string
  step: number | null
  kinds: readonly string[]
  at: Date
  createdAfter: Date
}

export type AuthenticatorPort = {
  /** Everything of the user, waiting ones too, oldest first, the recovery code last. */
  list(userId: string): Promise<Authenticator[]>
  /**
   * Keeps a waiting factor in place of the user's other waiting ones of its kind; recovery codes go with their factors.
   * False where the owner's address was proven meanwhile.
   */
  insert(authenticator: Authenticator, owner: ProofStanding): Promise<boolean>
  /**
   * Makes a waiting factor active, and with it the waiting recovery code. False when it is not there, is older than
   * `createdAfter`, or another became active first and nobody vouched for this one.
   */
  confirm(confirmation: Confirmation): Promise<boolean>
  /** Accepts a TOTP step that is later than every one before it. */
  takeStep(id: string, step: number): Promise<boolean>
  /** Takes the recovery code and puts the next one in its place; false when the code is not the current one. */
  replaceRecoveryCode(userId: string, from: Uint8Array, to: Uint8Array): Promise<boolean>
  /** Removes one of the user's; with the last one also what depends on it. False when it is not there. */
  remove(userId: string, id: string): Promise<boolean>
  /** The device that has this token, with its user. */
  findDevice(secretDigest: Uint8Array): Promise<{ device: Authenticator; user: User } | null>
  /** A waiting device gets its token and name. */
  claimDevice(id: string, claim: { secretDigest: Uint8Array; name: string }): Promise<boolean>
}

export const newAuthenticatorId = (prefix: string, random: Random): string =>
  `${prefix}|dev_${alphanumeric(random, 16)}`

export const isRecovery = ({ type }: Authenticator): boolean => type === 'recovery-code'

/** A verified address is a factor without being enrolled; its id stays the same while the address does. */
export function verifiedAddress(user: User): Authenticator | null {
  if (user.email === null || !user.emailVerified) return null
  const id = `email|dev_${digest(`${user.id} ${user.email}`).toString('hex').slice(0, 16)}`
  return {
    id,
    userId: user.id,
    type: 'oob',
    channel: 'email',
    name: null,
    active: true,
    sealed: null,
    phoneNumber: null,
    email: user.email,
    secretDigest: null,
    vouched: false,
    createdAt: user.updatedAt,
  }
}

/** What the API and the pages show of one. */
export type AuthenticatorView = {
  id: string
  authenticator_type: AuthenticatorType
  active: boolean
  oob_channel?: OobChannel
  name?: string
}

export function viewOfAuthenticator(authenticator: Authenticator): AuthenticatorView {
  const { id, type, channel, active } = authenticator
  const name = maskedName(authenticator)
  return {
    id,
    authenticator_type: type,
    active,
    ...(channel === null ? {} : { oob_channel: channel }),
    ...(name === null ? {} : { name }),
  }
}

/** `XXXXXXXXX9167`, `****@exam*******`, a device's own name. */
export function maskedName({ name, phoneNumber, email }: Authenticator): string | null {
  if (phoneNumber !== null) return maskPhone(phoneNumber)
  return email === null ? name : maskEmail(email)
}

export const maskPhone = (number: string): string => number.replace(/^\+?/, '').replace(/.(?=.{4})/g, 'X')

export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at), address.slice(at + 1)]
  const shown = host.slice(0, Math.min(4, Math.ceil(host.length / 2)))
  return `${'*'.repeat(Math.min(4, Math.max(1, local.length)))}@${shown}${'*'.repeat(host.length - shown.length)}`
}
