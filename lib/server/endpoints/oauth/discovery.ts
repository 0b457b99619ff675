// Discovery (OIDC Discovery 1.0, RFC 8414) and the JWKS (RFC 7517). The metadata lists exactly what works. Each document is
// serialized once per keyring.
import * as z from 'zod'
import { CLIENT_JWT_ALGORITHMS, DPOP_ALGORITHMS, SIGNING_ALGORITHMS } from '../../../crypto/keys/algorithms'
import type { Keyring } from '../../../crypto/keys/keyring'
import { OIDC_SCOPES } from '../../../data/claims/claims'
import { CLIENT_AUTH_METHODS } from '../../../data/clients/client'
import {
  FAPI2_CLIENT_JWT_ALGORITHM,
  FAPI2_DPOP_ALGORITHMS,
  FAPI2_GRANTS,
  FAPI2_SIGNING_ALGORITHMS,
} from '../../../data/clients/fapi2'
import { defineEndpoint } from '../../../http/endpoint'
import { type HttpResponse, respond } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import { MULTI_FACTOR_ACR, SINGLE_FACTOR_ACR } from '../../../identity/mfa/acr'
import { enrollableFactors } from '../../../identity/mfa/policy'
import { grantTypes } from '../../../protocols/oauth/grants/index'
import { PROMPTS } from '../../../protocols/oidc/request'
import { RESPONSE_MODES, RESPONSE_TYPES } from '../../../protocols/oidc/response-type'
import { LOCALES } from '../../../text/locale'
import type { Runtime } from '../../runtime/runtime'

const CLAIMS = [
  'acr',
  'address',
  'amr',
  'aud',
  'auth_time',
  'birthdate',
  'email',
  'email_verified',
  'exp',
  'family_name',
  'gender',
  'given_name',
  'iat',
  'iss',
  'locale',
  'middle_name',
  'name',
  'nickname',
  'phone_number',
  'phone_number_verified',
  'picture',
  'preferred_username',
  'profile',
  'sid',
  'sub',
  'updated_at',
  'website',
  'zoneinfo',
]

