// Which addresses somebody may register who registers himself (RFC 7591 5, RFC 8252 7; threat-model.md DC1): https,
// http on loopback, and for an app on a device a scheme named after a domain of its own.
// - Never a fragment, user info, a wildcard, white space or control characters, nor an address of this server: a page of
//   ours as a target, or as a picture on the consent page, would be asked for with the person's cookies.
// - Nothing here is ever fetched.

import { parseTarget } from '../kernel/redirect-target'
import { isLoopback } from '../kernel/url'

const MAX_URL_LENGTH = 2000

export type UrlKind = 'web' | 'private-use'

/** What kind of address it is, or null for one that nobody may register for himself. */
export function kindOfUrl(value: string, ownUrl: string): UrlKind | null {
  const isBounded = value.length <= MAX_URL_LENGTH && value.isWellFormed() && !/[#*]/.test(value)
  const url = isBounded ? parseTarget(value) : null
  if (!url) return null
  if (isReverseDomain(url.protocol)) return 'private-use'
  const reachable = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return reachable && HAS_AUTHORITY.test(value) && placeOf(url) !== placeOf(new URL(ownUrl)) ? 'web' : null
}

/** `https:host/path` is relative for a browser that is on https itself. */
const HAS_AUTHORITY = /^https?:\/\/[^/]/i

/** Host and port; the name with a dot at its end is the same host. */
const placeOf = ({ hostname, port }: URL): string => `${hostname.replace(/\.$/, '')}:${port}`

/** RFC 8252 7.1: `com.example.app:`. A scheme without a dot belongs to nobody, or to the system. */
const isReverseDomain = (protocol: string): boolean => /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:$/.test(protocol)
