// Queries that ask for what an answer shows.

/** Each value of an object with the names that lead to it; a list has no name of its own. */
export function leavesOf(value: unknown, path: readonly string[] = []): [readonly string[], unknown][] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, path))
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
}

export const quoted = (value: unknown): string => `"${String(value).replaceAll(/[\\"]/g, '\\$&')}"`

/** The text without quotation marks. */
export const wordOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')
