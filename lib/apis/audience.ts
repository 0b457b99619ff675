// Finds the API of a token request: the requested one, else the tenant's default, else none (user-info only); and the API of an
// earlier grant, which may have been removed before redemption.
import type { Client } from '../clients/client'
import { accessDenied } from '../kernel/errors'
import type { TenantSettings } from '../tenants/settings'
import { type Api, type ApiPort, userPolicy } from './api'

export type AudienceDeps = { apis: ApiPort; settings: TenantSettings }

export const audienceOf = (requested: string | undefined, { settings }: AudienceDeps): string | null =>
  requested || settings.tenant.default_audience || null

type Asking = Pick<Client, 'clientId'>

export const findAudience = (requested: string | undefined, client: Asking, deps: AudienceDeps): Promise<Api | null> =>
  apiOf(audienceOf(requested, deps), client, deps)

/** The API, with the scopes that the client may get for a user; refused where it may get none. */
export async function apiOf(
  audience: string | null,
  client: Asking,
  { apis }: Pick<AudienceDeps, 'apis'>,
): Promise<Api | null> {
  if (audience === null) return null
  const api = await apis.find(audience)
  if (!api) throw accessDenied(`Service not found: ${audience}`)
  const open = openTo(api, client)
  if (!open)
    throw accessDenied(`Client "${client.clientId}" is not authorized to access resource server "${audience}".`)
  return open
}

/** Null where the API has been removed, or is closed to the client's users. */
export async function stillOpen(
  audience: string,
  client: Asking,
  { apis }: Pick<AudienceDeps, 'apis'>,
): Promise<Api | null> {
  const api = await apis.find(audience)
  return api && openTo(api, client)
}

function openTo(api: Api, { clientId }: Asking): Api | null {
  const policy = userPolicy(api)
  if (policy === 'allow_all') return api
  const granted = policy === 'require_client_grant' ? api.userGrants?.get(clientId) : undefined
  return granted ? { ...api, scopes: new Map([...api.scopes].filter(([scope]) => granted.includes(scope))) } : null
}
