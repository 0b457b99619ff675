// POST /oauth/token (RFC 6749 3.2): authenticate the client, find the grant, mint what it authorizes.
import { defineEndpoint } from '../http/endpoint'
import { bodyParameters, json } from '../http/message'
import { tokenJson } from '../http/render-errors'
import { authenticateClient } from '../oauth/client-authentication'
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
      const grant = grantFor(parameters.grant_type, client)
      const authorization = await grant.authorize(parameters, client, runtime)
      return json(await issueTokens(authorization, runtime.issuing()))
    },
  },
})
