// Reads and writes cookies. On https every cookie has the `__Host-` prefix and Secure, so no sibling host can set or read it
// (RFC 6265bis 4.1.3.2). All cookies are HttpOnly and host-only.
// - SameSite is Lax, except for the cookie of a cross-origin login. A page of another site sets and sends that cookie, so it is
//   None, lives one minute and is useless without the ticket that the page holds.
import type { HttpRequest } from './message'

export type CookieName = 'session' | 'browser' | 'known' | 'recognized' | 'device' | 'co'

export type CookieJar = { secure: boolean }

const nameOf = (name: CookieName, secure: boolean): string => `${secure ? '__Host-' : ''}latchkey_${name}`

/** No cookie that this server sets has a longer value. */
const MAX_VALUE = 192

/** Undefined when the cookie is absent or longer than MAX_VALUE. */
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

/** A `set-cookie` header; `maxAge` is in seconds. Without `maxAge` it is a session cookie of the browser. */
export function writeCookie(name: CookieName, value: string, jar: CookieJar, maxAge?: number): [string, string] {
  const sameSite = name === 'co' && jar.secure ? 'None' : 'Lax'
  const parts = [`${nameOf(name, jar.secure)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (jar.secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${Math.floor(maxAge)}`)
  return ['set-cookie', parts.join('; ')]
}

export const dropCookie = (name: CookieName, jar: CookieJar): [string, string] => writeCookie(name, '', jar, 0)
