// POST /oauth/par (RFC 9126): a confidential client sends its authorization request directly and gets errors at once.

import * as z from 'zod'
import { defineEndpoint } from '../../http/endpoint'
import { CALLBACK, SERVER } from '../../http/examples'
import { bodyParameters, json } from '../../http/message'
import { oauthJson } from '../../http/render-errors'
import { invalidClient } from '../../kernel/errors'
import { authenticateClient } from '../../oauth/client-authentication'
import { provenKey } from '../../oauth/dpop'
import { push } from '../../protocols/oidc/pushed'
import type { Runtime } from '../../runtime/runtime'
import { authorizationMembers, credentials } from '../schemas'

export const par = defineEndpoint<Runtime>({
  name: 'oauth.par',
  limit: 'par',
  shed: 'first',
  refused: 'push_refused',
  cors: 'none',
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
      if (client.isPublic) throw invalidClient('a public client pushed a request')
      const jkt = await provenKey(request, client, runtime)
      return json(await push(parameters, client, jkt, runtime), 201)
    },
  },
})
