// A form post from another site carries no SameSite=Lax cookie, so this server would not recognize its own session. Redirected
// once to a top-level GET, the same request carries the cookies. Fetch Metadata (Sec-Fetch-Site) says where a request comes
// from.
import { type Parameters, sentOf } from '../kernel/parameters'
import type { Random } from '../kernel/random'
import { autoPostForm } from './html'
import { type HttpRequest, type HttpResponse, redirect } from './message'

/** Longer URLs stay a POST, because not every proxy accepts them. */
const MAX_CHARACTERS = 6000

/** The redirect to the same request by GET; null where it is not needed or the URL would be too long. */
export function throughGet(request: HttpRequest, parameters: Parameters, url: string): HttpResponse | null {
  if (!isForeignPost(request)) return null
  const target = `${url}?${new URLSearchParams(sentOf(parameters))}`
  return target.length > MAX_CHARACTERS ? null : redirect(target, 303)
}

/** Like throughGet, for parameters of any length: a page of this server posts again what is too long for a URL. */
export function asOwn(request: HttpRequest, parameters: Parameters, url: string, random: Random): HttpResponse | null {
  if (!isForeignPost(request)) return null
  const words = { title: 'Signing in', button: 'Continue' }
  return throughGet(request, parameters, url) ?? autoPostForm(url, sentOf(parameters), words, random.token(16))
}

const isForeignPost = ({ method, headers }: HttpRequest): boolean =>
  method === 'POST' && headers['sec-fetch-site'] === 'cross-site'
