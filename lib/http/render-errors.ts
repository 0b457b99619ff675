// One table from error code to status, and the JSON formats of a refusal.
// The tenant setting `compat.errors` selects between them: `vendor` is what the vendor's SDKs expect, `rfc` what RFC 6749 and
// strict certification require (docs/adr/0009). Nothing else differs.
import { STATUS_CODES } from 'node:http'
import type { DomainError, ErrorCode } from '../kernel/errors'
import { type HttpResponse, json, text, withHeaders } from './message'

export type Compat = 'vendor' | 'rfc'

type Face = { vendor: number; rfc: number }
const same = (status: number): Face => ({ vendor: status, rfc: status })

const STATUS: Record<ErrorCode, Face> = {
  invalid_request: same(400),
  invalid_scope: same(400),
  invalid_target: same(400),
  invalid_redirect_uri: same(400),
  invalid_client_metadata: same(400),
  invalid_dpop_proof: same(400),
  use_dpop_nonce: same(400),
  invalid_client: same(401),
  invalid_token: same(401),
  insufficient_scope: same(403),
  insufficient_user_authentication: same(401),
  invalid_grant: { vendor: 403, rfc: 400 },
  unauthorized: same(401),
  unauthorized_client: { vendor: 403, rfc: 400 },
  unsupported_grant_type: { vendor: 403, rfc: 400 },
  unsupported_response_type: same(400),
  invalid_request_object: same(400),
  invalid_request_uri: same(400),
  request_not_supported: same(400),
  request_uri_not_supported: same(400),
  registration_not_supported: same(400),
  access_denied: { vendor: 403, rfc: 400 },
  authorization_pending: { vendor: 403, rfc: 400 },
  slow_down: { vendor: 429, rfc: 400 },
  expired_token: { vendor: 403, rfc: 400 },
  mfa_required: same(403),
  association_required: { vendor: 403, rfc: 400 },
  unsupported_challenge_type: { vendor: 403, rfc: 400 },
  login_required: same(403),
  unmet_authentication_requirements: same(403),
  consent_required: same(403),
  interaction_required: same(403),
  invalid_signup: same(400),
  extensibility_error: same(400),
  user_exists: same(400),
  username_exists: same(400),
  public_signup_disabled: same(400),
  invalid_password: same(400),
  password_leaked: same(401),
  'bad.client_id': same(400),
  'bad.connection': same(400),
  'bad.email': same(400),
  'bad.phone_number': same(400),
  'bad.authParams': same(400),
  'bad.request': same(400),
  invalid_user_password: same(401),
  invalid_captcha: same(400),
  requires_verification: same(403),
  too_many_attempts: same(429),
  too_many_requests: same(429),
  not_found: same(404),
  conflict: same(409),
  precondition_failed: same(412),
  method_not_allowed: same(405),
  unsupported_media_type: same(415),
  payload_too_large: same(413),
  temporarily_unavailable: same(503),
  server_error: same(500),
}

export const statusOf = ({ code, polled }: DomainError, compat: Compat): number =>
  polled && compat === 'vendor' ? 200 : STATUS[code][compat]

export type ErrorRenderer = (error: DomainError, compat: Compat) => HttpResponse

/** `{error, error_description}`, the format of OAuth endpoints. */
export const oauthJson: ErrorRenderer = (error, compat) =>
  withHeaders(
    json({ error: error.code, error_description: error.description, ...error.members }, statusOf(error, compat)),
    ...challenge(error),
    ...retry(error),
  )

/** The token endpoint: under `vendor` a failed authentication of a client that exists is `access_denied`, `Unauthorized`. */
export const tokenJson: ErrorRenderer = (error, compat) => {
  if (error.code !== 'invalid_client' || error.invariable || compat === 'rfc') return oauthJson(error, compat)
  return withHeaders(json({ error: 'access_denied', error_description: 'Unauthorized' }, 401), ...challenge(error))
}

