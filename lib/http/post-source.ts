// Which pages may send what changes something (threat-model.md BF5). Browsers say themselves where a request comes from, in
// headers that no page can set: Sec-Fetch-Site (Fetch Metadata), and Origin with every POST.
// - A sibling host of the same site is a stranger: SameSite cookies do not hold its forms back.
// - `Origin: null` names no page. It is ours only where Sec-Fetch-Site says so.
// - A request with neither header was not sent by a page: every browser since 2020 sends one of them with a POST.
import { DomainError } from '../kernel/errors'
import type { HttpRequest } from './message'

/**
 * - `own-pages`: pages of this origin, and clients that are no browser.
 * - `own-scripts`: pages of this origin that ask by script, so the Origin header must be there.
 * - `any-site`: a protocol's other party sends the browser here; what it sends proves itself.
 */
export type PostSource = 'own-pages' | 'own-scripts' | 'any-site'

/** Why the request goes no further; undefined where it may. */
export function foreignPost(source: PostSource, request: HttpRequest, ownOrigin: string): DomainError | undefined {
  const { method, headers } = request
  if (source === 'any-site' || method === 'GET' || method === 'HEAD') return undefined
  const isOwn = source === 'own-scripts' ? headers.origin === ownOrigin : isFromOwnPage(headers, ownOrigin)
  return isOwn ? undefined : refusal()
}

function isFromOwnPage({ origin, 'sec-fetch-site': site }: HttpRequest['headers'], ownOrigin: string): boolean {
  // `none`: the person, not a page, made the browser send it, such as by reloading the answer to a form.
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || origin === ownOrigin
}

const refusal = (): DomainError =>
  new DomainError('access_denied', 'The request comes from a page of another origin', {
    redirectable: false,
    page: { code: 'foreign_page' },
  })
