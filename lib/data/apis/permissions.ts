// RBAC of an API that enforces it: a user's token holds the granted scopes that the user's roles allow at that moment. OpenID scopes
// and the personal scopes of a built-in API are not affected. A client that acts for itself gets the scopes of its client grant.
// A token for an organization gets what the user's roles in that organization allow; roles elsewhere do not count.
// Where an API requires a client grant for users, `api` has the granted scopes alone (audience.ts): a token has no others, also when
// the grant was narrowed after the login, or an action added a scope.
// An API that does not enforce RBAC costs no look-up. A built-in API enforces it for its other scopes.
import { OIDC_SCOPES } from '../claims/claims'
import { type Api, userPolicy } from './api'

export type PermissionPort = {
  /** The scopes of one API that the user's roles allow: those in the organization, if there is one. */
  find(userId: string, audience: string, organizationId: string | null): Promise<readonly string[]>
}

/** The scopes of a token, and its `permissions` claim where the API's format has one. */
export type Permitted = { scopes: readonly string[]; permissions?: readonly string[] }

type Subject = { userId: string | null; organizationId: string | null }

export async function permitted(
  { userId, organizationId }: Subject,
  api: Api | null,
  scopes: readonly string[],
  port: PermissionPort,
): Promise<Permitted> {
  if (!api) return { scopes }
  const within =
    userId !== null && userPolicy(api) === 'require_client_grant'
      ? scopes.filter((scope) => isOpenId(scope) || api.scopes.has(scope))
      : scopes
  if (!isEnforced(api, within)) return { scopes: within }
  const permissions = userId === null ? within : await ofUser(userId, api, organizationId, port)
  return {
    scopes: within.filter((scope) => isFree(scope, api) || permissions.includes(scope)),
    ...(api.settings.token_dialect.endsWith('_authz') ? { permissions } : {}),
  }
}

const isEnforced = (api: Api, scopes: readonly string[]): boolean =>
  api.personal ? scopes.some((scope) => !isFree(scope, api)) : api.settings.enforce_policies

/** Needs no role. */
const isFree = (scope: string, api: Api): boolean => isOpenId(scope) || api.personal?.scopes.has(scope) === true

/** A permission that the API no longer defines allows nothing. */
const ofUser = async (
  userId: string,
  api: Api,
  organizationId: string | null,
  port: PermissionPort,
): Promise<readonly string[]> =>
  (await port.find(userId, api.identifier, organizationId)).filter((permission) => api.scopes.has(permission))

const isOpenId = (scope: string): boolean => (OIDC_SCOPES as readonly string[]).includes(scope)
