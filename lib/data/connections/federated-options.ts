// The options of a connection to an upstream provider, under the vendor's names where it has one. The strategy's row in
// upstream/providers.ts defines which options it uses. Secrets are no options: they are stored sealed (upstream/secrets.ts).
import * as z from 'zod'
import { DEFAULT_ALGORITHM, PROVIDER_JWT_ALGORITHMS, SIGNING_ALGORITHMS } from '../../crypto/keys/algorithms'
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
  set_user_root_attributes: z
    .enum(['on_each_login', 'on_first_login', 'never_on_login'])
    .default('on_each_login')
    .meta({
      title: 'Update names and picture',
      help: 'The address is always updated.',
      options: { on_each_login: 'At each login', on_first_login: 'At the first login', never_on_login: 'Never' },
      group: 'claims',
      order: 271,
    }),
  /** Whether addresses count as verified, regardless of the provider's claim. */
  should_trust_email_verified_connection: z
    .enum(['never_set_emails_as_verified', 'always_set_emails_as_verified'])
    .optional()
    .meta({
      title: 'Verified addresses',
      help: 'Whatever the provider says.',
      unset: 'verified if the provider says so and is trusted in that, as below',
      options: {
        never_set_emails_as_verified: 'Count as not verified',
        always_set_emails_as_verified: 'Count as verified',
      },
      group: 'claims',
      order: 272,
    }),
  /** Ours: trusts the provider's `email_verified`. */
  trust_email_claim: z.boolean().optional().meta({
    title: 'Trust what the provider says of an address',
    help: 'Its email_verified.',
    group: 'claims',
    order: 273,
  }),
  icon_url: webUrl.optional().meta({
    title: 'Icon',
    help: 'The address of a picture for the button.',
    format: 'address',
    group: 'page',
    order: 301,
  }),
  /** A user who types an address of one of these domains is sent to this provider. */
  domain_aliases: z.array(mailDomain).max(1000).optional().meta({
    title: 'Domains',
    help: 'A person who types an address of one of these is sent to this provider.',
    format: 'host',
    group: 'page',
    order: 302,
  }),
}

