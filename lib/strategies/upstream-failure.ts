// Classifies failures of a provider by the message for the user: the provider refused, the provider failed, or the response is
// not its response to this request.
import * as client from 'openid-client'
import { UpstreamError } from '../connections/upstream/upstream'
import { CallOutError } from '../kernel/call-out'

export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = causesOf(error).find((each) => each instanceof UpstreamError)
    throw known ?? new UpstreamError(failureOf(error), reasonOf(error), error)
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

function failureOf(error: unknown): UpstreamError['failure'] {
  if (error instanceof client.AuthorizationResponseError) return REFUSALS.has(error.error) ? 'denied' : 'unreachable'
  if (error instanceof client.ResponseBodyError) return BAD_CODES.has(error.error) ? 'forged' : 'unreachable'
  return causesOf(error).some((each) => each instanceof CallOutError || NOT_DONE.has(codeOf(each)))
    ? 'unreachable'
    : 'forged'
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

/** Never includes the provider's response, which may contain a token. */
export function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError) return `the provider answered ${error.error}`
  if (error instanceof client.ResponseBodyError) return `the token endpoint answered ${error.error}`
  return causesOf(error)
    .map((each) => `${each.message} ${codeOf(each)}`.trim())
    .join(': ')
}
