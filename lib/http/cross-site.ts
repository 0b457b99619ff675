// A form that another site posts brings no SameSite=Lax cookie, so this server would not know its own browser. Sent on
// once as a top-level GET, the same request has them. Browsers say where a request comes from (Fetch Metadata).
import { type HttpRequest, type HttpResponse, type Parameters, redirect } from './message'

/** Longer ones stay a POST: not every proxy takes such an address. */
const MOST_CHARACTERS = 6000

/** The redirect to the same request by GET, or null where that is not needed or not possible. */
export function throughGet(request: HttpRequest, parameters: Parameters, url: string): HttpResponse | null {
  if (request.method !== 'POST' || request.headers['sec-fetch-site'] !== 'cross-site') return null
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const target = `${url}?${new URLSearchParams(sent)}`
  return target.length > MOST_CHARACTERS ? null : redirect(target, 303)
}
