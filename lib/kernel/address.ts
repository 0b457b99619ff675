// Addresses that people write down: callbacks, logout URLs, endpoints, pictures. Each is refused with what was probably meant.
// - A URL parser takes `localhost:5173` and `example.com:8443` for a URL with the host as its scheme. What is digits after its colon
//   is a host: `myapp://cb`, `com.example.app:/cb` and `cursor://…` have schemes.
// - What can never match or never work is refused where it is written. Records of earlier versions may still have it.
import * as z from 'zod'
import { isLoopback, parseUrl } from './url'

/** A host may have placeholders (lib/data/clients/url-patterns.ts). */
const HOST_AND_PORT = /^(?:\[[\da-f:.]+\]|[a-z\d*{}](?:[\w.*{}-]*[\w*{}])?):\d{1,5}(?=[/?#]|$)/i

/** A name of two labels or more, or this machine: a single word is no host that anyone means. */
const HOST = /^(?:localhost|(?:[\w*{}-]+\.)+[a-z\d-]+)(?=[/?#]|$)/i

/** `http`, `https` and usual slips, with too few slashes or too many, or the wrong ones. */
const WEB_SCHEME = /^(?:h{0,2}t{1,3}p{1,2}(s{0,2})(?:[:;]?[/\\]+|:(?!\d{1,5}(?:[/?#]|$)))|[/\\]{2,})(?=[^/\\])/i
const WEB_START = /^https?:\/\/[^/\\]/i

/** Before any query: a comma or white space, then another address. */
const SEVERAL = /^[^?#]*[,;\s]\s*[a-z][a-z\d+.-]*:\/\//i

/** What was probably meant by an address that is refused; null if there is no guess. `secure`: nothing but https is taken. */
export function meantBy(text: string, { secure = false } = {}): string | null {
  const trimmed = text.trim()
  if (/[\s,]/.test(trimmed)) return null
  const [begin, s] = WEB_SCHEME.exec(trimmed) ?? []
  const rest = trimmed.slice(begin?.length ?? 0)
  if (begin === undefined && !HOST_AND_PORT.test(rest) && !HOST.test(rest)) return null
  const isPlain = !secure && (s === undefined ? isNear(rest) : s === '')
  const meant = `${isPlain ? 'http' : 'https'}://${rest}`
  return meant !== text && parseUrl(meant)?.username === '' ? meant : null
}

/** A host that has no certificate as a rule: this machine, a number, or a name of one label. */
function isNear(rest: string): boolean {
  const hostname = parseUrl(`http://${rest}`)?.hostname ?? ''
  return isLoopback(hostname) || /^(?:[\d.]+|\[.*\]|[^.]+)$/.test(hostname)
}

/** Why a redirect target can match nothing that an application sends; null if it can. */
export function problemOfAddress(text: string): string | null {
  if (SEVERAL.test(text)) return 'must be one address: each has an entry of its own'
  const isHost = HOST_AND_PORT.test(text)
  const isSlip = WEB_SCHEME.test(text) && !WEB_START.test(text)
  return isHost || isSlip ? withMeant('must begin with a scheme such as https://', text) : null
}

function withMeant(message: string, text: unknown, { secure = false } = {}): string {
  const meant = typeof text === 'string' ? meantBy(text, { secure }) : null
  return meant === null ? message : `${message}: did you mean ${meant}?`
}

/** The message of a schema, with what was meant. A value of another type has the message for its type. */
export const orMeant =
  (message: string, options: { secure?: boolean } = {}) =>
  ({ code, input }: z.core.$ZodRawIssue): string | undefined =>
    code === 'invalid_type' ? undefined : withMeant(message, input, options)

export const webUrl = z.url({ protocol: /^https?$/, error: orMeant('must begin with https:// or http://') })

/** Returns the host name of an address that was given in place of a host; null for any other text. */
export function hostMeantBy(text: string): string | null {
  const hostname = parseUrl(text.includes('://') ? text : `https://${text}`)?.hostname
  return hostname && hostname !== text && HOST.test(hostname) ? hostname : null
}

export function withHostMeant(message: string, text: string): string {
  const meant = hostMeantBy(text)
  return meant === null ? message : `${message}: did you mean ${meant}?`
}

/** The message of a schema of a host, with the host that was meant. */
export const orMeantHost =
  (message: string) =>
  ({ input }: z.core.$ZodRawIssue): string =>
    typeof input === 'string' ? withHostMeant(message, input) : message
