// The sign-in to the console without a page: what next-auth sets as cookies is in a jar, and the login in a browser of its own.

import type { HttpRequest } from '../http/message'
import { beginSignIn, cookiesIn, finishSignIn } from '../server/next/console/sign-in'
import { BASE_URL } from './database'
import { locationOf, submitPassword } from './journey'
import type { Browser, TestServer } from './server'

export const requestTo = (path: string, jar: ReadonlyMap<string, string> = new Map()): HttpRequest => {
  const url = new URL(path, BASE_URL)
  return {
    id: 'test',
    method: 'GET',
    path: url.pathname,
    params: {},
    query: url.searchParams,
    search: url.search.slice(1),
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ') },
    body: new Uint8Array(),
    ip: '198.51.100.7',
  }
}

export function keep(jar: Map<string, string>, cookies: readonly string[]): void {
  for (const cookie of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, decodeURIComponent(value))
  }
}

/** The answer of the login that `beginSignIn` led to. */
async function logIn(browser: Browser, to: string, email: string): Promise<string> {
  const first = await browser.get(to.slice(BASE_URL.length))
  const page = locationOf(first)
  const answer = page.searchParams.has('code')
    ? first
    : await submitPassword(browser, page.searchParams.get('state') ?? '', email)
  return locationOf(answer).href
}

/** Signs in with the password; the answer may be the page of a second factor. */
export async function signInToConsole(
  server: TestServer,
  email: string,
  to = '/console/users',
  browser = server.browser(),
) {
  const runtime = (await server.runtime()).within(requestTo('/console'))
  const jar = new Map<string, string>()
  const started = await beginSignIn(to, { fresh: false, connection: null }, requestTo('/console'), runtime)
  keep(jar, started.cookies)
  const callback = await logIn(browser, started.to, email)
  const finish = (held: ReadonlyMap<string, string> = jar, url = callback) =>
    finishSignIn(requestTo(url, held), cookiesIn(requestTo(url, held).headers.cookie), runtime)
  return { runtime, browser, jar, callback, finish }
}
