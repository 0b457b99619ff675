// The options of a connection to an upstream provider, under the vendor's names where it has one. The strategy's row in
// upstream/providers.ts defines which options it uses. Secrets are no options: they are stored sealed (upstream/secrets.ts).
import * as z from 'zod'
import { PROVIDER_JWT_ALGORITHMS, SIGNING_ALGORITHMS } from '../../crypto/keys/algorithms'
import { orMeantHost, webUrl } from '../../kernel/address'
import { isFilePath, PATH_GIVEN } from '../../kernel/file-path'
import { commonOptions } from './common-options'
import { scriptText } from './script-text'

const scope = z.union([z.string(), z.array(z.string())])

/** A host, with a path for a server below one; never a scheme, credentials or a query. */
const domain = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[\w.~-]+)*\/?$/i, {
  error: orMeantHost('must be a host such as id.example.com'),
})

const mailDomain = z.string().regex(/^[^\s@]+\.[^\s@]+$/, 'must be a domain such as example.com')

/** What may be written: older records may have what can never work. */
const content = z
  .string()
  .refine((text) => !isFilePath(text), PATH_GIVEN)
  .optional()
export const writtenOptions = {
  metadataXml: content,
  fedMetadataXml: content,
  domain_aliases: z
    .array(mailDomain.regex(/^[^:/?#]*$/, { error: orMeantHost('must be a domain such as example.com') }))
    .max(1000)
    .optional(),
}

const upstreamParameter = z.union([
  /** Always sent. */
  z.object({ value: z.string().max(1000) }),
  /** Sent if the application's request has the parameter of that name. */
  z.object({ alias: z.string().max(100) }),
])

/** Options of every upstream provider, regardless of the protocol. */
export const upstreamOptions = {
  disable_signup: commonOptions.disable_signup,
  /** When names and picture are updated from the provider. The address always is. */
  set_user_root_attributes: z.enum(['on_each_login', 'on_first_login', 'never_on_login']).default('on_each_login'),
  /** Whether addresses count as verified, regardless of the provider's claim. */
  should_trust_email_verified_connection: z
    .enum(['never_set_emails_as_verified', 'always_set_emails_as_verified'])
    .optional(),
  /** Ours: trusts the provider's `email_verified`. */
  trust_email_claim: z.boolean().optional(),
  icon_url: webUrl.optional(),
  /** A user who types an address of one of these domains is sent to this provider. */
  domain_aliases: z.array(mailDomain).max(1000).optional(),
}

/** Constants and forwarded parameters of every request to the provider. */
export const upstreamParameters = z.record(z.string().max(100), upstreamParameter.nullable()).optional()

/** Claim → its place in the provider's response. */
const places = z.record(z.string().max(100), z.string().max(300))

/** The members that have a meaning here; the others describe the provider. */
const usedMetadata = z.object({
  issuer: webUrl.nullish(),
  authorization_endpoint: webUrl.nullish(),
  token_endpoint: webUrl.nullish(),
  userinfo_endpoint: webUrl.nullish(),
  jwks_uri: webUrl.nullish(),
  end_session_endpoint: webUrl.nullish(),
  id_token_signing_alg_values_supported: z.array(z.string()).nullish(),
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
})

const metadata = z
  .record(z.string().max(100), z.unknown())
  .refine((value) => usedMetadata.safeParse(value).success, 'must be the metadata of an OpenID provider')

/** Their values are sealed, and masks in the settings (upstream/secrets.ts). RFC 9110 5.1, 5.5; none that frames the message or belongs to the protocol. */
export const requestHeaders = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
      .refine(
        (name) => !/^(?:host|connection|content-.*|transfer-encoding|te|upgrade|expect|accept-encoding)$/i.test(name),
        'must be a header that a request may add',
      ),
    z
      .string()
      .max(4000)
      .regex(/^[\t\x20-\x7e]*$/, 'must be the value of a header'),
  )
  .refine((value) => Object.keys(value).length <= 20, 'must be 20 headers at most')

export const federatedOptions = z.object({
  ...upstreamOptions,
  client_id: z.string().min(1).max(1024).optional(),
  /** All scopes that are requested; without it, the strategy's own. A text is sent to a plain OAuth 2.0 server as it is. */
  scope: scope.optional(),
  /** False joins scopes with commas where `connection_scope` adds some, which some OAuth 2.0 servers expect. */
  useOauthSpecScope: z.boolean().optional(),
  upstream_params: upstreamParameters,
  /** Ours: stores the provider's tokens, sealed. */
  store_tokens: z.boolean().default(false),

  /** The host, if the strategy's server belongs to the customer. */
  domain: domain.optional(),
  issuer: webUrl.optional(),
  discovery_url: webUrl.optional(),
  authorization_endpoint: webUrl.optional(),
  token_endpoint: webUrl.optional(),
  userinfo_endpoint: webUrl.optional(),
  jwks_uri: webUrl.optional(),
  end_session_endpoint: webUrl.optional(),
  /** The provider's metadata by hand, in place of its discovery document. */
  oidc_metadata: metadata.optional(),
  /** False sends no nonce, to a provider that does not return it; the login is then bound by PKCE. */
  send_back_channel_nonce: z.boolean().optional(),
  /** The vendor's names of two endpoints in an `oauth2` connection. */
  authorizationURL: webUrl.optional(),
  tokenURL: webUrl.optional(),
  token_endpoint_auth_method: z
    .enum(['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'])
    .optional(),
  /** Of `private_key_jwt`: the algorithm, RS256 by default, and whether the audience is the token endpoint or the issuer. */
  token_endpoint_auth_signing_alg: z.enum(SIGNING_ALGORITHMS).optional(),
  token_endpoint_jwtca_aud_format: z.enum(['token_endpoint', 'issuer']).optional(),
  /** The only algorithms of its ID tokens; if absent, those of its metadata, and without these any that it publishes a key for. */
  id_token_signed_response_algs: z.array(z.enum(PROVIDER_JWT_ALGORITHMS)).min(1).nullish(),
  connection_settings: z.object({ pkce: z.enum(['auto', 'S256', 'disabled']).default('auto') }).optional(),
  pkce_enabled: z.boolean().optional(),
  attribute_map: z
    .object({
      attributes: places.optional(),
      /** `use_map`: nothing but what the map names. `basic_profile`: the map does not count. */
      mapping_mode: z.enum(['bind_all', 'use_map', 'basic_profile']).optional(),
    })
    .optional(),
  /** The vendor's options of plain OAuth 2.0 connections: the map, parameters of the request (constant, or by the name of one of the
   * application's request), headers of the token request, and the address of the logout. */
  fieldsMap: places.optional(),
  authParams: z.record(z.string().max(100), z.string().max(1000)).optional(),
  authParamsMap: z.record(z.string().max(100), z.string().max(100)).optional(),
  customHeaders: requestHeaders.optional(),
  logoutUrl: webUrl.optional(),
  /** Of a plain OAuth 2.0 server: reads the profile in place of `userinfo_endpoint` (docs/scripts.md). */
  scripts: z.object({ fetchUserProfile: scriptText }).optional(),

  /** Microsoft Entra ID. */
  tenant_domain: domain.optional(),
  use_common_endpoint: z.boolean().optional(),
  userid_attribute: z.enum(['sub', 'oid']).optional(),

  /** Apple. */
  team_id: z.string().max(100).optional(),
  kid: z.string().max(100).optional(),
})
