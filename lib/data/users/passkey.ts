// Passkeys (WebAuthn level 3): the model and the port.
// - A credential belongs to one account at a database connection, which it signs in to. It follows the account when accounts are
//   linked, and ends with it.
// - Its id is unique in the tenant, so that an assertion names one account (7.1 step 26).
// - The user handle is random and the same for all passkeys of an account: it says nothing about the person (14.6.1).
import { alphanumeric, type Random } from '../../kernel/random'
import type { ChangeMail } from '../outbox/outbox'
import type { AccountKey } from './account'
import type { ProofStanding } from './first-proof'
import type { User } from './user'

/** A public key of an authenticator. */
export type PasskeyCredential = {
  /** As the authenticator returned it, in base64url. */
  credentialId: string
  /** A COSE key. */
  publicKey: Uint8Array
  /** The last signature counter; 0 if the authenticator has none. */
  counter: number
  transports: string[]
  /** The model of the authenticator; zeros if it does not say. */
  aaguid: string
  /** Whether the key may be on several devices; it never changes. */
  multiDevice: boolean
  backedUp: boolean
  rpId: string
  userHandle: Uint8Array
}

/** A passkey whose account is still to be created. */
export type UnownedPasskey = PasskeyCredential & {
  /** `passkey|dev_<random>` */
  id: string
  /** Of its authenticator, or as the person named it; null if neither is known. */
  name: string | null
  /** The User-Agent header of the browser that created it. */
  userAgent: string | null
  createdAt: Date
  lastUsedAt: Date | null
}

export type Passkey = UnownedPasskey & AccountKey

/** Per user; the vendor's limit. */
export const MAX_PASSKEYS = 20

/** The state of a credential after an assertion. */
export type Use = { counter: number; backedUp: boolean; at: Date }

/**
 * `uncounted`: the counter did not increase, and the key may be backed up, so this is a signal and no proof of a copy (WebAuthn Level 3,
 * 7.2 step 22). `copied`: it did not increase, and the key never leaves its device. Nothing was stored.
 */
export type Used = 'counted' | 'uncounted' | 'copied'

export type PasskeyPort = {
  /** The passkeys of all accounts of the user, oldest first. */
  list(userId: string): Promise<Passkey[]>
  /** The user's accounts at database connections. */
  accountsOf(userId: string): Promise<AccountKey[]>
  /**
   * False if the credential is known, the account is no longer the user's, the user has the maximum, or verified the address in
   * the meantime. The mail about it is written in the same transaction.
   */
  insert(passkey: Passkey, owner: Pick<User, 'id'> & ProofStanding, mail: ChangeMail | null): Promise<boolean>
  /** The passkey with this credential id, and the user whom it signs in. */
  find(credentialId: string): Promise<{ passkey: Passkey; user: User } | null>
  /** Whether it is the key of a second factor, which signs in to nothing. */
  isFactor(credentialId: string): Promise<boolean>
  use(id: string, use: Use): Promise<Used>
  /** False if the user has no such passkey. */
  rename(userId: string, id: string, name: string): Promise<boolean>
  /** Removes these of the user's passkeys, and writes the mail about it. Those that existed. */
  remove(userId: string, ids: readonly string[], mail: ChangeMail | null): Promise<Passkey[]>
}

export const newPasskeyId = (random: Random): string => `passkey|dev_${alphanumeric(random, 16)}`

/** At most 64 bytes are allowed (5.4.3). */
export const newUserHandle = (random: Random): Uint8Array => random.bytes(32)
