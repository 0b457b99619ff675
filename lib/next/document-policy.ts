// The Content-Security-Policy of the pages that Next renders for people who try the server out (security.md SE1).
// - Scripts run by a nonce that is new for every request; Next reads it from the request's own policy header.
// - The outbox shows mails in sandboxed frames without scripts or origin. A srcdoc frame inherits the page's policy, and
//   mails style themselves inline, so there, and there alone, inline styles are let through.
import { type NextRequest, NextResponse } from 'next/server'
import { systemRandom } from '../kernel/random'

const STYLED_INLINE = '/dev/outbox'

export type PolicyOptions = {
  /** `next dev` styles its overlay inline and evaluates call stacks. */
  development: boolean
}

export function documentPolicy(path: string, nonce: string, { development }: PolicyOptions): string {
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
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

export function withDocumentPolicy(request: NextRequest, options: PolicyOptions): NextResponse {
  const policy = documentPolicy(request.nextUrl.pathname, systemRandom.token(16), options)
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  response.headers.set('x-content-type-options', 'nosniff')
  response.headers.set('referrer-policy', 'no-referrer')
  return response
}
