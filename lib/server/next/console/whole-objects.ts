// A form has controls for some members of an object, and an operation replaces an object whole, as at the vendor. So the form's members are
// laid over the object as the person reads it: what has no control in the form stays.
import { isJsonObject, type Json, type JsonObject, mergeObjects, objectIn } from '../../../kernel/json'
import type { ConsoleContext, Reference } from '../../../management/console-call'
import { hideSecrets } from '../../../management/operations/member-access'

export async function withWholeObjects(
  operation: Reference,
  params: Readonly<Record<string, string>>,
  body: Json,
  { actor, deps, ip }: ConsoleContext,
): Promise<Json> {
  if (operation.method !== 'PATCH' || !operation.current || !isJsonObject(body)) return body
  const parts = Object.entries(body).filter(([, value]) => isJsonObject(value))
  if (parts.length === 0) return body
  const stored = await operation.current({ params, query: {}, body, actor, ip, deps, ifMatch: null })
  const shown = objectIn(hideSecrets(objectIn(stored), operation.secrets, actor))
  const whole = parts.map(([name, value]) => [name, mergeObjects(objectIn(shown[name]), objectIn(value))])
  return { ...body, ...(Object.fromEntries(whole) as JsonObject) }
}
