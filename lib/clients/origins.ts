// From which pages a person may be logged in across origins: those whose origin (scheme, host, port) a first-party
// application names by its callbacks, web origins or allowed origins (the contract's cross-origin authentication, TK5).
// - A third-party application never: whoever logs in from a page can also log a visitor in as somebody else.
// - An origin is what a browser writes in `Origin`; `null` and anything else that is no origin is nobody's.
import { parseUrl } from '../kernel/url'
import { admits, type Client } from './client'

/** The origins that a client names; one may hold a star as its whole left-most label. */
export function registeredOrigins({ settings }: Pick<Client, 'settings'>): string[] {
  const named = [...settings.callbacks, ...settings.web_origins, ...settings.allowed_origins]
  return [...new Set(named.map(originOf).filter((origin) => origin !== null))]
}

/** Those of them from which people log in. */
export const loginOrigins = (client: Pick<Client, 'settings'>): string[] =>
  client.settings.cross_origin_authentication && client.settings.is_first_party ? registeredOrigins(client) : []

/** Whether a page of that origin may bring a browser here with a code that it asked its user for. */
export const isPageOf = (client: Pick<Client, 'settings'>, origin: string): boolean =>
  client.settings.is_first_party && admitsOrigin(registeredOrigins(client), origin)

export const admitsOrigin = (named: readonly string[], origin: string): boolean =>
  originOf(origin) === origin && named.some((entry) => admits(entry, origin))

function originOf(url: string): string | null {
  const parsed = parseUrl(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : null
}
