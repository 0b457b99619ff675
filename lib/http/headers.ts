// Headers of every response, and the content security policies of documents (threat-model.md SE1, TK5).
// - A response is cacheable only if the endpoint says so.
// - `form-action` is missing on purpose: Chrome applies it to the whole redirect chain after a form post, and the chain of a
//   login ends at the client.
import { isLoopback } from '../kernel/url'
import type { HttpRequest } from './message'

/** Used where the response does not set the header itself. */
const DEFAULTS: [string, string][] = [
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
]

/**
 * Strict-Transport-Security for one year. Subdomains are included only by a setting, because they may belong to other services.
 * Never on loopback: browsers remember it per host, without the port, so it would break every other program of the machine.
 */
export function transportSecurity(origin: string, includeSubDomains: boolean): [string, string][] {
  const { protocol, hostname } = new URL(origin)
  if (protocol !== 'https:' || isLoopback(hostname)) return []
  return [['strict-transport-security', `max-age=31536000${includeSubDomains ? '; includeSubDomains' : ''}`]]
}

/** For responses that hold no document of this server, such as those of the framework: nothing may run, load or be framed. */
export const STRICT_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The headers to add to `present`; headers that are already present stay. */
export function commonHeaders(present: [string, string][], transport: readonly [string, string][]): [string, string][] {
  const added: [string, string][] = [['x-content-type-options', 'nosniff'], ...transport]
  for (const header of DEFAULTS) if (!present.some(([name]) => name === header[0])) added.push(header)
  return added
}

/** `widget` is the captcha of a third party, `font` the address of the tenant's font. */
export type PageNeeds = {
  frames?: readonly string[]
  waits?: boolean
  font?: string | undefined
  widget?: { scripts: readonly string[]; frames: readonly string[]; styles?: readonly string[] }
}

/**
 * The content security policy of a hosted page: own stylesheet and script, the tenant's pictures and its font, only the named frames,
 * and no network access. A page that polls may fetch from its own origin.
 */
export const pagePolicy = (
  nonce: string,
  { frames = [], waits = false, font, widget }: PageNeeds = {},
): [string, string][] => [
  [
    'content-security-policy',
    `default-src 'none'; script-src ${listed("'self'", widget?.scripts)}; style-src ${listed(`'self' 'nonce-${nonce}'`, widget?.styles)}; img-src 'self' https: data:; ${font === undefined ? '' : `font-src ${sourceOf(font)}; `}${connections(waits, widget)}${widget ? `frame-src ${widget.frames.join(' ')}; ` : frameSources(frames)}frame-ancestors 'none'; base-uri 'none'; object-src 'none'`,
  ],
  ['x-frame-options', 'DENY'],
  // No referrer goes to other origins. With `no-referrer` a browser would send our own forms with `Origin: null` (Fetch 3.3).
  ['referrer-policy', 'same-origin'],
]

const listed = (own: string, others: readonly string[] = []): string => [own, ...others].join(' ')

/** A third party's script calls its own origins. */
function connections(waits: boolean, widget: PageNeeds['widget']): string {
  const sources = [...(waits ? ["'self'"] : []), ...(widget?.frames ?? [])]
  return sources.length === 0 ? '' : `connect-src ${sources.join(' ')}; `
}

/** A CSP source has no query; `;` and `,` separate policies, so they are percent-encoded. */
const frameSources = (frames: readonly string[]): string =>
  frames.length === 0 ? '' : `frame-src ${[...new Set(frames.map(sourceOf))].join(' ')}; `

const sourceOf = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/[;,]/g, encodeURIComponent)
}

/** The policy of a document whose only content is one inline script; `framedBy` is an origin that may embed it. */
export const scriptPolicy = (nonce: string, framedBy = "'none'"): [string, string][] => [
  [
    'content-security-policy',
    `default-src 'none'; script-src 'nonce-${nonce}'; img-src data:; frame-ancestors ${framedBy}; base-uri 'none'; object-src 'none'`,
  ],
]

/** The policy of a document without scripts. */
export const stylePolicy = (nonce: string): [string, string][] => [
  [
    'content-security-policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'`,
  ],
]

/** The policy of the API explorer: its own script, and requests to its own origin alone. */
export const explorerPolicy = (nonce: string): [string, string][] => [
  [
    'content-security-policy',
    `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'`,
  ],
  ['x-frame-options', 'DENY'],
]

const CORS_HEADERS = 'content-type, authorization, auth0-client, x-request-language, auth0-custom-domain, dpop'
const CORS_EXPOSED =
  'dpop-nonce, location, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, www-authenticate'

/** CORS headers for any origin, never with cookies. */
export const openCors: [string, string][] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', CORS_EXPOSED],
]

export const preflight = (methods: string[]): [string, string][] => [
  ['access-control-allow-origin', '*'],
  ['access-control-allow-methods', methods.join(', ')],
  ['access-control-allow-headers', CORS_HEADERS],
  ['access-control-max-age', '86400'],
]

/** The access token of the Authorization header, by its scheme (RFC 6750 2.1, RFC 9449 7.1). */
export function accessTokenIn(request: HttpRequest): { scheme: 'bearer' | 'dpop'; token: string } | undefined {
  const [, scheme, token] = /^(Bearer|DPoP) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (scheme === undefined || token === undefined) return undefined
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'dpop' : 'bearer', token }
}

export function bearerOf(request: HttpRequest): string | undefined {
  const sent = accessTokenIn(request)
  return sent?.scheme === 'bearer' ? sent.token : undefined
}

/** A form that may have files (RFC 7578); it is read as it arrives (lib/server/management-http/form.ts). */
export const isMultipart = ({ 'content-type': type = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  /^multipart\/form-data\s*;/i.test(type)
