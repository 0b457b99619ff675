// Which URLs a browser may be sent to after it leaves this server.
import * as z from 'zod'
import { orMeant } from './address'
import { parseUrl } from './url'

/** A URL that a browser may be sent to: absolute, no fragment, no embedded credentials, no executable scheme. */
export const redirectTarget = z
  .string()
  .refine(isRedirectTarget, { error: orMeant('must be an absolute URL without fragment or user info') })

/** No space, control character or backslash: URL parsers drop or rewrite them, so the compared value would differ from the sent one. */
const PLAIN = /^[!-[\]-~\u0080-\u{10ffff}]+$/u
const RUNNABLE = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']

/** The URL as every browser parses it; null if it is relative, has forbidden characters or embeds credentials. */
export function parseRedirectTarget(value: string): URL | null {
  const parsed = PLAIN.test(value) ? parseUrl(value) : null
  return parsed && parsed.username === '' && parsed.password === '' ? parsed : null
}

function isRedirectTarget(value: string): boolean {
  const parsed = parseRedirectTarget(value)
  return parsed !== null && !value.includes('#') && !RUNNABLE.includes(parsed.protocol)
}
