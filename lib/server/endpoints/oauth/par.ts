// POST /oauth/par (RFC 9126): a client sends its authorization request directly and gets errors at once. It authenticates as at the token
// endpoint (2), so a public client sends its `client_id` alone, and needs PKCE here too.

import * as z from 'zod'
import { defineEndpoint } from '../../../http/endpoint'
import { CALLBACK, SERVER } from '../../../http/examples'
import { bodyParameters, json, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { authenticateClient } from '../../../protocols/oauth/client-authentication'
import { nonceHeader, provenKey } from '../../../protocols/oauth/dpop'
import { push } from '../../../protocols/oidc/pushed'
import { authorizationMembers, credentials } from '../../requests/schemas'
import type { Runtime } from '../../runtime/runtime'

export const par = defineEndpoint<Runtime>({
  name: 'oauth.par',
  limit: 'par',
  shed: 'first',
  refused: 'push_refused',
  cors: 'open',
  errors: oauthJson,
  maxBody: 10 * 1024,
  describe: () => ({
    tag: 'Login',
    POST: {
      summary: 'Push an authorization request (RFC 9126)',
      caller: ['client'],
      body: z.object({ ...credentials(), ...authorizationMembers() }),
      answers: {
        201: {
          says: 'What `/authorize` takes in its place',
          schema: z.object({ request_uri: z.string(), expires_in: z.number() }),
        },
      },
      examples: { code: { body: { ...SERVER, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' } } },
    },
  }),
  methods: {
    async POST(request, runtime, count) {
      const parameters = bodyParameters(request)
      const client = await authenticateClient(request, parameters, runtime)
      await count(client.isPublic ? null : client.clientId)
      const jkt = await provenKey(request, client, runtime)
      const response = json(await push(parameters, client, jkt, runtime), 201)
      return jkt !== undefined && client.isPublic ? withHeaders(response, nonceHeader(runtime)) : response
    },
  },
})
