// Finds the API of a token request: the requested one, else the tenant's default, else none (user-info only); and the API of an
// earlier grant, which may have been removed before redemption.
import { accessDenied } from '../kernel/errors'
import type { TenantSettings } from '../tenants/settings'
import type { Api, ApiPort } from './api'

export type AudienceDeps = { apis: ApiPort; settings: TenantSettings }

export const audienceOf = (requested: string | undefined, { settings }: AudienceDeps): string | null =>
  requested || settings.tenant.default_audience || null

export const findAudience = (requested: string | undefined, deps: AudienceDeps): Promise<Api | null> =>
  apiOf(audienceOf(requested, deps), deps)

export async function apiOf(audience: string | null, { apis }: Pick<AudienceDeps, 'apis'>): Promise<Api | null> {
  if (audience === null) return null
  const api = await apis.find(audience)
  if (!api) throw accessDenied(`Service not found: ${audience}`)
  return api
}
