// Fast digests that other systems kept passwords in: md5, the SHA family, HMAC, and RFC 2307 (LDAP) forms of them.
// Only the transformation password → bytes lives here. The bytes are never stored: an imported digest is put under
// argon2id at import (imported-hash.ts), so a leaked database does not hold the weak form.
import { createHash, createHmac } from 'node:crypto'

export const DIGESTS = ['md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const
export type DigestName = (typeof DIGESTS)[number]

export const PASSWORD_ENCODINGS = ['ascii', 'utf8', 'utf16le', 'ucs2', 'latin1', 'binary'] as const
export type PasswordEncoding = (typeof PASSWORD_ENCODINGS)[number]

/** Salt in base64, put before or after the password. */
export type Salt = { value: string; position: 'prefix' | 'suffix' }

export type DigestRecipe = {
  kind: 'digest'
  digest: DigestName
  encoding: PasswordEncoding
  salt?: Salt | undefined
  /** Base64; makes it an HMAC. */
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

/** The password's bytes in the original system's encoding; null when it cannot be written in it. */
export function passwordBytes(plain: string, encoding: PasswordEncoding, salt?: Salt): Buffer | null {
  const oneByte = encoding === 'ascii' || encoding === 'latin1' || encoding === 'binary'
  if (oneByte && /[\u0100-\uffff]/.test(plain)) return null
  const password = Buffer.from(plain, encoding)
  if (!salt) return password
  const value = Buffer.from(salt.value, 'base64')
  return Buffer.concat(salt.position === 'prefix' ? [value, password] : [password, value])
}
