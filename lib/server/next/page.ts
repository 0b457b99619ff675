// The hosted pages as server components. The due screen is read once per request, for layout, title and page.
// - Reading only: a step at another address is a redirect.
// - A page cannot choose its status or its policy, so the endpoint answers refusals, a missing database, pages with the captcha of a
//   third party and pages with the tenant's theme or font, at its own address (`/u/plain/…`).
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { canonicalAddress } from '../../http/canonical-host'
import type { HttpRequest } from '../../http/message'
import type { Peer } from '../../http/peer'
import { DomainError } from '../../kernel/errors'
import { systemRandom } from '../../kernel/random'
import { completeView } from '../../pages/respond'
import { loadScreen, type PageView } from '../../pages/screens'
import { type Direction, directionOf } from '../../text/locale'
import { findScreen } from '../endpoints/hosted/screens'
import { reportFailure, runtimeForRequest } from './runtime'
import { ADDRESS, isScreen, NONCE, plainPath } from './screen-address'

type Due = { view: PageView } | { elsewhere: string } | null

/** The page to render; redirects where the next step is elsewhere. */
export async function loadPage() {
  const due = await findDue()
  if (due === null) throw new Error('a hosted page was asked for without its address')
  if ('elsewhere' in due) redirect(due.elsewhere)
  return { view: due.view, screen: await loadScreen(due.view.screen) }
}

/** Language and direction of the document for this request. */
export async function documentLanguage(): Promise<{ lang: string; dir: Direction }> {
  const due = await findDue()
  const lang = due !== null && 'view' in due ? due.view.locale : 'en'
  return { lang, dir: directionOf(lang) }
}

/** Null for pages that are not hosted pages. */
const findDue = cache(async (): Promise<Due> => {
  const sent = Object.fromEntries(await headers())
  const address = new URL(sent[ADDRESS] ?? '/', 'http://localhost')
  if (!isScreen(address.pathname)) return null
  try {
    const { registry, readPeer } = await runtimeForRequest()
    const tenant = await registry.runtimeFor(sent.host)
    const request = tenant.received(requestOf(address, sent, readPeer(sent)))
    const runtime = tenant.within(request)
    const canonical = canonicalAddress(request, runtime.baseUrl)
    if (canonical !== null) return { elsewhere: canonical }
    const due = await findScreen(request, runtime)
    if ('elsewhere' in due) return due
    const { screen, uiLocales, brand } = due
    const view = completeView(screen, request, runtime, { nonce: sent[NONCE], uiLocales, brand })
    return (await needsEndpoint(view)) ? { elsewhere: plainPath(address.pathname) + address.search } : { view }
  } catch (error) {
    if (!(error instanceof DomainError)) reportFailure(error)
    return { elsewhere: plainPath(address.pathname) + address.search }
  }
})

/**
 * The captcha of a third party, or a font: the policy of a page is sent before it is known, that of the endpoint permits their origins.
 * A theme has a style sheet of its own, and mostly a font.
 */
const needsEndpoint = async (view: PageView): Promise<boolean> =>
  view.theme !== undefined ||
  view.branding.fontUrl !== undefined ||
  (await loadScreen(view.screen)).captcha?.(view)?.kind === 'widget'

export const requestOf = (
  { pathname, search, searchParams }: URL,
  sent: HttpRequest['headers'],
  peer: Peer,
): HttpRequest => ({
  id: systemRandom.token(9),
  method: 'GET',
  path: pathname,
  params: {},
  query: searchParams,
  search: search.slice(1),
  headers: sent,
  body: new Uint8Array(),
  ...peer,
})
