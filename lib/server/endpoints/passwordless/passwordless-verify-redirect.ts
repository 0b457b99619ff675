// /passwordless/verify_redirect: exchanges a typed code or a mailed link for an authorization response.
// - Opening a link shows a page with a button and changes nothing, because mail scanners open links. The button signs in, in
//   the browser that the page was shown in. It continues the request stored when the link was requested and ignores the
//   parameters of the URL (threat-model.md PW3).
// - A typed code arrives in the URL, as auth0-js sends it. From a page of the client it signs in directly. If another user is
//   signed in, or no header proves that it comes from such a page, the user must confirm first (BF4).
// - The redirect URI is validated as at /authorize before the code is consumed.

import * as z from 'zod'
import { IGNORED, optional, text } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP, CALLBACK, PERSON } from '../../../http/examples'
import { lazy } from '../../../kernel/lazy'
import { authorizationMembers, PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

const loadExchange = lazy(() => import('../../requests/verify-redirect'))

export const passwordlessVerifyRedirect = defineEndpoint<Runtime>({
  name: 'passwordless.verify_redirect',
  limit: 'passwordless_verify',
  shed: 'last',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  posts: 'own-pages',
  describe: () => ({
    tag: 'Passwordless',
    GET: {
      summary: 'Sign in with a code, or open the link of a mail',
      query: codeParameters(),
      answers: ANSWERS,
      examples: { code: { query: EXAMPLE } },
    },
    POST: {
      summary: 'The button of the page that asks first',
      body: codeParameters().extend({
        confirmation: optional('The value that the page had'),
        action: optional(IGNORED),
      }),
      encoding: 'form',
      answers: ANSWERS,
      examples: { code: { body: EXAMPLE } },
    },
  }),
  methods: {
    GET: async (request, runtime) => (await loadExchange()).lookAtSent(request, runtime),
    POST: async (request, runtime) => (await loadExchange()).answerSent(request, runtime),
  },
})

const codeParameters = () =>
  z.object({
    ...authorizationMembers(),
    connection: text('The passwordless connection'),
    verification_code: text('The code'),
    email: optional('The address, for a connection by mail'),
    phone_number: optional('The number, for a connection by text message'),
    client_id: optional('The client; a link knows its own'),
  })

const ANSWERS = {
  302: { says: 'With the response to the application, or to the page of the next step' },
  200: { says: 'A page that asks first', type: PAGE },
}

const EXAMPLE = {
  ...APP,
  connection: 'email',
  email: PERSON.username,
  verification_code: '<one-time code>',
  response_type: 'code',
  redirect_uri: CALLBACK,
}
