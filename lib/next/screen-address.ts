// The hosted pages that the Next adapter renders as server components, and the request headers that proxy.ts adds for them: a
// layout cannot read the query, and no page can read it in its original order.

/** Below this path the endpoint itself answers each screen. */
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

/** Request headers that proxy.ts sets; it overwrites values from the client. */
export const ADDRESS = 'x-latchkey-address'
export const NONCE = 'x-latchkey-nonce'
