// GET and POST /authorize (the contract's "Authorize"; OIDC Core 3.1.2): prove the target, read the request, begin the login.
import type { Client } from '../clients/client'
import { throughGet } from '../http/cross-site'
import { defineEndpoint } from '../http/endpoint'
import { type HttpRequest, type HttpResponse, parametersOf } from '../http/message'
import { invalidRequest } from '../kernel/errors'
import { startLogin } from '../login/start'
import { startWithTicket } from '../login/start-with-ticket'
import type { Origin, Wants } from '../login/transaction'
import { takePushed } from '../protocols/oidc/pushed'
import type { Runtime } from '../runtime/runtime'
import { answerAuthorization } from './authorization-request'

/** What a GET could bring at most: the request is stored with the login, by anybody who asks. */
const MAX_REQUEST = 16 * 1024

export const authorize = defineEndpoint<Runtime>({
  name: 'authorize',
  cors: 'none',
  errors: 'page',
  maxBody: MAX_REQUEST,
  methods: { GET: handle, POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const sent = parametersOf(request)
  const anew = throughGet(request, sent, `${runtime.baseUrl}/authorize`)
  if (anew) return anew
  const pushed = await takePushed(sent, runtime)
  const parameters = pushed?.parameters ?? sent
  const ticket = parameters.login_ticket
  const begin = (origin: Origin, wants: Wants): Promise<HttpResponse> =>
    ticket === undefined
      ? startLogin(origin, wants, request, runtime)
      : startWithTicket(origin, wants, ticket, request, runtime)
  const reading = pushed ? { subject: pushed.subject, mark: { pushed: true } } : { check: checkNeedNotPush }
  return answerAuthorization(parameters, request, runtime, begin, reading)
}

function checkNeedNotPush({ settings }: Client): void {
  if (settings.require_pushed_authorization_requests) throw invalidRequest('This client must push its requests')
}
