// The parts of a browser that a login needs: cookies, redirects one at a time, and the form of the login page.
import { PASSWORD } from '../../people'

/** `location` is where a redirect leads, or a page that goes on by itself after a while. */
export type Page = { status: number; location: string | null; html: string }

export class HttpBrowser {
  readonly cookies = new Map<string, string>()

  /** `reach` says where an address of the server is really answered: which instance, or behind which front. */
  constructor(private readonly reach: (url: string) => string = (url) => url) {}

  get(url: string): Promise<Page> {
    return this.request(url, {})
  }

  post(url: string, form: Record<string, string>): Promise<Page> {
    return this.request(url, { method: 'POST', body: new URLSearchParams(form) })
  }

  private async request(url: string, init: RequestInit): Promise<Page> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(this.reach(url), { ...init, redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) this.keep(line)
    const [, later = null] = /url=(.*)$/.exec(answer.headers.get('refresh') ?? '') ?? []
    return { status: answer.status, location: answer.headers.get('location') ?? later, html: await answer.text() }
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** From the app's request to where the server sends the browser back to, through the form if one is shown. */
export async function signIn(
  browser: HttpBrowser,
  authorizeUrl: string,
  username: string,
  password: string = PASSWORD,
): Promise<URL> {
  const asked = landing(await browser.get(authorizeUrl), authorizeUrl)
  return asked.pathname === '/u/login' ? signInAt(browser, asked, username, password) : asked
}

/** The form of the login page at that address; where the browser is sent after it. */
export async function signInAt(
  browser: HttpBrowser,
  page: URL,
  username: string,
  password: string = PASSWORD,
): Promise<URL> {
  const { html } = await browser.get(page.href)
  const form = { ...hiddenFields(html), action: 'login', username, password }
  return landing(await browser.post(new URL('/u/submit', page).href, form), page.href)
}

export function landing({ status, location, html }: Page, base: string): URL {
  if (location === null) throw new Error(`no redirect but ${status}: ${html.slice(0, 400)}`)
  return new URL(location, base)
}

export function hiddenFields(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)
  return Object.fromEntries(Array.from(fields, ([, name = '', value = '']) => [name, unescapeHtml(value)]))
}

const CHARACTERS: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
}

export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&[#\w]+;/g, (found) => CHARACTERS[found] ?? found)
