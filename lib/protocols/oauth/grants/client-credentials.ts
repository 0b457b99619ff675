// grant_type=client_credentials (RFC 6749 4.4): a confidential client gets an access token for itself, for an API and scopes of a
// client grant (threat-model.md CO5).
// - Nothing is stored for the token: it is valid until it expires and cannot be revoked.
// - The personal scopes of a built-in API are refused whatever a client grant says (threat-model.md TK6).
// - Without a requested scope the token gets all scopes of the client grant. A scope beyond it is refused, not dropped.
// - For which organizations it may be, the client grant says (lib/data/organizations/client-organization.ts).

import { isForClients } from '../../../data/apis/api'
import { audienceOf } from '../../../data/apis/audience'
import { actsFor } from '../../../data/organizations/client-organization'
import { optional, resource, scope } from '../../../http/description'
import { API, SERVER } from '../../../http/examples'
import { accessDenied } from '../../../kernel/errors'
import { parseScope } from '../scope'
import { passExchange } from './exchange-rules'
import type { Grant } from './grant'

export const clientCredentials: Grant = {
  type: 'client_credentials',
  events: { done: 'credentials_exchanged', refused: 'credentials_exchange_refused' },
  describe: () => ({
    parameters: {
      audience: optional('The API; the default is the one of the tenant'),
      resource: resource(),
      scope: scope(),
      organization: optional(
        'The organization that the client acts for: its id, or its name where the tenant allows names',
      ),
    },
    example: { ...SERVER, audience: API },
  }),
  only: 'confidential',
  async authorize(parameters, client, deps, from) {
    const requested = parseScope(parameters.scope)
    const audience = await audienceOf(parameters, deps)
    if (audience === null)
      throw accessDenied('Non-global clients are not allowed access to APIv1', { reason: 'audience_missing' })
    const api = await deps.apis.find(audience)
    if (!api) throw accessDenied(`Service not enabled within domain: ${audience}`, { reason: 'api_unknown' })
    const granted = isForClients(api) ? await deps.clientGrants.find(client.clientId, audience) : null
    if (!granted) throw ungranted(audience, deps.vendorHost)
    const held = granted.scopes.filter((scope) => api.scopes.has(scope) && !api.personal?.scopes.has(scope))
    const beyond = requested.filter((scope) => !held.includes(scope))
    if (beyond.length > 0)
      throw accessDenied(`Client has not been granted scopes: ${beyond.join(', ')}`, { reason: 'scope_not_granted' })
    const scopes = requested.length > 0 ? requested : held
    const organization = await actsFor(parameters.organization, client, api, granted, deps)
    const authorization = { client, api, scopes, ...(organization ? { organization } : {}), ...SELF }
    return deps.triggers.isBound('credentials-exchange') ? passExchange(authorization, held, from, deps) : authorization
  },
}

const SELF = { user: null, gty: 'client-credentials', protocol: 'oauth2-client-credentials' } as const

const ungranted = (audience: string, vendorHost: string) =>
  accessDenied(
    `Client is not authorized to access "${audience}". You need to create a "client-grant" associated to this API. ` +
      `See: https://${vendorHost}/docs/api/v2#!/Client_Grants/post_client_grants`,
    { reason: 'client_grant_missing' },
  )
