// CSRF protection: which pages may send state-changing requests (threat-model.md BF5). It relies on headers that no page can
// set: Sec-Fetch-Site (Fetch Metadata), and Origin, which browsers send with every POST.
// - A sibling host of the same site is foreign, because SameSite cookies do not keep its forms away.
// - `Origin: null` names no page. It counts as our own only if Sec-Fetch-Site says so.
// - A request with neither header does not come from a page: every browser since 2020 sends one of them with a POST.
import { DomainError } from '../kernel/errors'
import { type HttpRequest, isRead } from './message'

/**
 * - `own-pages`: pages of this origin, and HTTP clients other than browsers.
 * - `own-scripts`: scripts of pages of this origin, so the Origin header is required.
 * - `any-site`: the other party of a protocol sends the browser here; the message itself is authenticated.
 */
export type PostSource = 'own-pages' | 'own-scripts' | 'any-site'

/** The reason to refuse the request; undefined if it is allowed. */
export function foreignPost(
  source: PostSource,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  ownOrigin: string,
): DomainError | undefined {
  if (source === 'any-site' || isRead({ method })) return undefined
  const isOwn = source === 'own-scripts' ? headers.origin === ownOrigin : isFromOwnPage(headers, ownOrigin)
  return isOwn ? undefined : foreignPage()
}

function isFromOwnPage({ origin, 'sec-fetch-site': site }: HttpRequest['headers'], ownOrigin: string): boolean {
  // `none`: the user, not a page, sent the request, for example by reloading the response to a form.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || origin === ownOrigin
}

export const foreignPage = (): DomainError =>
  new DomainError('access_denied', 'The request comes from a page of another origin', {
    reason: 'foreign_page',
    redirectable: false,
    page: { code: 'foreign_page' },
  })
