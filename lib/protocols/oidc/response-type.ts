// The response types and response modes of /authorize (OAuth 2.0 Multiple Response Types; OIDC Core 3).
// - The words of response_type have no order.
// - A token is never returned in a query, whatever mode is requested (threat-model.md AZ4); the default for tokens is the
//   fragment.
// - Tokens need the grant type `implicit`, codes need `authorization_code`, and a hybrid response needs both (D1).
import type { Client } from '../../data/clients/client'
import { DomainError, missingParameter, unauthorizedClient } from '../../kernel/errors'

export const RESPONSE_TYPES = [
  'code',
  'token',
  'id_token',
  'id_token token',
  'code id_token',
  'code token',
  'code id_token token',
  'none',
] as const
export type ResponseType = (typeof RESPONSE_TYPES)[number]

export const RESPONSE_MODES = [
  'query',
  'fragment',
  'form_post',
  'web_message',
  'jwt',
  'query.jwt',
  'fragment.jwt',
  'form_post.jwt',
] as const
type RequestedMode = (typeof RESPONSE_MODES)[number]
/** `jwt` leaves the place to the response type (JARM 2.3.4). */
export type ResponseMode = Exclude<RequestedMode, 'jwt'>

type Part = 'code' | 'token' | 'id_token'

export const carries = (type: string, part: Part): boolean => type.split(' ').includes(part)

/** Accepts any value, known or not: the error for an unknown type is returned in the mode that its words would have had. */
export const carriesToken = (type: string): boolean => carries(type, 'token') || carries(type, 'id_token')

export function parseResponseType(sent: string | undefined): ResponseType {
  if (sent === undefined) throw missingParameter('response_type')
  const words = sent.split(' ').sort().join(' ')
  const known = RESPONSE_TYPES.find((type) => type === words)
  if (!known) throw new DomainError('unsupported_response_type', 'Unsupported response type')
  return known
}

/** The mode of the response. A token response with a mode of `inQuery` is refused in the fragment. */
export function modeFor(type: string, requested: RequestedMode = 'query'): ResponseMode {
  const mode = requested === 'jwt' ? 'query.jwt' : requested
  if (!carriesToken(type)) return mode
  return mode === 'query' ? 'fragment' : mode === 'query.jwt' ? 'fragment.jwt' : mode
}

/** Whether the request itself names the query, where no token may be (JARM 2.3.1). */
export const inQuery = (requested: string | undefined): boolean => requested === 'query' || requested === 'query.jwt'

export function checkAllowed(type: ResponseType, { grantTypes }: Client): void {
  const missing = grantsOf(type).find((grants) => !grants.some((grant) => grantTypes.has(grant)))
  if (missing) {
    const description = `Grant type '${missing[0]}' not allowed for the client.`
    throw unauthorizedClient(description, { reason: 'response_type_not_allowed' })
  }
}

/** The client needs one grant type of each list. */
function grantsOf(type: ResponseType): string[][] {
  if (type === 'none') return [['authorization_code', 'implicit']]
  return [...(carries(type, 'code') ? [['authorization_code']] : []), ...(carriesToken(type) ? [['implicit']] : [])]
}
