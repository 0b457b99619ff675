// Which URLs a browser may be sent to after it leaves this server.
import * as z from 'zod'
import { parseUrl } from './url'

/** What a browser is sent to after it left us: absolute, no fragment, no embedded credentials, nothing that runs. */
export const redirectTarget = z
  .string()
  .refine(isRedirectTarget, 'must be an absolute URL without fragment or user info')

/** No space, control character or backslash: URL parsers drop or turn them, so what is compared were not what is sent. */
const PLAIN = /^[!-[\]-~\u0080-\u{10ffff}]+$/u
const RUNNABLE = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']

/** The URL as every browser will read it, or null when it is not absolute, not plain text or hides user info. */
export function parseTarget(value: string): URL | null {
  const parsed = PLAIN.test(value) ? parseUrl(value) : null
  return parsed && parsed.username === '' && parsed.password === '' ? parsed : null
}

function isRedirectTarget(value: string): boolean {
  const parsed = parseTarget(value)
  return parsed !== null && !value.includes('#') && !RUNNABLE.includes(parsed.protocol)
}
