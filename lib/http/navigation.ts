// Which page made a browser come here by a link or redirect, as the browser says it. No page can make these headers up; one
// can only keep the browser from sending Referer.
import { parseUrl } from '../kernel/url'
import type { HttpRequest } from './message'

/** `no-browser`: neither header is there, as browsers before 2023 and other clients send it. */
export type Sender = { origin: string } | 'unknown' | 'no-browser'

export function senderOf({ headers }: Pick<HttpRequest, 'headers'>, ownOrigin: string): Sender {
  const { 'sec-fetch-site': site, referer } = headers
  if (site === 'same-origin') return { origin: ownOrigin }
  if (referer === undefined) return site === undefined ? 'no-browser' : 'unknown'
  const origin = parseUrl(referer)?.origin
  return origin === undefined || origin === 'null' ? 'unknown' : { origin }
}
