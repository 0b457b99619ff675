// Logout by a SAML identity provider: a LogoutRequest at the connection's single logout service. It ends every session it
// names, in any browser. The clients of this browser's session are logged out on the way, as in any other logout, and the
// provider gets its response last.

import type { LogoutRequest } from '../../crypto/saml/read'
import { malformed } from '../../crypto/saml/xml'
import { isSaml, type SamlConnection } from '../../data/connections/connection'
import { LOGGED_OUT_PATH } from '../../data/connections/upstream/saml-metadata'
import { accountNamed } from '../../data/connections/upstream/saml-session'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import { asOwn } from '../../http/cross-site'
import { allParameters, type HttpRequest, type HttpResponse, queryParameters } from '../../http/message'
import { notFound } from '../../kernel/errors'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import { findSession } from '../../login/begin/signed-in'
import { respondWithPage } from '../../pages/respond'
import { chainAddress } from '../../protocols/saml/logout-chain'
import { answerProvider, answerUrl, isSpokenOf, receiveFromProvider } from '../../protocols/saml/provider-logout'
import { respondToVisitor } from '../login-http/respond'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'
import { type EndedSession, endSession, leave } from './end-session'

const NOTHING: EndedSession = { cookies: [], frames: [], sid: null, saml: [] }

export async function endByProvider(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = allParameters(request)
  const connection = await findConnection(parameters.connection, runtime)
  const again = asOwn(request, parameters, runtime.baseUrl + LOGGED_OUT_PATH, runtime.random)
  if (again) return again
  const sent = { parameters, query: queryParameters(request), search: request.search }
  const logoutRequest = await known(connection, () => receiveFromProvider(connection, sent, runtime), runtime)
  const visitor = readVisitor(request, runtime)
  const here = await findSession(visitor, runtime)
  const isHere = here !== null && isSpokenOf(here.session.evidence, logoutRequest, connection, runtime)
  await endElsewhere(connection, logoutRequest, here?.session.sid, runtime)
  const to = await answerUrl(connection, logoutRequest, sent, runtime)
  const ended: EndedSession = isHere ? await endSession(visitor, runtime, runtime.upstreamAccounts.endSession) : NOTHING
  return leave(await roundabout(to, ended, runtime), { ...ended, saml: [] }, request, runtime)
}

/** Leads through the SAML clients of the session; the response tells the provider whether all were reached. */
async function roundabout(to: string, { sid, saml }: EndedSession, runtime: Runtime): Promise<string> {
  if (sid === null || saml.length === 0) return to
  return chainAddress({ sid, pending: saml, finish: { to, onPartial: `${to}&partial=true` } }, runtime)
}

export async function answerTheProvider(ticket: string, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const connections = await runtime.connections.all()
  const { connection: name, partial } = allParameters(request)
  const connection = await findConnection(name, runtime)
  const due = { ticket, partial: partial !== undefined }
  const answer = await known(connection, () => answerProvider(due, connections, runtime), runtime)
  if (answer) return respondToVisitor(answer, runtime)
  return respondWithPage({ screen: 'logged-out', frames: [] }, request, runtime)
}

async function findConnection(name: string | undefined, runtime: Runtime): Promise<SamlConnection> {
  const connection = (await runtime.connections.all()).find((each) => each.name === name)
  if (isSaml(connection)) return connection
  throw notFound('Unknown SAML connection', { redirectable: false })
}

/** If the provider's keys are unavailable, its message is refused like an invalid one. */
async function known<T>(connection: SamlConnection, work: () => Promise<T>, runtime: Runtime): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    runtime.noteUpstream(connection, error)
    throw malformed('the keys of its provider are not known')
  }
}

/** If users are identified by an attribute, the NameID names no account, so only the session of this browser can be matched. */
async function endElsewhere(
  connection: SamlConnection,
  logoutRequest: LogoutRequest,
  here: string | undefined,
  runtime: Runtime,
): Promise<void> {
  const account = accountNamed(connection, logoutRequest.nameId)
  if (account === null) return
  const now = runtime.clock.now()
  const sessions = await runtime.upstreamAccounts.sessionsOf(connection.id, account, now)
  const meant = sessions.filter(
    ({ sid, evidence }) => sid !== here && isSpokenOf(evidence, logoutRequest, connection, runtime),
  )
  const ended = await mapBounded(meant, ({ idDigest }) => runtime.upstreamAccounts.endSession(idDigest, now))
  if (ended.includes(true)) runtime.wakeDispatcher()
}
