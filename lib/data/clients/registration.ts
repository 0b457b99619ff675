// The metadata of dynamic client registration (RFC 7591 2, OIDC Dynamic Client Registration 2), and its response. Threat-model.md
// DC1 and D1:
// - The client is always a third party, so users are always asked for consent. The server assigns its id, secret and permissions.
// - Grants that it may not have are removed from the registration: RFC 7591 2 lets the server replace values, and the response
//   contains the result. If no usable grant remains, the registration is refused.
// - Of a list of addresses, those that it may not have are removed in the same way; if none remains, the registration is refused.
// - Unknown members are ignored, but a request for a protection that the server does not implement is refused.
import * as z from 'zod'
import { CLIENT_JWT_ALGORITHMS, signingAlgorithm } from '../../crypto/keys/algorithms'
import { DomainError } from '../../kernel/errors'
import { CLIENT_AUTH_METHODS, type Client, type ClientRecord, type ClientSettings } from './client'
import { jwkSet } from './credentials'
import { contradictionOf, type SecurityProfile } from './fapi2'
import { KNOWN_PRIVATE_USE, kindOfUrl, type UrlKind } from './registration-urls'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Never implicit, password or client credentials (D1, DC1). */
const GRANTS = ['authorization_code', 'refresh_token', DEVICE_CODE]

export const DEFAULT_NAME = 'My App'

export type RegisteredRecord = ClientRecord & { issuedAt: Date }

/** Clients that registered themselves, found by id and the digest of their registration access token. */
export type RegistrationPort = {
  insert(record: ClientRecord, tokenDigest: Uint8Array, at: Date): Promise<void>
  find(clientId: string, tokenDigest: Uint8Array): Promise<RegisteredRecord | null>
  /** False if the client no longer exists. */
  replace(record: ClientRecord, tokenDigest: Uint8Array, at: Date): Promise<boolean>
  /** In one statement: deletes the client, its consents and pending devices, and ends all its tokens. */
  remove(clientId: string, tokenDigest: Uint8Array): Promise<boolean>
}

export type Metadata = {
  name: string
  /** The members of the stored record that a registration sets; undefined for omitted ones. */
  settings: Record<string, unknown>
}

/** `privateUse`: the URIs that the tenant adds. Throws `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 3.2.2). */
export function readMetadata(
  body: Record<string, unknown>,
  ownUrl: string,
  profile?: SecurityProfile | null,
  privateUse: readonly string[] = [],
): Metadata {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  if (profile === 'fapi2') given.token_endpoint_auth_method ??= 'private_key_jwt'
  checkSupported(given)
  const isPublic = given.token_endpoint_auth_method === 'none'
  const kindOf = kindBy(ownUrl, isPublic ? [...KNOWN_PRIVATE_USE, ...privateUse] : [])
  const parsed = metadataSchema(kindOf).safeParse(withAcceptable(given, kindOf))
  if (!parsed.success) throw refusal(parsed.error.issues[0])
  const metadata = parsed.data
  const grantTypes = chooseGrants(metadata.grant_types)
  checkResponseTypes(metadata.response_types, grantTypes)
  const usesRedirects = grantTypes.includes('authorization_code')
  if (usesRedirects && metadata.redirect_uris.length === 0) throw invalidRedirect('redirect_uris is missing')
  checkFrame(metadata)
  checkKeys(metadata)
  const settings = settingsOf(metadata, grantTypes, kindOf)
  const [contradiction] = contradictionOf(settings, profile)?.issues ?? []
  if (contradiction) throw refusal({ ...contradiction, path: contradiction.path.map(registeredName) })
  return { name: metadata.client_name, settings }
}

type KindOf = (url: string) => UrlKind | null

const kindBy =
  (ownUrl: string, privateUse: readonly string[]): KindOf =>
  (url) =>
    kindOfUrl(url, ownUrl, privateUse)

/** Removes the addresses that the client may not have from lists that have others. */
function withAcceptable(given: Record<string, unknown>, kindOf: KindOf): Record<string, unknown> {
  const lists = ['redirect_uris', 'post_logout_redirect_uris'].flatMap((name) => {
    const list: unknown = given[name]
    if (!Array.isArray(list) || !list.every((url) => typeof url === 'string')) return []
    const acceptable = list.filter((url) => kindOf(url) !== null)
    return acceptable.length > 0 ? [[name, acceptable] as const] : []
  })
  return { ...given, ...Object.fromEntries(lists) }
}

