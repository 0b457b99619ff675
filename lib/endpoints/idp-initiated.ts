// Where a login that began at an identity provider leads (the contract's "SAML IdP-initiated callback"): the application and
// the protocol that the connection names, with the query that it sets, judged as a request of that application would be.
import { firstCallback } from '../clients/client'
import { samlOf } from '../clients/saml'
import type { HttpRequest, HttpResponse } from '../http/message'
import { unauthorizedClient, untrustedRedirect } from '../kernel/errors'
import { enterUnsolicited, takeUnsolicited } from '../login/upstream-unsolicited'
import { parseLogin } from '../protocols/saml/request'
import type { Runtime } from '../runtime/runtime'
import { answerAuthorization } from './authorization-request'

type Taken = Awaited<ReturnType<typeof takeUnsolicited>>

export async function resumeUnsolicited(ticket: string, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const taken = await takeUnsolicited(ticket, runtime)
  const { client_protocol } = taken.connection.settings.options.idpinitiated ?? {}
  return client_protocol === 'samlp' ? toSaml(taken, request, runtime) : toOidc(taken, request, runtime)
}

async function toOidc(taken: Taken, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { client_id, client_authorizequery = '' } = taken.connection.settings.options.idpinitiated ?? {}
  const query = Object.fromEntries(new URLSearchParams(client_authorizequery))
  const client = client_id === undefined ? null : await runtime.clients.find(client_id)
  const callback = client && firstCallback(client)
  const parameters = {
    response_type: 'code',
    scope: 'openid profile email',
    ...(callback ? { redirect_uri: callback } : {}),
    ...query,
    ...(client_id === undefined ? {} : { client_id }),
  }
  return answerAuthorization(parameters, request, runtime, (origin, wants) =>
    enterUnsolicited(taken, { origin, wants }, request, runtime),
  )
}

async function toSaml(taken: Taken, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { client_id = '' } = taken.connection.settings.options.idpinitiated ?? {}
  const client = await runtime.clients.find(client_id)
  if (!client) throw untrustedRedirect('unknown_client', `Unknown client: ${client_id}`, { client_id })
  const settings = samlOf(client)
  if (!settings) throw unauthorizedClient('SAML is not enabled for this client', { redirectable: false })
  const { request: asked, wants } = parseLogin(null, {}, client, settings)
  return enterUnsolicited(taken, { origin: { protocol: 'saml', request: asked }, wants }, request, runtime)
}
