// The addresses of the console's sign-in, which are no pages. The edge has judged methods and sources (lib/next/page-paths.ts).
import { CONSOLE_PATH } from '../../clients/console'
import { canonicalAddress } from '../../http/canonical-host'
import { STRICT_HEADERS } from '../../http/headers'
import { isRead } from '../../http/message'
import { reportFailure } from '../runtime'
import type { Arrived } from './entry'
import { consoleRuntime } from './session'
import { beginSignIn, cookiesIn, finishSignIn, readToken, signOut } from './sign-in'

type Place = { to: string; cookies: string[] }

const answer =
  (place: (arrived: Arrived) => Promise<Place>) =>
  async (incoming: Request): Promise<Response> => {
    try {
      const arrived = await consoleRuntime(new URL(incoming.url), Object.fromEntries(incoming.headers))
      const canonical = canonicalAddress(arrived.request, arrived.runtime.baseUrl)
      if (canonical !== null && isRead(incoming)) return seeOther(canonical, [])
      const { to, cookies } = await place(arrived)
      await arrived.runtime.trail.settled()
      return seeOther(new URL(to, arrived.runtime.baseUrl).href, cookies)
    } catch (error) {
      reportFailure(error)
      return new Response('The server is busy, try again shortly\n', { status: 503, headers: { 'retry-after': '2' } })
    }
  }

function seeOther(to: string, cookies: readonly string[]): Response {
  const headers = new Headers({ ...STRICT_HEADERS, location: to, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

export const signInRoute = answer(({ runtime, request }) => {
  const { query } = request
  const wish = { fresh: query.get('fresh') === '1', connection: query.get('connection') }
  return beginSignIn(query.get('to') ?? CONSOLE_PATH, wish, request, runtime)
})

export const callbackRoute = answer(({ runtime, request }) =>
  finishSignIn(request, cookiesIn(request.headers.cookie), runtime),
)

export const signOutRoute = answer(async ({ runtime, request }) => {
  const held = await readToken(cookiesIn(request.headers.cookie), runtime)
  return signOut(held?.idToken ?? null, runtime)
})
