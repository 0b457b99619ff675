// JSON values: the only form of data that enters a sandbox, a settings column or a tenant file.
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one. */
export const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** The objects of a list; none of another value. */
export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/** The texts of a list; none of another value. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** The keys of a path: `identities[0].connection`. */
export const keysOf = (path: string): string[] => path.split(/[.[\]]+/).filter((key) => key !== '')

/** The own member at the end of the keys. */
export const valueAt = (value: unknown, keys: readonly PropertyKey[]): Json | undefined =>
  keys.reduce<unknown>((holder, key) => {
    if (Array.isArray(holder)) return /^\d+$/.test(String(key)) ? holder[Number(key)] : undefined
    return isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[String(key)] : undefined
  }, value) as Json | undefined

/** A member by a name from outside: never one that every object inherits, such as `constructor`. */
export const ownMember = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Members of `over` replace those of `under`, but objects merge at every depth. */
export function mergeObjects(under: JsonObject, over: JsonObject): JsonObject {
  const merged = Object.entries(over).map(([name, value]): [string, Json] => {
    const below = Object.hasOwn(under, name) ? under[name] : undefined
    return [name, isJsonObject(value) && isJsonObject(below) ? mergeObjects(below, value) : value]
  })
  return Object.fromEntries([...Object.entries(under), ...merged])
}

const MAX_DEPTH = 50

/** Why a value from outside cannot be stored, or null: its texts, a member `__proto__`, or its nesting. */
export function unstorable(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'A text holds a character that cannot be stored'
  if (typeof value !== 'object' || value === null) return null
  if (depth > MAX_DEPTH) return 'The body is nested too deeply'
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || !isStorable(name)) return 'A property has a name that cannot be stored'
    const reason = unstorable(member, depth + 1)
    if (reason !== null) return reason
  }
  return null
}

/** Text that PostgreSQL and JSON accept: no NUL, no lone surrogate. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
