/**
 * The login page as everybody is first shown it, rendered once: of two such pages of one application, language and tenant
 * nothing differs but the nonce and the login's handle.
 *
 * Must hold: a kept page is found by all that its view holds, so nothing can be missing from it or be another's; nothing
 * that somebody typed is kept. The marks that stand for the two hold NUL, which no text of a view can (lib/http/message.ts).
 */
import type { PageView } from './view'

/** Applications, languages and notices are few; a bound keeps somebody who tries them all from growing this. */
const MAX_PAGES = 200
const pages = new Map<string, string>()

const NONCE = '\0nonce'
const HANDLE = '\0handle'
const inJson = (mark: string): string => JSON.stringify(mark).slice(1, -1)
const [NONCE_IN_JSON, HANDLE_IN_JSON] = [inJson(NONCE), inJson(HANDLE)]

/** As both are minted: the same in JSON, in an address and in HTML. */
const isMinted = (value: string | undefined): value is string => value !== undefined && /^[\w-]{22,}$/.test(value)

export function renderKept(view: PageView, render: (view: PageView) => string): string {
  if (view.screen !== 'login' || view.identifier !== undefined) return render(view)
  const { nonce, state } = view
  if (!isMinted(nonce) || !isMinted(state)) return render(view)
  const key = JSON.stringify(view).replaceAll(nonce, NONCE_IN_JSON).replaceAll(state, HANDLE_IN_JSON)
  const page = pages.get(key) ?? keep(key, render(JSON.parse(key) as PageView))
  return page.replaceAll(NONCE, nonce).replaceAll(HANDLE, state)
}

function keep(key: string, page: string): string {
  if (pages.size >= MAX_PAGES) pages.delete(pages.keys().next().value as string)
  pages.set(key, page)
  return page
}
