// /authorize parameters → a validated request (OIDC Core 3.1.2.1; RFC 6749 4.1.1; RFC 7636; RFC 9700). target.ts has proven the
// redirect URI before, so errors from here on are sent to the client.
// Unknown parameters are ignored, and stored for a provider behind the connection (parameters.ts).
import type { Api } from '../../data/apis/api'
import { type Client, mustSign } from '../../data/clients/client'
import {
  DomainError,
  invalidRequest,
  malformedParameter,
  missingParameter,
  unauthorizedClient,
} from '../../kernel/errors'
import type { Parameters } from '../../kernel/parameters'
import { digest } from '../../kernel/secret'
import type { OidcPrompt, Wants } from '../../login/transaction'
import type { NamedClaims } from '../../tokens/family'
import { needsProof } from '../../tokens/proof-of-possession'
import { parseChallenge } from '../oauth/pkce'
import { droppedScopes, grantableScopes, parseScope } from '../oauth/scope'
import { type AcrClaim, parseClaims } from './claims-parameter'
import { extraOf, repeatableOf } from './parameters'
import { carries, carriesToken, checkAllowed, inQuery, parseResponseType, type ResponseType } from './response-type'
import type { ReturnTo } from './target'

/** Stored with the login transaction: everything that the response needs, and the parameters that restart the request. */
export type AuthorizeRequest = ReturnTo & {
  responseType: ResponseType
  nonce: string | null
  codeChallenge: string | null
  claims: NamedClaims | null
  /** Whether the ID token contains `auth_time`. Stored under this name. */
  tellAuthTime: boolean
  /** The acceptable values of `acr`, any if empty; missing where the request does not ask for it. */
  acr?: string[]
  parameters: Record<string, string>
  /** The request was pushed or signed, or has an invitation, which is not stored: an address cannot restart it. */
  pushed?: boolean
}

export type Parsed = { request: AuthorizeRequest; wants: Wants }

