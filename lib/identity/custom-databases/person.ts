// The person that a script of a custom database answers with, under the vendor's names, in the form that is stored. Anything of a wrong shape
// fails the script with a reason: what it meant cannot be known.
// - Only members listed here reach the account: no blocks, roles or linked identities. The script is the tenant's own code, so it says whether
//   an address is verified; only `true` says so.
import * as z from 'zod'
import type { DatabaseConnection } from '../../data/connections/connection'
import { isMailAddress } from '../../data/outbox/message'
import type { NewProfile } from '../../data/users/account'
import { readPhoneNumber } from '../../data/users/phone-number'
import { canonical } from '../../data/users/user'
import { readUsername } from '../../data/users/username'
import type { Json } from '../../kernel/json'

export type ScriptedPerson = {
  /** The script's id; it names an account of its own connection only. */
  providerUserId: string
  email: string | null
  emailVerified: boolean
  username: string | null
  phoneNumber: string | null
  phoneVerified: boolean
  profile: NewProfile
  userMetadata: Readonly<Record<string, unknown>>
  appMetadata: Readonly<Record<string, unknown>>
}

/** Bytes; as much as an action may set. */
const MAX_METADATA = 32_768

const identifier = z.union([
  z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\s\p{Cc}]+$/u, 'must not have blanks'),
  z.int().transform(String),
])

/** A column without a value is null or an empty text. */
const text = (max: number) => z.preprocess((value) => (value === '' ? null : value), z.string().max(max).nullish())

const flag = z.boolean().nullish()
const metadata = z.record(z.string(), z.json()).nullish()

const answer = z.looseObject({
  user_id: identifier.nullish(),
  id: identifier.nullish(),
  email: text(320),
  email_verified: flag,
  username: text(320),
  phone_number: text(60),
  phone_verified: flag,
  name: text(300),
  given_name: text(300),
  family_name: text(300),
  nickname: text(300),
  picture: z.preprocess(
    (value) => (value === '' ? null : value),
    z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .nullish(),
  ),
  user_metadata: metadata,
  app_metadata: metadata,
})

export async function readScriptedPerson(
  value: Json,
  { settings }: DatabaseConnection,
): Promise<ScriptedPerson | { problem: string }> {
  const read = answer.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return { problem: `${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'is invalid'}` }
  }
  const returned = read.data
  const providerUserId = returned.user_id ?? returned.id
  if (providerUserId === null || providerUserId === undefined) return { problem: 'user_id: is missing' }
  const email = typeof returned.email === 'string' ? canonical(returned.email) : null
  if (email !== null && !isMailAddress(email)) return { problem: 'email: is no e-mail address' }
  const username = usernameIn(returned.username, settings.options)
  if (username === undefined) return { problem: 'username: the connection does not allow it' }
  const phoneNumber = typeof returned.phone_number === 'string' ? await readPhoneNumber(returned.phone_number) : null
  if (typeof returned.phone_number === 'string' && phoneNumber === null)
    return { problem: 'phone_number: is no number' }
  if (email === null && username === null && settings.options.import_mode)
    return { problem: 'email: is missing, so the person could not sign in here' }
  const userMetadata = returned.user_metadata ?? {}
  const appMetadata = returned.app_metadata ?? {}
  if (Buffer.byteLength(JSON.stringify([userMetadata, appMetadata])) > MAX_METADATA)
    return { problem: `user_metadata and app_metadata: have more than ${MAX_METADATA} bytes` }
  return {
    ...{ providerUserId, email, username, phoneNumber, userMetadata, appMetadata },
    emailVerified: email !== null && returned.email_verified === true,
    phoneVerified: phoneNumber !== null && returned.phone_verified === true,
    profile: {
      name: returned.name ?? null,
      givenName: returned.given_name ?? null,
      familyName: returned.family_name ?? null,
      nickname: returned.nickname ?? null,
      picture: returned.picture ?? null,
    },
  }
}

/** Undefined for one that the connection does not allow. A connection without user names ignores one, as at the vendor. */
function usernameIn(
  given: string | null | undefined,
  { requires_username, validation }: DatabaseConnection['settings']['options'],
): string | null | undefined {
  if (!requires_username || typeof given !== 'string') return null
  return readUsername(given, validation.username) ?? undefined
}
