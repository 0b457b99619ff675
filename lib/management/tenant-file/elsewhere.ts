// Values that the vendor's API accepts and this server does not have. In a file they are reported, and the rest is applied; what
// the vendor does not accept either stays, and is refused.
import type * as z from 'zod'
import { isJsonObject, valueAt } from '../../kernel/json'
import { memberPath } from './fields'
import type { Json, JsonObject } from './model'

/**
 * The vendor's other values of a member, by its path (`options.shields[]`). A number is applied as the nearest one that this server
 * accepts, any other value not at all.
 */
export type Elsewhere = Readonly<Record<string, (value: Json) => boolean>>

export const oneOf =
  (...values: (string | boolean)[]) =>
  (value: Json): boolean =>
    values.some((each) => each === value)

export const wholeNumber =
  (from: number, to = Number.POSITIVE_INFINITY) =>
  (value: Json): boolean =>
    Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to

/** A URL with a placeholder that the vendor stores and matches with nothing, or that only the vendor has. */
export const hasPlaceholder = (value: Json): boolean => typeof value === 'string' && /[*{}]/.test(value)

type Issue = z.core.$ZodIssue

/** What remains without these values, and the report of each; null if no issue is about one. */
export function setAside(
  given: JsonObject,
  issues: readonly Issue[],
  path: string,
  elsewhere: Elsewhere,
): { rest: JsonObject; reports: string[] } | null {
  const foreign = issues.filter((issue) => isElsewhere(given, issue, elsewhere))
  if (foreign.length === 0) return null
  const rest = structuredClone(given)
  // From the last to the first, so that the places in a list stay true.
  for (const issue of foreign.toReversed()) replace(rest, issue)
  return { rest, reports: foreign.map((issue) => reportOf(given, issue, path)) }
}

function isElsewhere(given: JsonObject, { path }: Issue, elsewhere: Elsewhere): boolean {
  const member = path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('')
  const value = valueAt(given, path)
  return value !== undefined && elsewhere[member.slice(1)]?.(value) === true
}

function reportOf(given: JsonObject, issue: Issue, path: string): string {
  const bound = boundOf(issue)
  const instead = bound === undefined ? '' : ` (${bound} applies)`
  return `${memberPath(path, issue.path)}: ${JSON.stringify(valueAt(given, issue.path))}${instead}`
}

/** The nearest accepted number, if the issue is about one. Only whole numbers have an open bound. */
function boundOf(issue: Issue): number | undefined {
  if (!('origin' in issue) || (issue.origin !== 'number' && issue.origin !== 'int')) return undefined
  if (issue.code === 'too_big') return Number(issue.maximum) - (issue.inclusive === false ? 1 : 0)
  return issue.code === 'too_small' ? Number(issue.minimum) + (issue.inclusive === false ? 1 : 0) : undefined
}

/** A list of which nothing remains is not given: empty, it would say something else. */
function replace(rest: JsonObject, issue: Issue): void {
  const place = issue.path.slice(0, -1)
  const [last = ''] = issue.path.slice(-1)
  const holder = valueAt(rest, place)
  const outer = valueAt(rest, place.slice(0, -1))
  const bound = boundOf(issue)
  if (bound !== undefined) Object.assign(holder ?? {}, { [last]: bound })
  else if (isJsonObject(holder)) delete holder[String(last)]
  else if (Array.isArray(holder) && holder.length > 1) holder.splice(Number(last), 1)
  else if (isJsonObject(outer)) delete outer[String(place.at(-1))]
}
