// The API that a request for tokens is for: the one it names, else the tenant's default, else none (user-info alone);
// and the API of what was granted before, which may be gone by the time that it is redeemed.
import { accessDenied } from '../kernel/errors'
import type { TenantSettings } from '../tenants/settings'
import type { Api, ApiPort } from './api'

export type AudienceDeps = { apis: ApiPort; settings: TenantSettings }

export const audienceOf = (asked: string | undefined, { settings }: AudienceDeps): string | null =>
  asked || settings.tenant.default_audience || null

export const findAudience = (asked: string | undefined, deps: AudienceDeps): Promise<Api | null> =>
  apiOf(audienceOf(asked, deps), deps)

export async function apiOf(audience: string | null, { apis }: Pick<AudienceDeps, 'apis'>): Promise<Api | null> {
  if (audience === null) return null
  const api = await apis.find(audience)
  if (!api) throw accessDenied(`Service not found: ${audience}`)
  return api
}