/**
 * `{name, code, description, statusCode}`, the format of /dbconnections/*. Error codes that OAuth endpoints also use keep the
 * OAuth members as well, so a client that parses either format can read them.
 */
export const databaseJson: ErrorRenderer = (error, compat) => {
  const { code, description, members } = error
  const isOwn = DATABASE_CODES.has(code)
  const statusCode = isOwn ? 400 : statusOf(error, compat)
  const shared = isOwn ? {} : { error: code, error_description: description }
  const body = { name: 'BadRequestError', code, description, statusCode, ...shared, ...members }
  return withHeaders(json(body, statusCode), ...retry(error))
}

/** All of them have status 400 there; a leaked password at a login is 401. */
const DATABASE_CODES: ReadonlySet<ErrorCode> = new Set([
  'invalid_signup',
  'extensibility_error',
  'user_exists',
  'username_exists',
  'public_signup_disabled',
  'invalid_password',
  'password_leaked',
])

/** User-info answers an invalid token with plain text and the reason in WWW-Authenticate (RFC 6750 3). */
export const bearerText: ErrorRenderer = (error, compat) => {
  if (error.code !== 'invalid_token') return oauthJson(error, compat)
  return withHeaders(text('Unauthorized', 401), ...challenge(error))
}

/** `{statusCode, error, message, errorCode}`, the only format of /api/v2/*. */
export const apiJson: ErrorRenderer = (error) => {
  const statusCode = statusOf(error, 'vendor')
  const errorCode = API_CODES[error.code] ?? error.code
  const body = { statusCode, error: STATUS_CODES[statusCode], message: error.description, errorCode, ...error.members }
  return withHeaders(json(body, statusCode), ...challenge(error), ...retry(error))
}

const API_CODES: Partial<Record<ErrorCode, string>> = { invalid_request: 'invalid_body' }

/** `{type, status, title, detail, validation_errors}`, the only format of /me/v1/*. */
export const problemJson: ErrorRenderer = (error) => {
  const status = statusOf(error, 'vendor')
  const { number, title } = PROBLEMS[error.code] ?? { number: '0001', title: STATUS_CODES[status] ?? '' }
  const { validation_errors } = error.members
  const body = {
    type: `https://auth0.com/api-errors/A0E-${status}-${number}`,
    status,
    title,
    detail: error.description,
    ...(validation_errors === undefined ? {} : { validation_errors }),
  }
  return withHeaders(json(body, status), ...challenge(error), ...retry(error))
}

/** The vendor's numbers that its libraries compare. */
const PROBLEMS: Partial<Record<ErrorCode, { number: string; title: string }>> = {
  invalid_token: { number: '0003', title: 'Invalid Token' },
  insufficient_scope: { number: '0002', title: 'Insufficient Scope' },
}

/** An error may bring its own challenge, of another scheme. */
function challenge(error: DomainError): [string, string][] {
  if (error.headers.some(([name]) => name === 'www-authenticate')) return []
  switch (error.code) {
    case 'invalid_client':
      return [['www-authenticate', 'Basic realm="Latchkey", charset="UTF-8"']]
    case 'invalid_token':
    case 'insufficient_scope':
    case 'insufficient_user_authentication':
      return [bearerChallenge(error)]
    default:
      return []
  }
}

/** The challenge of a protected resource (RFC 6750 3), with further parameters of the refusal. */
export function bearerChallenge(
  { code, description }: Pick<DomainError, 'code' | 'description'>,
  more: Readonly<Record<string, string>> = {},
): [string, string] {
  const parameters = { realm: 'Users', error: code, error_description: description, ...more }
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return ['www-authenticate', `Bearer ${written.join(', ')}`]
}

export const retry = (error: DomainError): [string, string][] =>
  error.retryAfter === undefined ? [] : [['retry-after', String(Math.ceil(error.retryAfter))]]
