// Bodies of the Management API and what is stored of them.
// - Members that a schema knows are validated and stored as settings. Other members are kept and returned, without effect: the
//   vendor's tools send more than any server implements, and compare what they read back.
// - null unsets a member, also within an object that the schema knows. So does an empty text where the schema does not allow one:
//   exports of the vendor contain it for unset values, and its Terraform provider sends null for what a configuration leaves out.
// - A member that the schema does not know and whose name says that it is a secret is dropped at every depth: it would be stored in
//   the clear. A flag with such a name is not a secret.
import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject, mergeObjects } from '../../kernel/json'
import { unwrapped } from '../../kernel/schema'
import { isSecretName } from './audit-difference'
import { invalidBody, problemOf } from './errors'

export type StoredMembers = { settings: JsonObject; kept: JsonObject }

/** Which members merge with the stored ones instead of replacing them, one level deep. */
export type MergeRule = { deep?: readonly string[] }

/** The members after a change: lists and values replace, null unsets. Throws `invalid_body` if the result is invalid. */
export function changeMembers(
  schema: z.ZodObject,
  { settings, kept }: StoredMembers,
  given: JsonObject,
  { deep = [] }: MergeRule = {},
): StoredMembers {
  const before = mergeObjects(kept, settings)
  const merged: JsonObject = { ...before }
  for (const [name, value] of Object.entries(given)) {
    const stored = before[name]
    if (isUnset(schema, name, value)) delete merged[name]
    else if (deep.includes(name) && isJsonObject(value) && isJsonObject(stored))
      merged[name] = mergeMember(stored, value)
    else merged[name] = withoutUnset(schema, name, value)
  }
  return checkMembers(schema, merged)
}

/** Of an object that the schema knows, what null or an empty text unsets within it. */
function withoutUnset(schema: z.ZodObject, name: string, value: Json): Json {
  const known = Object.hasOwn(schema.shape, name) ? unwrapped(schema.shape[name] as z.ZodType) : undefined
  if (!(known instanceof z.ZodObject) || !isJsonObject(value)) return value
  const set = Object.entries(value).filter(([inner, member]) => !isUnset(known, inner, member))
  return Object.fromEntries(set.map(([inner, member]) => [inner, withoutUnset(known, inner, member)]))
}

function mergeMember(before: JsonObject, given: JsonObject): JsonObject {
  const merged = { ...before }
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === '') delete merged[name]
    else merged[name] = value
  }
  return merged
}

/** The members of a new object. */
export const newMembers = (schema: z.ZodObject, given: JsonObject): StoredMembers =>
  changeMembers(schema, { settings: {}, kept: {} }, given)

const NO_SETTINGS = z.object({})

/** What is kept of a body after a change, where the members that the schema names are stored by themselves. */
export function keepOthers(schema: z.ZodObject, given: JsonObject, kept: JsonObject = {}): JsonObject {
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(schema.shape, name))
  return changeMembers(NO_SETTINGS, { settings: {}, kept }, Object.fromEntries(others)).kept
}

/** Settings and kept members as one object again. */
export const allMembers = ({ settings, kept }: StoredMembers): JsonObject => mergeObjects(kept, settings)

function checkMembers(schema: z.ZodObject, merged: JsonObject): StoredMembers {
  const split = separate(schema, merged)
  const checked = schema.safeParse(split.settings, { reportInput: true })
  if (!checked.success) throw invalidBody(problemOf(checked.error))
  return split
}

/**
 * Checks members of a body by what may be written, where records of earlier versions may have more. What is stored is not checked
 * again, nor what unsets a member.
 */
export function checkWritten(shape: z.ZodRawShape, given: JsonObject): void {
  const schema = z.object(shape).partial()
  const named = Object.entries(given).filter(([name]) => Object.hasOwn(shape, name))
  const set = named.filter(([name, value]) => !isUnset(schema, name, value))
  const checked = schema.safeParse(
    Object.fromEntries(set.map(([name, value]) => [name, withoutUnset(schema, name, value)])),
    { reportInput: true },
  )
  if (!checked.success) throw invalidBody(problemOf(checked.error))
}

/** Splits an object into what the schema knows and the rest, at every depth; the elements of a list stay together. */
export function separate(schema: z.ZodObject, value: JsonObject): StoredMembers {
  const settings: JsonObject = {}
  const kept: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(schema.shape, name) ? unwrapped(schema.shape[name] as z.ZodType) : undefined
    if (known === undefined) {
      if (!holdsSecret(name, member)) kept[name] = withoutSecrets(member)
    } else if (known instanceof z.ZodObject && isJsonObject(member)) {
      const inner = separate(known, member)
      settings[name] = inner.settings
      if (Object.keys(inner.kept).length > 0) kept[name] = inner.kept
    } else settings[name] = member
  }
  return { settings, kept }
}

const holdsSecret = (name: string, value: Json): boolean => typeof value !== 'boolean' && isSecretName(name)

function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).filter(([name, member]) => !holdsSecret(name, member))
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutSecrets(member)]))
}

function isUnset(schema: z.ZodObject, name: string, value: Json): boolean {
  if (value === null) return true
  if (value !== '' || !Object.hasOwn(schema.shape, name)) return false
  return !(schema.shape[name] as z.ZodType).safeParse('').success
}
