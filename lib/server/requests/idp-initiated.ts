// The target of an IdP-initiated login (the contract's "SAML IdP-initiated callback"): the client and protocol in the
// connection's settings, with the configured query, validated like a request of that client.

import type { Client } from '../../data/clients/client'
import { firstCallback } from '../../data/clients/registered-urls'
import { samlOf } from '../../data/clients/saml'
import { organizationNameIn } from '../../data/organizations/client-organization'
import type { HttpRequest, HttpResponse } from '../../http/message'
import { unauthorizedClient, unknownClientPage } from '../../kernel/errors'
import type { Origin, Wants } from '../../login/transaction'
import { enterUnsolicited, takeUnsolicited } from '../../login/upstream/upstream-unsolicited'
import { parseLogin } from '../../protocols/saml/request'
import { parseSignIn } from '../../protocols/wsfed/request'
import { findRelyingParty, parseSignInTarget } from '../../protocols/wsfed/target'
import { respondToVisitor } from '../login-http/respond'
import { readVisitor } from '../login-http/visitor'
import type { Runtime } from '../runtime/runtime'
import { answerAuthorization } from './authorization-request'

type Taken = Awaited<ReturnType<typeof takeUnsolicited>>

export async function resumeUnsolicited(ticket: string, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const taken = await takeUnsolicited(ticket, runtime)
  const { client_protocol } = taken.connection.settings.options.idpinitiated ?? {}
  if (client_protocol === 'samlp') return toSaml(taken, request, runtime)
  return client_protocol === 'wsfed' ? toWsFed(taken, request, runtime) : toOidc(taken, request, runtime)
}

type Named = { client_id: string | undefined; client: Client | null; query: Record<string, string> }

async function namedBy({ connection }: Taken, { clients, trail }: Runtime): Promise<Named> {
  const { client_id, client_authorizequery = '' } = connection.settings.options.idpinitiated ?? {}
  const client = client_id === undefined ? null : await clients.find(client_id)
  trail.context({ connection, ...(client ? { client } : {}) })
  return { client_id, client, query: Object.fromEntries(new URLSearchParams(client_authorizequery)) }
}

async function toOidc(taken: Taken, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { client_id, client, query } = await namedBy(taken, runtime)
  const callback = client && firstCallback(client)
  const parameters = {
    response_type: 'code',
    scope: 'openid profile email',
    ...(callback ? { redirect_uri: callback } : {}),
    ...query,
    ...(client_id === undefined ? {} : { client_id }),
  }
  return answerAuthorization(parameters, request, runtime, (origin, wants) =>
    enter(taken, { origin, wants }, request, runtime),
  )
}

async function toSaml(taken: Taken, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const named = await namedBy(taken, runtime)
  const client = known(named)
  const settings = samlOf(client)
  if (!settings)
    throw unauthorizedClient('SAML is not enabled for this client', {
      reason: 'saml_not_enabled',
      redirectable: false,
    })
  const { RelayState } = named.query
  const { request: loginRequest, wants } = parseLogin(null, { RelayState }, client, settings, runtime)
  return enter(taken, { origin: { protocol: 'saml', request: loginRequest }, wants }, request, runtime)
}

async function toWsFed(taken: Taken, request: HttpRequest, runtime: Runtime): Promise<HttpResponse> {
  const { query, ...named } = await namedBy(taken, runtime)
  const { clientId } = known(named)
  const client = await findRelyingParty(query, clientId, runtime.clients)
  const target = parseSignInTarget(query, client, await organizationNameIn(query.organization, client, runtime))
  const { request: loginRequest, wants } = parseSignIn(query, target)
  return enter(taken, { origin: { protocol: 'wsfed', request: loginRequest }, wants }, request, runtime)
}

async function enter(
  taken: Taken,
  begin: { origin: Origin; wants: Wants },
  request: HttpRequest,
  runtime: Runtime,
): Promise<HttpResponse> {
  return respondToVisitor(await enterUnsolicited(taken, begin, readVisitor(request, runtime), runtime), runtime)
}

function known({ client, client_id = '' }: Pick<Named, 'client' | 'client_id'>): Client {
  if (client) return client
  throw unknownClientPage(client_id)
}
