// Write-only secrets in settings that tools read and send back.
// - A mask, or the placeholder that the Deploy CLI writes in place of a value (`##NAME##`), stands for the stored value.
import type { JsonObject } from '../../kernel/json'
import { MASK } from '../../kernel/secret'
import { invalidBody } from './errors'

const isStandIn = (value: unknown): boolean => typeof value === 'string' && (value === MASK || /^##\w+##$/.test(value))

export const maskSecrets = (settings: JsonObject, secrets: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, secrets.includes(name) ? MASK : value]))

/**
 * The given settings with stored values in place of stand-ins and of absent secrets; null unsets. `kept` is a secret that the
 * caller did not send.
 */
export function withStored(
  given: JsonObject,
  stored: JsonObject,
  secrets: readonly string[],
): { settings: JsonObject; kept: string | undefined } {
  const isKept = (name: string): boolean => name in stored && (given[name] === undefined || isStandIn(given[name]))
  const settings: JsonObject = {}
  for (const [name, value] of Object.entries(given)) {
    const stands = isStandIn(value)
    if (stands && !(name in stored))
      throw invalidBody(`${name} is a mask or a placeholder, and there is no stored value`)
    const meant = stands ? (stored[name] ?? null) : value
    if (meant !== null && meant !== '') settings[name] = meant
  }
  const kept = secrets.filter(isKept)
  for (const name of kept) settings[name] = stored[name] ?? null
  return { settings, kept: kept[0] }
}
