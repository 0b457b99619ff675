// Members that are kept without effect. The vendor's tools send every member that they know and compare what they read back, so
// such a member is stored and shown, and reported: in the audit log with the change, on the console's page of the object, and as
// `not applied` for a tenant file. A member that protects is never kept without effect: it is applied or refused.
import type * as z from 'zod'
import type { JsonObject } from '../kernel/json'
import { split } from '../kernel/schema'

/** The paths of the members that the schema does not know: `options.icon_url`, `identifiers[0].icon`. */
export const unknownMembers = (schema: z.ZodType, object: JsonObject): string[] => split(schema, object).unknown

/** The outermost member of a path. */
export const firstName = (path: string): string => path.split(/[.[]/, 1)[0] ?? path
