// The HTTP response of what the pipeline or a protocol returns to the visitor. An endpoint with a response of its own sets the
// pipeline's cookies by `setCookies`.
import { type CookieJar, writeCookie } from '../../http/cookies'
import { autoPostForm, webMessage } from '../../http/html'
import { type HttpResponse, redirect, withHeaders } from '../../http/message'
import type { Random } from '../../kernel/random'
import type { Cookie, VisitorResponse } from '../../login/visitor-response'

type Deps = CookieJar & { random: Random }

export function respondToVisitor(response: VisitorResponse, deps: Deps): HttpResponse {
  const answer = render(response, deps)
  return response.cookies === undefined ? answer : setCookies(answer, response.cookies, deps)
}

/** Sets cookies of the pipeline with a response of the endpoint's own. */
export const setCookies = (response: HttpResponse, cookies: readonly Cookie[], jar: CookieJar): HttpResponse =>
  withHeaders(response, ...cookies.map(({ name, value, maxAge }) => writeCookie(name, value, jar, maxAge)))

const WORDS = { title: 'Signing in', button: 'Continue' }
const NONCE_BYTES = 16

function render(response: VisitorResponse, { random }: Deps): HttpResponse {
  switch (response.kind) {
    case 'redirect':
      return redirect(response.to, 302)
    case 'see-other':
      return redirect(response.to, 303)
    case 'form':
      return autoPostForm(response.to, response.fields, WORDS, random.token(NONCE_BYTES))
    case 'message':
      return webMessage(response.fields, response.origin, random.token(NONCE_BYTES))
  }
}
