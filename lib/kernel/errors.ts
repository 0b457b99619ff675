// The catalogue of refusals. Code throws a meaning; lib/http/render-errors.ts maps it to a status and a body.
// - `description` may be shown to anyone: it holds no secret, no stack, and no value that the caller did not send.
// - `reason`, `detail` and `cause` are for the log only (reasons.ts). Where the code alone says nothing, a reason must be given.
// - An error that is not `redirectable` is shown on our own page, whatever the protocol says.
import type { Reason } from './reasons'

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

/** What is wrong with a member of what was sent, for those who show it beside that member. */
export type MemberProblem = {
  /** `options.icon_url`; null for a problem with all of it. */
  path: string | null
  message: string
  /** The member is required and absent. */
  isMissing?: true
  /** The part of the object that the path is in. */
  within?: string
}

export type ErrorOptions = {
  problem?: MemberProblem
  /** Why, for the log; the default is the code. */
  reason?: Reason
  /** For the log: the parameter, header or member of the body that is missing or malformed. */
  parameter?: string
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
  readonly reason: Reason
  readonly parameter: string | undefined
  readonly detail: string | undefined
  readonly redirectable: boolean
  readonly retryAfter: number | undefined
  readonly polled: boolean
  readonly invariable: boolean
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: [string, string][]
  readonly page: ErrorOptions['page']
  readonly problem: MemberProblem | undefined

  constructor(
    readonly code: ErrorCode,
    readonly description: string,
    options: ErrorOptions = {},
  ) {
    super(options.detail ?? description, { cause: options.cause })
    this.name = 'DomainError'
    this.reason = options.reason ?? code
    this.parameter = options.parameter
    this.detail = options.detail
    this.redirectable = options.redirectable ?? true
    this.retryAfter = options.retryAfter
    this.polled = options.polled ?? false
    this.invariable = options.invariable ?? false
    this.members = options.members ?? {}
    this.headers = options.headers ?? []
    this.page = options.page
    this.problem = options.problem
  }
}

type Refusal<Options> = (description: string, options: Options) => DomainError
const refusal =
  (code: ErrorCode): ((description: string, options?: ErrorOptions) => DomainError) =>
  (description, options) =>
    new DomainError(code, description, options)

/** The sentence or the code of these says what is wrong. */
export const invalidRequest = refusal('invalid_request')
export const notFound = refusal('not_found')
export const temporarilyUnavailable = refusal('temporarily_unavailable')
export const invalidToken = refusal('invalid_token')

/** These stand for many causes, so each names its own. */
export const invalidGrant: Refusal<Explained> = refusal('invalid_grant')
export const unauthorizedClient: Refusal<Explained> = refusal('unauthorized_client')
export const accessDenied: Refusal<Explained> = refusal('access_denied')

export type Explained = ErrorOptions & { reason: Reason }

/** One answer for a wrong secret and a wrong method. */
export const invalidClient = (reason: Reason, detail: string): DomainError =>
  new DomainError('invalid_client', 'Unauthorized', { reason, detail })

/** A client registers itself again when its id is answered with this code, so the code never differs. Ids of clients are public. */
export const unknownClient = (clientId: string): DomainError =>
  new DomainError('invalid_client', 'Unauthorized', {
    reason: 'unknown_client',
    detail: `unknown client: ${clientId}`,
    invariable: true,
  })

export const insufficientScope = (scope: string): DomainError =>
  new DomainError('insufficient_scope', `The token lacks the scope ${scope}`)

export const missingParameter = (name: string): DomainError =>
  invalidRequest(`Missing required parameter: ${name}`, { reason: 'parameter_missing', parameter: name })

export const malformedParameter = (
  name: string,
  description = `Invalid parameter: ${name}`,
  options: ErrorOptions = {},
): DomainError => invalidRequest(description, { ...options, reason: 'parameter_malformed', parameter: name })

/** After too many failures, in the vendor's words: the same for unknown accounts and for a right password. */
export const tooManyAttempts = (): DomainError =>
  new DomainError(
    'too_many_attempts',
    "Your account has been blocked after multiple consecutive login attempts. We've sent you an email with instructions on how to unblock it.",
    { reason: 'account_locked' },
  )

/** After too many wrong codes at one address or from one network. */
export const tooManyCodes = (): DomainError =>
  new DomainError('too_many_attempts', 'Too many wrong verification codes. Try again later.', {
    reason: 'too_many_codes',
    retryAfter: 3600,
  })

/** Shown only after a right password. */
export const leakedPassword = (): DomainError =>
  new DomainError('password_leaked', 'This password is known from a data breach at another site. Choose a new one.', {
    reason: 'leaked_password',
  })

/** Shown only after a right password. */
export const unverifiedAddress = (): DomainError =>
  accessDenied('Please verify your email before logging in.', { reason: 'address_unverified' })

/** An unregistered redirect target: always our own page, never a redirect. */
export const untrustedRedirect = (
  page: string,
  description: string,
  values: Record<string, string>,
  options: Explained,
): DomainError =>
  new DomainError('invalid_request', description, { ...options, redirectable: false, page: { code: page, values } })

/** The request names an application that does not exist. */
export const unknownClientPage = (name: string, values: Record<string, string> = { client_id: name }): DomainError =>
  untrustedRedirect('unknown_client', `Unknown client: ${name}`, values, { reason: 'unknown_client' })

/** Wraps any other thrown value: kept for the log, hidden from the caller. */
export const asDomainError = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('server_error', 'The server met an unexpected condition', { cause: error, redirectable: false })
