// Which origin's page navigated the browser here, by the browser's own headers. No page can forge these headers; a page can
// only suppress Referer.
import { parseUrl } from '../kernel/url'
import type { HttpRequest } from './message'

/** `no-browser`: both headers are missing, as in browsers before 2023 and in other HTTP clients. */
export type RequestOrigin = { origin: string } | 'unknown' | 'no-browser'

export function senderOf({ headers }: Pick<HttpRequest, 'headers'>, ownOrigin: string): RequestOrigin {
  const { 'sec-fetch-site': site, referer } = headers
  if (site === 'same-origin') return { origin: ownOrigin }
  if (referer === undefined) return site === undefined ? 'no-browser' : 'unknown'
  const origin = parseUrl(referer)?.origin
  return origin === undefined || origin === 'null' ? 'unknown' : { origin }
}
