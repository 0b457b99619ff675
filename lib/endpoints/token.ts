// POST /oauth/token (RFC 6749 3.2): authenticate the client, find the grant, mint what it authorizes.
import type { Client } from '../clients/client'
import { defineEndpoint } from '../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, json, withHeaders } from '../http/message'
import { tokenJson } from '../http/render-errors'
import { DomainError } from '../kernel/errors'
import { authenticateClient } from '../oauth/client-authentication'
import { addressOf } from '../oauth/forwarded-for'
import { grantFor } from '../oauth/grants/index'
import type { Runtime } from '../runtime/runtime'
import { issueTokens } from '../tokens/issue'

export const token = defineEndpoint<Runtime>({
  name: 'oauth.token',
  cors: 'open',
  errors: tokenJson,
  methods: {
    async POST(request, runtime) {
      const parameters = bodyParameters(request)
      const client = await authenticateClient(request, parameters, runtime)
      try {
        const grant = grantFor(parameters.grant_type, client, runtime.vendorHost)
        const from = { ip: addressOf(request, client) }
        const authorization = await grant.authorize(parameters, client, runtime, from)
        return json(await issueTokens(authorization, runtime.issuing()))
      } catch (error) {
        return refuse(error, client, request, runtime)
      }
    },
  },
})

/** A client may have its own idea of statuses; whoever has none gets the tenant's. */
function refuse(error: unknown, client: Client, request: HttpRequest, runtime: Runtime): HttpResponse {
  const compat = client.settings.compat.errors
  if (compat === undefined || !(error instanceof DomainError)) throw error
  runtime.report(error, request, 'oauth.token')
  return withHeaders(tokenJson(error, compat), ...error.headers)
}
