// Reads the visitor of a request for the login pipeline. An endpoint calls it once per request.

import { otherAddress } from '../../http/canonical-host'
import { type CookieJar, readCookies } from '../../http/cookies'
import type { HttpRequest } from '../../http/message'
import type { Visitor } from '../../login/visitor'

export const readVisitor = (request: HttpRequest, site: CookieJar & { baseUrl: string }): Visitor => ({
  ip: request.ip,
  method: request.method,
  userAgent: request.headers['user-agent'],
  acceptLanguage: request.headers['accept-language'],
  uiLocales: request.query.get('ui_locales') ?? undefined,
  cookies: readCookies(request, site),
  address: otherAddress(request, site.baseUrl),
  signedIn: null,
})
