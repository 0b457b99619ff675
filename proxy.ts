// Runs before the pages that Next renders, and sets the security policy of each. Endpoints set their own headers. A page answers
// GET and HEAD only; any other request below /u goes to the route handler of its endpoint (lib/next/screen-address.ts).
import { type NextRequest, NextResponse } from 'next/server'
import { transportSecurity } from './lib/http/headers'
import { withDocumentPolicy } from './lib/next/document-policy'
import { isConsole, NEXT_PAGES } from './lib/next/page-paths'
import { handlerPath, isBelowU, isScreen } from './lib/next/screen-address'

// biome-ignore lint/style/noProcessEnv: the entry point of the proxy, which runs before any tenant runtime exists.
const { NODE_ENV, APP_URL = '', LATCHKEY_HSTS_SUBDOMAINS } = process.env
const development = NODE_ENV === 'development'
const transport = URL.canParse(APP_URL) ? transportSecurity(APP_URL, LATCHKEY_HSTS_SUBDOMAINS === '1') : []

export function proxy(request: NextRequest): NextResponse {
  const { method, nextUrl, url } = request
  const { pathname, search } = nextUrl
  const reads = method === 'GET' || method === 'HEAD'
  if (NEXT_PAGES.includes(pathname) || isConsole(pathname) || (isScreen(pathname) && reads)) {
    return withDocumentPolicy(request, { development, transport })
  }
  // The matcher of a path also takes it with `.json` behind it, which is an endpoint.
  if (!isBelowU(pathname)) return NextResponse.next()
  return NextResponse.rewrite(new URL(handlerPath(pathname) + search, url))
}

// Next reads this object statically, so it cannot be derived from the lists of pages; a test holds them equal.
export const config = { matcher: ['/', '/demo', '/dev/outbox', '/console/:path*', '/u/:path*'] }
