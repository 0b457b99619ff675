// The options of a connection to an upstream provider, under the vendor's names where it has one. The strategy's row in
// upstream/providers.ts defines which options it uses. Secrets are no options: they are stored sealed (upstream/secrets.ts).
import * as z from 'zod'
import { commonOptions } from './common-options'

const address = z.url({ protocol: /^https?$/ })
const words = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat().flatMap(split))
const split = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '')

/** A host, with a path for a server below one; never a scheme, credentials or a query. */
const domain = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[\w.~-]+)*\/?$/i, 'must be a host such as id.example.com')

const mailDomain = z.string().regex(/^[^\s@]+\.[^\s@]+$/, 'must be a domain such as example.com')

const upstreamParameter = z.union([
  /** Always sent. */
  z.object({ value: z.string().max(1000) }),
  /** Sent if the application's request has the parameter of that name. */
  z.object({ alias: z.string().max(100) }),
])

/** Options of every upstream provider, regardless of the protocol. */
export const upstreamOptions = {
  disable_signup: commonOptions.disable_signup,
  /** When name, address and picture are updated from the provider. */
  set_user_root_attributes: z.enum(['on_each_login', 'on_first_login', 'never_on_login']).default('on_each_login'),
  /** Whether addresses count as verified, regardless of the provider's claim. */
  should_trust_email_verified_connection: z
    .enum(['never_set_emails_as_verified', 'always_set_emails_as_verified'])
    .optional(),
  /** Ours: trusts the provider's `email_verified`. */
  trust_email_claim: z.boolean().optional(),
  icon_url: address.optional(),
  /** A user who types an address of one of these domains is sent to this provider. */
  domain_aliases: z.array(mailDomain).max(1000).optional(),
}

/** Constants and forwarded parameters of every request to the provider. */
export const upstreamParameters = z.record(z.string().max(100), upstreamParameter).optional()

export const federatedOptions = z.object({
  ...upstreamOptions,
  client_id: z.string().min(1).max(1024).optional(),
  /** Scopes in addition to the strategy's own. */
  scope: words.optional(),
  upstream_params: upstreamParameters,
  /** Ours: stores the provider's tokens, sealed. */
  store_tokens: z.boolean().default(false),

  /** The host, if the strategy's server belongs to the customer. */
  domain: domain.optional(),
  issuer: address.optional(),
  discovery_url: address.optional(),
  authorization_endpoint: address.optional(),
  token_endpoint: address.optional(),
  userinfo_endpoint: address.optional(),
  jwks_uri: address.optional(),
  end_session_endpoint: address.optional(),
  /** The vendor's names of two endpoints in an `oauth2` connection. */
  authorizationURL: address.optional(),
  tokenURL: address.optional(),
  token_endpoint_auth_method: z.enum(['client_secret_post', 'client_secret_basic', 'none']).optional(),
  /** The only algorithms of its ID tokens; if absent, any that it publishes a key for. */
  id_token_signed_response_algs: z
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384']))
    .min(1)
    .nullish(),
  connection_settings: z.object({ pkce: z.enum(['auto', 'S256', 'disabled']).default('auto') }).optional(),
  pkce_enabled: z.boolean().optional(),
  /** Claim → its place in the provider's response. */
  attribute_map: z.object({ attributes: z.record(z.string(), z.string().max(300)).optional() }).optional(),

  /** Microsoft Entra ID. */
  tenant_domain: domain.optional(),
  use_common_endpoint: z.boolean().optional(),
  userid_attribute: z.enum(['sub', 'oid']).optional(),

  /** Apple. */
  team_id: z.string().max(100).optional(),
  kid: z.string().max(100).optional(),
})
