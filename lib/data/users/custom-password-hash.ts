// Converts `custom_password_hash` and `password_hash` of the vendor's bulk-import schema to a verifiable hash. The rules per
// algorithm follow "Bulk User Import Database Schema and Examples" of the vendor's documentation.
import * as z from 'zod'
import { PASSWORD_ENCODINGS } from './imported-digest'
import type { ImportedHash } from './imported-hash'
import { READERS, Unusable } from './imported-readers'
import { TEXT_ENCODINGS } from './imported-text'

const textEncoding = z.enum(TEXT_ENCODINGS)
const encodedText = z.strictObject({ value: z.string().max(4096), encoding: textEncoding.default('utf8') })

const shape = z.strictObject({
  algorithm: z.enum(['argon2', 'bcrypt', 'hmac', 'ldap', 'md4', 'md5', 'sha1', 'sha256', 'sha512', 'pbkdf2', 'scrypt']),
  hash: z.strictObject({
    value: z.string().min(1).max(4096),
    encoding: textEncoding.optional(),
    digest: z.string().optional(),
    key: encodedText.optional(),
  }),
  salt: encodedText.extend({ position: z.enum(['prefix', 'suffix']).default('prefix') }).optional(),
  password: z.strictObject({ encoding: z.enum(PASSWORD_ENCODINGS).default('utf8') }).prefault({}),
  keylen: z.number().int().positive().max(1024).optional(),
  cost: z.number().int().min(2).default(16384),
  blockSize: z.number().int().positive().max(64).default(8),
  parallelization: z.number().int().positive().max(16).default(1),
})

export type CustomPasswordHash = z.output<typeof shape>

export const customPasswordHash = shape.transform((given, context): ImportedHash => {
  try {
    return READERS[given.algorithm](given)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    context.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
})

export const bcryptPasswordHash = z
  .string()
  .max(60)
  .transform((value) => ({ algorithm: 'bcrypt', hash: { value } }))
  .pipe(customPasswordHash)
