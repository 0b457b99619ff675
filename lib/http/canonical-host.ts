// Cookies belong to a host name. A page that is opened by another name of this machine, such as 127.0.0.1 for localhost, would set a cookie
// that the next page, at the public URL, does not get. So such a request is led to the public URL first.
// - Only from names that mean the same server: another name of this machine at the same port, or the same name with the final dot.
//   Any other host may be that of a proxy in front, and the redirect would come back here without end.
// - The target is built of the public URL alone, never of the Host header.
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
