// Secrets in objects of the Management API, recognised by the names of their members.
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json'

const SECRET_NAME =
  /secret|password|passwd|private_?key|credentials|(^|_)(token|key|sid|pass)$|^(access|refresh|api|auth)_?(token|key)/i
/** In camel case: `signingKey`, `decryptionKey`. */
const CAMEL_CASE_NAME = /[a-z](Token|Key|Pass)$/
/** Names that match but hold no secret. */
const HARMLESS = new Set([
  'signing_key',
  'password_policy',
  'password_history',
  'password_dictionary',
  'password_no_personal_info',
  'password_complexity_options',
  'password_options',
  'reset_password',
  'change_password',
  'disable_self_service_change_password',
  'client_authentication_methods',
  'challenge_password_policy',
  'challenge_password_reset_policy',
  'site_key',
])

export const isSecretName = (name: string): boolean =>
  !HARMLESS.has(name) && (SECRET_NAME.test(name) || CAMEL_CASE_NAME.test(name))

const AUDIT_MASK = '[masked]'

/** The members that differ, each with its value before and after; secrets, and members with these names, only say that they differ. */
export function maskedDifference(
  before: JsonObject,
  after: JsonObject,
  secrets: ReadonlySet<string> = new Set(),
): JsonObject {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const isSecret = (name: string): boolean => secrets.has(name) || isSecretName(name)
  return Object.fromEntries(
    changed.map((name) => [name, [masked(name, before[name], isSecret), masked(name, after[name], isSecret)]]),
  )
}

function masked(name: string, value: Json | undefined, isSecret: (name: string) => boolean): Json {
  if (value === undefined || value === null) return null
  if (isSecret(name)) return AUDIT_MASK
  if (Array.isArray(value)) return value.map((item) => masked('', item, isSecret))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([inner, member]) => [inner, masked(inner, member, isSecret)]))
}
