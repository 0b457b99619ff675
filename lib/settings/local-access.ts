// Local access to demo mode and the outbox (threat-model.md BF10). The settings allow both only where the server listens on
// loopback. Each request is checked again, because another server may listen in this process (`next start`), and because a page
// of any site can reach loopback under its own host name (DNS rebinding).
import ipaddr from 'ipaddr.js'

/** The headers of a request by lower-case name, and its source address. */
type Source = { headers: Readonly<Record<string, string | undefined>>; ip: string }

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** `address` is an IP address or `localhost`. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')

/** X-Forwarded-Host is ignored: a page can send it. */
export function createLocalAccess(baseUrl: string, port: number): (request: Source) => boolean {
  const own = new URL(baseUrl)
  const ports = [`:${port}`, own.port === '' ? '' : `:${own.port}`]
  const hosts = new Set([own.host, ...LOOPBACK_NAMES.flatMap((name) => ports.map((suffix) => name + suffix))])
  return ({ headers: { host = '' }, ip }) => hosts.has(host.toLowerCase()) && isLoopback(ip)
}
