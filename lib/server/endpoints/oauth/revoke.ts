// POST /oauth/revoke (RFC 7009): revokes the refresh token's family and all others of the same user, client and audience.
// Unknown, foreign and already revoked tokens also answer 200; only the caller's own tokens can be revoked.

import { defineEndpoint } from '../../../http/endpoint'
import { APP } from '../../../http/examples'
import { bodyParameters, empty } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { missingParameter } from '../../../kernel/errors'
import { authenticateClient } from '../../../protocols/oauth/client-authentication'
import { readRefreshToken } from '../../../tokens/refresh-token'
import { tokenBody } from '../../requests/token-body'
import type { Runtime } from '../../runtime/runtime'

export const revoke = defineEndpoint<Runtime>({
  name: 'oauth.revoke',
  limit: 'revoke',
  shed: 'last',
  refused: 'change_refused',
  cors: 'open',
  errors: oauthJson,
  describe: () => ({
    tag: 'Tokens',
    POST: {
      summary: 'Revoke a refresh token (RFC 7009)',
      caller: ['client'],
      body: tokenBody(),
      answers: { 200: { says: 'It is revoked, or was no token of the client' } },
      examples: { token: { body: { ...APP, token: '<refresh token>' } } },
    },
  }),
  methods: {
    async POST(request, runtime, count) {
      const parameters = bodyParameters(request)
      const client = await authenticateClient(request, parameters, runtime)
      await count(client.isPublic ? null : client.clientId)
      if (parameters.token === undefined) throw missingParameter('token')
      const ref = readRefreshToken(parameters.token, runtime.vault)
      const found = ref && (await runtime.families.find(ref.familyId))
      if (found?.family.clientId === client.clientId) {
        await runtime.families.revokeAlike(found.family, runtime.clock.now())
        runtime.trail.record('tokens_revoked', found.user ? { user: found.user } : {})
      }
      return empty(200)
    },
  },
})
