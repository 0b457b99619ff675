// Reads and writes cookies. On https every cookie has the `__Host-` prefix and Secure, so no sibling host can set or read it
// (RFC 6265bis 4.1.3.2). All cookies are HttpOnly and host-only.
// - SameSite is Lax, except for the cookie of a cross-origin login. A page of another site sets and sends that cookie, so it is
//   None, lives one minute and is useless without the ticket that the page holds.
import type { HttpRequest } from './message'

export type CookieJar = { secure: boolean }

const NAMES = ['session', 'browser', 'known', 'recognized', 'device', 'co'] as const

export type CookieName = (typeof NAMES)[number]

const prefixOf = (secure: boolean): string => (secure ? '__Host-latchkey_' : 'latchkey_')

/** No cookie that this server sets has a longer value. */
const MAX_VALUE = 192

export type CookieValues = Partial<Record<CookieName, string | undefined>>

/** The values of this server's cookies. A name counts once, by its first value; a value longer than MAX_VALUE counts as none. */
export function readCookies({ headers: { cookie } }: HttpRequest, { secure }: CookieJar): CookieValues {
  const values: CookieValues = {}
  const prefix = prefixOf(secure)
  if (!cookie?.includes(prefix)) return values
  for (const part of cookie.split(';')) {
    const pair = part.trim()
    const name = pair.startsWith(prefix) ? nameIn(pair, prefix.length) : undefined
    if (name === undefined || name in values) continue
    const value = pair.slice(prefix.length + name.length + 1)
    values[name] = value.length > 0 && value.length <= MAX_VALUE ? value : undefined
  }
  return values
}

function nameIn(pair: string, start: number): CookieName | undefined {
  const end = pair.indexOf('=', start)
  return NAMES.find((name) => name.length === end - start && pair.startsWith(name, start))
}

/** A `set-cookie` header; `maxAge` is in seconds. Without `maxAge` it is a session cookie of the browser. */
export function writeCookie(name: CookieName, value: string, jar: CookieJar, maxAge?: number): [string, string] {
  const sameSite = name === 'co' && jar.secure ? 'None' : 'Lax'
  const parts = [`${prefixOf(jar.secure)}${name}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (jar.secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${Math.floor(maxAge)}`)
  return ['set-cookie', parts.join('; ')]
}

export const dropCookie = (name: CookieName, jar: CookieJar): [string, string] => writeCookie(name, '', jar, 0)
