// POST /usernamepassword/login: like /co/authenticate, for a login page on this server's own host, for example one that an
// operator adds. The response is a form that auth0-js submits to /login/callback.
import { defineEndpoint } from '../../http/endpoint'
import { bareForm } from '../../http/html'
import { bodyParameters, type HttpRequest, type HttpResponse, type Parameters, withHeaders } from '../../http/message'
import { oauthJson } from '../../http/render-errors'
import { ticketForPassword } from '../../login/begin/cross-origin'
import type { Runtime } from '../../runtime/runtime'

export const usernamePasswordLogin = defineEndpoint<Runtime>({
  name: 'usernamepassword.login',
  limit: 'cross_origin_login',
  shed: 'first',
  refused: 'cross_origin_refused',
  cors: 'none',
  errors: oauthJson,
  posts: 'own-scripts',
  methods: { POST: handle },
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const input = bodyParameters(request)
  const page = { origin: runtime.baseUrl, ip: request.ip }
  const { ticket, cookie } = await ticketForPassword(input, input.connection, page, runtime)
  const fields = onward({ ...input, login_ticket: ticket })
  return withHeaders(bareForm(`${runtime.baseUrl}/login/callback`, fields), cookie)
}

/** The parameters passed on to /authorize: never the password. */
const ONWARD = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'audience',
  'state',
  'nonce',
  'connection',
  'organization',
  'code_challenge',
  'code_challenge_method',
  'login_ticket',
]

export const onward = (fields: Parameters): Record<string, string> =>
  Object.fromEntries(ONWARD.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
