// JSON values: the only form of data that enters a sandbox, a settings column or a tenant file.
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty one. */
export const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** Members of `over` replace those of `under`, but objects merge at every depth. */
export function mergeObjects(under: JsonObject, over: JsonObject): JsonObject {
  const merged = Object.entries(over).map(([name, value]): [string, Json] => {
    const below = Object.hasOwn(under, name) ? under[name] : undefined
    return [name, isJsonObject(value) && isJsonObject(below) ? mergeObjects(below, value) : value]
  })
  return Object.fromEntries([...Object.entries(under), ...merged])
}

/** Text that PostgreSQL and JSON accept: no NUL, no lone surrogate. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
