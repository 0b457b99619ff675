// The addresses of the console's sign-in and of its invitations, which are no pages. The edge has judged methods and sources (lib/server/next/page-paths.ts).
import { CONSOLE_PATH } from '../../../data/clients/console'
import { canonicalAddress } from '../../../http/canonical-host'
import { STRICT_HEADERS } from '../../../http/headers'
import { bodyParameters, isRead } from '../../../http/message'
import { DomainError } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { readBody } from '../message'
import { reportFailure } from '../runtime'
import type { Arrived } from './entry'
import { acceptInvitation, JOIN_PATH, makeAccount } from './join'
import { consoleRuntime } from './session'
import { beginSignIn, cookiesIn, finishSignIn, type RedirectWithCookies, readToken, signOut } from './sign-in'

/** Bytes of a form: an invitation, an address and a password. */
const MAX_FORM = 16 * 1024

const answer =
  (place: (arrived: Arrived, incoming: Request) => Promise<RedirectWithCookies>) =>
  async (incoming: Request): Promise<Response> => {
    try {
      const arrived = await consoleRuntime(new URL(incoming.url), Object.fromEntries(incoming.headers))
      const canonical = canonicalAddress(arrived.request, arrived.runtime.baseUrl)
      if (canonical !== null && isRead(incoming)) return seeOther(canonical, [])
      const { to, cookies } = await place(arrived, incoming)
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

/** The fields of a form; none where it is not one of this server. */
async function fieldsOf({ request }: Arrived, incoming: Request): Promise<Parameters> {
  const body = await readBody(incoming, MAX_FORM + 1)
  if (body.length > MAX_FORM) return {}
  try {
    return bodyParameters({ ...request, body })
  } catch (error) {
    if (error instanceof DomainError) return {}
    throw error
  }
}

export const acceptRoute = answer(async (arrived, incoming) =>
  acceptInvitation(await fieldsOf(arrived, incoming), arrived),
)

export const firstAccountRoute = answer(async (arrived, incoming) =>
  makeAccount(await fieldsOf(arrived, incoming), arrived),
)

export const signInRoute = answer(async ({ runtime, request }) => {
  const { query } = request
  const to = query.get('to') ?? CONSOLE_PATH
  // A sign-in would end at a page that says less. That of an invitation makes the first administrator.
  if (!to.startsWith(JOIN_PATH) && (await runtime.administrators.list()).length === 0)
    return { to: `${CONSOLE_PATH}/no-owner`, cookies: [] }
  const wish = { fresh: query.get('fresh') === '1', connection: query.get('connection') }
  return beginSignIn(to, wish, request, runtime)
})

export const callbackRoute = answer(({ runtime, request }) =>
  finishSignIn(request, cookiesIn(request.headers.cookie), runtime),
)

export const signOutRoute = answer(async ({ runtime, request }) => {
  const held = await readToken(cookiesIn(request.headers.cookie), runtime)
  return signOut(held?.idToken ?? null, runtime)
})
