// The origins (scheme, host, port) whose pages may log a person in across origins: those in the callbacks, web origins or allowed
// origins of a first-party application (the contract's cross-origin authentication, TK5).
// - Never those of a third-party application: a page that can log in could also log a visitor in as another person (login CSRF).
// - An origin is the value that a browser sends in `Origin`; `null` and malformed values match no client.
// - The origin of an app or an extension (`capacitor://localhost`) is named as such: a callback with a scheme of an app's own names
//   the app, not a page.
import type { Explained } from '../../kernel/errors'
import { originOf, webOriginOf } from '../../kernel/origin'
import type { Client } from './client'
import { unregistered } from './unregistered'
import { admits, namesOrganization, organizationNameIn } from './url-patterns'

/** The origins of a client; one may have a placeholder (url-patterns.ts). */
export function registeredOrigins({ settings }: Pick<Client, 'settings'>): string[] {
  const named = [...settings.web_origins, ...settings.allowed_origins].map(originOf)
  const origins = new Set([...settings.callbacks.map(webOriginOf), ...named].filter((origin) => origin !== null))
  return [...origins].filter((origin) => settings.organization_usage !== 'deny' || !namesOrganization(origin))
}

/** The origins from which people may log in. */
export const loginOrigins = (client: Pick<Client, 'settings'>): string[] =>
  client.settings.cross_origin_authentication && client.settings.is_first_party ? registeredOrigins(client) : []

/** What the log says of a page from which people may not log in. */
export function refusedOrigin(client: Pick<Client, 'settings'>, origin: string): Explained {
  const { is_first_party, cross_origin_authentication } = client.settings
  if (!is_first_party) return notAllowed('the application is of a third party, so no page may log people in for it')
  if (!cross_origin_authentication) return notAllowed('cross_origin_authentication of the application is off')
  return unregistered('origin_not_allowed', origin, registeredOrigins(client))
}

const notAllowed = (detail: string): Explained => ({ reason: 'origin_not_allowed', detail })

/** Whether a page of that origin may bring a browser here with a code that its user typed there. */
export const isPageOf = async (client: Pick<Client, 'settings'>, origin: string, deps: Deps): Promise<boolean> =>
  client.settings.is_first_party && (await admitsOrigin(registeredOrigins(client), origin, deps))

type Deps = { organizations: { findByName(name: string): Promise<object | null> } }

/** A page's origin names no request, so any organization of the tenant may stand for `{organization_name}`. */
export async function admitsOrigin(
  named: readonly string[],
  origin: string,
  { organizations }: Deps,
): Promise<boolean> {
  if (originOf(origin) !== origin) return false
  if (named.some((entry) => admits(entry, origin))) return true
  const name = named.map((entry) => organizationNameIn(entry, origin)).find((found) => found !== null)
  return name != null && (await organizations.findByName(name)) !== null
}
