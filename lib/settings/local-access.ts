// Who may see what demo mode and the outbox open (threat-model.md BF10): a person at this machine. The settings allow
// either only where the server listens on loopback; each request is judged again, since another server may listen in this
// process (`next start`), and since a page of any site reaches loopback under a name of its own (DNS rebinding).
import ipaddr from 'ipaddr.js'

/** Of a request: its headers by lower-case name, and the address it came from. */
type Source = { headers: Readonly<Record<string, string | undefined>>; ip: string }

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** An IP address, or `localhost`. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')

/** X-Forwarded-Host never counts: a page may send it. */
export function createLocalAccess(baseUrl: string, port: number): (request: Source) => boolean {
  const own = new URL(baseUrl)
  const ports = [`:${port}`, own.port === '' ? '' : `:${own.port}`]
  const hosts = new Set([own.host, ...LOOPBACK_NAMES.flatMap((name) => ports.map((suffix) => name + suffix))])
  return ({ headers: { host = '' }, ip }) => hosts.has(host.toLowerCase()) && isLoopback(ip)
}
