// Whose request it is (threat-model.md RL3): the socket's address, unless that is a listed proxy; then the right-most
// address in X-Forwarded-For that is not one. Nobody else's forwarding headers count.
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

/** One spelling per address: IPv4 inside IPv6 becomes IPv4. Null when it is none. */
export function readAddress(address: string): string | null {
  // Four plain decimal numbers have no other spelling.
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
