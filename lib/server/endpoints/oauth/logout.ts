// GET /v2/logout (the contract's "Logout"): ends the session on the server, then redirects by three rules:
// 1. with client_id, returnTo must be one of the client's logout URLs;
// 2. without client_id, it must be one of the tenant's;
// 3. with client_id and no returnTo, the client's first logout URL.
// `federated` redirects through the logout of the provider that signed the user in, if it has one.
// Clients of the session are notified: back-channel logout by the statement that ends the session, front-channel logout by a
// page that frames their URLs before it continues (OIDC Front-Channel Logout 1.0).

import * as z from 'zod'
import { type Client, firstLogoutUrl, matchLogoutUrl } from '../../../data/clients/client'
import { frontChannelLogoutUrl } from '../../../data/clients/logout'
import { unregistered } from '../../../data/clients/unregistered'
import type { SamlParticipant } from '../../../data/sessions/saml-participant'
import type { SessionPort } from '../../../data/sessions/session'
import { dropCookie } from '../../../http/cookies'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, SIGNED_OUT } from '../../../http/examples'
import {
  type HttpRequest,
  type HttpResponse,
  queryParameters,
  redirect,
  text,
  withHeaders,
} from '../../../http/message'
import { unknownClientPage, untrustedRedirect } from '../../../kernel/errors'
import { mapBounded } from '../../../kernel/map-bounded.mjs'
import { findSession } from '../../../login/begin/signed-in'
import { upstreamLogout } from '../../../login/upstream/upstream-logout'
import type { Visitor } from '../../../login/visitor'
import { respondWithPage } from '../../../pages/respond'
import { chainAddress, participantsToNotify } from '../../../protocols/saml/logout-chain'
import { readVisitor } from '../../login-http/visitor'
import type { Runtime } from '../../runtime/runtime'

export const logout = defineEndpoint<Runtime>({
  name: 'logout',
  limit: 'logout',
  shed: 'last',
  refused: 'logout_refused',
  cors: 'none',
  errors: 'page',
  describe: () => ({
    tag: 'Logout',
    GET: {
      summary: 'End the session',
      query: z.object({
        client_id: optional('The client whose logout URLs apply; without it those of the tenant'),
        returnTo: optional('Where the browser continues; the default is the first logout URL of the client'),
        federated: optional('Ends the session at the identity provider, too'),
      }),
      answers: {
        302: { says: 'To the given URL, or to the logout of the provider' },
        200: { says: 'The session has ended; nowhere to continue, or clients to notify', type: 'text/plain' },
      },
      examples: { return: { query: { ...APP, returnTo: SIGNED_OUT } } },
    },
  }),
  methods: {
    async GET(request, runtime) {
      const { client_id, returnTo } = queryParameters(request)
      const client = client_id === undefined ? null : await findClient(client_id, runtime)
      if (returnTo !== undefined) checkReturn('returnTo', returnTo, client, runtime)
      const to = returnTo ?? (client ? firstLogoutUrl(client) : undefined) ?? null
      const visitor = readVisitor(request, runtime)
      const upstream = request.query.has('federated') ? await upstreamOf(visitor, to, runtime) : null
      return leave(upstream ?? to, await endSession(visitor, runtime), request, runtime)
    },
  },
})

/** Refuses a URL that is not among the client's logout URLs, or the tenant's if there is no client. */
export function checkReturn(name: string, url: string, client: Client | null, { settings }: Runtime): void {
  const { allowed_logout_urls: allowed } = client?.settings ?? settings.tenant
  if (matchLogoutUrl(allowed, url)) return
  throw unregisteredLogout(`The ${name} URL`, { [name]: url }, allowed)
}

/** The address after a logout; `values` has its parameter and value. */
export function unregisteredLogout(what: string, values: Record<string, string>, registered: readonly string[]) {
  const [url = ''] = Object.values(values)
  const why = unregistered('logout_url_not_registered', url, registered)
  return untrustedRedirect('logout_url', `${what} is not among the allowed logout URLs`, values, why)
}

async function upstreamOf(visitor: Visitor, to: string | null, runtime: Runtime): Promise<string | null> {
  const signedIn = await findSession(visitor, runtime)
  return signedIn && upstreamLogout(signedIn.session, to, runtime)
}

async function findClient(clientId: string, runtime: Runtime): Promise<Client> {
  const client = await runtime.clients.find(clientId)
  if (client) {
    runtime.trail.context({ client })
    return client
  }
  throw unknownClientPage(clientId)
}

/** What remains to do in the browser after a session has ended. */
export type EndedSession = {
  cookies: [string, string][]
  frames: string[]
  sid: string | null
  /** SAML clients to be notified through the browser. */
  saml: SamlParticipant[]
}

/** Ends the browser's session, if there is one; by `end` if the user did not request the logout in this browser. */
export async function endSession(
  visitor: Visitor,
  runtime: Runtime,
  end: SessionPort['end'] = runtime.sessions.end,
): Promise<EndedSession> {
  const signedIn = await findSession(visitor, runtime)
  const cookies = [dropCookie('session', runtime)]
  if (!signedIn) return { cookies, frames: [], sid: null, saml: [] }
  const { session } = signedIn
  if (await end(session.idDigest, runtime.clock.now())) {
    runtime.wakeDispatcher()
  }
  runtime.trail.record('logout', { user: signedIn.user })
  const clients = await mapBounded(session.participants, (id) => runtime.clients.find(id))
  const about = { issuer: runtime.issuer, sid: session.sid }
  const frames = clients.flatMap((client) => (client && frontChannelLogoutUrl(client, about)) ?? [])
  return { cookies, frames, sid: session.sid, saml: await participantsToNotify(session.sid, runtime) }
}

/** Seconds that the frames get before the browser continues. */
const FRAME_SECONDS = 2

type LeaveOptions = { uiLocales?: string | null; page?: boolean }

/** Redirects to `to`, or shows a page, after the clients that must be notified through this browser. */
export async function leave(
  to: string | null,
  { sid, saml, ...ended }: EndedSession,
  request: HttpRequest,
  runtime: Runtime,
  options: LeaveOptions = {},
): Promise<HttpResponse> {
  const roundabout = sid !== null && saml.length > 0
  const onward = roundabout ? await chainAddress({ sid, pending: saml, finish: { to } }, runtime) : to
  return goOn(onward, ended, request, runtime, options)
}

async function goOn(
  to: string | null,
  { cookies, frames }: Pick<EndedSession, 'cookies' | 'frames'>,
  request: HttpRequest,
  runtime: Runtime,
  options: LeaveOptions,
): Promise<HttpResponse> {
  if (frames.length === 0 && to !== null) return withHeaders(redirect(to), ...cookies)
  if (frames.length === 0 && !options.page) return withHeaders(text('OK'), ...cookies)
  const view = { screen: 'logged-out' as const, frames, ...(to === null ? {} : { returnUrl: to }) }
  const onward: [string, string][] = to === null ? [] : [['refresh', `${FRAME_SECONDS}; url=${new URL(to).href}`]]
  return withHeaders(await respondWithPage(view, request, runtime, options), ...cookies, ...onward)
}
