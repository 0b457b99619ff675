// GET and POST /authorize (the contract's "Authorize"; OIDC Core 3.1.2): validate the target, read the request, start the
// login.

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { throughGet } from '../../../http/cross-site'
import { optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, CALLBACK } from '../../../http/examples'
import { type HttpRequest, type HttpResponse, readableParameters } from '../../../http/message'
import type { DomainError } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { reopenLogin } from '../../../login/begin/reopen'
import { startLogin } from '../../../login/begin/start'
import { startWithTicket } from '../../../login/begin/start-with-ticket'
import { wayToClient } from '../../../login/flow/open'
import type { Origin, Wants } from '../../../login/transaction'
import type { Visitor } from '../../../login/visitor'
import { isPushed, pushedHandle, takePushed, usedRequestUri } from '../../../protocols/oidc/pushed'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { AUTHORIZE, type AuthorizationReading, answerAuthorization } from '../../requests/authorization-request'
import { authorizationMembers, PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

/** No larger than a GET could be, because the request is stored with the login before any authentication. */
const MAX_REQUEST = 16 * 1024

export const authorize = defineEndpoint<Runtime>({
  ...AUTHORIZE,
  limit: 'authorize',
  shed: 'first',
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  maxBody: MAX_REQUEST,
  methods: { GET: handle, POST: handle },
  describe: () => ({
    tag: 'Login',
    GET: {
      summary: 'Sign a person in',
      query: authorizeParameters(),
      answers: ANSWERS,
      examples: { code: { query: EXAMPLE } },
    },
    POST: {
      summary: 'Sign a person in, with a form',
      body: authorizeParameters(),
      encoding: 'form',
      answers: ANSWERS,
      examples: { code: { body: EXAMPLE } },
    },
  }),
})

const authorizeParameters = () =>
  z.object({
    client_id: text('The client'),
    ...authorizationMembers(),
    login_ticket: optional('The ticket of `/co/authenticate`'),
  })

const ANSWERS = {
  302: { says: 'To the login page, or with the response to the application' },
  303: { says: 'A form becomes a GET, which carries the cookies of this server' },
  200: { says: 'The response of the modes `form_post`, `form_post.jwt` and `web_message`', type: PAGE },
}

const EXAMPLE = {
  response_type: 'code',
  ...APP,
  redirect_uri: CALLBACK,
  scope: 'openid profile email',
  state: 'af0ifjsldkj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { parameters: sent, unread } = readableParameters(request)
  const problem = problemOf(sent, unread)
  const anew = problem ? null : throughGet(request, sent, `${runtime.baseUrl}/authorize`)
  if (anew) return anew
  if (problem) return answer(sent, request, readVisitor(request, runtime), runtime, { problem })
  if (isPushed(sent)) return handlePushed(sent, request, runtime)
  const signed = await openSigned(sent, runtime)
  const visitor = readVisitor(request, runtime)
  return answer(signed ?? sent, request, visitor, runtime, { arrival: signed ? 'signed' : 'plain' })
}

/** Without one of these the application cannot be answered. */
const OF_THE_ANSWER = ['client_id', 'redirect_uri', 'response_mode', 'state', 'request', 'request_uri']

/** What is wrong with the parameters, for the application; thrown where it is for a page, because the target is not proven. */
function problemOf(sent: Parameters, unread: ReadonlyMap<string, DomainError>): DomainError | undefined {
  const [problem] = unread.values()
  if (!problem) return undefined
  const isElsewhere = sent.request !== undefined || sent.request_uri !== undefined
  if (isElsewhere || OF_THE_ANSWER.some((name) => unread.has(name))) throw problem
  return problem
}

async function handlePushed(sent: Parameters, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const visitor = { ...readVisitor(request, runtime), handle: pushedHandle(sent, runtime) }
  const pushed = await takePushed(sent, runtime)
  if (pushed) {
    runtime.trail.follow(pushed.login)
    const { parameters, subject, invitation } = pushed
    return answer(parameters, request, visitor, runtime, { arrival: 'pushed', subject, invitation })
  }
  const reopened = await reopenLogin(visitor.handle, sent.client_id, visitor, runtime)
  if (!reopened) throw usedRequestUri(await wayToClient(sent.client_id, runtime))
  return respondToVisitor(reopened, runtime)
}

function answer(
  parameters: Parameters,
  request: HttpRequest,
  visitor: Visitor,
  runtime: Runtime,
  reading: AuthorizationReading,
): Promise<HttpResponse> {
  const ticket = parameters.login_ticket
  const begin = async (origin: Origin, wants: Wants): Promise<HttpResponse> =>
    respondToVisitor(
      ticket === undefined
        ? await startLogin(origin, wants, visitor, runtime)
        : await startWithTicket(origin, wants, ticket, visitor, runtime),
      runtime,
    )
  return answerAuthorization(parameters, request, runtime, begin, reading)
}

/** The parameters of a request object; null if there is none, it is not signed or the client is unknown. */
async function openSigned(sent: Parameters, runtime: Runtime): Promise<Parameters | null> {
  if (sent.request === undefined && sent.request_uri === undefined) return null
  const client = await runtime.clients.find(sent.client_id ?? '')
  if (!client) return null
  if (sent.request === undefined) return openReferenced(sent.request_uri ?? '', client, runtime)
  const { openRequestObject } = await import('../../../protocols/oidc/request-object')
  return openRequestObject(sent, client, runtime)
}

async function openReferenced(requestUri: string, client: Client, runtime: Runtime): Promise<Parameters | null> {
  const { fetchRequestObject } = await import('../../../protocols/oidc/request-uri')
  const request = await fetchRequestObject(requestUri, client, runtime)
  if (request === null) return null
  const { openRequestObject, unsignedRequest } = await import('../../../protocols/oidc/request-object')
  const parameters = await openRequestObject({ request }, client, runtime)
  if (!parameters) throw unsignedRequest()
  return parameters
}
