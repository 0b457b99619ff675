// The options of a connection whose people another provider signs in, in the vendor's names where it has one. Which of them
// a strategy uses, its row in upstream/providers.ts says. Secrets are no options: they are kept sealed (upstream/secrets.ts).
import * as z from 'zod'

const address = z.url({ protocol: /^https?$/ })
const words = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat().flatMap(split))
const split = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '')

/** A host, and for a server that lives under one, the path: never a scheme, credentials or a query. */
const domain = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[\w.~-]+)*\/?$/i, 'must be a host such as id.example.com')

const mailDomain = z.string().regex(/^[^\s@]+\.[^\s@]+$/, 'must be a domain such as example.com')

const upstreamParameter = z.union([
  /** Always sent. */
  z.object({ value: z.string().max(1000) }),
  /** Sent when the application's request brings the parameter of that name. */
  z.object({ alias: z.string().max(100) }),
])

export const federatedOptions = {
  client_id: z.string().min(1).max(1024).optional(),
  /** Beyond what the strategy always asks for. */
  scope: words.optional(),
  upstream_params: z.record(z.string().max(100), upstreamParameter).optional(),
  /** When name, address and picture follow what the provider says. */
  set_user_root_attributes: z.enum(['on_each_login', 'on_first_login', 'never_on_login']).default('on_each_login'),
  /** Whether addresses are taken as verified, whatever the provider says of them. */
  should_trust_email_verified_connection: z
    .enum(['never_set_emails_as_verified', 'always_set_emails_as_verified'])
    .optional(),
  /** Ours: the provider's own `email_verified` is believed. */
  trust_email_claim: z.boolean().optional(),
  /** Ours: the provider's tokens are kept, sealed. */
  store_tokens: z.boolean().default(false),
  icon_url: address.optional(),
  /** Whoever types an address of one of these domains is sent to this provider. */
  domain_aliases: z.array(mailDomain).max(1000).optional(),

  /** Where the strategy's server is the customer's own. */
  domain: domain.optional(),
  issuer: address.optional(),
  discovery_url: address.optional(),
  authorization_endpoint: address.optional(),
  token_endpoint: address.optional(),
  userinfo_endpoint: address.optional(),
  jwks_uri: address.optional(),
  end_session_endpoint: address.optional(),
  /** What the vendor calls two of them in an `oauth2` connection. */
  authorizationURL: address.optional(),
  tokenURL: address.optional(),
  token_endpoint_auth_method: z.enum(['client_secret_post', 'client_secret_basic', 'none']).optional(),
  connection_settings: z.object({ pkce: z.enum(['auto', 'S256', 'disabled']).default('auto') }).optional(),
  pkce_enabled: z.boolean().optional(),
  /** Claim → where the provider's answer has it. */
  attribute_map: z.object({ attributes: z.record(z.string(), z.string().max(300)).optional() }).optional(),

  /** Microsoft Entra ID. */
  tenant_domain: domain.optional(),
  use_common_endpoint: z.boolean().optional(),
  userid_attribute: z.enum(['sub', 'oid']).optional(),

  /** Apple. */
  team_id: z.string().max(100).optional(),
  kid: z.string().max(100).optional(),
}
