// The catalogue of refusals. Code throws a meaning; lib/http/render-errors.ts maps it to a status and a body.
// - `description` may be shown to anyone: it holds no secret, no stack, and no value that the caller did not send.
// - `detail` and `cause` are for the log only.
// - An error that is not `redirectable` is shown on our own page, whatever the protocol says.

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'insufficient_user_authentication'
  | 'unauthorized'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_request_object'
  | 'invalid_request_uri'
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
  | 'unmet_authentication_requirements'
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
  | 'invalid_captcha'
  | 'requires_verification'
  | 'too_many_attempts'
  | 'too_many_requests'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'temporarily_unavailable'
  | 'server_error'

export type ErrorOptions = {
  detail?: string
  cause?: unknown
  redirectable?: boolean
  /** Seconds after which a retry makes sense. */
  retryAfter?: number
  /** The answer to a poll of an out-of-band challenge, which the contract gives status 200. */
  polled?: boolean
  /** The code is the same under every setting of `compat.errors`. */
  invariable?: boolean
  /** Further JSON members such as `error_uri`; public like the description. */
  members?: Readonly<Record<string, unknown>>
  /** Headers of the refusal in every format, such as those of a rate limit. */
  headers?: [string, string][]
  /** Which text of the error page explains it to a person. */
  page?: {
    code: string
    link?: string
    values?: Record<string, string>
    restartUrl?: string
    /** Where a navigation is led in place of the page. */
    elsewhere?: string
  }
}

/** The adapters are bundled separately, so one process may hold two copies of this module: errors carry a mark, not a class. */
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
  readonly invariable: boolean
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
    this.invariable = options.invariable ?? false
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

/** One answer for a wrong secret and a wrong method. */
export const invalidClient = (detail: string): DomainError =>
  new DomainError('invalid_client', 'Unauthorized', { detail })

/** A client registers itself again when its id is answered with this code, so the code never differs. Ids of clients are public. */
export const unknownClient = (): DomainError =>
  new DomainError('invalid_client', 'Unauthorized', { detail: 'unknown client', invariable: true })

export const invalidToken = (description: string, detail?: string): DomainError =>
  new DomainError('invalid_token', description, detail === undefined ? {} : { detail })

export const insufficientScope = (scope: string): DomainError =>
  new DomainError('insufficient_scope', `The token lacks the scope ${scope}`)

export const missingParameter = (name: string): DomainError => invalidRequest(`Missing required parameter: ${name}`)

/** After too many failures, in the vendor's words: the same for unknown accounts and for a right password. */
export const tooManyAttempts = (): DomainError =>
  new DomainError(
    'too_many_attempts',
    "Your account has been blocked after multiple consecutive login attempts. We've sent you an email with instructions on how to unblock it.",
  )

/** After too many wrong codes at one address or from one network. */
export const tooManyCodes = (): DomainError =>
  new DomainError('too_many_attempts', 'Too many wrong verification codes. Try again later.', { retryAfter: 3600 })

/** Shown only after a right password. */
export const leakedPassword = (): DomainError =>
  new DomainError('password_leaked', 'This password is known from a data breach at another site. Choose a new one.')

/** Shown only after a right password. */
export const unverifiedAddress = (): DomainError => accessDenied('Please verify your email before logging in.')

/** An unregistered redirect target: always our own page, never a redirect. */
export const untrustedRedirect = (page: string, description: string, values: Record<string, string>): DomainError =>
  new DomainError('invalid_request', description, { redirectable: false, page: { code: page, values } })

/** Wraps any other thrown value: kept for the log, hidden from the caller. */
export const asDomainError = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('server_error', 'The server met an unexpected condition', { cause: error, redirectable: false })
