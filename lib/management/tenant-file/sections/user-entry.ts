// One entry of `users`: the vendor's bulk-import shape, and in addition the less common OpenID claims, `password` (for
// development), `phone_number`, `created_at` and `connection`.
import * as z from 'zod'
import { isMailAddress } from '../../../data/outbox/message'
import { bcryptPasswordHash, customPasswordHash } from '../../../data/users/custom-password-hash'
import { MAX_PASSWORD_LENGTH } from '../../../data/users/password'
import { webUrl } from '../../../kernel/address'
import { canonical } from '../../../kernel/mail-address'
import { readNumber } from '../../../kernel/typed'
import { newUserBody } from '../../resources/user-body'
import { newMethod } from '../../resources/user-factors'
import type { Credential, Json, JsonObject } from '../model'

const { name, given_name, family_name, nickname, email_verified, phone_verified, blocked } = newUserBody.shape

const text = z.string().min(1).max(300)
/** With a dot and no empty part in its host name; its letters may be of any script. */
const isAddress = (given: string): boolean =>
  isMailAddress(given) && /^[^@.]+(\.[^@.]+)*@[^@.]+(\.[^@.]+)+$/.test(canonical(given))
const email = z.string().max(320).refine(isAddress, 'invalid email address')
const phone = z
  .string()
  .overwrite((given) => readNumber(given).replace(/[ -]/g, ''))
  .regex(/^\+[1-9][0-9]{6,14}$/, 'must be a phone number in E.164 form, such as +12125550001')
const metadata = z.record(z.string(), z.custom<Json>())

/** Claims without a column of their own (OpenID Connect Core 5.1). */
const PROFILE = {
  middle_name: text,
  preferred_username: text,
  profile: z.url(),
  website: z.url(),
  gender: text,
  birthdate: z.string().regex(/^(\d{4}|0000)(-\d\d-\d\d)?$/, 'must be YYYY-MM-DD or YYYY'),
  zoneinfo: text,
  locale: text,
  address: metadata,
}

const factor = z
  .strictObject({
    totp: z.strictObject({ secret: newMethod.shape.totp_secret.unwrap() }).optional(),
    phone: z.strictObject({ value: phone }).optional(),
    email: z.strictObject({ value: email }).optional(),
  })
  .refine((value) => Object.values(value).filter(Boolean).length === 1, 'must be exactly one of totp, phone, email')

export type FactorEntry = z.output<typeof factor>

export const userEntry = z
  .object({
    email: email.optional(),
    username: z.string().trim().min(1).max(128).optional(),
    phone_number: phone.optional(),
    user_id: z
      .string()
      .regex(/^(auth0\|)?[A-Za-z0-9_.:@+-]{1,128}$/, 'must be letters, digits or one of _ . : @ + -')
      .optional(),
    ...{ name, given_name, family_name, nickname, email_verified, phone_verified, blocked },
    picture: webUrl.optional(),
    ...z.object(PROFILE).partial().shape,
    user_metadata: metadata.optional(),
    app_metadata: metadata.optional(),
    /** Role names; the list is complete. */
    roles: z.array(z.string().min(1)).max(1000).optional(),
    created_at: z.iso.datetime({ offset: true }).optional(),
    connection: z.string().min(1).optional(),
    password: z
      .string()
      .min(1)
      .max(MAX_PASSWORD_LENGTH)
      .refine((value) => value.isWellFormed(), 'must be valid Unicode')
      .optional(),
    password_hash: bcryptPasswordHash.optional(),
    custom_password_hash: customPasswordHash.optional(),
    mfa_factors: z.array(factor).max(10).optional(),
  })
  .refine((user) => user.email !== undefined || user.username !== undefined, 'needs an email or a username')
  .refine(
    (user) => [user.password, user.password_hash, user.custom_password_hash].filter(Boolean).length <= 1,
    'has more than one of password, password_hash and custom_password_hash',
  )

export type UserEntry = z.output<typeof userEntry>

export function credentialOf(entry: UserEntry): Credential | undefined {
  if (entry.password !== undefined) return { kind: 'plain', password: entry.password }
  const hash = entry.password_hash ?? entry.custom_password_hash
  return hash && { kind: 'imported', hash }
}

export function profileOf(known: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(PROFILE, name)))
}
