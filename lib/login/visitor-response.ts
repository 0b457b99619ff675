// What the browser does next, as plain data: the result of a request to the pipeline or to a protocol. lib/server/login-http/respond.ts
// makes the HTTP response of it. Addresses are validated before.
import type { CookieName } from '../kernel/cookie-names'

export type VisitorResponse =
  /** Goes on to the application, a provider or the first page of a login. */
  (
    | { kind: 'redirect'; to: string }
    /** Shows the result of a step at another address, always by GET (RFC 9110 15.4.4). */
    | { kind: 'see-other'; to: string }
    /** Posts the fields to the address, by a form that submits itself. */
    | { kind: 'form'; to: string; fields: Record<string, string> }
    /** Sends the fields to the window that opened or framed this one, if that window is of this origin. */
    | { kind: 'message'; origin: string; fields: Record<string, string> }
  ) & { cookies?: readonly Cookie[] }

/** `maxAge` is in seconds; 0 drops the cookie. Without it the cookie ends with the browser's session. */
export type Cookie = { name: CookieName; value: string; maxAge?: number }

export const withCookies = (response: VisitorResponse, cookies: readonly Cookie[]): VisitorResponse =>
  cookies.length === 0 ? response : Object.assign({}, response, { cookies: [...(response.cookies ?? []), ...cookies] })
