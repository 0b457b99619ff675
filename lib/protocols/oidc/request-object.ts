// Signed request objects (RFC 9101), by value or fetched (request-uri.ts): verifies that the client signed the request, and returns its parameters.
// - The signature is by a registered key of the client. `iss` and `client_id` name the client, `aud` is or contains this server,
//   and times that are present must hold. Unsigned, encrypted and nested request objects are refused (AZ8).
// - Of a client with `require_signed_request_object`, `nbf` and `exp` are demanded, at most an hour apart.
// - Other parameters in the address are ignored, except `client_id`, which identifies the client.
// - An invalid request object is reported on a page of this server: until verification its redirect URI is not proven. At
//   /authorize a request object with `alg: none`, of a client that need not sign, is not supported (OIDC Core 6.1) and gets the
//   error of other unsupported features; elsewhere it is invalid.
import type { JWTPayload } from 'jose'
import { readUnverified, verifyClientJwt } from '../../crypto/keys/client-jwt'
import { type Client, mustSign } from '../../data/clients/client'
import { keysFor, requestKeys } from '../../data/clients/credentials'
import { type ClientKeySets, withPublished } from '../../data/clients/key-sets'
import type { Clock } from '../../kernel/clock'
import { DomainError } from '../../kernel/errors'
import { isStorable } from '../../kernel/json'
import type { Parameters } from '../../kernel/parameters'

export type RequestObjectDeps = { issuer: string; clock: Clock; keySets: ClientKeySets }

const TOKEN_TYPES = ['jwt', 'oauth-authz-req+jwt']

/** The parameters; null for an unsigned request object, whose content is not read. */
export async function openRequestObject(
  { request = '', request_uri }: Parameters,
  client: Client,
  deps: RequestObjectDeps,
): Promise<Parameters | null> {
  const unverified = readUnverified(request)
  if (unverified?.header.alg === 'none') {
    if (mustSign(client)) throw unsignedRequest()
    return null
  }
  if (request_uri !== undefined) throw invalid('beside a request_uri')
  if (!unverified || !isRequestType(unverified.header.typ)) throw invalid('no request object')
  const now = deps.clock.now()
  const registered = await withPublished(unverified.header, requestKeys(client.settings), deps)
  const keys = keysFor(unverified.header, registered, now)
  const verified = await verifyClientJwt(request, keys, now)
  if ('problem' in verified) throw invalid(verified.problem)
  checkClaims(verified.claims, client, deps.issuer)
  if (client.settings.require_signed_request_object) checkLifetime(verified.claims)
  return { ...parametersIn(verified.claims), client_id: client.clientId }
}

const invalid = (detail: string): DomainError =>
  new DomainError('invalid_request_object', 'The request object is not valid', { detail, redirectable: false })

export const unsignedRequest = (): DomainError => invalid('not signed')

const isRequestType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && TOKEN_TYPES.includes(typ.toLowerCase()))

/** A request object whose subject is the client could pass as a client assertion (RFC 9101 10.8). */
function checkClaims({ iss, sub, aud, ...rest }: JWTPayload, { clientId }: Client, issuer: string): void {
  if (iss !== clientId) throw invalid('iss is not the client')
  if (rest.client_id !== clientId) throw invalid('client_id is not that of the client')
  if (sub === clientId) throw invalid('an assertion')
  if (![aud].flat().includes(issuer)) throw invalid('for another audience')
  if (rest.request !== undefined || rest.request_uri !== undefined) throw invalid('holds another')
}

const MAX_LIFETIME_SECONDS = 3600

/**
 * FAPI 2.0 Message Signing 5.3.1. `exp` is ahead, which was verified with the signature, so `nbf` is at most an hour ago.
 */
function checkLifetime({ nbf, exp }: JWTPayload): void {
  if (nbf === undefined || exp === undefined) throw invalid('nbf or exp is missing')
  if (exp - nbf > MAX_LIFETIME_SECONDS) throw invalid('valid for more than an hour')
}

const OF_THE_TOKEN = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'])

function parametersIn(claims: JWTPayload): Parameters {
  const sent = Object.entries(claims).filter(
    ([name, value]) => !OF_THE_TOKEN.has(name) && value !== null && value !== '',
  )
  return Object.fromEntries(sent.map(([name, value]) => [storable(name), storable(textOf(value))]))
}

/**
 * In a request object `max_age` is a number and `claims` is an object (RFC 9101 4). Parsing JSON has no depth limit; writing it
 * is limited by the stack.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    throw invalid('nested too deeply')
  }
}

function storable(text: string): string {
  if (isStorable(text)) return text
  throw invalid('text that cannot be stored')
}
