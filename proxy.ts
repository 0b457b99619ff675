// Runs before the few pages that Next renders, to give each its policy. Endpoint paths set their own headers and are
// never routed through here. A page only answers reading: anything else at its address is for the endpoint to refuse.
import { type NextRequest, NextResponse } from 'next/server'
import { withDocumentPolicy } from './lib/next/document-policy'
import { isScreen, plainPath } from './lib/next/screen-address'

// biome-ignore lint/style/noProcessEnv: not a setting; Next puts the value in at build time.
const development = process.env.NODE_ENV === 'development'

export function proxy(request: NextRequest): NextResponse {
  const { method, nextUrl, url } = request
  if (isScreen(nextUrl.pathname) && method !== 'GET' && method !== 'HEAD') {
    return NextResponse.rewrite(new URL(plainPath(nextUrl.pathname) + nextUrl.search, url))
  }
  return withDocumentPolicy(request, { development })
}

export const config = {
  matcher: [
    '/',
    '/demo',
    '/dev/outbox',
    '/u/login',
    '/u/signup',
    '/u/forgot-password',
    '/u/passwordless',
    '/u/passwordless-code',
    '/u/select-account',
    '/u/mfa-enroll',
    '/u/mfa-challenge',
    '/u/mfa-recovery-code',
    '/u/consent',
  ],
}
