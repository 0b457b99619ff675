// The addresses allowed in dynamic client registration (RFC 7591 5, RFC 8252 7; threat-model.md DC1): https, http on loopback,
// for a native app a scheme named after its own domain, and exact private-use URIs of known applications.
// - Never a fragment, user info, a wildcard, white space or control characters, nor an address of this server: a browser would
//   request our page, as a redirect target or as a picture on the consent page, with the person's cookies.
// - The server fetches none of these addresses but `jwks_uri` (key-sets.ts) and `request_uris` (lib/protocols/oidc/request-uri.ts).

import { problemOfAddress } from '../../kernel/address'
import { parseRedirectTarget } from '../../kernel/redirect-target'
import { isLoopback } from '../../kernel/url'

const MAX_URL_LENGTH = 2000

export type UrlKind = 'web' | 'private-use'

/**
 * Of applications whose scheme is not named after a domain (docs/mcp.md). Another application on the same machine could take the
 * scheme, so they are for public clients, whose codes need PKCE. A tenant adds more.
 */
export const KNOWN_PRIVATE_USE = ['cursor://anysphere.cursor-mcp/oauth/callback']

/** The kind of the address, or null if a client may not register it for itself. `privateUse`: exact URIs that it may. */
export function kindOfUrl(value: string, ownUrl: string, privateUse: readonly string[] = []): UrlKind | null {
  const isBounded = value.length <= MAX_URL_LENGTH && value.isWellFormed() && !/[#*{}]/.test(value)
  const url = isBounded && problemOfAddress(value) === null ? parseRedirectTarget(value) : null
  if (!url) return null
  if (isReverseDomain(url.protocol) || privateUse.includes(value)) return 'private-use'
  const reachable = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return reachable && HAS_AUTHORITY.test(value) && placeOf(url) !== placeOf(new URL(ownUrl)) ? 'web' : null
}

/** A browser on an https page reads `https:host/path` as relative. */
const HAS_AUTHORITY = /^https?:\/\/[^/]/i

/** Host and port; a trailing dot of the name is ignored. */
const placeOf = ({ hostname, port }: URL): string => `${hostname.replace(/\.$/, '')}:${port}`

/** RFC 8252 7.1: `com.example.app:`. A scheme without a dot has no owner, or belongs to the system. */
const isReverseDomain = (protocol: string): boolean => /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:$/.test(protocol)