const REGISTERED_NAMES = new Map<PropertyKey, string>([
  ['callbacks', 'redirect_uris'],
  ['jwt_configuration', 'id_token_signed_response_alg'],
  ['require_proof_of_possession', 'dpop_bound_access_tokens'],
])

/** The name that a registration has for a setting. */
const registeredName = (name: PropertyKey): PropertyKey => REGISTERED_NAMES.get(name) ?? name

/** A class of authentication: a word of `acr_values`. */
const acrValue = z
  .string()
  .max(200)
  .regex(/^[!-~]+$/, 'must be a word of printable ASCII characters')

const line = (most: number) => z.string().min(1).max(most).refine(isPlainLine, 'must be one line of visible text')

/**
 * Invisible characters, or those that move adjacent text; except the two joiners, which Persian, Indic scripts and emoji need.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** A visible letter or number: a name of spaces and fillers would be invisible on the consent page. */
const VISIBLE = /(?![\u115f\u1160\u3164\uffa0])[\p{L}\p{N}]/u

/** No characters that move or hide adjacent text on the consent page, and none that cannot be stored. */
const isPlainLine = (value: string): boolean => value.isWellFormed() && !HIDDEN.test(value) && VISIBLE.test(value)

function metadataSchema(kindOf: KindOf) {
  const web = z
    .string()
    .refine((value) => kindOf(value) === 'web', 'must be an https URL without fragment or user info')
  const target = z
    .string()
    .refine(
      (value) => kindOf(value) !== null,
      'must be https, http on loopback or a reverse domain name scheme, without fragment, user info or wildcard',
    )
  const requestUri = z
    .string()
    .max(512)
    .refine(
      (value) => /^https:/i.test(value) && kindOf(value.split('#', 1)[0] ?? '') === 'web',
      'must be an https URL without user info',
    )
  const words = z.array(z.string().max(200)).max(20)
  return z.object({
    client_name: line(200).default(DEFAULT_NAME),
    redirect_uris: z.array(target).max(50).default([]),
    post_logout_redirect_uris: z.array(target).max(50).default([]),
    application_type: z.enum(['web', 'native']).default('web'),
    token_endpoint_auth_method: z.enum(CLIENT_AUTH_METHODS).default('client_secret_post'),
    token_endpoint_auth_signing_alg: z.enum(CLIENT_JWT_ALGORITHMS).optional(),
    jwks: jwkSet.optional(),
    jwks_uri: web.refine((value) => /^https:/i.test(value), 'must be an https URL').optional(),
    grant_types: words.optional(),
    response_types: words.optional(),
    logo_uri: web.optional(),
    client_uri: web.optional(),
    policy_uri: web.optional(),
    tos_uri: web.optional(),
    initiate_login_uri: web
      .refine((value) => /^https:/i.test(value), 'must be an https URL (OpenID Connect Core 4)')
      .optional(),
    backchannel_logout_uri: web.optional(),
    backchannel_logout_session_required: z.boolean().optional(),
    frontchannel_logout_uri: web.optional(),
    frontchannel_logout_session_required: z.boolean().default(false),
    contacts: z.array(line(320)).max(20).optional(),
    default_max_age: z.int().min(0).max(999_999_999).optional(),
    require_auth_time: z.boolean().optional(),
    default_acr_values: z.array(acrValue).max(20).optional(),
    subject_type: z.literal('public').optional(),
    id_token_signed_response_alg: signingAlgorithm.optional(),
    userinfo_signed_response_alg: signingAlgorithm.optional(),
    authorization_signed_response_alg: signingAlgorithm.optional(),
    request_object_signing_alg: z.enum(CLIENT_JWT_ALGORITHMS).optional(),
    request_uris: z.array(requestUri).max(10).optional(),
    require_signed_request_object: z.boolean().optional(),
    require_pushed_authorization_requests: z.boolean().optional(),
    tls_client_certificate_bound_access_tokens: z.literal(false).optional(),
    dpop_bound_access_tokens: z.boolean().optional(),
  })
}

