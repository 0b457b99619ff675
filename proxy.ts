// Runs before the pages that Next renders: the edge of a platform, the check of their forms, and the security policy of each.
// Endpoints set their own headers. A hosted page answers GET and HEAD only; any other request below /u goes to the route handler
// of its endpoint (lib/server/next/screen-address.ts).
import { type NextRequest, NextResponse } from 'next/server'
import { checkRequestHead, judgedHeaders } from './lib/http/edge'
import { transportSecurity } from './lib/http/headers'
import type { RequestRefusal } from './lib/server/endpoints/refusals'
import { actionRefusal } from './lib/server/next/action-form'
import { withDocumentPolicy } from './lib/server/next/document-policy'
import { gateOfNext, isActed, isConsole, NEXT_PAGES } from './lib/server/next/page-paths'
import { refusalPath } from './lib/server/next/refusal-path'
import { handlerPath, isBelowU, isScreen } from './lib/server/next/screen-address'
import { appUrlOf } from './lib/settings/app-url'
import { isOn } from './lib/settings/delivered'

// biome-ignore lint/style/noProcessEnv: the entry point of the proxy, which runs before any tenant runtime exists.
const source = process.env
const development = source.NODE_ENV === 'development'
const appUrl = appUrlOf(source)
const transport = transportSecurity(appUrl, isOn(source.LATCHKEY_HSTS_SUBDOMAINS))

export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { method, nextUrl, url } = request
  const { pathname, search } = nextUrl
  const headers = Object.fromEntries(request.headers)
  const refused =
    checkRequestHead({ method, target: pathname, headers }, gateOfNext, appUrl).refused ?? (await formRefusal(request))
  if (refused) return NextResponse.rewrite(new URL(refusalPath(refused, pathname), url))
  const reads = method === 'GET' || method === 'HEAD'
  if (NEXT_PAGES.includes(pathname) || isConsole(pathname) || (isScreen(pathname) && reads)) {
    return withDocumentPolicy(request, { development, transport, headers: reads ? {} : judgedHeaders(headers, appUrl) })
  }
  // Decodable after all, or the path of a page with `.json` behind it, which its pattern also takes: an endpoint.
  if (!isBelowU(pathname)) return NextResponse.next()
  return NextResponse.rewrite(new URL(handlerPath(pathname) + search, url))
}

/** Next's pages get the same bytes of the body afterwards. */
async function formRefusal(request: NextRequest): Promise<RequestRefusal | null> {
  const isForm = request.method === 'POST' && isActed(request.nextUrl.pathname)
  return isForm ? actionRefusal(request.headers, () => request.arrayBuffer()) : null
}

// Next reads this object statically, so it cannot be derived from the lists of pages; a test holds them equal. The last pattern is every
// path that may not be decodable: with a percent sign before a byte beyond ASCII, or before no byte. Next keeps the body of what passes here in
// memory, so the file of an import does not (lib/server/next/console/people-import.ts).
export const config = {
  matcher: [
    '/',
    '/demo',
    '/dev/outbox',
    '/console',
    '/console/((?!users/import/upload$).*)',
    '/u/:path*',
    '/(.*%(?:[89A-Fa-f]|[0-7](?![0-9A-Fa-f])|(?![0-9A-Fa-f])).*)',
  ],
}
