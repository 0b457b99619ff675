// Several servers behind one origin: the test plays the load balancer and chooses which one a browser's next requests go to.
import { PASSWORD } from '../../people'
import { HttpBrowser, signIn } from './http-browser'
import type { ServerProcess } from './server-process'
import { ORIGIN } from './shared-database'
import { authorizeRequest, redeem } from './tenant'

type Balanced = { at: { instance: ServerProcess }; browser: HttpBrowser }

export function balanced(instance: ServerProcess): Balanced {
  const at = { instance }
  return { at, browser: new HttpBrowser((url) => url.replace(ORIGIN, at.instance.url)) }
}

/** Signs a person in, in a browser of their own unless one is given. */
export async function loginOn(
  instance: ServerProcess,
  person: string,
  extra: Record<string, string> = {},
  { at, browser }: Balanced = balanced(instance),
) {
  at.instance = instance
  const { url, verifier } = authorizeRequest(ORIGIN, extra)
  return { at, browser, verifier, callback: await signIn(browser, url, person) }
}

/** Begins a login on one server and finishes it on the other; the first redeems the code. */
export async function loginAcross(
  [one, other]: readonly [ServerProcess, ServerProcess],
  person: string,
  client: string,
) {
  const { at, browser } = balanced(one)
  const { url, verifier } = authorizeRequest(ORIGIN, { client_id: client })
  const form = new URL((await browser.get(url)).location ?? '')
  at.instance = other
  const shown = await browser.get(form.href)
  const state = form.searchParams.get('state') ?? ''
  const fields = { state, action: 'login', username: person, password: PASSWORD }
  const callback = new URL((await browser.post(`${ORIGIN}/u/submit`, fields)).location ?? '')
  return { shown, callback, verifier, tokens: await redeem(one.url, client, callback, verifier) }
}
