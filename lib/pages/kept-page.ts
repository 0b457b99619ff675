/**
 * A cache of rendered login pages in their initial state: two such pages of one application, language and tenant differ only in
 * the nonce, the login's handle, and the session and challenge of a passkey.
 *
 * Invariants: the cache key is the whole view, so no page is incomplete or another view's; nothing that a user typed is cached.
 * The placeholders of these values contain NUL, which no text of a view can contain (lib/http/message.ts).
 */
import type { PageView } from './screens'

/** Applications, languages and notices are few; the limit prevents a client that tries every combination from filling memory. */
const MAX_PAGES = 200
const pages = new Map<string, string>()

const MARKS = ['\0nonce', '\0handle', '\0session', '\0challenge'].map((mark) => ({
  mark,
  inJson: JSON.stringify(mark).slice(1, -1),
}))

/** The form of both generated values: they need no escaping in JSON, in an address or in HTML. */
const isMinted = (value: string | undefined): value is string => value !== undefined && /^[\w-]{22,}$/.test(value)

export function renderKept(view: PageView, render: (view: PageView) => string): string {
  if (view.screen !== 'login' || view.identifier !== undefined || view.captcha !== undefined) return render(view)
  if (view.passkey?.stray !== undefined) return render(view)
  const { nonce, state, passkey } = view
  const minted = [nonce, state, ...(passkey ? [passkey.session, passkey.challenge] : [])]
  if (!minted.every(isMinted)) return render(view)
  // Changed texts are many, and so are the members of a theme; their digests stand for them.
  const { texts, theme, ...shown } = view
  let plain = JSON.stringify(shown)
  for (const [at, value] of minted.entries()) plain = plain.replaceAll(value, MARKS[at]?.inJson ?? '')
  const key = texts || theme ? `${texts?.id} ${theme?.id} ${plain}` : plain
  let page =
    pages.get(key) ??
    keep(key, render({ ...JSON.parse(plain), ...(texts && { texts }), ...(theme && { theme }) } as PageView))
  for (const [at, value] of minted.entries()) page = page.replaceAll(MARKS[at]?.mark ?? '', value)
  return page
}

function keep(key: string, page: string): string {
  if (pages.size >= MAX_PAGES) pages.delete(pages.keys().next().value as string)
  pages.set(key, page)
  return page
}
