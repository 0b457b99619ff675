// Ends the session of a browser for an endpoint of any protocol, and leaves for where the browser goes next.
// Clients of the session are notified: back-channel logout by the statement that ends the session, front-channel logout by a
// page that frames their URLs before it continues (OIDC Front-Channel Logout 1.0).
import type { Client } from '../../data/clients/client'
import { frontChannelLogoutUrl } from '../../data/clients/logout'
import { matchLogoutUrl } from '../../data/clients/registered-urls'
import { unregistered } from '../../data/clients/unregistered'
import type { SamlParticipant } from '../../data/sessions/saml-participant'
import type { SessionPort } from '../../data/sessions/session'
import { dropCookie } from '../../http/cookies'
import { type HttpRequest, type HttpResponse, redirect, text, withHeaders } from '../../http/message'
import { untrustedRedirect } from '../../kernel/errors'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { findSession } from '../../login/begin/signed-in'
import type { Visitor } from '../../login/visitor'
import { respondWithPage } from '../../pages/respond'
import { chainAddress, participantsToNotify } from '../../protocols/saml/logout-chain'
import type { Runtime } from '../runtime/runtime'

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
  runtime.trail.follow(signedIn.session.evidence[0]?.login)
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
