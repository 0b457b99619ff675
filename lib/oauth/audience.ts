// The API that a token request is for: the one it names, else the tenant's default, else none (user-info alone).
import type { Api, ApiPort } from '../apis/api'
import { accessDenied } from '../kernel/errors'
import type { TenantSettings } from '../tenants/settings'

export type AudienceDeps = { apis: ApiPort; settings: TenantSettings }

export const audienceOf = (asked: string | undefined, { settings }: AudienceDeps): string | null =>
  asked || settings.tenant.default_audience || null

export async function findAudience(asked: string | undefined, deps: AudienceDeps): Promise<Api | null> {
  const audience = audienceOf(asked, deps)
  if (audience === null) return null
  const api = await deps.apis.find(audience)
  if (!api) throw accessDenied(`Service not found: ${audience}`)
  return api
}
