// The parts of a browser that a login needs: cookies, single redirects, and the form of the login page.
import { PASSWORD } from '../../people'

/** `location` is the target of a redirect, or of a page that continues automatically. */
export type Page = { status: number; location: string | null; html: string }

export class HttpBrowser {
  readonly cookies = new Map<string, string>()

  /** `reach` maps an address of the server to the actual one: an instance, or a proxy. */
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

/** From the app's request to the server's redirect to the app, through the form if one is shown. */
export async function signIn(
  browser: HttpBrowser,
  authorizeUrl: string,
  username: string,
  password: string = PASSWORD,
): Promise<URL> {
  const landed = landing(await browser.get(authorizeUrl), authorizeUrl)
  return landed.pathname === '/u/login' ? signInAt(browser, landed, username, password) : landed
}

/** Submits the login page's form at that address; returns the target of the redirect. */
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
