// /login/callback: the callback of every upstream provider, by GET or by form post (lib/login/upstream/upstream-return.ts). A
// SAML response that belongs to no login of this server may be IdP-initiated (idp-initiated.ts). The form of /usernamepassword/login
// arrives here too and continues at /authorize, which validates it like any request.

import * as z from 'zod'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import {
  allParameters,
  bodyParameters,
  type HttpRequest,
  type HttpResponse,
  queryParameters,
  redirect,
} from '../../../http/message'
import { DomainError } from '../../../kernel/errors'
import { findLeft } from '../../../login/upstream/upstream'
import { comeBack, keepReply, resume } from '../../../login/upstream/upstream-return'
import { keepUnsolicited, unsolicitedConnection } from '../../../login/upstream/upstream-unsolicited'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { resumeUnsolicited } from '../../requests/idp-initiated'
import { PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'
import { onward } from '../database/usernamepassword-login'
import { MAX_SAML_BODY } from '../saml/samlp'

/** The largest form that continues at /authorize or is stored for a redirect. */
const MAX_FORM = 16 * 1024

export const loginCallback = defineEndpoint<Runtime>({
  name: 'login.callback',
  limit: 'authorize',
  shed: 'last',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  maxBody: MAX_SAML_BODY,
  describe: () => ({
    tag: 'Login',
    GET: {
      summary: 'Return from an identity provider',
      query: z.looseObject(callbackParameters()),
      answers: ANSWERS,
      examples: { refusal: { query: { state: '<state of the provider>', error: 'access_denied' } } },
    },
    POST: {
      summary: 'Return from an identity provider with a form, or start a login there (SAML)',
      query: z.object({ connection: optional('The connection, where the response does not name it') }),
      body: z.looseObject({
        ...callbackParameters(),
        SAMLResponse: optional('The response of a SAML provider'),
        RelayState: optional('The state, in SAML'),
        wresult: optional('The response of a WS-Federation provider'),
        login_ticket: optional('The ticket of `/usernamepassword/login`'),
      }),
      encoding: 'form',
      answers: ANSWERS,
      examples: { refusal: { body: { state: '<state of the provider>', error: 'access_denied' } } },
    },
  }),
  methods: {
    POST: receive,
    async GET(request, runtime) {
      const response = await comeBack(queryParameters(request), readVisitor(request, runtime), runtime)
      return respondToVisitor(response, runtime)
    },
  },
})

const callbackParameters = () => ({
  state: optional('The state that this server sent'),
  code: optional('The code of the provider'),
  error: optional('Why the provider refused'),
  error_description: optional('The same in words'),
  iss: optional('The issuer (RFC 9207)'),
})

const ANSWERS = {
  302: { says: 'To the next step, or with the response to the application' },
  303: { says: 'To a page that continues with the cookies of this server' },
  200: { says: 'The response of the modes `form_post`, `form_post.jwt` and `web_message`', type: PAGE },
}

async function receive(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const fields = bodyParameters(request)
  const { SAMLResponse, RelayState, wresult, login_ticket } = fields
  if (SAMLResponse === undefined && wresult === undefined && request.body.length > MAX_FORM) {
    throw new DomainError('payload_too_large', 'The request body is too large', { redirectable: false })
  }
  if (login_ticket !== undefined) {
    return redirect(`${runtime.baseUrl}/authorize?${new URLSearchParams(onward(fields))}`, 303)
  }
  const reply = { ...fields, connection: queryParameters(request).connection }
  const isSolicited = SAMLResponse === undefined || fields.state !== undefined
  if (isSolicited || (RelayState !== undefined && (await findLeft(RelayState, runtime)))) {
    return respondToVisitor(await keepReply(reply, runtime), runtime)
  }
  const connection = await unsolicitedConnection(allParameters(request).connection, runtime)
  return respondToVisitor(await keepUnsolicited(connection, fields, runtime), runtime)
}

/** The page where a browser continues, with its cookies, after a provider's page has posted to the callback. */
export const resumeLogin = defineEndpoint<Runtime>({
  name: 'u.resume',
  limit: 'pages',
  shed: 'last',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  methods: {
    async GET(request, runtime) {
      const { reply, unsolicited } = queryParameters(request)
      if (unsolicited !== undefined) return resumeUnsolicited(unsolicited, request, runtime)
      return respondToVisitor(await resume(reply, readVisitor(request, runtime), runtime), runtime)
    },
  },
})