/** `hinted` is the user of a verified id_token_hint. */
export function parseRequest(
  parameters: Parameters,
  { client, returnTo }: { client: Client; returnTo: ReturnTo },
  api: Api | null,
  hinted: string | null,
): Parsed {
  refuseUnsupported(parameters)
  const responseType = parseResponseType(parameters.response_type)
  if (client.profile === 'fapi2') checkFapi2(parameters, responseType)
  checkAllowed(responseType, client)
  if (carriesToken(responseType) && inQuery(parameters.response_mode)) {
    throw malformedParameter('response_mode', `response_mode=${parameters.response_mode} cannot carry a token`)
  }
  checkKey(parameters.dpop_jkt)
  if (carries(responseType, 'token') && needsProof(client, api)) {
    throw invalidRequest('An access token that must be bound to a key is returned by /oauth/token only')
  }
  const requested = requestedScopes(parameters, responseType)
  const scopes = grantableScopes(requested, client, api)
  const dropped = droppedScopes(requested, client, api)
  if (carries(responseType, 'id_token')) checkIdTokenRequest(parameters, scopes)
  const claims = parseClaims(parameters.claims)
  const prompt = parsePrompt(parameters.prompt)
  const maxAge = parseMaxAge(parameters.max_age) ?? client.settings.default_max_age ?? null
  const extra = extraOf(parameters)
  const acr = acrRequest(parameters, claims.acr, client)
  return {
    request: {
      ...returnTo,
      responseType,
      nonce: parameters.nonce ?? null,
      codeChallenge: carries(responseType, 'code') ? challengeOf(parameters, client) : null,
      claims: claims.named,
      tellAuthTime:
        maxAge !== null || prompt.includes('login') || claims.authTime || client.settings.require_auth_time === true,
      ...(acr.isRequested ? { acr: acr.essential ?? acr.values } : {}),
      parameters: repeatableOf(parameters),
      ...(parameters.invitation === undefined ? {} : { pushed: true }),
    },
    wants: {
      clientId: client.clientId,
      redirectUri: returnTo.redirectUri,
      scopes,
      audience: api?.identifier ?? null,
      prompt: anew(prompt),
      maxAge,
      acrValues: acr.values,
      ...(acr.essential === undefined ? {} : { essentialAcr: acr.essential }),
      connection: parameters.connection ?? null,
      loginHint: shortened(parameters.login_hint, 320),
      subject: agreedSubject(hinted, claims.subject),
      screenHint: prompt.includes('create') ? 'signup' : (parameters.screen_hint ?? null),
      uiLocales: shortened(parameters.ui_locales, 200),
      organization: parameters.organization ?? null,
      ...(parameters.invitation === undefined ? {} : { invitation: ticketOf(parameters.invitation) }),
      ...(claims.scopes.length > 0 ? { claimScopes: claims.scopes } : {}),
      ...(dropped === null ? {} : { dropped }),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  }
}

/**
 * `acr_values` makes a voluntary request of it, a claim with `essential` a requirement (OIDC Core 3.1.2.1, 5.5.1.1). Either replaces the
 * registered default.
 */
function acrRequest({ acr_values }: Parameters, claim: AcrClaim | null, { settings }: Client) {
  const defaults = acr_values === undefined && claim === null ? (settings.default_acr_values ?? []) : []
  return {
    isRequested: acr_values !== undefined || claim !== null || defaults.length > 0,
    values: [...words(acr_values), ...(claim?.values ?? []), ...defaults],
    essential: claim?.essential ? claim.values : undefined,
  }
}

const ticketOf = (invitation: string): string => digest(invitation).toString('base64url')

function agreedSubject(hinted: string | null, requested: string | null): string | null {
  if (hinted !== null && requested !== null && hinted !== requested) {
    throw invalidRequest('id_token_hint and claims name different users', { reason: 'other_person_expected' })
  }
  return hinted ?? requested
}

/** The cut may split a surrogate pair, and a lone surrogate cannot be stored. */
const shortened = (value: string | undefined, most: number): string | null =>
  value?.slice(0, most).toWellFormed() ?? null

/** A request without a signature is unsigned; a client that must sign is refused (RFC 9101 10.5). */
export function checkNeedNotSign(client: Client): void {
  if (mustSign(client)) throw invalidRequest('This client must sign its requests', { reason: 'request_not_signed' })
}

/**
 * Signed request objects were verified before (request-object.ts). Others are refused as OIDC Core 6 says, and never fetched
 * (AZ8).
 */
function refuseUnsupported({ request, request_uri, registration, authorization_details }: Parameters): void {
  if (request !== undefined)
    throw new DomainError('request_not_supported', 'Unsigned request objects are not supported')
  if (request_uri !== undefined) throw new DomainError('request_uri_not_supported', 'request_uri is not supported')
  if (registration !== undefined) throw new DomainError('registration_not_supported', 'registration is not supported')
  // A token without the details would permit more than was asked for (RFC 9396 5).
  if (authorization_details !== undefined)
    throw malformedParameter('authorization_details', 'authorization_details are not supported')
}

/** A refresh token is issued with a code only. */
function requestedScopes({ scope }: Parameters, type: ResponseType): string[] {
  const requested = parseScope(scope)
  if (requested.includes('online_access') && requested.includes('offline_access')) {
    throw malformedParameter('scope', 'Cannot request both online_access and offline_access scopes')
  }
  return requested.filter((name) => name !== 'offline_access' || carries(type, 'code'))
}

/**
 * An ID token returned through the front channel is bound to this request by its nonce (OIDC Core 3.2.2.1; threat-model.md AZ6).
 */
function checkIdTokenRequest({ nonce }: Parameters, scopes: readonly string[]): void {
  if (nonce === undefined) throw missingParameter('nonce')
  if (!scopes.includes('openid')) throw malformedParameter('scope', 'An ID token needs the scope openid')
}

/** FAPI 2.0 5.3.2.2: `code` alone, with PKCE, to an address that the request names. */
function checkFapi2({ redirect_uri, code_challenge }: Parameters, type: ResponseType): void {
  if (type !== 'code')
    throw unauthorizedClient('This client may use response_type=code only', { reason: 'fapi2_required' })
  if (redirect_uri === undefined) throw missingParameter('redirect_uri')
  if (code_challenge === undefined) throw missingParameter('code_challenge')
}

/** The thumbprint of the key that the code will be bound to (RFC 9449 10). */
function checkKey(thumbprint: string | undefined): void {
  if (thumbprint !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(thumbprint)) throw malformedParameter('dpop_jkt')
}

const challengeOf = ({ code_challenge, code_challenge_method }: Parameters, { isPublic }: Client): string | null =>
  parseChallenge(code_challenge, code_challenge_method, isPublic)

export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const

function parsePrompt(sent: string | undefined): (typeof PROMPTS)[number][] {
  const requested = words(sent)
  const known = PROMPTS.filter((prompt) => requested.includes(prompt))
  if (known.length !== new Set(requested).size) throw malformedParameter('prompt')
  if (known.includes('none') && known.length > 1) throw malformedParameter('prompt', 'prompt=none cannot be combined')
  return known
}

/** A new account (Initiating User Registration 1.0) is a new login that starts with the sign-up page. */
const anew = (prompt: readonly (typeof PROMPTS)[number][]): OidcPrompt[] => [
  ...new Set(prompt.map((each) => (each === 'create' ? 'login' : each))),
]

function parseMaxAge(sent: string | undefined): number | null {
  if (sent === undefined || sent === '') return null
  if (!/^\d{1,9}$/.test(sent)) throw malformedParameter('max_age')
  return Number(sent)
}

const words = (value: string | undefined): string[] => (value ?? '').split(' ').filter((word) => word !== '')
