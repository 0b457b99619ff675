// A change of `user_metadata` by a person's application (the contract's PATCH /api/v2/users/{id}).
// - The vendor's merge: properties of the first level are replaced, `null` removes one, an empty object removes all.
// - Any JSON that can be stored and read back unchanged: no NUL, no lone surrogate, no member named `__proto__` at any depth, and
//   bounded nesting (threat-model.md DB2, TK6).

import type { MetadataChange } from './profile'
import { METADATA_LIMITS } from './sign-up-fields'

/** Bytes of the whole object, as text. */
export const MAX_METADATA = 16 * 1024
const MAX_DEPTH = 8

/** Null for an invalid change. */
export function readMetadataChange(value: unknown): MetadataChange | null {
  if (!isObject(value) || !isSound(value, MAX_DEPTH)) return null
  if (Object.keys(value).some((name) => name === '' || name.length > METADATA_LIMITS.name)) return null
  return metadataChange(value)
}

/** Of a value that was checked. */
export function metadataChange(value: Readonly<Record<string, unknown>>): MetadataChange {
  const entries = Object.entries(value)
  return {
    set: Object.fromEntries(entries.filter(([, property]) => property !== null)),
    remove: entries.filter(([, property]) => property === null).map(([name]) => name),
    clear: entries.length === 0,
  }
}

function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.entries(value).every(
    ([name, inner]) => name !== '__proto__' && isText(name) && isSound(inner, depth - 1),
  )
}

const isText = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
