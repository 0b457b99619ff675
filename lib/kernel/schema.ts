import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from './json'

/** The schema without what makes its value optional, or needed again. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  const known = UNWRAPPED.get(schema)
  if (known) return known
  const inner =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodNonOptional
      ? unwrapped(schema.unwrap() as z.ZodType)
      : schema
  UNWRAPPED.set(schema, inner)
  return inner
}

/** Each test of a class of zod takes a while, and an import has many values. */
const UNWRAPPED = new WeakMap<z.ZodType, z.ZodType>()

/** An object with these members and any others. What is checked was read as JSON, so the others are JSON without a check. */
export const openObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape) as z.ZodObject<Shape, z.core.$catchall<z.ZodType<Json>>>

/**
 * The object as it is shown, where it may have members beside these: those that a body brought and that have no effect, or those of a
 * profile. Its type leaves them out.
 */
export const withOthers = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.loose() as unknown as z.ZodObject<Shape>

const WITHOUT_EFFECT = new WeakMap<z.ZodType, (value: Json) => boolean>()

/** Marks values that the schema knows, so that they are validated, and that are kept without effect; without `when`, all of them. */
export function withoutEffect<T extends z.ZodType>(schema: T, when: (value: Json) => boolean = () => true): T {
  WITHOUT_EFFECT.set(schema, when)
  return schema
}

export type Split = { known: JsonObject; unknown: string[] }

/**
 * The part of an object that the schema defines, and the path of every member that is set without effect: one that the schema does not
 * define, or a value that it marks. `options.icon_url`, `rules[0].name`.
 */
export function split(schema: z.ZodType, value: JsonObject, path = ''): Split {
  const unknown: string[] = []
  const known = keepKnown(schema, value, path, unknown)
  return { known: isJsonObject(known) ? known : {}, unknown }
}

/** These paths alone, of any value. */
export function withoutEffectIn(schema: z.ZodType, value: Json): string[] {
  const unknown: string[] = []
  keepKnown(schema, value, '', unknown)
  return unknown
}

function keepKnown(schema: z.ZodType, value: Json, path: string, unknown: string[]): Json {
  const inner = unwrapped(schema)
  if (WITHOUT_EFFECT.get(inner)?.(value)) unknown.push(path)
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) => keepKnown(inner.element as z.ZodType, item, `${path}[${index}]`, unknown))
  if (!(inner instanceof z.ZodObject) || !isJsonObject(value)) return value
  const { shape } = inner
  const known: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (isUnset(member)) continue
    const place = path === '' ? name : `${path}.${name}`
    if (Object.hasOwn(shape, name)) known[name] = keepKnown(shape[name] as z.ZodType, member, place, unknown)
    else unknown.push(place)
  }
  return known
}

/** Exports contain null or an empty text for values that were never set. */
const isUnset = (value: Json): boolean => value === null || value === ''
