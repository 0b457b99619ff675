// The metadata of the APIs of this server (RFC 9728): which authorization server issues tokens for them, and with which scopes. A
// refused request names this address (lib/protocols/oauth/challenge.ts). Registered APIs publish their own metadata (docs/mcp.md).

import { DPOP_ALGORITHMS } from '../../../crypto/keys/algorithms'
import { managementAudience, mfaAudience, myAccountAudience } from '../../../data/apis/built-in'
import { defineEndpoint } from '../../../http/endpoint'
import { type HttpRequest, json } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { notFound } from '../../../kernel/errors'
import { METADATA_PATH } from '../../../protocols/oauth/challenge'
import type { Runtime } from '../../runtime/runtime'

export const protectedResource = defineEndpoint<Runtime>({
  name: 'protected-resource',
  limit: 'metadata',
  shed: 'first',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  methods: { GET: async (request, runtime) => json(await metadataOf(request, runtime)) },
})

async function metadataOf({ path }: HttpRequest, { baseUrl, canonicalUrl, issuer, apis }: Runtime) {
  const resource = `${baseUrl}${path.slice(METADATA_PATH.length).replace(/\/?$/, '/')}`
  const names = new Map([
    [managementAudience(canonicalUrl), 'Management API'],
    [myAccountAudience(baseUrl), 'My Account API'],
    [mfaAudience(baseUrl), 'MFA API'],
  ])
  const name = names.get(resource)
  const api = name === undefined ? null : await apis.find(resource)
  if (!api) throw notFound('This server has no such API')
  return {
    resource,
    resource_name: name,
    authorization_servers: [issuer],
    scopes_supported: [...api.scopes.keys()],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  }
}
