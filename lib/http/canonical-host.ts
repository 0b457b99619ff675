// Cookies belong to a host name. A page that is opened by another name of this machine, such as 127.0.0.1 for localhost, would set a cookie
// that the next page, at the public URL, does not get. So such a request is led to the public URL first.
// - Only from names that mean the same server: another name of this machine at the same port, or the same name with the final dot.
//   Any other host may be that of a proxy in front, and the redirect would come back here without end.
// - The target is built of the public URL alone, never of the Host header.
// - A login that began at a host that may be a proxy's is compared with the request that misses its cookie: where the two came by different
//   addresses, the page names the public URL (lib/login/flow/open.ts).
import { isLoopback, parseUrl } from '../kernel/url'
import type { HttpRequest } from './message'

/** The address of this request at the public URL; null if the request is there already. */
export function canonicalAddress(
  { headers: { host }, path, search }: Pick<HttpRequest, 'headers' | 'path' | 'search'>,
  baseUrl: string,
): string | null {
  if (host === undefined || baseUrl.endsWith(`//${host}`)) return null
  const own = new URL(baseUrl)
  const requested = parseUrl(`${own.protocol}//${host}`)
  if (!requested || requested.host === own.host || requested.port !== own.port) return null
  const name = requested.hostname.replace(/\.$/, '')
  const isSame = name === own.hostname || (isLoopback(name) && isLoopback(own.hostname))
  return isSame ? `${own.origin}${path}${search && `?${search}`}` : null
}

const MAX_ADDRESS = 300

/**
 * The address that the browser seems to have used; null for the public URL. The headers are anyone's, so it is compared with that of another
 * request, and neither shown nor followed.
 */
export function otherAddress({ headers }: Pick<HttpRequest, 'headers'>, baseUrl: string): string | null {
  const host = firstOf(headers['x-forwarded-host']) ?? headers.host
  if (host === undefined) return null
  const scheme = firstOf(headers['x-forwarded-proto']) ?? baseUrl.slice(0, baseUrl.indexOf(':'))
  const address = `${scheme}://${host}`.toLowerCase()
  return address === baseUrl ? null : address.slice(0, MAX_ADDRESS)
}

/** Every proxy of a chain may add a value. */
const firstOf = (list: string | undefined): string | undefined => list?.split(',', 1)[0]?.trim()