/** The members that a registration may have. Addresses that a client may not have are left out, so lists may contain any. */
export const registrationMetadata = (ownUrl: string) => {
  const addresses = z.array(z.string()).max(50)
  const lists = { redirect_uris: addresses.default([]), post_logout_redirect_uris: addresses.default([]) }
  return metadataSchema(kindBy(ownUrl, [])).extend(lists)
}

/** Protections that do not exist here, by the members that ask for them (threat-model.md BF24). */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  'pairwise subjects': ['sector_identifier_uri'],
  encryption: ['id_token', 'userinfo', 'authorization', 'introspection']
    .flatMap((answer) => [`${answer}_encrypted_response_alg`, `${answer}_encrypted_response_enc`])
    .concat('request_object_encryption_alg', 'request_object_encryption_enc'),
  'signed introspection': ['introspection_signed_response_alg'],
  'mutual TLS': ['subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email'].map((name) => `tls_client_auth_${name}`),
}

function checkSupported(given: Record<string, unknown>): void {
  for (const [what, members] of Object.entries(UNSUPPORTED)) {
    const requested = members.find((member) => given[member] !== undefined)
    if (requested !== undefined) throw invalidMetadata(`${requested}: ${what} is not supported`)
  }
}

type Given = z.output<ReturnType<typeof metadataSchema>>

function chooseGrants(requested: string[] | undefined): string[] {
  if (requested === undefined) return ['authorization_code', 'refresh_token']
  const grants = GRANTS.filter((grant) => requested.includes(grant))
  if (grants.some((grant) => grant !== 'refresh_token')) return grants
  throw invalidMetadata(
    `grant_types must hold one of: ${GRANTS.filter((grant) => grant !== 'refresh_token').join(', ')}`,
  )
}

/** A client that does not use the authorization endpoint has no response type, regardless of the request. */
function checkResponseTypes(requested: string[] | undefined, grants: string[]): void {
  const usesCode = grants.includes('authorization_code')
  if (requested === undefined || (usesCode && requested.every((type) => type === 'code') && requested.length > 0))
    return
  if (usesCode) throw invalidMetadata('response_types must be: code')
  if (requested.includes('code')) throw invalidMetadata('response_types: code needs the grant type authorization_code')
}

/** The URL framed by the logout page must have an origin of the application itself (OIDC Front-Channel Logout 2). */
function checkFrame({ frontchannel_logout_uri: uri, redirect_uris }: Given): void {
  if (uri === undefined) return
  const { origin } = new URL(uri)
  if (redirect_uris.some((redirect) => new URL(redirect).origin === origin)) return
  throw invalidMetadata('frontchannel_logout_uri must have the origin of a redirect URI')
}

/** Keys are in the registration or published by the client, never both (RFC 7591 2). */
function checkKeys({ jwks, jwks_uri, ...given }: Given): void {
  if (jwks && jwks_uri !== undefined) throw invalidMetadata('jwks and jwks_uri cannot both be given')
  const needed = given.token_endpoint_auth_method === 'private_key_jwt' || given.require_signed_request_object
  if (needed && !jwks && jwks_uri === undefined) throw invalidMetadata('jwks or jwks_uri is missing')
}

/**
 * A client with a private-use scheme is native, even if it says `web` (as oidc-agent does); so is a public one on loopback, because
 * most clients on a person's machine name no type.
 */
function appTypeOf(given: Given, kindOf: KindOf): 'native' | 'spa' | 'regular_web' {
  const isPublic = given.token_endpoint_auth_method === 'none'
  const isNative = given.redirect_uris.some(
    (uri) => kindOf(uri) === 'private-use' || (isPublic && new URL(uri).protocol === 'http:'),
  )
  if (isNative || given.application_type === 'native') return 'native'
  return isPublic ? 'spa' : 'regular_web'
}

