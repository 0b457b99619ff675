// Custom fields of a sign-up page: configured per connection, shown by the page, stored as `user_metadata`.
import * as z from 'zod'

/** The contract's limits of `user_metadata` at sign-up (threat-model.md DB1). */
export const METADATA_LIMITS = { properties: 10, name: 100, value: 500 } as const

const text = z.string().min(1).max(200)

export const signUpField = z.object({
  /** The property of `user_metadata`. */
  name: z
    .string()
    .min(1)
    .max(METADATA_LIMITS.name)
    .regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter and go on with letters, digits, _ or -'),
  /** One text, or one per language with `en` as the fallback. */
  label: z.union([text, z.record(z.string().max(20), text)]),
  required: z.boolean().default(false),
  /** A checked box is stored as the text `true`. */
  type: z.enum(['text', 'checkbox']).default('text'),
})

export type SignUpField = z.output<typeof signUpField>

export type UserMetadata = Readonly<Record<string, string>>

/** The contract's `user_metadata`: at most ten properties with short names and texts. Null for any other value. */
export function readUserMetadata(value: unknown): UserMetadata | null {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const entries = Object.entries(value)
  return entries.length <= METADATA_LIMITS.properties && entries.every(isProperty) ? Object.fromEntries(entries) : null
}

const isProperty = ([name, value]: [string, unknown]): boolean =>
  name.length <= METADATA_LIMITS.name &&
  isText(name) &&
  typeof value === 'string' &&
  value.length <= METADATA_LIMITS.value &&
  isText(value)

/** Whether PostgreSQL can store it. */
const isText = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
