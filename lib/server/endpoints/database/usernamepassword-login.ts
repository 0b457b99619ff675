// POST /usernamepassword/login: like /co/authenticate, for a login page on this server's own host, for example one that an
// operator adds. The response is a form that auth0-js submits to /login/callback.

import * as z from 'zod'
import { CAPTCHA, optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, CALLBACK, PERSON } from '../../../http/examples'
import { bareForm } from '../../../http/html'
import { bodyParameters, type HttpRequest, type HttpResponse } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import type { Parameters } from '../../../kernel/parameters'
import { ticketForPassword } from '../../../login/begin/cross-origin'
import { setCookies } from '../../login-http/respond'
import { PAGE } from '../../requests/schemas'
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
  describe: ({ baseUrl }) => ({
    tag: 'Login',
    POST: {
      summary: 'Check a password from a login page on this host',
      body: z.object({
        username: text('The address, the name or the number of the person'),
        password: text('The password'),
        ...Object.fromEntries(
          ONWARD.map((name) => [name, name === 'client_id' ? text('The client') : optional('As at `/authorize`')]),
        ),
        connection: optional('The database connection; the default is the one of the tenant'),
        captcha: optional(CAPTCHA),
      }),
      answers: { 200: { says: 'A form that continues the login', type: PAGE } },
      examples: {
        password: {
          body: { ...APP, ...PERSON, connection: 'Users', response_type: 'code', redirect_uri: CALLBACK },
          headers: { origin: baseUrl },
        },
      },
    },
  }),
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const input = bodyParameters(request)
  const page = { origin: runtime.baseUrl, ip: request.ip }
  const { ticket, cookie } = await ticketForPassword(input, input.connection, page, runtime)
  const fields = onward({ ...input, login_ticket: ticket })
  return setCookies(bareForm(`${runtime.baseUrl}/login/callback`, fields), [cookie], runtime)
}

/** The parameters passed on to /authorize: never the password. */
const ONWARD = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'audience',
  'resource',
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
