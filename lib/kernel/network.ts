// What counts as one network where requests are counted.
// - An IPv4 address counts by itself. A client with one IPv6 address has its whole /64, and a client that rents a /56 or a /48 has
//   256 or 65,536 of those. Where many guesses add up, an IPv6 address is therefore counted in all three.
// - An IPv4 address inside IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
import ipaddr from 'ipaddr.js'

/** The smallest network that one party has. */
export const networkOf = (address: string): string => networksOf(address)[0]

export type Networks = readonly [string, ...string[]]

/** From the smallest to the largest. */
export function networksOf(address: string): Networks {
  if (!address.includes(':') || !ipaddr.isValid(address)) return [address]
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return [parsed.toString()]
  const groups = (parsed as ipaddr.IPv6).parts
  const prefix = (...parts: (number | undefined)[]) => parts.map((part = 0) => part.toString(16)).join(':')
  const [a, b, c, d = 0] = groups
  return [`${prefix(a, b, c, d)}::/64`, `${prefix(a, b, c, d & 0xff00)}::/56`, `${prefix(a, b, c)}::/48`]
}

/** How many times what is allowed to the smallest network each of `networksOf` is: a large one has many customers. */
export const NETWORK_SHARES = [1, 4, 16] as const
