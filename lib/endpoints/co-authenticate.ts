// POST /co/authenticate (the contract's cross-origin authentication, as auth0-js does it): a password from an
// application's own page becomes a login ticket. The framework lets in pages of the application's origins alone.
import { defineEndpoint } from '../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, json, withHeaders } from '../http/message'
import { oauthJson } from '../http/render-errors'
import { invalidRequest } from '../kernel/errors'
import { ticketForPassword } from '../login/cross-origin'
import type { Runtime } from '../runtime/runtime'

export const coAuthenticate = defineEndpoint<Runtime>({
  name: 'co.authenticate',
  cors: 'client',
  errors: oauthJson,
  methods: { POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const input = bodyParameters(request)
  const byRealm = `http://${runtime.vendorHost}/oauth/grant-type/password-realm`
  if (input.credential_type !== 'password' && input.credential_type !== byRealm) {
    throw invalidRequest('Unsupported credential_type')
  }
  const page = { origin: request.headers.origin ?? '', ip: request.ip }
  const { ticket, verifier, cookie } = await ticketForPassword(input, input.realm, page, runtime)
  const answer = { login_ticket: ticket, co_verifier: verifier, co_id: runtime.random.token(12) }
  return withHeaders(json(answer), cookie)
}
