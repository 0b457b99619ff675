// Members that have no effect. The vendor's tools send every member that they know and compare what they read back, so such a member
// is stored and shown, and reported: in the audit log with the change, on the console's page of the object, and as `not applied` for
// a tenant file. A member that protects is never kept without effect: it is applied or refused (protecting.ts).
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { type Json, type JsonObject, keysOf, valueAt } from '../../kernel/json'
import { withoutEffectIn } from '../../kernel/schema'

/**
 * The paths of the members that the schema does not know, or marks as without effect: `options.icon_url`, `identifiers[0].icon`. A
 * member of `always` has an effect while it has the value that holds here for every object.
 */
export const unknownMembers = (schema: z.ZodType, object: JsonObject, always: JsonObject = {}): string[] =>
  withoutEffectIn(schema, object).filter(
    (path) => !isDeepStrictEqual(valueAt(object, keysOf(path)), valueAt(always, keysOf(path))),
  )

/** The paths of the members of a body that no schema knows and the object does not show: nothing keeps them. */
export const leftOut = (schema: z.ZodType, body: Json, shown: JsonObject): string[] =>
  withoutEffectIn(schema, body).filter((path) => valueAt(shown, keysOf(path)) === undefined)

/** The outermost member of a path. */
export const firstName = (path: string): string => path.split(/[.[]/, 1)[0] ?? path
