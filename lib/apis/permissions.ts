// RBAC of an API that enforces it: a user's token holds the granted scopes that the user's roles allow at that moment. OpenID scopes
// are not affected. A client that acts for itself gets the scopes of its client grant.
// An API that does not enforce RBAC costs no look-up.
import { OIDC_SCOPES } from '../claims/claims'
import type { Api } from './api'

export type PermissionPort = {
  /** The scopes of one API that the user's roles allow. */
  find(userId: string, audience: string): Promise<readonly string[]>
}

/** The scopes of a token, and its `permissions` claim where the API's format has one. */
export type Permitted = { scopes: readonly string[]; permissions?: readonly string[] }

export async function permitted(
  userId: string | null,
  api: Api | null,
  scopes: readonly string[],
  port: PermissionPort,
): Promise<Permitted> {
  if (!api?.settings.enforce_policies) return { scopes }
  const permissions = userId === null ? scopes : await ofUser(userId, api, port)
  return {
    scopes: scopes.filter((scope) => isOpenId(scope) || permissions.includes(scope)),
    ...(api.settings.token_dialect.endsWith('_authz') ? { permissions } : {}),
  }
}

/** A permission that the API no longer defines allows nothing. */
const ofUser = async (userId: string, api: Api, port: PermissionPort): Promise<readonly string[]> =>
  (await port.find(userId, api.identifier)).filter((permission) => api.scopes.has(permission))

const isOpenId = (scope: string): boolean => (OIDC_SCOPES as readonly string[]).includes(scope)
