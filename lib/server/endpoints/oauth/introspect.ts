// POST /oauth/introspect (RFC 7662): the state of a token, for clients that authenticate with a secret.

import * as z from 'zod'
import { defineEndpoint } from '../../../http/endpoint'
import { SERVER } from '../../../http/examples'
import { bodyParameters, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { invalidClient, missingParameter } from '../../../kernel/errors'
import { authenticateClient } from '../../../protocols/oauth/client-authentication'
import { introspect as worthOf } from '../../../protocols/oauth/introspection'
import { tokenBody } from '../../requests/token-body'
import type { Runtime } from '../../runtime/runtime'

export const introspect = defineEndpoint<Runtime>({
  name: 'oauth.introspect',
  limit: 'introspect',
  shed: 'last',
  refused: 'change_refused',
  cors: 'none',
  errors: oauthJson,
  describe: () => ({
    tag: 'Tokens',
    POST: {
      summary: 'Ask whether a token is active (RFC 7662)',
      caller: ['client'],
      body: tokenBody(),
      answers: { 200: { says: 'The state of the token', schema: z.looseObject({ active: z.boolean() }) } },
      examples: { token: { body: { ...SERVER, token: '<access token of the server>' } } },
    },
  }),
  methods: {
    async POST(request, runtime, count) {
      const parameters = bodyParameters(request)
      const client = await authenticateClient(request, parameters, runtime)
      await count(client.isPublic ? null : client.clientId)
      if (client.isPublic) throw invalidClient('client_not_confidential', 'a client without a secret may not ask')
      if (!parameters.token) throw missingParameter('token')
      return json(await worthOf(parameters.token, client, runtime))
    },
  },
})
