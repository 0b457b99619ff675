// Runs the tenant's `credentials-exchange` actions: they may deny the token, change its scopes and add claims.

import { claimsOf, scopesOf } from '../../../identity/tenant-code/effects'
import { eventClient, eventOrganization } from '../../../identity/tenant-code/events'
import { reasonOfDenial } from '../../../identity/tenant-code/trigger'
import { DomainError, type ErrorCode } from '../../../kernel/errors'
import type { From } from '../../../login/browserless/browserless'
import type { ClientAuthorization } from '../../../tokens/issue'
import type { GrantDeps } from './grant'

export async function passExchange(
  authorization: ClientAuthorization,
  held: readonly string[],
  from: From,
  deps: GrantDeps,
): Promise<ClientAuthorization> {
  const { client, api, scopes, organization } = authorization
  const effects = await deps.triggers.run('credentials-exchange', {
    tenant: { id: deps.tenantId },
    accessToken: { customClaims: {}, scope: [...scopes] },
    client: eventClient(client),
    ...(organization ? { organization: eventOrganization(organization) } : {}),
    request: from.request(),
    resource_server: { identifier: api.identifier },
    transaction: { requested_scopes: [...scopes], target_scopes: [...scopes] },
  })
  if (effects.denied) {
    const { code, reason } = effects.denied
    throw new DomainError(codeOf(code), reason, { reason: reasonOfDenial(effects.denied) })
  }
  const custom = claimsOf(effects)
  const { targetScopes } = effects
  const given = targetScopes ? held.filter((scope) => targetScopes.includes(scope)) : scopes
  return { ...authorization, scopes: scopesOf(given, effects), ...(custom === undefined ? {} : { custom }) }
}

const codeOf = (code: string): ErrorCode =>
  code === 'invalid_scope' || code === 'invalid_request' ? code : 'access_denied'
