// POST /co/authenticate (the contract's cross-origin authentication, as auth0-js calls it): exchanges a password or one-time
// code from a client's own page for a login ticket. The CORS check admits only pages of the client's origins.
import { defineEndpoint } from '../../http/endpoint'
import {
  bodyParameters,
  type HttpRequest,
  type HttpResponse,
  json,
  type Parameters,
  withHeaders,
} from '../../http/message'
import { oauthJson } from '../../http/render-errors'
import { invalidRequest } from '../../kernel/errors'
import { ticketForPassword } from '../../login/begin/cross-origin'
import { ticketForCode } from '../../login/begin/cross-origin-code'
import type { LoginTicket } from '../../login/begin/login-ticket'
import type { Runtime } from '../../runtime/runtime'

export const coAuthenticate = defineEndpoint<Runtime>({
  name: 'co.authenticate',
  limit: 'cross_origin_login',
  shed: 'first',
  refused: 'cross_origin_refused',
  cors: 'client',
  errors: oauthJson,
  methods: { POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const input = bodyParameters(request)
  const { ticket, verifier, cookie } = await prove(input, request, runtime)
  const answer = { login_ticket: ticket, co_verifier: verifier, co_id: runtime.random.token(12) }
  return withHeaders(json(answer), cookie)
}

function prove(input: Parameters, request: HttpRequest, runtime: Runtime): Promise<LoginTicket> {
  const page = { origin: request.headers.origin ?? '', ip: request.ip }
  const vendors = `http://${runtime.vendorHost}/oauth/grant-type/`
  switch (input.credential_type) {
    case 'password':
    case `${vendors}password-realm`:
      return ticketForPassword(input, input.realm, page, runtime)
    case `${vendors}passwordless/otp`:
      return ticketForCode(input, page, runtime)
    default:
      throw invalidRequest('Unsupported credential_type')
  }
}