const settingsOf = (given: Given, grantTypes: string[], kindOf: KindOf): Metadata['settings'] => ({
  app_type: appTypeOf(given, kindOf),
  callbacks: given.redirect_uris,
  allowed_logout_urls: given.post_logout_redirect_uris,
  token_endpoint_auth_method: given.token_endpoint_auth_method,
  token_endpoint_auth_signing_alg: given.token_endpoint_auth_signing_alg,
  jwks: given.jwks,
  jwks_uri: given.jwks_uri,
  request_object_signing_alg: given.request_object_signing_alg,
  require_signed_request_object: given.require_signed_request_object,
  request_uris: given.request_uris,
  require_proof_of_possession: given.dpop_bound_access_tokens,
  grant_types: grantTypes,
  logo_uri: given.logo_uri,
  client_uri: given.client_uri,
  policy_uri: given.policy_uri,
  tos_uri: given.tos_uri,
  initiate_login_uri: given.initiate_login_uri,
  oidc_logout: given.backchannel_logout_uri && { backchannel_logout_urls: [given.backchannel_logout_uri] },
  frontchannel_logout_uri: given.frontchannel_logout_uri,
  frontchannel_logout_session_required: given.frontchannel_logout_session_required,
  contacts: given.contacts,
  default_max_age: given.default_max_age,
  jwt_configuration: given.id_token_signed_response_alg && { alg: given.id_token_signed_response_alg },
  userinfo_signed_response_alg: given.userinfo_signed_response_alg,
  authorization_signed_response_alg: given.authorization_signed_response_alg,
  require_auth_time: given.require_auth_time,
  default_acr_values: given.default_acr_values,
  require_pushed_authorization_requests: given.require_pushed_authorization_requests,
})

/** The registered metadata, in the terms of RFC 7591; undefined members are not sent. */
export const describeClient = ({ clientId, name, authMethod, grantTypes, settings }: Client, issuedAt: Date) => ({
  client_id: clientId,
  client_id_issued_at: Math.floor(issuedAt.getTime() / 1000),
  client_name: name,
  redirect_uris: settings.callbacks,
  post_logout_redirect_uris: settings.allowed_logout_urls.length > 0 ? settings.allowed_logout_urls : undefined,
  application_type: settings.app_type === 'native' ? 'native' : 'web',
  token_endpoint_auth_method: authMethod,
  token_endpoint_auth_signing_alg: settings.token_endpoint_auth_signing_alg,
  jwks: settings.jwks,
  jwks_uri: settings.jwks_uri,
  request_object_signing_alg: settings.request_object_signing_alg,
  require_signed_request_object: settings.require_signed_request_object || undefined,
  require_pushed_authorization_requests: settings.require_pushed_authorization_requests || undefined,
  request_uris: settings.request_uris.length > 0 ? settings.request_uris : undefined,
  dpop_bound_access_tokens: settings.require_proof_of_possession || undefined,
  grant_types: [...grantTypes],
  response_types: grantTypes.has('authorization_code') ? ['code'] : [],
  logo_uri: settings.logo_uri,
  client_uri: settings.client_uri,
  policy_uri: settings.policy_uri,
  tos_uri: settings.tos_uri,
  initiate_login_uri: settings.initiate_login_uri,
  ...logoutOf(settings),
  contacts: settings.contacts,
  default_max_age: settings.default_max_age,
  require_auth_time: settings.require_auth_time,
  default_acr_values: settings.default_acr_values,
  subject_type: 'public',
  id_token_signed_response_alg: settings.jwt_configuration.alg,
  userinfo_signed_response_alg: settings.userinfo_signed_response_alg,
  authorization_signed_response_alg: settings.authorization_signed_response_alg,
})

/** Our logout tokens always contain the session. */
function logoutOf({ oidc_logout, frontchannel_logout_uri, frontchannel_logout_session_required }: ClientSettings) {
  const [backchannel] = oidc_logout.backchannel_logout_urls
  return {
    ...(backchannel === undefined
      ? {}
      : { backchannel_logout_uri: backchannel, backchannel_logout_session_required: true }),
    ...(frontchannel_logout_uri === undefined ? {} : { frontchannel_logout_uri, frontchannel_logout_session_required }),
  }
}

const invalidMetadata = (description: string) => new DomainError('invalid_client_metadata', description)
const invalidRedirect = (description: string) => new DomainError('invalid_redirect_uri', description)

/** The error names the member and does not repeat its value. */
function refusal(issue: z.core.$ZodIssue | undefined): DomainError {
  const [member, index] = issue?.path ?? []
  const place = typeof index === 'number' ? `${String(member)}[${index}]` : String(member)
  const description = `${place}: ${issue?.message ?? 'invalid'}`
  return member === 'redirect_uris' ? invalidRedirect(description) : invalidMetadata(description)
}
