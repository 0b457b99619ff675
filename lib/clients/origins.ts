// The origins (scheme, host, port) whose pages may log a person in across origins: those in the callbacks, web origins or allowed
// origins of a first-party application (the contract's cross-origin authentication, TK5).
// - Never those of a third-party application: a page that can log in could also log a visitor in as another person (login CSRF).
// - An origin is the value that a browser sends in `Origin`; `null` and malformed values match no client.
// - The origin of an app or an extension (`capacitor://localhost`) is named as such: a callback with a scheme of an app's own names
//   the app, not a page.
import { originOf, webOriginOf } from '../kernel/origin'
import { admits, type Client } from './client'

/** The origins of a client; one may have `*` as its whole left-most label. */
export function registeredOrigins({ settings }: Pick<Client, 'settings'>): string[] {
  const named = [...settings.web_origins, ...settings.allowed_origins].map(originOf)
  return [...new Set([...settings.callbacks.map(webOriginOf), ...named].filter((origin) => origin !== null))]
}

/** The origins from which people may log in. */
export const loginOrigins = (client: Pick<Client, 'settings'>): string[] =>
  client.settings.cross_origin_authentication && client.settings.is_first_party ? registeredOrigins(client) : []

/** Whether a page of that origin may bring a browser here with a code that its user typed there. */
export const isPageOf = (client: Pick<Client, 'settings'>, origin: string): boolean =>
  client.settings.is_first_party && admitsOrigin(registeredOrigins(client), origin)

export const admitsOrigin = (named: readonly string[], origin: string): boolean =>
  originOf(origin) === origin && named.some((entry) => admits(entry, origin))
