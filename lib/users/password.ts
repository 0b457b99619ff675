// Passwords: hashed and verified, and nothing else knows how (threat-model.md DB4, DB5, SC2).
// - Compared exactly: no truncation, no trimming, no Unicode normalisation. NIST suggests NFC or NFKC; NFKC makes
//   different passwords equal, and imported hashes were made without either, so what was typed is what counts.
// - An unknown account, a wrong password and a password out of bounds cost the same work and answer the same.
// - Everything passes one bounded queue, so a burst ends in 503 and not in a pile-up.
import { invalidRequest } from '../kernel/errors'
import { createWorkQueue, type Load, type QueueBounds } from '../kernel/work-queue'
import { type ImportedHash, isImported, storeImported, verifyImported } from './imported-hash'
import { type Argon2, type Argon2Cost, createArgon2 } from './password-argon2'

/** What was proven, and whether the stored form should be replaced now that the password is at hand. */
export type Verification = { ok: boolean; rehash: boolean }

export type PasswordHasher = {
  hash(plain: string): Promise<string>
  /** `null` is the account that does not exist. */
  verify(stored: string | null, plain: string): Promise<Verification>
  /** The stored form of a hash that another system made. */
  keepImported(hash: ImportedHash): Promise<string>
}

type HasherOptions = QueueBounds & { cost?: Argon2Cost }

/** Four times a long passphrase; the bound keeps slow imported formats from being fed megabytes. */
export const MAX_PASSWORD_LENGTH = 1024

const REFUSED: Verification = { ok: false, rehash: false }

export function createPasswordHasher({ cost, ...bounds }: HasherOptions): PasswordHasher & { load(): Load } {
  const queue = createWorkQueue(bounds)
  const argon2 = createArgon2(cost)
  return {
    async hash(plain) {
      if (!isHashable(plain)) throw invalidRequest(`A password has at most ${MAX_PASSWORD_LENGTH} valid characters`)
      return queue.run(() => argon2.hash(plain))
    },
    keepImported: (hash) => queue.run(() => storeImported(hash, argon2)),
    load: () => queue.load(),
    verify: (stored, plain) => queue.run(() => check(argon2, isHashable(plain) ? stored : null, plain)),
  }
}

async function check(argon2: Argon2, stored: string | null, plain: string): Promise<Verification> {
  if (stored === null) {
    await argon2.burn()
    return REFUSED
  }
  const ok = isImported(stored) ? await verifyImported(stored, plain, argon2) : await argon2.verify(stored, plain)
  return ok ? { ok, rehash: isImported(stored) || !(await argon2.isCurrent(stored)) } : REFUSED
}

/** Half a surrogate pair has no UTF-8 form: different broken strings would be hashed as the same bytes. */
const isHashable = (plain: string): boolean => plain.length <= MAX_PASSWORD_LENGTH && plain.isWellFormed()
