// The vendor's members that protect something and do not exist here: a body that asks for one is refused, so that no operator
// relies on it. A value that asks for nothing, such as the vendor's default, is kept like any other member without effect.
// - What restricts something that does not exist here either, such as a kind of tokens that is never issued, protects nothing.
// - A tenant file reports them as not applied.
import { type Json, type JsonObject, keysOf, valueAt } from '../../kernel/json'
import { invalidBody } from './errors'

/** The values of a member that ask for its protection, by the member's path. */
export type UnsupportedProtections = Readonly<Record<string, (value: Json) => boolean>>

export const asksForIt = (value: Json): boolean => value !== false && value !== null
export const isSet = (value: Json): boolean => value !== null && value !== '' && Object.keys(Object(value)).length > 0
export const isOneOf =
  (...values: Json[]) =>
  (value: Json): boolean =>
    values.includes(value)

/** Throws for a body that asks for a protection that does not exist here. */
export function refuseUnsupportedProtections(protecting: UnsupportedProtections, body: JsonObject): void {
  for (const [path, asks] of Object.entries(protecting)) {
    const value = valueAt(body, keysOf(path))
    if (value !== undefined && asks(value)) throw invalidBody({ path: path, message: 'This server cannot apply it' })
  }
}
