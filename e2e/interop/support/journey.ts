// A person clicking through: every redirect is followed, the login form filled in, a form that posts itself posted.
import { PASSWORD } from '../../people'
import { type HttpBrowser, hiddenFields, type Page, unescapeHtml } from './http-browser'

export type Arrival = { url: string; page: Page; json(): Record<string, unknown> }

const MOST_STEPS = 20

export async function travel(browser: HttpBrowser, from: string, username: string): Promise<Arrival> {
  return arrive(browser, await browser.get(from), from, username)
}

/** The same from a form. */
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
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = onward(page, url, username)
    if (!next) return { url, page, json: () => JSON.parse(page.html) as Record<string, unknown> }
    url = next.url
    page = next.form ? await browser.post(url, next.form) : await browser.get(url)
  }
  throw new Error(`no end of redirects at ${url}`)
}

function onward(
  { location, html }: Page,
  url: string,
  username: string,
): { url: string; form?: Record<string, string> } | null {
  if (location !== null) return { url: new URL(location, url).href }
  const [, action] = /<form\b[^>]* action="([^"]+)"/.exec(html) ?? []
  if (action === undefined) return null
  const to = new URL(unescapeHtml(action), url).href
  if (html.includes('document.forms[0].submit()')) return { url: to, form: hiddenFields(html) }
  if (html.includes('name="password"'))
    return { url: to, form: { ...hiddenFields(html), action: 'login', username, password: PASSWORD } }
  if (html.includes('name="username"'))
    return { url: to, form: { ...hiddenFields(html), action: 'identify', username } }
  return null
}
