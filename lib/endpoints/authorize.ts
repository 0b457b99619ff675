// GET and POST /authorize (the contract's "Authorize"; OIDC Core 3.1.2): prove the target, read the request, begin the login.
import type { Client } from '../clients/client'
import { throughGet } from '../http/cross-site'
import { defineEndpoint } from '../http/endpoint'
import { type HttpRequest, type HttpResponse, parametersOf } from '../http/message'
import { DomainError, invalidRequest } from '../kernel/errors'
import { startLogin } from '../login/start'
import { startWithTicket } from '../login/start-with-ticket'
import { takePushed } from '../protocols/oidc/pushed'
import { readRequest } from '../protocols/oidc/read'
import { refuse } from '../protocols/oidc/response'
import { parseTarget } from '../protocols/oidc/target'
import type { Runtime } from '../runtime/runtime'

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
  const found = parameters.client_id === undefined ? null : await runtime.clients.find(parameters.client_id)
  const target = parseTarget(parameters, found)
  try {
    if (!pushed) checkNeedNotPush(target.client)
    const { request: parsed, wants } = await readRequest(parameters, target, runtime, pushed?.subject)
    const origin = { protocol: 'oidc' as const, request: pushed ? { ...parsed, pushed: true } : parsed }
    const ticket = parameters.login_ticket
    return ticket === undefined
      ? await startLogin(origin, wants, request, runtime)
      : await startWithTicket(origin, wants, ticket, request, runtime)
  } catch (error) {
    if (!(error instanceof DomainError) || !error.redirectable) throw error
    runtime.report(error, request, 'authorize')
    return refuse(target.returnTo, error, runtime)
  }
}

function checkNeedNotPush({ settings }: Client): void {
  if (settings.require_pushed_authorization_requests) throw invalidRequest('This client must push its requests')
}
