// Splits and compares objects in the vendor's shape. `split` follows a zod schema: it returns the part that the schema defines and
// the path of every other field, so nothing is dropped silently.

import * as z from 'zod'
import { isJsonObject } from '../kernel/json'
import { unwrapped } from '../kernel/schema'
import type { Json, JsonObject } from './model'

export type Split = { known: JsonObject; unknown: string[] }

export function split(schema: z.ZodType, value: JsonObject, path: string): Split {
  const unknown: string[] = []
  const known = keepKnown(schema, value, path, unknown)
  return { known: isJsonObject(known) ? known : {}, unknown }
}

function keepKnown(schema: z.ZodType, value: Json, path: string, unknown: string[]): Json {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) => keepKnown(inner.element as z.ZodType, item, `${path}[${index}]`, unknown))
  }
  if (!(inner instanceof z.ZodObject) || !isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, Json][] => {
      const place = path === '' ? name : `${path}.${name}`
      if (isUnset(field)) return []
      if (!Object.hasOwn(inner.shape, name)) {
        unknown.push(place)
        return []
      }
      return [[name, keepKnown(inner.shape[name] as z.ZodType, field, place, unknown)]]
    }),
  )
}

/** Exports contain null or an empty text for values that were never set. */
const isUnset = (value: Json): boolean => value === null || value === ''

export const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, field: unknown) => (isJsonObject(field) ? byName(field) : field))

const byName = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Fields sorted by name: the database keeps no order, and a file to compare needs one. */
export function sorted(value: JsonObject): JsonObject {
  const inner = Object.entries(value).map(([name, field]): [string, Json] => [
    name,
    isJsonObject(field) ? sorted(field) : field,
  ])
  return byName(Object.fromEntries(inner))
}

const MAX_VALUE_LENGTH = 120

/** One readable line per field that differs. */
export function differences(before: JsonObject, after: JsonObject, path = ''): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before[name], after[name]]
    const place = path === '' ? name : `${path}.${name}`
    if (same(old, now)) return []
    if (isJsonObject(old) && isJsonObject(now)) return differences(old, now, place)
    return [old === undefined ? `${place}: ${shown(now)}` : `${place}: ${shown(old)} → ${shown(now)}`]
  })
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'unset'
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`
}
