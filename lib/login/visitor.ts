// The browser behind a request, as plain data: everything of an HTTP request that the login pipeline may know. The endpoint layer
// reads it, once per request (lib/server/login-http/visitor.ts).
import type { StoredSession } from '../data/sessions/session'
import type { User } from '../data/users/user'
import type { CookieName } from '../kernel/cookie-names'

export type SignedIn = { session: StoredSession; user: User }

export type Visitor = {
  ip: string
  method: string
  userAgent: string | undefined
  /** The Accept-Language header. */
  acceptLanguage: string | undefined
  /** The `ui_locales` of the URL. */
  uiLocales: string | undefined
  cookies: Readonly<Partial<Record<CookieName, string>>>
  /** By which the browser seems to have come; null for the public URL. Its headers prove nothing. */
  address: string | null
  /** The session of the cookie; null until the first look-up of this request (begin/signed-in.ts). */
  signedIn: Promise<SignedIn | null> | null
  /** The handle of the login that this request begins, if its address determines it; otherwise it is random. */
  handle?: string
}
