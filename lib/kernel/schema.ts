import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from './json'

/** The schema without what makes its value optional, or needed again. */
export const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodNonOptional
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema

export type Split = { known: JsonObject; unknown: string[] }

/** The part of an object that the schema defines, and the path of every other member that is set: `options.icon_url`, `rules[0].name`. */
export function split(schema: z.ZodType, value: JsonObject, path = ''): Split {
  const unknown: string[] = []
  const known = keepKnown(schema, value, path, unknown)
  return { known: isJsonObject(known) ? known : {}, unknown }
}

function keepKnown(schema: z.ZodType, value: Json, path: string, unknown: string[]): Json {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) => keepKnown(inner.element as z.ZodType, item, `${path}[${index}]`, unknown))
  if (!(inner instanceof z.ZodObject) || !isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const place = path === '' ? name : `${path}.${name}`
      if (isUnset(member)) return []
      if (Object.hasOwn(inner.shape, name))
        return [[name, keepKnown(inner.shape[name] as z.ZodType, member, place, unknown)]]
      unknown.push(place)
      return []
    }),
  )
}

/** Exports contain null or an empty text for values that were never set. */
const isUnset = (value: Json): boolean => value === null || value === ''
