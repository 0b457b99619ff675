// The profile `fapi2` of a client, or of all clients of a tenant: FAPI 2.0 Security Profile. The section numbers are of its final text.
// - The profile is applied when a client is read, so every check sees the settings that the profile demands, whatever is stored.
// - What a record says against the profile is refused when the record is written.
// - Access tokens are signed as their API says (`signing_alg`), whichever client they are for.
// - The console and the account portal are parts of this server and have no profile.
import * as z from 'zod'
import type { SigningAlgorithm } from '../../crypto/keys/algorithms'
import type { Client, ClientPort } from './client'

export const SECURITY_PROFILES = ['fapi2'] as const
export type SecurityProfile = (typeof SECURITY_PROFILES)[number]

/** Code, refresh and the client for itself; no grant takes a password or a code that the user typed into the application (5.3.2.1). */
export const FAPI2_GRANTS = ['authorization_code', 'refresh_token', 'client_credentials'] as const

/** Those of our own that 5.4.1 allows. */
export const FAPI2_SIGNING_ALGORITHMS = ['PS256', 'ES256'] as const satisfies SigningAlgorithm[]

/** The only one of CLIENT_JWT_ALGORITHMS that 5.4.1 allows. */
export const FAPI2_CLIENT_JWT_ALGORITHM = 'PS256'
export const FAPI2_DPOP_ALGORITHMS = ['ES256', 'EdDSA', 'PS256'] as const

/** The client as the profile of its tenant makes it. */
export const underProfile = (client: Client, profile: SecurityProfile | undefined): Client =>
  profile === undefined || client.profile !== null ? client : underFapi2(client)

/** Registered clients, each under the profile of the tenant. */
export function withProfile<Port extends ClientPort>(registered: Port, profile: SecurityProfile | undefined): Port {
  if (profile === undefined) return registered
  const applied = (client: Client | null) => client && underProfile(client, profile)
  return {
    ...registered,
    find: async (id) => applied(await registered.find(id)),
    findByAlias: async (alias) => applied(await registered.findByAlias(alias)),
  }
}

export function underFapi2(client: Client): Client {
  const { settings } = client
  return {
    ...client,
    profile: 'fapi2',
    authMethod: 'private_key_jwt',
    authMethods: new Set(['private_key_jwt']),
    isPublic: false,
    grantTypes: new Set(FAPI2_GRANTS.filter((grant) => client.grantTypes.has(grant))),
    /** 5.3.2.1: rotation adds nothing for a client that authenticates, and loses logins. */
    refresh: { ...client.refresh, rotating: false },
    settings: {
      ...settings,
      require_pushed_authorization_requests: true,
      require_proof_of_possession: true,
      allow_userinfo_query_token: false,
      refresh_token: { ...settings.refresh_token, rotation_type: 'non-rotating' },
      token_endpoint_auth_signing_alg: FAPI2_CLIENT_JWT_ALGORITHM,
      request_object_signing_alg: FAPI2_CLIENT_JWT_ALGORITHM,
      jwt_configuration: { ...settings.jwt_configuration, alg: allowed(settings.jwt_configuration.alg) },
      userinfo_signed_response_alg:
        settings.userinfo_signed_response_alg && allowed(settings.userinfo_signed_response_alg),
      authorization_signed_response_alg: allowed(settings.authorization_signed_response_alg),
      callbacks: settings.callbacks.filter((uri) => isSafeCallback(uri, settings.app_type)),
    },
  }
}

const allowed = (algorithm: SigningAlgorithm | undefined): SigningAlgorithm =>
  FAPI2_SIGNING_ALGORITHMS.find((each) => each === algorithm) ?? 'PS256'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:|\/|$)/

/** One exact address, and no plain http except on the device of a native application (5.3.2.2). */
const isSafeCallback = (uri: string, appType: string | undefined): boolean =>
  !/^[^/?#]*\/\/[^/?#]*\*/.test(uri) && (!/^http:/i.test(uri) || (appType === 'native' && LOOPBACK.test(uri)))

const signature = z
  .enum(FAPI2_SIGNING_ALGORITHMS, `must be ${FAPI2_SIGNING_ALGORITHMS.join(' or ')} (profile fapi2)`)
  .optional()

/** What the profile leaves to a record: a member that is absent has the value that the profile demands. */
const fapi2Record = z
  .object({
    token_endpoint_auth_method: z
      .literal('private_key_jwt', 'must be private_key_jwt under the profile fapi2')
      .optional(),
    app_type: z
      .string()
      .refine((type) => type !== 'spa', 'must be an application that can keep a key (profile fapi2)')
      .optional(),
    grant_types: z.array(z.enum(FAPI2_GRANTS, `must be one of ${FAPI2_GRANTS.join(', ')} (profile fapi2)`)).optional(),
    token_endpoint_auth_signing_alg: z.literal(FAPI2_CLIENT_JWT_ALGORITHM, 'must be PS256 (profile fapi2)').optional(),
    request_object_signing_alg: z.literal(FAPI2_CLIENT_JWT_ALGORITHM, 'must be PS256 (profile fapi2)').optional(),
    require_pushed_authorization_requests: z.literal(true, 'must be true under the profile fapi2').optional(),
    require_proof_of_possession: z.literal(true, 'must be true under the profile fapi2').optional(),
    allow_userinfo_query_token: z.literal(false, 'must be false under the profile fapi2').optional(),
    refresh_token: z
      .object({
        rotation_type: z.literal('non-rotating', 'must be non-rotating under the profile fapi2').optional(),
      })
      .optional(),
    jwt_configuration: z.object({ alg: signature }).optional(),
    userinfo_signed_response_alg: signature,
    authorization_signed_response_alg: signature,
    callbacks: z.array(z.string()).optional(),
  })
  .superRefine(({ callbacks = [], app_type }, context) => {
    for (const [index, uri] of callbacks.entries()) {
      if (isSafeCallback(uri, app_type)) continue
      const message = 'must be one https address, without wildcard (profile fapi2)'
      context.addIssue({ code: 'custom', path: ['callbacks', index], message })
    }
  })

/** What a record, valid otherwise, says against its own profile or that of the tenant; null if nothing. */
export const contradictionOf = (
  record: Readonly<Record<string, unknown>>,
  ofTenant: SecurityProfile | null | undefined,
): z.ZodError | null =>
  (record.security_profile ?? ofTenant) == null ? null : (fapi2Record.safeParse(record).error ?? null)
