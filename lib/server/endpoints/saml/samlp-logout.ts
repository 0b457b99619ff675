// GET and POST /samlp/{client_id}/logout (SAML Profiles 4.4): a LogoutRequest of a client ends this browser's session and is
// answered after the other clients were notified. A LogoutResponse continues the chain that sent the request; `chain` starts
// one.

import * as z from 'zod'
import { STATUS } from '../../../crypto/saml/names'
import type { LogoutRequest } from '../../../crypto/saml/read'
import { asOwn } from '../../../http/cross-site'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { allParameters, type HttpRequest, type HttpResponse, queryParameters, withHeaders } from '../../../http/message'
import { missingParameter } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { findSession } from '../../../login/begin/signed-in'
import type { Visitor } from '../../../login/visitor'
import type { VisitorResponse } from '../../../login/visitor-response'
import { respondWithPage } from '../../../pages/respond'
import { answerLogout, beginChain, chainAddress, followChain, resumeChain } from '../../../protocols/saml/logout-chain'
import { checkOfNow, claimOnce, speaksOf } from '../../../protocols/saml/logout-request'
import { type ReceivedMessage, receive } from '../../../protocols/saml/received'
import { logoutUrl } from '../../../protocols/saml/sender'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { endSession, leave } from '../../requests/end-session'
import { PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'
import { findSamlClient, MAX_SAML_BODY, signatureParameters } from './samlp'

export const samlpLogout = defineEndpoint<Runtime>({
  name: 'samlp.logout',
  limit: 'logout',
  shed: 'last',
  refused: 'logout_refused',
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  maxBody: MAX_SAML_BODY,
  methods: { GET: handle, POST: handle },
  describe: () => ({
    tag: 'SAML',
    GET: {
      summary: 'Single logout (redirect binding)',
      query: logoutParameters().extend(signatureParameters()),
      answers: ANSWERS,
      examples: { request: { path: APP, query: { SAMLRequest: '<LogoutRequest, deflated>' } } },
    },
    POST: {
      summary: 'Single logout (POST binding)',
      body: logoutParameters(),
      encoding: 'form',
      answers: ANSWERS,
      examples: { request: { path: APP, body: { SAMLRequest: '<LogoutRequest>' } } },
    },
  }),
})

const logoutParameters = () =>
  z.object({
    SAMLRequest: optional('A LogoutRequest of the client'),
    SAMLResponse: optional('A LogoutResponse of the client'),
    RelayState: optional('Returned to the client unchanged'),
    chain: optional('Starts a chain of logouts'),
  })

const ANSWERS = {
  302: { says: 'To the next client, or with the response to the client' },
  303: { says: 'A form becomes a GET, which carries the cookies of this server' },
  200: {
    says: 'A form that posts the response to the client, or a page that says that the session has ended',
    type: PAGE,
  },
}

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = allParameters(request)
  if (parameters.chain !== undefined) return shown(await beginChain(parameters.chain, runtime), request, runtime)
  const { client, settings } = await findSamlClient(request, runtime)
  const url = logoutUrl(runtime.baseUrl, client.clientId)
  const sent = { parameters, query: queryParameters(request), search: request.search }
  if (parameters.SAMLResponse !== undefined) {
    const { message } = await receive('logoutResponse', sent, settings, url, runtime)
    const answered = await resumeChain(message, client.clientId, runtime)
    return shown(answered, request, runtime)
  }
  if (parameters.SAMLRequest === undefined) throw missingParameter('SAMLRequest')
  const again = asOwn(request, parameters, url, runtime.random)
  if (again) return again
  const received = await receive('logoutRequest', sent, settings, url, runtime)
  return end(received, client.clientId, parameters, request, runtime)
}

async function end(
  { message: logoutRequest, signed }: ReceivedMessage<'logoutRequest'>,
  clientId: string,
  { RelayState }: Parameters,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  checkOfNow(logoutRequest, runtime.clock.now())
  const finish = { clientId, inResponseTo: logoutRequest.id, relayState: RelayState ?? null }
  const visitor = readVisitor(request, runtime)
  if (!(await isOfThisSession(logoutRequest, clientId, signed, visitor, runtime))) {
    const refusal = { code: STATUS.requester, detail: STATUS.unknownPrincipal }
    return shown(await answerLogout(finish, refusal, runtime), request, runtime)
  }
  if (signed) await claimOnce(logoutRequest, clientId, runtime)
  const ended = await endSession(visitor, runtime)
  const pending = ended.saml.filter((participant) => participant.clientId !== clientId)
  const chain = { sid: ended.sid ?? '', pending, finish }
  if (pending.length === 0 && ended.frames.length === 0) {
    const answer = await followChain({ ...chain, awaiting: null, partial: false }, runtime)
    return withHeaders(await shown(answer, request, runtime), ...ended.cookies)
  }
  return leave(await chainAddress(chain, runtime), { ...ended, saml: [] }, request, runtime)
}

/** Without a session there is nothing to end, so the request cannot be for the wrong one. */
async function isOfThisSession(
  logoutRequest: LogoutRequest,
  clientId: string,
  signed: boolean,
  visitor: Visitor,
  runtime: Runtime,
): Promise<boolean> {
  const signedIn = await findSession(visitor, runtime)
  if (!signedIn) return true
  const { sid } = signedIn.session
  const participants = await runtime.samlParticipants.list(sid)
  const own = participants.find((participant) => participant.clientId === clientId)
  return speaksOf(logoutRequest, sid, own, signed)
}

const shown = async (
  response: VisitorResponse | null,
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> =>
  response === null
    ? respondWithPage({ screen: 'logged-out', frames: [] }, request, runtime)
    : respondToVisitor(response, runtime)
