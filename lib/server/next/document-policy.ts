// The security policy of the pages that Next renders: hosted pages of the Next adapter, and the pages for developers
// (threat-model.md SE1).
// - Scripts run by a nonce that is new for every request; Next reads it from the request's policy header.
// - The outbox shows mails in sandboxed frames without scripts or origin. A srcdoc frame inherits the page's policy, and mails
//   use inline styles, so inline styles are allowed there and nowhere else.
// - Hosted pages have no form-action: Chrome applies it to every redirect on the way back to the application.
import { type NextRequest, NextResponse } from 'next/server'
import { systemRandom } from '../../kernel/random'
import { ADDRESS, isScreen, NONCE } from './screen-address'

const STYLED_INLINE = '/dev/outbox'

export type PolicyOptions = {
  /** `next dev` styles its overlay inline and evaluates call stacks. */
  development: boolean
  /** The headers about https (HSTS). */
  transport: readonly [string, string][]
  /** Request headers to replace. */
  headers?: Readonly<Record<string, string>>
}

export function documentPolicy(
  path: string,
  nonce: string,
  { development }: Pick<PolicyOptions, 'development'>,
): string {
  const inline = development || path === STYLED_INLINE
  const styles = inline ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`
  const scripts = `'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    ...(isScreen(path) ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

export function withDocumentPolicy({ nextUrl, headers }: NextRequest, options: PolicyOptions): NextResponse {
  const nonce = systemRandom.token(16)
  const policy = documentPolicy(nextUrl.pathname, nonce, options)
  const passed = new Headers(headers)
  for (const [name, value] of Object.entries(options.headers ?? {})) passed.set(name, value)
  passed.set('content-security-policy', policy)
  passed.set(NONCE, nonce)
  passed.set(ADDRESS, nextUrl.pathname + nextUrl.search)
  const response = NextResponse.next({ request: { headers: passed } })
  response.headers.set('content-security-policy', policy)
  response.headers.set('x-content-type-options', 'nosniff')
  response.headers.set('x-frame-options', 'DENY')
  response.headers.set('referrer-policy', 'same-origin')
  for (const [name, value] of options.transport) response.headers.set(name, value)
  return response
}
