// The catalogue of refusals. Code throws meaning; lib/http/render-errors.ts gives it a status and a body.
// - `description` may be shown to a stranger; it never holds a secret, a stack or a value that was not sent.
// - `detail` and `cause` go to the log only.
// - An error that is not `redirectable` is shown on our own page whatever the protocol says.

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'insufficient_user_authentication'
  | 'unauthorized'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_request_object'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'mfa_required'
  | 'association_required'
  | 'unsupported_challenge_type'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'invalid_signup'
  | 'extensibility_error'
  | 'user_exists'
  | 'username_exists'
  | 'public_signup_disabled'
  | 'invalid_password'
  | 'password_leaked'
  | 'bad.client_id'
  | 'bad.connection'
  | 'bad.email'
  | 'bad.phone_number'
  | 'bad.authParams'
  | 'bad.request'
  | 'invalid_user_password'
  | 'too_many_attempts'
  | 'too_many_requests'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'temporarily_unavailable'
  | 'server_error'

export type ErrorOptions = {
  detail?: string
  cause?: unknown
  redirectable?: boolean
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
  /** It answers a poll of an out-of-band challenge, which the contract gives status 200. */
  polled?: boolean
  /** Further members of its JSON, such as `error_uri`; shown to a stranger like the description. */
  members?: Readonly<Record<string, unknown>>
  /** Headers that belong to the refusal whatever its format, such as a rate limit's. */
  headers?: [string, string][]
  /** Which page of the error catalogue explains it to a person. */
  page?: { code: string; values?: Record<string, string>; back?: string; restartUrl?: string }
}

/** The doors are bundled apart, so one process may hold two copies of this module: errors are known by mark, not by class. */
const MARK = Symbol.for('latchkey.DomainError')

export class DomainError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value
  }

  readonly [MARK] = true
  readonly detail: string | undefined
  readonly redirectable: boolean
  readonly retryAfter: number | undefined
  readonly polled: boolean
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: [string, string][]
  readonly page: ErrorOptions['page']

  constructor(
    readonly code: ErrorCode,
    readonly description: string,
    options: ErrorOptions = {},
  ) {
    super(options.detail ?? description, { cause: options.cause })
    this.name = 'DomainError'
    this.detail = options.detail
    this.redirectable = options.redirectable ?? true
    this.retryAfter = options.retryAfter
    this.polled = options.polled ?? false
    this.members = options.members ?? {}
    this.headers = options.headers ?? []
    this.page = options.page
  }
}

type Refusal = (description: string, options?: ErrorOptions) => DomainError
const refusal =
  (code: ErrorCode): Refusal =>
  (description, options) =>
    new DomainError(code, description, options)

export const invalidRequest = refusal('invalid_request')
export const invalidGrant = refusal('invalid_grant')
export const unauthorizedClient = refusal('unauthorized_client')
export const accessDenied = refusal('access_denied')
export const notFound = refusal('not_found')
export const temporarilyUnavailable = refusal('temporarily_unavailable')

/** Wrong secret, unknown client, wrong method: one answer for all of them. */
export const invalidClient = (detail: string): DomainError =>
  new DomainError('invalid_client', 'Unauthorized', { detail })

export const invalidToken = (description: string, detail?: string): DomainError =>
  new DomainError('invalid_token', description, detail === undefined ? {} : { detail })

export const insufficientScope = (scope: string): DomainError =>
  new DomainError('insufficient_scope', `The token lacks the scope ${scope}`)

export const missingParameter = (name: string): DomainError => invalidRequest(`Missing required parameter: ${name}`)

/** After too many failures (the vendor's sentence): the same whether the account exists, and whatever was sent this time. */
export const tooManyAttempts = (): DomainError =>
  new DomainError(
    'too_many_attempts',
    "Your account has been blocked after multiple consecutive login attempts. We've sent you an email with instructions on how to unblock it.",
  )

/** After too many wrong codes at one address or from one network. */
export const tooManyCodes = (): DomainError =>
  new DomainError('too_many_attempts', 'Too many wrong verification codes. Try again later.', { retryAfter: 3600 })

/** Said only to whoever knew the password. */
export const unverifiedAddress = (): DomainError => accessDenied('Please verify your email before logging in.')

/** A redirect target that is not registered: never redirected, always our own page. */
export const untrustedRedirect = (page: string, description: string, values: Record<string, string>): DomainError =>
  new DomainError('invalid_request', description, { redirectable: false, page: { code: page, values } })

/** Anything else that was thrown, kept for the log and hidden from the caller. */
export const asDomainError = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('server_error', 'The server met an unexpected condition', { cause: error, redirectable: false })
