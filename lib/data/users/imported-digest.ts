// Fast digests of passwords from other systems: md5, the SHA family, HMAC, and their RFC 2307 (LDAP) forms.
// This file only maps a password to bytes. The bytes are never stored: at import the digest is hashed with argon2id
// (imported-hash.ts), so a leaked database does not hold the weak form.
import { createHash, createHmac } from 'node:crypto'

export const DIGESTS = ['md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const
export type DigestName = (typeof DIGESTS)[number]

export const PASSWORD_ENCODINGS = ['ascii', 'utf8', 'utf16le', 'ucs2', 'latin1', 'binary'] as const
export type PasswordEncoding = (typeof PASSWORD_ENCODINGS)[number]

/** Salt in base64, prepended or appended to the password. */
export type Salt = { value: string; position: 'prefix' | 'suffix' }

export type DigestRecipe = {
  kind: 'digest'
  digest: DigestName
  encoding: PasswordEncoding
  salt?: Salt | undefined
  /** Base64; turns the digest into an HMAC. */
  key?: string | undefined
}

export const isDigestName = (name: string): name is DigestName => (DIGESTS as readonly string[]).includes(name)

export const digestLength = (digest: DigestName): number => createHash(digest).digest().length

export function digestPassword(recipe: DigestRecipe, plain: string): Buffer | null {
  const input = passwordBytes(plain, recipe.encoding, recipe.salt)
  if (input === null) return null
  const hash =
    recipe.key === undefined ? createHash(recipe.digest) : createHmac(recipe.digest, Buffer.from(recipe.key, 'base64'))
  return hash.update(input).digest()
}

/** The password's bytes in the original system's encoding; null if the encoding cannot represent it. */
export function passwordBytes(plain: string, encoding: PasswordEncoding, salt?: Salt): Buffer | null {
  const oneByte = encoding === 'ascii' || encoding === 'latin1' || encoding === 'binary'
  if (oneByte && /[\u0100-\uffff]/.test(plain)) return null
  const password = Buffer.from(plain, encoding)
  if (!salt) return password
  const value = Buffer.from(salt.value, 'base64')
  return Buffer.concat(salt.position === 'prefix' ? [value, password] : [password, value])
}
