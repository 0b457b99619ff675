// The vendor's tools read an object and send all of it back. A member that is sent as it is shown asks for no change.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../kernel/json'

/** Null stands for an absent member. */
const isRepeated = (name: string, value: unknown, shown: JsonObject): boolean =>
  isDeepStrictEqual(value ?? null, (Object.hasOwn(shown, name) ? shown[name] : null) ?? null)

export const membersThatDiffer = <Value>(
  body: Readonly<Record<string, Value>>,
  shown: JsonObject,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => !isRepeated(name, value, shown)))
