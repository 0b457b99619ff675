// A registered API (resource server): its identifier is the audience of the access tokens issued for it.
import * as z from 'zod'
import { DEFAULT_ALGORITHM, signingAlgorithm } from '../../crypto/keys/algorithms'

const FOR_ALL = 'allow_all'
const TRANSACTIONAL = 'transactional-authorization-with-mfa'

export const apiSettings = z.object({
  scopes: z
    .array(z.object({ value: z.string().min(1).max(280), description: z.string().max(500).optional() }))
    .max(1000)
    .default([])
    .meta({
      title: 'Permissions',
      help: 'What a token may allow: `read:stock`, and what people read about it.',
      group: 'permissions',
      order: 13,
    }),
  /** What signs its access tokens. */
  signing_alg: signingAlgorithm.default(DEFAULT_ALGORITHM).meta({
    title: 'Signature of access tokens',
    group: 'tokens',
    order: 25,
  }),
  /** Lifetimes in seconds: the default, and for tokens issued directly to a browser. */
  token_lifetime: z
    .number()
    .int()
    .positive()
    .max(2592000)
    .default(86400)
    .meta({ title: 'Lifetime of access tokens', unit: 'seconds', group: 'tokens', order: 21 }),
  token_lifetime_for_web: z
    .number()
    .int()
    .positive()
    .max(2592000)
    .default(7200)
    .meta({ title: 'Lifetime in browsers', unit: 'seconds', group: 'tokens', order: 22 }),
  allow_offline_access: z.boolean().default(false).meta({
    title: 'Refresh tokens',
    help: 'Whether applications may get new tokens while the user is away.',
    group: 'tokens',
    order: 23,
  }),
  skip_consent_for_verifiable_first_party_clients: z
    .boolean()
    .default(true)
    .meta({ title: 'No consent for our own applications', group: 'access', order: 32 }),
  /** With the vendor's one policy, each login for it asks for consent, whatever was granted before (lib/data/consent/consent.ts). */
  consent_policy: z
    .enum([TRANSACTIONAL, 'standard'])
    .nullish()
    .meta({
      title: 'Consent',
      help: 'How often a user is asked.',
      standard: 'standard',
      options: { standard: 'Once for each application', [TRANSACTIONAL]: 'At each login' },
      group: 'access',
      order: 33,
    }),
  /** Details that limit what a token permits (RFC 9396): an API that names types of them would get tokens without. */
  authorization_details: z.array(z.unknown()).max(0, 'rich authorization requests do not exist here').nullish(),
  /** The format of access tokens; the `_authz` formats add `permissions` where the API enforces them. */
  token_dialect: z
    .enum(['access_token', 'access_token_authz', 'rfc9068_profile', 'rfc9068_profile_authz'])
    .default('access_token')
    .meta({
      title: 'Format of access tokens',
      help: 'With permissions, a token says what the roles of its user allow, where roles decide.',
      options: {
        access_token: 'Of the vendor',
        access_token_authz: 'Of the vendor, with permissions',
        rfc9068_profile: 'RFC 9068',
        rfc9068_profile_authz: 'RFC 9068, with permissions',
      },
      group: 'tokens',
      order: 24,
    }),
  /** RBAC: a user's token holds only the scopes that one of the user's roles allows. */
  enforce_policies: z.boolean().default(false).meta({
    title: 'Roles decide',
    help: 'Tokens of users hold only what their roles allow.',
    group: 'access',
    order: 31,
  }),
  /** Which applications may get tokens, for their users and for themselves; the latter always need a client grant. */
  subject_type_authorization: z
    .object({
      user: z
        .object({
          policy: z.enum(['allow_all', 'deny_all', 'require_client_grant']).meta({
            title: 'Tokens for users',
            standard: FOR_ALL,
            options: {
              allow_all: 'For each application',
              require_client_grant: 'For applications with access',
              deny_all: 'For no application',
            },
          }),
        })
        .optional(),
      client: z
        .object({
          policy: z.enum(['deny_all', 'require_client_grant']).meta({
            title: 'Tokens for applications themselves',
            standard: 'require_client_grant',
            options: { require_client_grant: 'For applications with access', deny_all: 'For no application' },
          }),
        })
        .optional(),
    })
    .optional()
    .meta({ title: 'Who gets tokens', group: 'access', order: 34 }),
  /** Whether its access tokens must be bound to a key (RFC 9449). */
  proof_of_possession: z
    .object({
      mechanism: z
        .enum(['dpop', 'mtls'])
        .meta({ title: 'Proof', unset: 'none is asked for', options: { dpop: 'DPoP (RFC 9449)' } }),
      required: z.boolean().meta({ title: 'Tokens are bound to a key' }),
      required_for: z
        .enum(['all_clients', 'public_clients'])
        .optional()
        .meta({
          title: 'Of which applications',
          standard: 'all_clients',
          options: { all_clients: 'Of all', public_clients: 'Of those without a secret' },
        }),
    })
    .refine(({ mechanism, required }) => mechanism === 'dpop' || !required, 'only dpop is supported')
    .nullish()
    .meta({ title: 'Proof of possession', group: 'access', order: 35 }),
})

