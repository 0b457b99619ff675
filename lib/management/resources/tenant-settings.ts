// The settings of the tenant: its name, sessions, flags and defaults.
// - A lifetime is stored once, in hours; `…_in_minutes` writes the same value.
// - What the vendor has to restrict something, and this server cannot apply, is refused, so that no operator relies on it.
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json'
import { tenantSection } from '../../tenants/settings'
import { invalidBody } from '../errors'
import { defineSingleton } from '../singleton'

const MINUTES = [
  'session_lifetime',
  'idle_session_lifetime',
  'ephemeral_session_lifetime',
  'idle_ephemeral_session_lifetime',
] as const

const isOn = (value: Json): boolean => value !== false && value !== null

/** Restrictions of the vendor's that do not exist here, with the values that ask for them. */
const REFUSED: Readonly<Record<string, (value: Json) => boolean>> = {
  default_token_quota: isOn,
  country_codes: isOn,
  security_headers: isOn,
  'mtls.enable_endpoint_aliases': isOn,
  'flags.require_pushed_authorization_requests': isOn,
}

export const tenantSettings = defineSingleton({
  name: 'tenant_settings',
  console: true,
  example: { friendly_name: 'Shop', session_lifetime: 24 },
  title: 'settings of the tenant',
  path: '/tenants/settings',
  scope: 'tenant_settings',
  at: ['tenant'],
  schema: tenantSection,
  protective: ['console_second_factor'],
  deep: ['flags', 'session_cookie', 'sessions', 'oidc_logout', 'mtls', 'compat', 'rate_limits'],
  accept(body, before, { languages }) {
    for (const [name, asks] of Object.entries(REFUSED)) {
      const value = memberOf(body, name)
      if (value !== undefined && asks(value)) throw invalidBody(`This server cannot apply it' on property '${name}`)
    }
    return inHours(withoutAllLanguages(body, before, languages))
  },
  present: (members, { languages }) => ({ enabled_locales: [...languages], ...members }),
  nameIn: ({ friendly_name }) => (typeof friendly_name === 'string' ? friendly_name : undefined),
})

/** A body that repeats what is shown while no language is named names none: a language that is added later is enabled, too. */
function withoutAllLanguages(body: JsonObject, before: JsonObject, languages: readonly string[]): JsonObject {
  const { enabled_locales: given, ...rest } = body
  const isRepeated = [given, before.enabled_locales].every((each) => isDeepStrictEqual(each, languages))
  return isRepeated ? rest : body
}

function inHours(body: JsonObject): JsonObject {
  const hours = { ...body }
  for (const name of MINUTES) {
    const minutes = hours[`${name}_in_minutes`]
    delete hours[`${name}_in_minutes`]
    if (minutes === undefined) continue
    if (minutes !== null && typeof minutes !== 'number')
      throw invalidBody(`must be a number' on property '${name}_in_minutes`)
    hours[name] = minutes === null ? null : minutes / 60
  }
  return hours
}

const memberOf = (body: JsonObject, name: string): Json | undefined =>
  name.split('.').reduce<Json | undefined>((value, part) => (isJsonObject(value) ? value[part] : undefined), body)
