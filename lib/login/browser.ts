// The cookie that binds a login transaction to the browser that started it (threat-model.md SE4): one random value per browser,
// shared by its transactions. It proves no identity and never becomes a session.
import { type CookieJar, readCookie, writeCookie } from '../http/cookies'
import type { HttpRequest } from '../http/message'
import type { Random } from '../kernel/random'
import { digest, equalsConstantTime } from '../kernel/secret'

export function bindBrowser(
  request: HttpRequest,
  jar: CookieJar,
  random: Random,
): { digest: Uint8Array; cookies: [string, string][] } {
  const known = readCookie(request, 'browser', jar)
  if (known) return { digest: digest(known), cookies: [] }
  const value = random.token()
  return { digest: digest(value), cookies: [writeCookie('browser', value, jar)] }
}

export type Binding = 'bound' | 'other-browser' | 'no-cookie'

export function checkBinding(request: HttpRequest, expected: Uint8Array, jar: CookieJar): Binding {
  const value = readCookie(request, 'browser', jar)
  if (!value) return 'no-cookie'
  return equalsConstantTime(digest(value), expected) ? 'bound' : 'other-browser'
}
