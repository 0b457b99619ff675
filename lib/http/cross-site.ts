// A form that another site posts brings no SameSite=Lax cookie, so this server would not know its own browser. Sent on
// once as a top-level GET, the same request has them. Browsers say where a request comes from (Fetch Metadata).
import type { Random } from '../kernel/random'
import { autoPostForm } from './html'
import { type HttpRequest, type HttpResponse, type Parameters, redirect, sentOf } from './message'

/** Longer ones stay a POST: not every proxy takes such an address. */
const MAX_CHARACTERS = 6000

/** The redirect to the same request by GET, or null where that is not needed or not possible. */
export function throughGet(request: HttpRequest, parameters: Parameters, url: string): HttpResponse | null {
  if (!isForeignPost(request)) return null
  const target = `${url}?${new URLSearchParams(sentOf(parameters))}`
  return target.length > MAX_CHARACTERS ? null : redirect(target, 303)
}

/** The same for parameters of any length: those that fit no address are posted again, by a page of ours. */
export function asOwn(request: HttpRequest, parameters: Parameters, url: string, random: Random): HttpResponse | null {
  if (!isForeignPost(request)) return null
  const words = { title: 'Signing in', button: 'Continue' }
  return throughGet(request, parameters, url) ?? autoPostForm(url, sentOf(parameters), words, random.token(16))
}

const isForeignPost = ({ method, headers }: HttpRequest): boolean =>
  method === 'POST' && headers['sec-fetch-site'] === 'cross-site'
