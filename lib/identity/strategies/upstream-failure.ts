// Classifies failures of a provider by the message for the user: the provider refused, the provider failed, or the response is
// not its response to this request.
import * as client from 'openid-client'
import { UpstreamError } from '../../data/connections/upstream/upstream'
import { objectIn } from '../../kernel/json'
import type { Reason } from '../../kernel/reasons'

export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = causesOf(error).find((each) => each instanceof UpstreamError)
    throw known ?? new UpstreamError(failureOf(error), reasonOf(error), { cause: error, reason: unfitReason(error) })
  }
}

/** Codes of openid-client for a failing server; every other code means that the response is not valid for this request. */
const NOT_DONE = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
])

/** The code was not issued to this request, or was used: RFC 6749 5.2, GitHub. */
const BAD_CODES = new Set(['invalid_grant', 'bad_verification_code'])

/** The provider's error codes for a user who declines: RFC 6749 4.1.2.1, Apple, LinkedIn. */
const REFUSALS = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'])

/** The claims of an ID token that can be wrong in the provider's own answer: a clock, or an entry of the connection. */
const UNFIT_CLAIMS: ReadonlyMap<string, Reason> = new Map([
  ['exp', 'upstream_expired'],
  ['nbf', 'upstream_early'],
  ['iat', 'upstream_early'],
  ['aud', 'upstream_audience'],
  ['iss', 'upstream_issuer'],
])

function failureOf(error: unknown): UpstreamError['failure'] {
  if (error instanceof client.AuthorizationResponseError) return REFUSALS.has(error.error) ? 'denied' : 'unreachable'
  if (error instanceof client.ResponseBodyError) return BAD_CODES.has(error.error) ? 'forged' : 'unreachable'
  if (causesOf(error).some((each) => NOT_DONE.has(codeOf(each)))) return 'unreachable'
  return judgedClaim(error) ? 'unfit' : 'forged'
}

type Judged = { claim: string; actual: unknown; expected: unknown }

/** What openid-client says of a claim that it did not accept: beside its own message, what was there and what was expected. */
function judgedClaim(error: unknown): Judged | null {
  for (const { cause } of causesOf(error)) {
    const { claim, claims, expected, now } = objectIn(cause)
    if (typeof claim === 'string' && UNFIT_CLAIMS.has(claim))
      return { claim, actual: objectIn(claims)[claim], expected: expected ?? now }
  }
  return null
}

const unfitReason = (error: unknown): Reason | undefined => UNFIT_CLAIMS.get(judgedClaim(error)?.claim ?? '')

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

/** Never includes the provider's response, which may contain a token. */
export function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError) return `the provider answered ${error.error}`
  if (error instanceof client.ResponseBodyError) return `the token endpoint answered ${error.error}`
  const causes = causesOf(error)
  const known = causes.find((each) => each instanceof UpstreamError)
  if (known) return known.message
  const judged = judgedClaim(error)
  return [
    ...causes.map((each) => `${each.message} ${codeOf(each)}`.trim()).filter((text) => text !== ''),
    ...(judged ? [`${judged.claim} is ${shown(judged.actual)}, expected ${shown(judged.expected)}`] : []),
  ].join(': ')
}

const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, 200)
