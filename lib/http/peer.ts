// The client's address (threat-model.md RL3): the socket's address, unless it is a trusted proxy; then the right-most address
// in the forwarding header that is not a trusted proxy. Forwarding headers of other peers are ignored.
// - One header is read, never both: a proxy that writes one of them may pass the other on from anyone.
// - Fingerprints of the TLS connection count where the proxy beside this server is trusted; it has to overwrite what clients send.
// - The port, brackets and zone of an address are left out: proxies write them, and each connection has another port.
import ipaddr from 'ipaddr.js'
import {
  type FingerprintHeaders,
  type ForwardingHeader,
  forwardedAddresses,
  type RequestHeaders,
  readAddress,
} from '../kernel/forwarded'
import type { HttpRequest } from './message'

export type PeerSettings = {
  trustedProxies: readonly string[]
  forwardingHeader: ForwardingHeader
  fingerprintHeaders?: FingerprintHeaders
}

export type Peer = Pick<HttpRequest, 'ip' | 'fingerprint'>

export type PeerReader = (socketAddress: string | undefined, headers: RequestHeaders) => Peer

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

const UNKNOWN = '0.0.0.0'

export function createPeerReader({ trustedProxies, forwardingHeader, fingerprintHeaders }: PeerSettings): PeerReader {
  const ranges = trustedProxies.map(parseRange)
  const isTrusted = (address: string): boolean => {
    const parsed = ipaddr.process(address)
    return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits))
  }
  return (socketAddress, headers) => {
    const peer = readAddress(socketAddress ?? '') ?? UNKNOWN
    if (ranges.length === 0 || !isTrusted(peer)) return { ip: peer }
    let nearest = peer
    for (const address of forwardedAddresses(forwardingHeader, headers)) {
      nearest = address
      if (!isTrusted(address)) break
    }
    return { ip: nearest, ...fingerprintIn(headers, fingerprintHeaders) }
  }
}

export function fingerprintIn(headers: RequestHeaders, names: FingerprintHeaders = {}): Pick<Peer, 'fingerprint'> {
  const stated = Object.entries(names).flatMap(([kind, name]) => {
    const value = name === undefined ? undefined : headers[name]
    return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? [[kind, value]] : []
  })
  return stated.length === 0 ? {} : { fingerprint: Object.fromEntries(stated) }
}

/** Peers have the address of IPv4 where it is mapped, so a mapped range is one of IPv4. */
function parseRange(text: string): Range {
  const [base, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), undefined]
  if (!(base instanceof ipaddr.IPv6)) return [base, bits ?? 32]
  const length = bits ?? 128
  return base.isIPv4MappedAddress() && length >= 96 ? [base.toIPv4Address(), length - 96] : [base, length]
}
