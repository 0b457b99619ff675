// The hosted pages that this door renders as server components, and what proxy.ts tells them of their request: a layout
// sees no query, and no page sees it in its original order.

/** Under each, the same screen answered by the endpoint itself. */
export const PLAIN = '/u/plain'

const SCREENS = new Set([
  '/u/login',
  '/u/signup',
  '/u/forgot-password',
  '/u/passwordless',
  '/u/passwordless-code',
  '/u/select-account',
  '/u/mfa-enroll',
  '/u/mfa-challenge',
  '/u/mfa-recovery-code',
  '/u/link-account',
  '/u/consent',
])

export const isScreen = (path: string): boolean => SCREENS.has(path)

/** `/u/login` → `/u/plain/login`. */
export const plainPath = (path: string): string => PLAIN + path.slice('/u'.length)

/** Request headers, set by proxy.ts over whatever a client sent. */
export const ADDRESS = 'x-latchkey-address'
export const NONCE = 'x-latchkey-nonce'
