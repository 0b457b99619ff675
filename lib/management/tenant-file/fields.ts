// Compares objects in the vendor's shape.
import { isJsonObject } from '../../kernel/json'
import type { Json, JsonObject } from './model'

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

/** The path of a member, as messages have it: `clients["Web"].callbacks[0]`. */
export const memberPath = (path: string, more: readonly PropertyKey[]): string =>
  more.reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`), path)