/** Constants and forwarded parameters of every request to the provider. */
export const upstreamParameters = z.record(z.string().max(100), upstreamParameter.nullable()).optional().meta({
  title: 'Further parameters',
  help: "Each has a constant value, or the name of a parameter of the application's request.",
  group: 'requests',
  order: 260,
})

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
  client_id: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({ title: 'Client ID', help: 'Of this server at the provider.', group: 'provider', order: 201 }),
  /** All scopes that are requested; without it, the strategy's own. A text is sent to a plain OAuth 2.0 server as it is. */
  scope: scope.optional().meta({
    title: 'Scopes',
    help: 'What is requested, all of it. Empty: the usual ones.',
    group: 'provider',
    order: 206,
  }),
  /** False joins scopes with commas where `connection_scope` adds some, which some OAuth 2.0 servers expect. */
  useOauthSpecScope: z.boolean().optional().meta({
    title: 'Separate scopes by spaces',
    help: 'Off, commas separate them where an application adds scopes.',
    group: 'requests',
    order: 252,
  }),
  upstream_params: upstreamParameters,
  /** Ours: stores the provider's tokens, sealed. */
  store_tokens: z
    .boolean()
    .default(false)
    .meta({ title: "Keep the provider's tokens", help: 'Sealed.', group: 'provider', order: 207 }),

  /** The host, if the strategy's server belongs to the customer. */
  domain: domain
    .optional()
    .meta({ title: 'Host', help: "Of the provider's server, such as id.example.com.", group: 'provider', order: 203 }),
  issuer: webUrl.optional().meta({ title: 'Issuer', format: 'address', group: 'endpoints', order: 221 }),
  discovery_url: webUrl.optional().meta({
    title: 'Discovery document',
    help: 'Its address. The other addresses follow from it.',
    format: 'address',
    group: 'endpoints',
    order: 220,
  }),
  authorization_endpoint: webUrl
    .optional()
    .meta({ title: 'Authorization endpoint', format: 'address', group: 'endpoints', order: 222 }),
  token_endpoint: webUrl
    .optional()
    .meta({ title: 'Token endpoint', format: 'address', group: 'endpoints', order: 223 }),
  userinfo_endpoint: webUrl
    .optional()
    .meta({ title: 'Endpoint of the profile', format: 'address', group: 'endpoints', order: 224 }),
  jwks_uri: webUrl.optional().meta({
    title: 'Keys of the provider',
    help: 'The address of its key set.',
    format: 'address',
    group: 'endpoints',
    order: 225,
  }),
  end_session_endpoint: webUrl
    .optional()
    .meta({ title: 'Logout endpoint', format: 'address', group: 'endpoints', order: 226 }),
  /** The provider's metadata by hand, in place of its discovery document. */
  oidc_metadata: metadata.optional().meta({
    title: 'Metadata by hand',
    help: 'In place of the discovery document, as JSON.',
    group: 'endpoints',
    order: 229,
  }),
  /** False sends no nonce, to a provider that does not return it; the login is then bound by PKCE. */
  send_back_channel_nonce: z.boolean().optional().meta({
    title: 'Send a nonce',
    help: 'Off for a provider that does not return it; PKCE protects the login then.',
    group: 'requests',
    order: 256,
  }),
  /** The vendor's names of two endpoints in an `oauth2` connection. */
  authorizationURL: webUrl.optional().meta({
    title: 'Authorization endpoint (authorizationURL)',
    help: "The vendor's name of the same.",
    format: 'address',
    group: 'endpoints',
    order: 227,
  }),
  tokenURL: webUrl.optional().meta({
    title: 'Token endpoint (tokenURL)',
    help: "The vendor's name of the same.",
    format: 'address',
    group: 'endpoints',
    order: 228,
  }),
  token_endpoint_auth_method: z
    .enum(['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'])
    .optional()
    .meta({
      title: 'How this server proves itself',
      unset: 'by the secret, if there is one, as the provider takes it',
      options: {
        client_secret_post: 'By the secret, in the body',
        client_secret_basic: 'By the secret, in a header',
        private_key_jwt: 'By a signature',
        none: 'Not at all',
      },
      group: 'provider',
      order: 204,
    }),
  /** Of `private_key_jwt`: the algorithm, RS256 by default, and whether the audience is the token endpoint or the issuer. */
  token_endpoint_auth_signing_alg: z
    .enum(SIGNING_ALGORITHMS)
    .optional()
    .meta({ title: 'Algorithm of the signature', standard: DEFAULT_ALGORITHM, group: 'requests', order: 257 }),
  token_endpoint_jwtca_aud_format: z
    .enum(['token_endpoint', 'issuer'])
    .optional()
    .meta({
      title: 'Audience of the signature',
      standard: 'token_endpoint',
      options: { token_endpoint: 'The token endpoint', issuer: 'The issuer' },
      group: 'requests',
      order: 258,
    }),
  /** The only algorithms of its ID tokens; if absent, those of its metadata, and without these any that it publishes a key for. */
  id_token_signed_response_algs: z.array(z.enum(PROVIDER_JWT_ALGORITHMS)).min(1).nullish().meta({
    title: 'Algorithms of ID tokens',
    help: 'Others are refused. None: those of its metadata.',
    group: 'requests',
    order: 259,
  }),
  connection_settings: z
    .object({
      pkce: z
        .enum(['auto', 'S256', 'disabled'])
        .default('auto')
        .meta({
          title: 'PKCE',
          options: { auto: 'Where the provider supports it', S256: 'Always', disabled: 'Never' },
          group: 'requests',
          order: 253,
        }),
    })
    .optional(),
  pkce_enabled: z.boolean().optional(),
  attribute_map: z
    .object({
      attributes: places.optional().meta({
        title: 'Claims by place',
        help: "A claim, and its place in the provider's answer.",
        group: 'claims',
        order: 274,
      }),
      /** `use_map`: nothing but what the map names. `basic_profile`: the map does not count. */
      mapping_mode: z
        .enum(['bind_all', 'use_map', 'basic_profile'])
        .optional()
        .meta({
          title: 'Further claims',
          standard: 'bind_all',
          options: {
            bind_all: 'All are taken',
            use_map: 'Those of the map alone',
            basic_profile: 'The usual ones; the map does not count',
          },
          group: 'claims',
          order: 274.5,
        }),
    })
    .optional(),
  /** The vendor's options of plain OAuth 2.0 connections: the map, parameters of the request (constant, or by the name of one of the
   * application's request), headers of the token request, and the address of the logout. */
  fieldsMap: places.optional().meta({
    title: 'Claims by place',
    help: "A claim, and its place in the provider's answer. The vendor's name of the same map at OAuth 2.0.",
    group: 'claims',
    order: 276,
  }),
  authParams: z.record(z.string().max(100), z.string().max(1000)).optional().meta({
    title: 'Constant parameters',
    help: 'Sent with every request for a login.',
    group: 'requests',
    order: 261,
  }),
  authParamsMap: z.record(z.string().max(100), z.string().max(100)).optional().meta({
    title: 'Forwarded parameters',
    help: "A parameter, and the name that it has in the application's request.",
    group: 'requests',
    order: 262,
  }),
  customHeaders: requestHeaders.optional().meta({
    title: 'Headers of the token request',
    help: 'A value that is shown as ******** stays as it is.',
    group: 'requests',
    order: 263,
  }),
  logoutUrl: webUrl.optional().meta({ title: 'Logout address', format: 'address', group: 'endpoints', order: 230 }),
  /** Of a plain OAuth 2.0 server: reads the profile in place of `userinfo_endpoint` (docs/scripts.md). */
  scripts: z
    .object({
      fetchUserProfile: scriptText.meta({
        title: 'Script that reads the profile',
        help: 'In place of the endpoint of the profile.',
        multiline: true,
        syntax: 'javascript',
        group: 'claims',
        order: 277,
      }),
    })
    .optional(),

  /** Microsoft Entra ID. */
  tenant_domain: domain
    .optional()
    .meta({ title: 'Directory (tenant)', help: 'Its domain or ID.', group: 'provider', order: 202 }),
  use_common_endpoint: z.boolean().optional().meta({
    title: 'Any directory of Microsoft',
    help: 'People of every organization can sign in.',
    group: 'provider',
    order: 205,
  }),
  userid_attribute: z
    .enum(['sub', 'oid'])
    .optional()
    .meta({
      title: 'ID of a person',
      standard: 'sub',
      options: { sub: 'sub: differs for each application', oid: 'oid: the same in the directory' },
      group: 'claims',
      order: 275,
    }),

  /** Apple. */
  team_id: z.string().max(100).optional().meta({ title: 'Team ID', group: 'provider', order: 208 }),
  kid: z.string().max(100).optional().meta({ title: 'Key ID', group: 'provider', order: 209 }),
})
