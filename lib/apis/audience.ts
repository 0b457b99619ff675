// Finds the API of a token request: the requested one, else the tenant's default, else none (user-info only); and the API of an
// earlier grant, which may have been removed before redemption.
// - `audience` is the vendor's parameter. Where the tenant allows it, a request without one may name the API as its `resource`
//   (RFC 8707), one for each grant.
import type { Client } from '../clients/client'
import { accessDenied, DomainError } from '../kernel/errors'
import type { Parameters } from '../kernel/parameters'
import type { TenantSettings } from '../tenants/settings'
import { type Api, type ApiPort, userPolicy } from './api'

export type AudienceDeps = { apis: ApiPort; settings: TenantSettings }

export const audienceOf = (parameters: Parameters, deps: Pick<AudienceDeps, 'settings'>): string | null =>
  parameters.audience || resourceIn(parameters, deps) || deps.settings.tenant.default_audience || null

type Asking = Pick<Client, 'clientId'>

export async function findAudience(parameters: Parameters, client: Asking, deps: AudienceDeps): Promise<Api | null> {
  const resource = parameters.audience ? undefined : resourceIn(parameters, deps)
  if (resource !== undefined && !(await deps.apis.find(resource))) refuseTarget(`Unknown resource: ${resource}`)
  return apiOf(audienceOf(parameters, deps), client, deps)
}

/** A token request names no other API than its grant is for (RFC 8707 2.2). */
export function checkTarget(
  parameters: Parameters,
  granted: string | null,
  deps: Pick<AudienceDeps, 'settings'>,
): void {
  const resource = resourceIn(parameters, deps)
  if (resource !== undefined && resource !== granted) refuseTarget('The resource was not granted')
}

const resourceIn = ({ resource }: Parameters, { settings }: Pick<AudienceDeps, 'settings'>): string | undefined =>
  settings.tenant.resource_parameter_profile === 'compatibility' ? resource : undefined

function refuseTarget(description: string): never {
  throw new DomainError('invalid_target', description)
}

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
