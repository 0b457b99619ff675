// POST /co/authenticate (the contract's cross-origin authentication, as auth0-js calls it): exchanges a password or one-time
// code from a client's own page for a login ticket. The CORS check admits only pages of the client's origins.

import * as z from 'zod'
import { CAPTCHA, optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, CALLBACK, PERSON } from '../../../http/examples'
import { bodyParameters, type HttpRequest, type HttpResponse, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { malformedParameter } from '../../../kernel/errors'
import type { Parameters } from '../../../kernel/parameters'
import { ticketForPassword } from '../../../login/begin/cross-origin'
import { ticketForCode } from '../../../login/begin/cross-origin-code'
import type { LoginTicket } from '../../../login/begin/login-ticket'
import { vendorGrant } from '../../../protocols/oauth/vendor-grant'
import { setCookies } from '../../login-http/respond'
import type { Runtime } from '../../runtime/runtime'

export const coAuthenticate = defineEndpoint<Runtime>({
  name: 'co.authenticate',
  limit: 'cross_origin_login',
  shed: 'first',
  refused: 'cross_origin_refused',
  cors: 'client',
  errors: oauthJson,
  methods: { POST: handle },
  describe: ({ vendorHost }) => ({
    tag: 'Login',
    POST: {
      summary: 'Exchange a password or one-time code from a page of the client for a login ticket',
      body: z.object({
        client_id: text('The client'),
        credential_type: text('`password`, or the type of the grant `password-realm` or `passwordless/otp`'),
        username: text('The address, the name or the number of the person'),
        password: optional('The password'),
        otp: optional('The one-time code'),
        realm: optional('The connection; for a password the default is the one of the tenant'),
        captcha: optional(CAPTCHA),
      }),
      answers: {
        200: {
          says: 'The ticket for `/authorize`',
          schema: z.object({ login_ticket: z.string(), co_verifier: z.string(), co_id: z.string() }),
        },
      },
      examples: {
        password: { body: { ...APP, credential_type: 'password', ...PERSON }, headers: FROM_PAGE },
        code: {
          body: {
            ...APP,
            credential_type: vendorGrant(vendorHost, 'passwordless/otp'),
            realm: 'email',
            username: PERSON.username,
            otp: '<one-time code>',
          },
          headers: FROM_PAGE,
        },
      },
    },
  }),
})

/** As browsers send it. */
const FROM_PAGE = { origin: new URL(CALLBACK).origin }

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const input = bodyParameters(request)
  const { ticket, verifier, cookie } = await prove(input, request, runtime)
  const answer = { login_ticket: ticket, co_verifier: verifier, co_id: runtime.random.token(12) }
  return setCookies(json(answer), [cookie], runtime)
}

function prove(input: Parameters, request: HttpRequest, runtime: Runtime): Promise<LoginTicket> {
  const page = { origin: request.headers.origin ?? '', ip: request.ip }
  switch (input.credential_type) {
    case 'password':
    case vendorGrant(runtime.vendorHost, 'password-realm'):
      return ticketForPassword(input, input.realm, page, runtime)
    case vendorGrant(runtime.vendorHost, 'passwordless/otp'):
      return ticketForCode(input, page, runtime)
    default:
      throw malformedParameter('credential_type', 'Unsupported credential_type')
  }
}
