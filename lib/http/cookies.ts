// Reads and writes cookies. On https every cookie has the `__Host-` prefix and Secure, so no sibling host can set or read it
// (RFC 6265bis 4.1.3.2). All cookies are HttpOnly and host-only.
// - SameSite is Lax, except for the cookie of a cross-origin login. A page of another site sets and sends that cookie, so it is
//   None, lives one minute and is useless without the ticket that the page holds.
import { COOKIE_NAMES, type CookieName } from '../kernel/cookie-names'
import type { HttpRequest } from './message'

export type CookieJar = { secure: boolean }

const prefixOf = (secure: boolean): string => (secure ? '__Host-latchkey_' : 'latchkey_')

/** No cookie that this server sets has a longer value. */
const MAX_VALUE = 192
/** The only one with more than secrets in it. */
const MAX_ACCOUNTS = 1600

/** How a pair of each cookie starts. */
const startsOf = (secure: boolean) =>
  COOKIE_NAMES.map((name) => ({
    name,
    start: `${prefixOf(secure)}${name}=`,
    most: name === 'accounts' ? MAX_ACCOUNTS : MAX_VALUE,
  }))
const SECURE_STARTS = startsOf(true)
const PLAIN_STARTS = startsOf(false)

export type CookieValues = Partial<Record<CookieName, string>>

/** The values of this server's cookies. */
export function readCookies({ headers: { cookie } }: HttpRequest, { secure }: CookieJar): CookieValues {
  const values: CookieValues = {}
  if (!cookie?.includes(prefixOf(secure))) return values
  for (const { name, start, most } of secure ? SECURE_STARTS : PLAIN_STARTS) {
    const value = firstValue(cookie, start, most)
    if (value !== undefined) values[name] = value
  }
  return values
}

/** The value of the first pair that starts so; undefined if it is empty or longer than `most`. */
function firstValue(cookie: string, start: string, most: number): string | undefined {
  for (let at = cookie.indexOf(start); at >= 0; at = cookie.indexOf(start, at + 1)) {
    const before = cookie.slice(0, at).trimEnd()
    if (before !== '' && !before.endsWith(';')) continue
    const from = at + start.length
    const end = cookie.indexOf(';', from)
    const value = cookie.slice(from, end < 0 ? undefined : end).trimEnd()
    return value.length > 0 && value.length <= most ? value : undefined
  }
  return undefined
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
