// A user who follows every redirect, fills in the login form, and submits self-posting forms.
import { PASSWORD } from '../../people'
import { type HttpBrowser, hiddenFields, type Page, unescapeHtml } from './http-browser'
import { CALLBACK } from './tenant'

export type Arrival = { url: string; page: Page; json(): Record<string, unknown> }

const MAX_STEPS = 20

export async function travel(browser: HttpBrowser, from: string, username: string): Promise<Arrival> {
  return arrive(browser, await browser.get(from), from, username)
}

/** The same for a form. */
export async function travelByForm(
  browser: HttpBrowser,
  action: string,
  form: Record<string, string>,
  username: string,
): Promise<Arrival> {
  return arrive(browser, await browser.post(action, form), action, username)
}

async function arrive(browser: HttpBrowser, first: Page, from: string, username: string): Promise<Arrival> {
  let [page, url] = [first, from]
  for (let step = 0; step < MAX_STEPS; step++) {
    for (const frame of framesOf(page)) await browser.get(frame)
    const next = onward(page, url, username)
    if (!next || isNowhere(next.url)) return arrival(next?.url ?? url, page)
    url = next.url
    page = next.form ? await browser.post(url, next.form) : await browser.get(url)
  }
  throw new Error(`no end of redirects at ${url}`)
}

const arrival = (url: string, page: Page): Arrival => ({
  url,
  page,
  json: () => JSON.parse(page.html) as Record<string, unknown>,
})

/** An app's address without a server (tenant.ts). */
const isNowhere = (url: string): boolean => new URL(url).hostname === new URL(CALLBACK).hostname

/** The applications that a page asks to clean up in frames. */
const framesOf = ({ html }: Page): string[] =>
  Array.from(html.matchAll(/<iframe\b[^>]* src="([^"]+)"/g), ([, src = '']) => unescapeHtml(src))

type Step = { url: string; form?: Record<string, string> }

function onward({ location, html }: Page, url: string, username: string): Step | null {
  if (location !== null) return { url: new URL(location, url).href }
  const [, action] = /<form\b[^>]* action="([^"]+)"/.exec(html) ?? []
  const form = action === undefined ? null : filled(html, username)
  return form && { url: new URL(unescapeHtml(action ?? ''), url).href, form }
}

/** The form as a user submits it; null if it is not a known form. */
function filled(html: string, username: string): Record<string, string> | null {
  const form = hiddenFields(html)
  if (html.includes('document.forms[0].submit()')) return form
  if (html.includes('name="login"')) return { ...form, login: username, password: PASSWORD }
  if (html.includes('name="password"')) return { ...form, action: 'login', username, password: PASSWORD }
  if (html.includes('name="username"')) return { ...form, action: 'identify', username }
  return answered(form)
}

/** The questions of `oidc-provider`: consent, and confirmation of a sign-out. */
function answered(form: Record<string, string>): Record<string, string> | null {
  if (form.prompt === 'consent') return form
  return form.xsrf === undefined ? null : { ...form, logout: 'yes' }
}
