/**
 * What one party can send from: an IPv4 address, or the /64 an IPv6 address is in. Whoever has one IPv6 address has all
 * 2^64 of its network, so counting each by itself would count nothing. The address is in its one spelling (lib/http/peer.ts).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = [], right] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = right === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...(right ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}
