// A token as an application gets it for itself, by the rules of client credentials, for an administrator who tries an API. The
// application proves nothing, so its manager must have the right to make its secret (lib/management/resources/resource-servers.ts).
import type { Client } from '../../data/clients/client'
import { eventRequest } from '../../identity/tenant-code/event-request'
import { type IssueDeps, issueTokens, type TokenResponse } from '../../tokens/issue'
import { grantFor } from './grants'
import type { GrantDeps } from './grants/grant'

/** Seconds. The token cannot be revoked, so it does not live as long as the application's own. */
export const TEST_TOKEN_SECONDS = 600

export type TestTokenRequest = { client: Client; audience: string; scope: string; ip: string }

/** Throws a DomainError where the application would get none. */
export async function issueTestToken(
  { client, audience, scope, ip }: TestTokenRequest,
  deps: GrantDeps,
  issuing: IssueDeps,
): Promise<TokenResponse> {
  const grant_type = 'client_credentials'
  const parameters = { grant_type, audience, ...(scope !== '' && { scope }) }
  const request = () => eventRequest({ baseUrl: deps.baseUrl, ip, method: 'POST', headers: {} }, {}, parameters)
  const from = { ip, request }
  const authorization = await grantFor(grant_type, client, deps).authorize(parameters, client, deps, from)
  return issueTokens(shortened(authorization), from, issuing)
}

function shortened<Authorization extends { api: { settings: { token_lifetime: number } } | null }>(
  authorization: Authorization,
): Authorization {
  const { api } = authorization
  if (!api) return authorization
  const token_lifetime = Math.min(api.settings.token_lifetime, TEST_TOKEN_SECONDS)
  return { ...authorization, api: { ...api, settings: { ...api.settings, token_lifetime } } }
}
