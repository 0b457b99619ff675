// Hashing and verification of passwords; no other module knows the format (threat-model.md DB4, DB5, SC2).
// - Compared exactly: no truncation, trimming or Unicode normalization. NIST suggests NFC or NFKC, but NFKC makes different
//   passwords equal, and imported hashes were made without either.
// - An unknown account, a wrong password and a password out of bounds cost the same work and get the same answer.
// - Every operation passes one bounded queue, so a burst is answered with 503 instead of an unbounded backlog.
import { invalidRequest } from '../../kernel/errors'
import { createWorkQueue, type Load, type QueueBounds } from '../../kernel/work-queue'
import { type ImportedHash, isImported, storeImported, verifyImported } from './imported-hash'
import { type Argon2, type Argon2Cost, createArgon2 } from './password-argon2'

/** The result, and whether the stored hash should be replaced now that the password is available. */
export type Verification = { ok: boolean; rehash: boolean }

export type PasswordHasher = {
  hash(plain: string): Promise<string>
  /** `null` for an account that does not exist. */
  verify(stored: string | null, plain: string): Promise<Verification>
  /** The stored form of a hash that another system made. */
  keepImported(hash: ImportedHash): Promise<string>
}

type HasherOptions = QueueBounds & { cost?: Argon2Cost }

/** Four times a long passphrase; bounds the input of slow imported formats. */
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

/** A lone surrogate has no UTF-8 form: different malformed strings would be hashed as the same bytes. */
const isHashable = (plain: string): boolean => plain.length <= MAX_PASSWORD_LENGTH && plain.isWellFormed()
