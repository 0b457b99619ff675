// POST /oauth/token (RFC 6749 3.2): authenticate the client, select the grant, issue what it authorizes.

import * as z from 'zod'
import type { Client } from '../../../data/clients/client'
import { defineEndpoint } from '../../../http/endpoint'
import { bodyParameters, type HttpRequest, type HttpResponse, json, withHeaders } from '../../../http/message'
import { tokenJson } from '../../../http/render-errors'
import { eventRequest } from '../../../identity/tenant-code/event-request'
import { DomainError } from '../../../kernel/errors'
import { tokensStep } from '../../../login/inspected-steps'
import { authenticateClient } from '../../../protocols/oauth/client-authentication'
import { nonceHeader, provenKey } from '../../../protocols/oauth/dpop'
import { addressOf } from '../../../protocols/oauth/forwarded-for'
import type { Grant } from '../../../protocols/oauth/grants/grant'
import { grantEvents, grantFor, tokenBody, tokenExamples } from '../../../protocols/oauth/grants/index'
import { vendorGrant } from '../../../protocols/oauth/vendor-grant'
import { type Authorization, issueTokens, type TokenResponse } from '../../../tokens/issue'
import { demandProof } from '../../../tokens/proof-of-possession'
import { credentials } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const token = defineEndpoint<Runtime>({
  name: 'oauth.token',
  limit: 'token',
  shed: 'last',
  refused: ({ grant }) => grantEvents(grant)?.refused ?? 'login_refused',
  cors: 'open',
  errors: tokenJson,
  describe: ({ vendorHost }) => ({
    tag: 'Tokens',
    POST: {
      summary: 'Get tokens',
      caller: ['client'],
      body: tokenBody(credentials(), vendorHost),
      answers: {
        200: {
          says: 'The tokens; in the format of the vendor also `authorization_pending`, while a prompt waits on a phone',
          schema: z.union([
            z.object({
              access_token: z.string(),
              token_type: z.enum(['Bearer', 'DPoP']),
              expires_in: z.number(),
              id_token: z.string().optional(),
              refresh_token: z.string().optional(),
              scope: z.string().optional(),
              recovery_code: z.string().optional(),
            }),
            z.object({ error: z.string(), error_description: z.string() }),
          ]),
        },
      },
      examples: tokenExamples(vendorHost),
    },
  }),
  methods: {
    async POST(request, runtime, count) {
      const parameters = bodyParameters(request)
      const requestedGrant = grantNamed(parameters.grant_type, runtime)
      if (requestedGrant !== undefined) runtime.trail.context({ grant: requestedGrant })
      const client = await authenticateClient(request, parameters, runtime)
      await count(client.isPublic ? null : client.clientId)
      try {
        const grant = grantFor(parameters.grant_type, client, runtime)
        const ip = addressOf(request, client)
        const jkt = await provenKey(request, client, runtime)
        demandProof(jkt, client, null)
        const event = () => eventRequest({ ...request, ip, baseUrl: runtime.baseUrl }, {}, parameters)
        const from = { ip, jkt, request: event }
        const authorization = await grant.authorize(parameters, client, runtime, from)
        const response = issued(
          authorization,
          grant,
          runtime,
          await issueTokens(authorization, from, runtime.issuing()),
        )
        return jkt !== undefined && client.isPublic ? withHeaders(response, nonceHeader(runtime)) : response
      } catch (error) {
        return refuse(error, client, request, runtime)
      }
    },
  },
})

/** The grant's name without the vendor's prefix. */
const grantNamed = (type: string | undefined, { vendorHost }: Runtime): string | undefined =>
  type?.replace(vendorGrant(vendorHost), '')

function issued(authorization: Authorization, grant: Grant, { trail }: Runtime, tokens: TokenResponse): HttpResponse {
  const { client, user, api, scopes } = authorization
  const about = {
    client,
    scopes,
    ...(user ? { user } : {}),
    ...(api ? { audience: api.identifier } : {}),
    ...('organization' in authorization ? { organization: authorization.organization } : {}),
  }
  trail.record(grant.events.done, about)
  trail.step(() => tokensStep(grant.type, tokens))
  return json(tokens)
}

/** A client may set its own error format; otherwise the tenant's applies. */
function refuse(error: unknown, client: Client, request: HttpRequest, runtime: Runtime): HttpResponse {
  const compat = client.settings.compat.errors
  if (compat === undefined || !(error instanceof DomainError)) throw error
  runtime.report(error, request, token)
  return withHeaders(tokenJson(error, compat), ...error.headers)
}
