// GET and POST /samlp/{client_id} (the contract's "SAML login request"; SAML Profiles 4.1): validate the client and the address
// of the response, then start the login. Without a request the client gets an unsolicited response.
import type { Client } from '../../clients/client'
import { type SamlSettings, samlOf } from '../../clients/saml'
import { asOwn } from '../../http/cross-site'
import { defineEndpoint } from '../../http/endpoint'
import { allParameters, type HttpRequest, type HttpResponse } from '../../http/message'
import { unauthorizedClient, untrustedRedirect } from '../../kernel/errors'
import { startLogin } from '../../login/begin/start'
import { receive } from '../../protocols/saml/received'
import { parseLogin } from '../../protocols/saml/request'
import { answerStatus } from '../../protocols/saml/response'
import { ssoUrl } from '../../protocols/saml/sender'
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
})

async function handle(request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { client, settings } = await findSamlClient(request, runtime)
  const parameters = allParameters(request)
  const url = ssoUrl(runtime.baseUrl, client.clientId)
  const again = asOwn(request, parameters, url, runtime.random)
  if (again) return again
  const hasRequest = parameters.SAMLRequest !== undefined
  const sent = { request, parameters }
  const message = hasRequest ? (await receive('authnRequest', sent, settings, url, runtime)).message : null
  const { request: loginRequest, wants, refusal } = parseLogin(message, parameters, client, settings)
  if (refusal) return answerStatus(loginRequest, refusal, settings, runtime)
  return startLogin({ protocol: 'saml', request: loginRequest }, wants, request, runtime)
}

export async function findSamlClient(
  { params: { client_id = '' } }: HttpRequest,
  { clients }: Pick<Runtime, 'clients'>,
): Promise<{ client: Client; settings: SamlSettings }> {
  const client = await clients.find(client_id)
  if (!client) throw untrustedRedirect('unknown_client', `Unknown client: ${client_id}`, { client_id })
  const settings = samlOf(client)
  if (!settings) throw unauthorizedClient('SAML is not enabled for this client', { redirectable: false })
  return { client, settings }
}
