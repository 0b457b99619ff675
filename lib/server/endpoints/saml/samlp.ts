// GET and POST /samlp/{client_id} (the contract's "SAML login request"; SAML Profiles 4.1): validate the client and the address
// of the response, then start the login. Without a request the client gets an unsolicited response.

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { type SamlSettings, samlOf } from '../../../data/clients/saml'
import { organizationNameIn } from '../../../data/organizations/client-organization'
import { asOwn } from '../../../http/cross-site'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { allParameters, type HttpRequest, type HttpResponse, queryParameters } from '../../../http/message'
import { unauthorizedClient, unknownClientPage } from '../../../kernel/errors'
import { startLogin } from '../../../login/begin/start'
import { requestStep } from '../../../login/inspected-steps'
import { receive } from '../../../protocols/saml/received'
import { parseLogin } from '../../../protocols/saml/request'
import { answerStatus } from '../../../protocols/saml/response'
import { ssoUrl } from '../../../protocols/saml/sender'
import { respondToVisitor } from '../../login-http/respond'
import { readVisitor } from '../../login-http/visitor'
import { notingRefusal } from '../../requests/noted-refusal'
import { PAGE } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

/** The size of 200 kB of XML as base64 in a form. */
export const MAX_SAML_BODY = 300 * 1024

export const samlp = defineEndpoint<Runtime>({
  name: 'samlp',
  limit: 'authorize',
  shed: 'first',
  refused: 'login_refused',
  cors: 'none',
  errors: 'page',
  posts: 'any-site',
  maxBody: MAX_SAML_BODY,
  methods: { GET: handle, POST: handle },
  describe: () => ({
    tag: 'SAML',
    GET: {
      summary: 'Sign a person in to a SAML client (redirect binding, or without a request)',
      query: loginParameters().extend(signatureParameters()),
      answers: ANSWERS,
      examples: { unsolicited: { path: APP, query: { RelayState: '/orders' } } },
    },
    POST: {
      summary: 'Sign a person in to a SAML client (POST binding)',
      body: loginParameters(),
      encoding: 'form',
      answers: ANSWERS,
      examples: { unsolicited: { path: APP, body: { RelayState: '/orders' } } },
    },
  }),
})

const loginParameters = () =>
  z.object({
    SAMLRequest: optional('The AuthnRequest'),
    RelayState: optional('Returned to the client unchanged'),
    connection: optional('The connection to sign in with'),
    organization: optional('The organization to sign in to'),
    login_hint: optional('The address or name that the login page starts with'),
    ui_locales: optional('The languages of the pages, the preferred first'),
  })

/** Of the redirect binding. */
export const signatureParameters = () => ({
  SigAlg: optional('The algorithm of the signature'),
  Signature: optional('The signature of the query'),
})

const ANSWERS = {
  302: { says: 'To the login page' },
  303: { says: 'A form becomes a GET, which carries the cookies of this server' },
  200: { says: 'A form that posts the response to the client', type: PAGE },
}

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const parameters = allParameters(request)
  const { client, settings } = await notingRefusal('saml', parameters, runtime, () => findSamlClient(request, runtime))
  const url = ssoUrl(runtime.baseUrl, client.clientId)
  const again = asOwn(request, parameters, url, runtime.random)
  if (again) return again
  const hasRequest = parameters.SAMLRequest !== undefined
  const sent = { parameters, query: queryParameters(request), search: request.search }
  const organization = await organizationNameIn(parameters.organization, client, runtime)
  const {
    request: loginRequest,
    wants,
    refusal,
  } = await notingRefusal('saml', parameters, runtime, async () => {
    const message = hasRequest ? (await receive('authnRequest', sent, settings, url, runtime)).message : null
    return parseLogin(message, parameters, client, settings, runtime, organization)
  })
  runtime.trail.login()
  runtime.trail.step(() => requestStep('saml', parameters, { wants }))
  const response = refusal
    ? await answerStatus(loginRequest, refusal, settings, runtime)
    : await startLogin({ protocol: 'saml', request: loginRequest }, wants, readVisitor(request, runtime), runtime)
  return respondToVisitor(response, runtime)
}

export async function findSamlClient(
  { params: { client_id = '' } }: HttpRequest,
  { clients, trail }: Pick<Runtime, 'clients' | 'trail'>,
): Promise<{ client: Client; settings: SamlSettings }> {
  const client = await clients.find(client_id)
  if (!client) throw unknownClientPage(client_id)
  trail.context({ client })
  const settings = samlOf(client)
  if (!settings)
    throw unauthorizedClient('SAML is not enabled for this client', {
      reason: 'saml_not_enabled',
      redirectable: false,
    })
  return { client, settings }
}
