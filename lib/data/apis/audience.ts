// Finds the API of a token request: the requested one, else the tenant's default, else none (user-info only); and the API of an
// earlier grant, which may have been removed before redemption.
// - `audience` is the vendor's parameter. Where the tenant allows it, a request without one may name the API as its `resource`
//   (RFC 8707), one for each grant.

import { accessDenied, DomainError } from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { parseUrl } from '../../kernel/url'
import type { Client } from '../clients/client'
import type { TenantSettings } from '../tenants/settings'
import { type Api, type ApiPort, userPolicy } from './api'

export type AudienceDeps = { apis: ApiPort; settings: TenantSettings }

/** The identifier of the API that a request names; one that does not exist is returned as it was sent. */
export async function audienceOf(parameters: Parameters, deps: AudienceDeps): Promise<string | null> {
  if (parameters.audience) return parameters.audience
  const resource = resourceIn(parameters, deps)
  if (!resource) return deps.settings.tenant.default_audience || null
  return (await findResource(resource, deps))?.identifier ?? resource
}

type Asking = Pick<Client, 'clientId'>

export async function findAudience(parameters: Parameters, client: Asking, deps: AudienceDeps): Promise<Api | null> {
  const resource = parameters.audience ? undefined : resourceIn(parameters, deps)
  if (resource !== undefined && !(await findResource(resource, deps))) refuseTarget(`Unknown resource: ${resource}`)
  return apiOf(await audienceOf(parameters, deps), client, deps)
}

/** A token request names no other API than its grant is for (RFC 8707 2.2). */
export async function checkTarget(parameters: Parameters, granted: string | null, deps: AudienceDeps): Promise<void> {
  const resource = resourceIn(parameters, deps)
  if (resource === undefined || resource === granted) return
  const api = granted === null ? null : await findResource(resource, deps)
  if (api?.identifier !== granted) refuseTarget('The resource was not granted')
}

async function findResource(resource: string, { apis }: Pick<AudienceDeps, 'apis'>): Promise<Api | null> {
  for (const form of formsOf(resource)) {
    const api = await apis.find(form)
    if (api) return api
  }
  return null
}

/**
 * The spellings of one resource, the given one first: scheme and host in small letters, without a default port, with and without a
 * final slash (MCP 2026-07-28). Two APIs that differ by the slash alone stay apart, because the given spelling decides.
 */
function formsOf(resource: string): string[] {
  const rest = /^https?:\/\/[^/?#\\@]+([^?#]*)$/i.exec(resource)?.[1]
  const url = rest === undefined ? null : parseUrl(resource)
  if (rest === undefined || url === null) return [resource]
  const form = `${url.protocol}//${url.host}${rest}`
  return [...new Set([resource, form, form.endsWith('/') ? form.slice(0, -1) : `${form}/`])]
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
  if (!api) throw accessDenied(`Service not found: ${audience}`, { reason: 'api_unknown' })
  const open = openTo(api, client)
  if (!open)
    throw accessDenied(`Client "${client.clientId}" is not authorized to access resource server "${audience}".`, {
      reason: 'api_not_for_client',
    })
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
