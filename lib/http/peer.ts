// The client's address (threat-model.md RL3): the socket's address, unless it is a trusted proxy; then the right-most address
// in X-Forwarded-For that is not a trusted proxy. Forwarding headers of other peers are ignored.
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type PeerReader = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const UNKNOWN = '0.0.0.0'

export function createPeerReader(trustedProxies: readonly string[]): PeerReader {
  const ranges = trustedProxies.map(parseRange)
  const isTrusted = (address: string): boolean => {
    const parsed = ipaddr.process(address)
    return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits))
  }
  return (socketAddress, forwardedFor) => {
    const peer = readAddress(socketAddress ?? '') ?? UNKNOWN
    if (ranges.length === 0 || !isTrusted(peer)) return peer
    let nearest = peer
    for (const hop of (forwardedFor ?? '').split(',').reverse()) {
      const address = readAddress(hop.trim())
      if (address === null) break
      nearest = address
      if (!isTrusted(address)) break
    }
    return nearest
  }
}

/** Normalizes an address: IPv4-mapped IPv6 becomes IPv4. Null for text that is no address. */
export function readAddress(address: string): string | null {
  // IPv4 in dotted decimal is already normalized.
  if (isIPv4(address)) return address
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null
}

function parseRange(text: string): Range {
  if (text.includes('/')) {
    const [base, bits] = ipaddr.parseCIDR(text)
    return [base, bits]
  }
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