const metadata = ({ issuer, baseUrl, settings, vendorHost }: Runtime) => ({
  issuer,
  authorization_endpoint: `${baseUrl}/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  pushed_authorization_request_endpoint: `${baseUrl}/oauth/par`,
  userinfo_endpoint: `${baseUrl}/userinfo`,
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  introspection_endpoint: `${baseUrl}/oauth/introspect`,
  end_session_endpoint: `${baseUrl}/oidc/logout`,
  device_authorization_endpoint: `${baseUrl}/oauth/device/code`,
  mfa_challenge_endpoint: `${baseUrl}/mfa/challenge`,
  registration_endpoint: settings.tenant.flags.enable_dynamic_client_registration
    ? `${baseUrl}/oidc/register`
    : undefined,
  scopes_supported: OIDC_SCOPES,
  response_types_supported: RESPONSE_TYPES,
  response_modes_supported: RESPONSE_MODES,
  // `implicit` is the grant of /authorize itself.
  grant_types_supported: ['implicit', ...grantTypes(vendorHost)],
  code_challenge_methods_supported: ['S256'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
  userinfo_signing_alg_values_supported: SIGNING_ALGORITHMS,
  authorization_signing_alg_values_supported: SIGNING_ALGORITHMS,
  token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  token_endpoint_auth_signing_alg_values_supported: CLIENT_JWT_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: CLIENT_JWT_ALGORITHMS,
  introspection_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS.filter((method) => method !== 'none'),
  introspection_endpoint_auth_signing_alg_values_supported: CLIENT_JWT_ALGORITHMS,
  // Only what a login here can prove.
  acr_values_supported: [SINGLE_FACTOR_ACR, ...(enrollableFactors(settings).length > 0 ? [MULTI_FACTOR_ACR] : [])],
  claims_supported: CLAIMS,
  claim_types_supported: ['normal'],
  prompt_values_supported: PROMPTS,
  ui_locales_supported: settings.tenant.enabled_locales ?? LOCALES,
  claims_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  frontchannel_logout_supported: true,
  frontchannel_logout_session_supported: true,
  request_parameter_supported: true,
  request_object_signing_alg_values_supported: CLIENT_JWT_ALGORITHMS,
  request_uri_parameter_supported: true,
  require_request_uri_registration: true,
  dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  authorization_response_iss_parameter_supported: true,
  ...(settings.tenant.security_profile === 'fapi2' ? FAPI2_METADATA : {}),
})

const FAPI2_METHODS = ['private_key_jwt']
const FAPI2_ALGORITHMS = [FAPI2_CLIENT_JWT_ALGORITHM]

/** Where every client of the tenant has the profile. */
const FAPI2_METADATA = {
  require_pushed_authorization_requests: true,
  response_types_supported: ['code'],
  grant_types_supported: FAPI2_GRANTS,
  token_endpoint_auth_methods_supported: FAPI2_METHODS,
  token_endpoint_auth_signing_alg_values_supported: FAPI2_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: FAPI2_METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: FAPI2_ALGORITHMS,
  introspection_endpoint_auth_methods_supported: FAPI2_METHODS,
  introspection_endpoint_auth_signing_alg_values_supported: FAPI2_ALGORITHMS,
  request_object_signing_alg_values_supported: FAPI2_ALGORITHMS,
  id_token_signing_alg_values_supported: FAPI2_SIGNING_ALGORITHMS,
  userinfo_signing_alg_values_supported: FAPI2_SIGNING_ALGORITHMS,
  authorization_signing_alg_values_supported: FAPI2_SIGNING_ALGORITHMS,
  dpop_signing_alg_values_supported: FAPI2_DPOP_ALGORITHMS,
}

const CACHE: [string, string] = ['cache-control', 'public, max-age=15, stale-while-revalidate=15, stale-if-error=86400']

/**
 * `make` runs once per keyring and address. The keyring is replaced when the tenant, its keys or its domains change; runtime objects
 * are created per request.
 */
function prebuilt(make: (runtime: Runtime) => unknown) {
  const bodies = new WeakMap<Keyring, Map<string, string>>()
  return (runtime: Runtime): HttpResponse => {
    let byAddress = bodies.get(runtime.keyring)
    if (byAddress === undefined) {
      byAddress = new Map()
      bodies.set(runtime.keyring, byAddress)
    }
    let body = byAddress.get(runtime.baseUrl)
    if (body === undefined) {
      body = JSON.stringify(make(runtime))
      byAddress.set(runtime.baseUrl, body)
    }
    const response = respond(200, 'application/json; charset=utf-8', body)
    response.headers.push(CACHE)
    return response
  }
}

const discoveryBody = prebuilt(metadata)
const jwksBody = prebuilt(({ keyring }) => keyring.jwks)

export const discovery = defineEndpoint<Runtime>({
  name: 'discovery',
  limit: 'metadata',
  shed: 'never',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  methods: { GET: (_request, runtime) => discoveryBody(runtime) },
  describe: () => ({
    tag: 'Metadata',
    GET: {
      summary: 'Read the metadata of this server (OpenID Connect Discovery, RFC 8414)',
      answers: {
        200: {
          says: 'The metadata',
          schema: z.looseObject({
            issuer: z.string(),
            authorization_endpoint: z.string(),
            token_endpoint: z.string(),
            jwks_uri: z.string(),
          }),
        },
      },
      examples: { metadata: {} },
    },
  }),
})

export const jwks = defineEndpoint<Runtime>({
  name: 'jwks',
  limit: 'metadata',
  shed: 'never',
  refused: null,
  cors: 'open',
  errors: oauthJson,
  methods: { GET: (_request, runtime) => jwksBody(runtime) },
  describe: () => ({
    tag: 'Metadata',
    GET: {
      summary: 'Read the public keys of this server (RFC 7517)',
      answers: {
        200: {
          says: 'The keys',
          schema: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })) }),
        },
      },
      examples: { keys: {} },
    },
  }),
})
