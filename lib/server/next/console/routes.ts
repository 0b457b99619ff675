// The route handlers of the console: its sign-in, and the forms of an invitation. The edge has judged methods and sources
// (lib/server/next/page-paths.ts).
import { CONSOLE_PATH } from '../../../data/clients/console'
import { canonicalAddress } from '../../../http/canonical-host'
import { commonHeaders } from '../../../http/headers'
import { onwardPage } from '../../../http/html'
import { bodyParameters, isRead, withHeaders } from '../../../http/message'
import { DomainError } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { say } from '../../../text/console'
import { readBody, toResponse } from '../message'
import { reportFailure } from '../runtime'
import type { Arrived } from './entry'
import { acceptInvitation, JOIN_PATH, makeAccount } from './join'
import { startTest } from './login-test'
import { consoleRuntime } from './session'
import { beginSignIn, cookiesIn, finishSignIn, type RedirectWithCookies, readToken, signOut } from './sign-in'
import { UNCACHED } from './uncached'

/** Bytes of a form: an invitation, an address and a password. */
const MAX_FORM = 16 * 1024

type Visit = (arrived: Arrived, incoming: Request) => Promise<RedirectWithCookies>

/** How a visitor gets on: by a redirect where a form stays within this server. */
type Onward = (to: string, cookies: readonly string[]) => Response

const answer =
  (visit: Visit, onward: Onward = seeOther) =>
  async (incoming: Request): Promise<Response> => {
    try {
      const arrived = await consoleRuntime(new URL(incoming.url), Object.fromEntries(incoming.headers))
      const canonical = canonicalAddress(arrived.request, arrived.runtime.baseUrl)
      if (canonical !== null && isRead(incoming)) return seeOther(canonical, [])
      const { to, cookies } = await visit(arrived, incoming)
      await arrived.runtime.trail.settled()
      return onward(new URL(to, arrived.runtime.baseUrl).href, cookies)
    } catch (error) {
      reportFailure(error)
      return new Response('The server is busy, try again shortly\n', { status: 503, headers: { 'retry-after': '2' } })
    }
  }

function seeOther(to: string, cookies: readonly string[]): Response {
  const headers = new Headers({ ...UNCACHED, location: to })
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

/** A login leaves for the identity provider, which the policy of the console's forms would refuse. */
const onward: Onward = (to) => {
  const page = onwardPage(to, { title: say('logins.test'), link: say('logins.test.start') })
  return toResponse(withHeaders(page, ...commonHeaders(page.headers, [])))
}

export const testRoute = answer(
  async (arrived, incoming) => startTest(await fieldsOf(arrived, incoming), arrived),
  onward,
)

export const acceptRoute = answer(async (arrived, incoming) =>
  acceptInvitation(await fieldsOf(arrived, incoming), arrived),
)

export const firstAccountRoute = answer(async (arrived, incoming) =>
  makeAccount(await fieldsOf(arrived, incoming), arrived),
)

const beginAtLink: Visit = async ({ runtime, request }) => {
  const { query } = request
  const to = query.get('to') ?? CONSOLE_PATH
  // A sign-in would end at a page that says less. That of an invitation makes the first administrator.
  if (!to.startsWith(JOIN_PATH) && (await runtime.administrators.list()).length === 0)
    return { to: `${CONSOLE_PATH}/no-owner`, cookies: [] }
  const wish = { fresh: query.get('fresh') === '1', connection: query.get('connection') }
  return beginSignIn(to, wish, request, runtime)
}

const finish: Visit = ({ runtime, request }) => finishSignIn(request, cookiesIn(request.headers.cookie), runtime)

const end: Visit = async ({ runtime, request }) => {
  const held = await readToken(cookiesIn(request.headers.cookie), runtime)
  return signOut(held?.idToken ?? null, runtime)
}

/** What `app/console/auth/[...nextauth]` answers, by the segments of the address; anything else is an unknown address. */
const auth =
  (visits: ReadonlyMap<string, Visit>) =>
  async (incoming: Request, { params }: { params: Promise<{ nextauth: string[] }> }): Promise<Response> => {
    const { nextauth } = await params
    const visit = visits.get(nextauth.join('/'))
    if (visit) return answer(visit)(incoming)
    // Loads every endpoint, so only where it is needed.
    const { serveUnknown } = await import('../serve')
    return serveUnknown(incoming)
  }

export const serveAuth = {
  GET: auth(
    new Map([
      ['sign-in', beginAtLink],
      ['callback/latchkey', finish],
    ]),
  ),
  POST: auth(new Map([['sign-out', end]])),
}
