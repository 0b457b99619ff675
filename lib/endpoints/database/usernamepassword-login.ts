// POST /usernamepassword/login: the same for a page on this server's own host, such as one that an operator puts beside
// it; the answer is the form that the page submits (auth0-js) to /login/callback.
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

/** What /authorize takes of it: never the password. */
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
