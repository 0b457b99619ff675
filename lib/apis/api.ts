// A registered API (resource server): its identifier is the audience of the access tokens issued for it.
import { z } from 'zod'

export const apiSettings = z.object({
  scopes: z
    .array(z.object({ value: z.string().min(1).max(280), description: z.string().max(500).optional() }))
    .max(1000)
    .default([]),
  signing_alg: z.literal('RS256', 'only RS256 is supported').default('RS256'),
  /** Seconds: in general, and for tokens issued straight to a browser. */
  token_lifetime: z.number().int().positive().max(2592000).default(86400),
  token_lifetime_for_web: z.number().int().positive().max(2592000).default(7200),
  allow_offline_access: z.boolean().default(false),
  skip_consent_for_verifiable_first_party_clients: z.boolean().default(true),
  token_dialect: z.enum(['access_token', 'rfc9068_profile']).default('access_token'),
})

export type ApiSettings = z.output<typeof apiSettings>

export type Api = {
  identifier: string
  name: string
  settings: ApiSettings
  scopes: ReadonlyMap<string, string | undefined>
}

export type ApiPort = {
  find(identifier: string): Promise<Api | null>
}

export function toApi(record: { identifier: string; name: string; settings: unknown }): Api {
  const settings = apiSettings.parse(record.settings)
  return { ...record, settings, scopes: new Map(settings.scopes.map((scope) => [scope.value, scope.description])) }
}
