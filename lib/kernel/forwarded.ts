// The addresses in a forwarding header. Proxies write a port, brackets and a zone with an address; they are left out, because each
// connection has another port.
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

export const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded'] as const
export type ForwardingHeader = (typeof FORWARDING_HEADERS)[number]

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** By which a proxy states fingerprints of the client's TLS connection. In lower case. */
export type FingerprintHeaders = { ja3?: string | undefined; ja4?: string | undefined }

/** From the nearest to the farthest; ends before what is no address. */
export function* forwardedAddresses(name: ForwardingHeader, headers: RequestHeaders): Generator<string> {
  const header = String(headers[name] ?? '')
  for (const hop of name === 'forwarded' ? forwardedHops(header) : listedHops(header)) {
    const address = readAddress(hop)
    if (address === null) return
    yield address
  }
}

const listedHops = (header: string): string[] =>
  header
    .split(',')
    .filter((hop) => hop.trim() !== '')
    .reverse()

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
/** Addresses of IPv6 come without quotes, too. */
const PAIR = `${TOKEN}=(?:[^\\s"\\\\,;=]+|"(?:[^"\\\\]|\\\\.)*")`
const ELEMENT = new RegExp(`^\\s*${PAIR}(?:\\s*;\\s*${PAIR})*\\s*;?\\s*$`)
const FOR = /(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/gi
const MAX_ELEMENT = 1000

/**
 * The `for` of each element of `Forwarded` (RFC 7239 4), nearest first. It is read from its end, where the nearest proxy has written:
 * a quote that a client left open cannot hide the elements behind it. What is malformed, or has not one `for`, is an empty hop.
 */
function* forwardedHops(header: string): Generator<string> {
  let rest = header.trim()
  while (rest !== '') {
    const start = startOfLast(rest)
    const found = start === null ? [] : [...rest.slice(start).matchAll(FOR)]
    const [only] = found
    if (start === null || found.length !== 1 || !only) return yield ''
    yield only[1]?.replace(/\\(.)/g, '$1') ?? only[2] ?? ''
    rest = rest.slice(0, Math.max(0, start - 1)).trimEnd()
  }
}

/** Where the last element begins: behind the last comma that is not within its quotes. */
function startOfLast(list: string): number | null {
  for (let end = list.length; end >= 0 && list.length - end < MAX_ELEMENT; ) {
    const comma = list.lastIndexOf(',', end - 1)
    if (ELEMENT.test(list.slice(comma + 1))) return comma + 1
    if (comma < 0) return null
    end = comma
  }
  return null
}

/** `203.0.113.10:51234`, `[2001:db8::9]:443`, or the port of RFC 7239 6.3; an address of IPv6 without brackets has no port, unless it is full. */
const PORT = /:(?:\d{1,5}|_[\w.-]+)$/

/** Normalizes an address: IPv4-mapped IPv6 becomes IPv4. Null for text that is no address. */
export function readAddress(text: string): string | null {
  // IPv4 in dotted decimal is already normalized.
  if (isIPv4(text)) return text
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const host = isIP(bare) === 0 ? bare.replace(PORT, '') : bare
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}
