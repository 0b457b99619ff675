/**
 * A cache of rendered login pages in their initial state: two such pages of one application, language and tenant differ only in
 * the nonce and the login's handle.
 *
 * Invariants: the cache key is the whole view, so no page is incomplete or another view's; nothing that a user typed is cached.
 * The placeholders for nonce and handle contain NUL, which no text of a view can contain (lib/http/message.ts).
 */
import type { PageView } from './screens'

/** Applications, languages and notices are few; the limit prevents a client that tries every combination from filling memory. */
const MAX_PAGES = 200
const pages = new Map<string, string>()

const NONCE = '\0nonce'
const HANDLE = '\0handle'
const inJson = (mark: string): string => JSON.stringify(mark).slice(1, -1)
const [NONCE_IN_JSON, HANDLE_IN_JSON] = [inJson(NONCE), inJson(HANDLE)]

/** The form of both generated values: they need no escaping in JSON, in an address or in HTML. */
const isMinted = (value: string | undefined): value is string => value !== undefined && /^[\w-]{22,}$/.test(value)

export function renderKept(view: PageView, render: (view: PageView) => string): string {
  if (view.screen !== 'login' || view.identifier !== undefined) return render(view)
  const { nonce, state } = view
  if (!isMinted(nonce) || !isMinted(state)) return render(view)
  // Changed texts are many; their digest stands for them.
  const { texts, ...shown } = view
  const plain = JSON.stringify(shown).replaceAll(nonce, NONCE_IN_JSON).replaceAll(state, HANDLE_IN_JSON)
  const key = texts === undefined ? plain : texts.id + plain
  const page = pages.get(key) ?? keep(key, render({ ...JSON.parse(plain), ...(texts && { texts }) } as PageView))
  return page.replaceAll(NONCE, nonce).replaceAll(HANDLE, state)
}

function keep(key: string, page: string): string {
  if (pages.size >= MAX_PAGES) pages.delete(pages.keys().next().value as string)
  pages.set(key, page)
  return page
}
