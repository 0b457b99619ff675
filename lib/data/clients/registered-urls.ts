// Which URLs of a request match those that a client has registered: callbacks, targets of a logout.
// - The whole text is compared (RFC 9700 2.1), but for placeholders (url-patterns.ts) and the port of a loopback address of a native
//   application (RFC 8252 7.3).
import { parseRedirectTarget } from '../../kernel/redirect-target'
import type { Client } from './client'
import { admits, isPattern, organizationNameIn } from './url-patterns'

/** `organization` is the name of the one that the request is for (`{organization_name}`). */
export const matchRedirectUri = ({ settings }: Client, uri: string, organization: string | null = null): boolean =>
  settings.callbacks.some(
    (registered) =>
      admits(registered, uri) ||
      (settings.app_type === 'native' && matchesLoopback(registered, uri)) ||
      (organization !== null && organizationNameIn(registered, uri) === organization),
  )

/** The target of a response to a request without a redirect URI: the first registered one that is no pattern. */
export const firstCallback = ({ settings }: Client): string | undefined =>
  settings.callbacks.find((entry) => !isPattern(entry))

/** RP-initiated logout compares the whole URL, including the query. */
export const matchPostLogoutUri = ({ settings }: Client, uri: string): boolean =>
  settings.allowed_logout_urls.some((registered) => admits(registered, uri))

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(\/[^#]*)?$/

function matchesLoopback(registered: string, uri: string): boolean {
  const [expected, actual] = [LOOPBACK.exec(registered), LOOPBACK.exec(uri)]
  if (!expected || !actual || Number(actual[2] ?? 80) > 65535) return false
  return expected[1] === actual[1] && expected[3] === actual[3]
}

/** Whether an entry of `allowed` matches `url`; an entry may have `*` as its sub-domain. */
export function matchLogoutUrl(allowed: readonly string[], url: string): boolean {
  const target = comparable(url)
  if (target === null || isPattern(target)) return false
  return allowed.map(comparable).some((entry) => entry !== null && admits(entry, target))
}

/** The target of a logout without a URL: the first registered one that is no pattern. */
export const firstLogoutUrl = ({ settings }: Client): string | undefined =>
  settings.allowed_logout_urls.find((entry) => !isPattern(entry))

/** Scheme and host in lower case, the path unchanged, no query or fragment; null if the text is no absolute URL. */
function comparable(url: string): string | null {
  const parsed = parseRedirectTarget(url)
  return parsed && `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}
