// Runs before the pages that Next renders, and sets the security policy of each. Endpoints set their own headers; requests to
// endpoints under /u/ pass unchanged. A page answers GET and HEAD only; the endpoint refuses other methods at the same address.
import { type NextRequest, NextResponse } from 'next/server'
import { transportSecurity } from './lib/http/headers'
import { withDocumentPolicy } from './lib/next/document-policy'
import { NEXT_PAGES } from './lib/next/page-paths'
import { isScreen, plainPath } from './lib/next/screen-address'

// biome-ignore lint/style/noProcessEnv: the entry point of the proxy, which runs before any tenant runtime exists.
const { NODE_ENV, APP_URL = '', LATCHKEY_HSTS_SUBDOMAINS } = process.env
const development = NODE_ENV === 'development'
const transport = URL.canParse(APP_URL) ? transportSecurity(APP_URL, LATCHKEY_HSTS_SUBDOMAINS === '1') : []

export function proxy(request: NextRequest): NextResponse {
  const { method, nextUrl, url } = request
  const screen = isScreen(nextUrl.pathname)
  if (!screen && !NEXT_PAGES.includes(nextUrl.pathname)) return NextResponse.next()
  if (screen && method !== 'GET' && method !== 'HEAD') {
    return NextResponse.rewrite(new URL(plainPath(nextUrl.pathname) + nextUrl.search, url))
  }
  return withDocumentPolicy(request, { development, transport })
}

// Next reads this object statically, so it cannot be derived from the lists of pages; a test holds them equal.
export const config = { matcher: ['/', '/demo', '/dev/outbox', '/u/:path*'] }
