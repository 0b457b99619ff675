// Cookies as data. On https every cookie carries the `__Host-` prefix and Secure, so no sibling host can
// plant or read one (RFC 6265bis 4.1.3.2); all are HttpOnly and host-only.
// - SameSite=Lax, but for the one that a cross-origin login leaves behind: it is set and read from another site's page,
//   so it is None, lives a minute and proves nothing without the ticket that the page holds.
import type { HttpRequest } from './message'

export type CookieName = 'session' | 'browser' | 'known' | 'recognized' | 'device' | 'co'

export type CookieJar = { secure: boolean }

const nameOf = (name: CookieName, secure: boolean): string => `${secure ? '__Host-' : ''}latchkey_${name}`

/** No value that is set is longer. */
const MAX_VALUE = 192

/** The cookie's value, or undefined when absent or longer than any we set. */
export function readCookie(request: HttpRequest, name: CookieName, { secure }: CookieJar): string | undefined {
  const { cookie } = request.headers
  const wanted = `${nameOf(name, secure)}=`
  if (!cookie?.includes(wanted)) return undefined
  for (const part of cookie.split(';')) {
    const pair = part.trim()
    if (pair.startsWith(wanted)) {
      const value = pair.slice(wanted.length)
      return value.length > 0 && value.length <= MAX_VALUE ? value : undefined
    }
  }
  return undefined
}

/** A `set-cookie` header; without `maxAge` (seconds) the browser drops it when it closes. */
export function writeCookie(name: CookieName, value: string, jar: CookieJar, maxAge?: number): [string, string] {
  const sameSite = name === 'co' && jar.secure ? 'None' : 'Lax'
  const parts = [`${nameOf(name, jar.secure)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (jar.secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${Math.floor(maxAge)}`)
  return ['set-cookie', parts.join('; ')]
}

export const dropCookie = (name: CookieName, jar: CookieJar): [string, string] => writeCookie(name, '', jar, 0)