export type ApiSettings = z.output<typeof apiSettings>

export type Api = {
  identifier: string
  name: string
  settings: ApiSettings
  scopes: ReadonlyMap<string, string | undefined>
  /** The scopes that each client may get for its users, where the API requires a client grant for that. */
  userGrants?: ReadonlyMap<string, readonly string[]>
  /** Of a built-in API: what a first-party client gets for a person and never for itself (built-in.ts). */
  personal?: { scopes: ReadonlySet<string>; tokenSeconds: number }
  /** Of a built-in API: the scopes that may change how users sign in, each with the oldest authentication that it accepts, in seconds. */
  changing?: ReadonlyMap<string, number>
}

/**
 * The oldest authentication, in seconds, that suffices for these scopes; null where none of them may change how users sign in
 * (threat-model.md BF22).
 */
export function recencyOf(api: Pick<Api, 'changing'> | null, scopes: readonly string[]): number | null {
  if (!api?.changing) return null
  const { changing } = api
  const seconds = scopes.flatMap((scope) => changing.get(scope) ?? [])
  return seconds.length === 0 ? null : Math.min(...seconds)
}

/** Whether each login for it needs a consent of its own. */
export const isTransactional = ({ settings }: Pick<Api, 'settings'>): boolean =>
  settings.consent_policy === TRANSACTIONAL

export const userPolicy = ({ settings }: Api) => settings.subject_type_authorization?.user?.policy ?? FOR_ALL

/** Whether an application may get tokens for itself: not for an API that has personal scopes alone. */
export const isForClients = ({ personal, scopes, settings }: Api): boolean =>
  settings.subject_type_authorization?.client?.policy !== 'deny_all' &&
  (!personal || personal.scopes.size < scopes.size)

export type ApiPort = {
  find(identifier: string): Promise<Api | null>
}

/** What a client may get of an API by client credentials. */
export type ClientGrant = {
  id: string
  scopes: readonly string[]
  /** Whether its tokens may, or must, be for an organization. */
  organizationUsage: (typeof ORGANIZATION_USAGES)[number]
  /** Whether they may be for every organization. */
  allowAnyOrganization: boolean
}

export const ORGANIZATION_USAGES = ['deny', 'allow', 'require'] as const

/** Only the built-in APIs have personal scopes (built-in.ts). */
export const isBuiltIn = ({ personal }: Pick<Api, 'personal'>): boolean => personal !== undefined

export type ClientGrantPort = {
  /** Null where the client gets no token. */
  find(clientId: string, audience: string): Promise<ClientGrant | null>
  /** Whether the organization has the grant. */
  isOf(grantId: string, organizationId: string): Promise<boolean>
}

export function toApi({
  identifier,
  name,
  settings: given,
}: {
  identifier: string
  name: string
  settings: unknown
}): Api {
  const settings = apiSettings.parse(given)
  const scopes = new Map(settings.scopes.map((scope) => [scope.value, scope.description]))
  return { identifier, name, settings, scopes }
}
