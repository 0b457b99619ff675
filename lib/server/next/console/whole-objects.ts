// A form has controls for some members of an object, and an operation replaces an object whole, as at the vendor. So the form's members are
// laid over the object as the person reads it: what has no control in the form stays.
import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject, mergeObjects, objectIn } from '../../../kernel/json'
import { unwrapped } from '../../../kernel/schema'
import { memberAt, metaOf } from '../../../kernel/schema-meta'
import type { ConsoleContext, Reference } from '../../../management/console-call'
import { hideSecrets } from '../../../management/operations/member-access'
import { bodyOf } from './form'
import { isEmpty, rootOf } from './form-values'

const mergesObjects = ({ method, current }: Reference): boolean => method === 'PATCH' && current !== undefined

/** What a form sends as a whole: a control alone where objects are merged, otherwise a member of the body. */
export const unitOf = (operation: Reference): ((path: string) => string) =>
  mergesObjects(operation) ? (path) => path : rootOf

export async function withWholeObjects(
  operation: Reference,
  params: Readonly<Record<string, string>>,
  body: Json,
  { actor, deps, ip }: ConsoleContext,
): Promise<Json> {
  if (!mergesObjects(operation) || !isJsonObject(body)) return body
  const parts = Object.entries(body).filter(([, value]) => isJsonObject(value))
  if (parts.length === 0) return body
  const stored = await operation.current?.({ params, query: {}, body, actor, ip, deps, ifMatch: null })
  const shown = objectIn(hideSecrets(objectIn(stored), operation.secrets, actor))
  const whole = parts.map(([name, value]) => [name, mergeObjects(objectIn(shown[name]), objectIn(value))])
  const schema = bodyOf(operation)
  const sent = withoutRemoved(Object.fromEntries(whole) as JsonObject, schema)
  return {
    ...body,
    ...Object.fromEntries(
      Object.entries(sent).map(([name, each]) => [name, unsetIfEmptied(each, memberAt(schema, name))]),
    ),
  }
}

/** An object in which nothing is left, and that cannot be so, is unset. */
function unsetIfEmptied(value: Json, member: z.ZodType | undefined): Json {
  if (member === undefined || !isJsonObject(value) || !Object.values(value).every(isNothing)) return value
  const canBeAbsent = member.safeParse(undefined).success
  return canBeAbsent && !member.safeParse(value).success ? null : value
}

const isNothing = (value: Json): boolean => value === null || value === false || isEmpty(value)

/**
 * A name that a person took out of an object with free names is null, which is what an operation needs that merges the object into the
 * stored one. Any other gets the object without it.
 */
function withoutRemoved(value: JsonObject, schema: z.ZodType | undefined): JsonObject {
  const whole = schema && unwrapped(schema)
  const entries = Object.entries(value).flatMap(([name, each]): [string, Json][] => {
    const member = whole instanceof z.ZodObject && Object.hasOwn(whole.shape, name) ? whole.shape[name] : undefined
    if (each === null && member === undefined) return []
    return [[name, isJsonObject(each) && !isMerged(member) ? withoutRemoved(each, member) : each]]
  })
  return Object.fromEntries(entries)
}

const isMerged = (schema: z.ZodType | undefined): boolean => schema !== undefined && metaOf(schema).merges === true
