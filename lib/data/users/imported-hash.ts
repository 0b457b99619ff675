// The stored form of an imported password hash, and its verification. It is used until the first successful login, when the
// caller replaces it by argon2id.
// - A fast digest is stored as argon2id over the digest: the weak form never reaches the database, and a check costs exactly as
//   much as that of any other password.
// - A slow hash (bcrypt, argon2 with other parameters, pbkdf2, scrypt) is stored unchanged. A failed check costs one argon2id in
//   addition, and a successful one is followed by the re-hash, so a check is never cheaper than for an ordinary account.
import { pbkdf2 as pbkdf2Callback, type ScryptOptions, scrypt as scryptCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type DigestName,
  type DigestRecipe,
  digestPassword,
  type PasswordEncoding,
  passwordBytes,
  type Salt,
} from './imported-digest'
import type { Argon2 } from './password-argon2'

type BcryptRecipe = { kind: 'bcrypt'; hash: string; encoding: PasswordEncoding; salt?: Salt | undefined }
type Argon2Recipe = { kind: 'argon2'; hash: string; encoding: 'utf8' }
/** `hash` and `salt` in base64. */
type Derived = { hash: string; salt: string; encoding: PasswordEncoding }
type Pbkdf2Recipe = Derived & { kind: 'pbkdf2'; digest: DigestName; iterations: number }
type ScryptRecipe = Derived & { kind: 'scrypt'; N: number; r: number; p: number }

type SlowRecipe = BcryptRecipe | Argon2Recipe | Pbkdf2Recipe | ScryptRecipe

/** The hash of an import file: its algorithm and parameters, and for a fast digest the digest itself. */
export type ImportedHash = { recipe: DigestRecipe; digest: Buffer } | { recipe: SlowRecipe }

type StoredRecipe = (DigestRecipe & { argon2: string }) | SlowRecipe

const PREFIX = 'imported:'

export const isImported = (stored: string): boolean => stored.startsWith(PREFIX)

/** The value of the account's password column. */
export async function storeImported(hash: ImportedHash, argon2: Pick<Argon2, 'hash'>): Promise<string> {
  const stored: StoredRecipe =
    'digest' in hash ? { ...hash.recipe, argon2: await argon2.hash(hash.digest.toString('base64')) } : hash.recipe
  return PREFIX + JSON.stringify(stored)
}

export async function verifyImported(stored: string, plain: string, argon2: Argon2): Promise<boolean> {
  const recipe = JSON.parse(stored.slice(PREFIX.length)) as StoredRecipe
  if (recipe.kind === 'digest') return verifyDigest(recipe, plain, argon2)
  const ok = await verifySlow(recipe, plain, argon2)
  if (!ok) await argon2.burn()
  return ok
}

async function verifyDigest(
  recipe: DigestRecipe & { argon2: string },
  plain: string,
  argon2: Argon2,
): Promise<boolean> {
  const digest = digestPassword(recipe, plain)
  const matches = await argon2.verify(recipe.argon2, digest?.toString('base64') ?? '')
  return matches && digest !== null
}

async function verifySlow(recipe: SlowRecipe, plain: string, argon2: Argon2): Promise<boolean> {
  const password = passwordBytes(plain, recipe.encoding, recipe.kind === 'bcrypt' ? recipe.salt : undefined)
  if (password === null) return false
  switch (recipe.kind) {
    case 'bcrypt':
      // Loaded lazily: only deployments that imported bcrypt hashes need it.
      return (await import('@node-rs/bcrypt')).verify(password, recipe.hash)
    case 'argon2':
      return argon2.verify(recipe.hash, plain)
    case 'pbkdf2':
      return equals(recipe.hash, (length) =>
        pbkdf2(password, bytes(recipe.salt), recipe.iterations, length, recipe.digest),
      )
    case 'scrypt':
      return equals(recipe.hash, (length) => scrypt(password, bytes(recipe.salt), length, scryptOptions(recipe)))
  }
}

const pbkdf2 = promisify(pbkdf2Callback)
const scrypt = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scryptCallback)

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')

async function equals(hash: string, derive: (length: number) => Promise<Buffer>): Promise<boolean> {
  const expected = bytes(hash)
  return timingSafeEqual(expected, await derive(expected.length))
}

/** Node refuses more memory than `maxmem`; the reader bounds what an import may request. */
const scryptOptions = ({ N, r, p }: ScryptRecipe): ScryptOptions => ({ N, r, p, maxmem: 128 * r * (N + p + 2) })
