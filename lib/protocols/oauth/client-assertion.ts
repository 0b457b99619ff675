// `private_key_jwt`: a client authenticates with a JWT that it signed (RFC 7523 2.2 and 3, OIDC Core 9).
// - `iss` and `sub` are the client. `aud` is the issuer, the token endpoint or the called endpoint, and nothing else; of a client
//   with the profile `fapi2` it is the issuer as a string (FAPI 2.0 5.3.2.1).
// - It lives five minutes at most, and its `jti` is accepted once, by one SQL statement (threat-model.md CO4).
// - Every failure has the answer of a wrong secret. A signature is verified even for an unknown client, so timing tells nothing.
// - The `jti` is recorded last, so a forged assertion cannot use it up.
import { createPublicKey } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { readUnverified, SKEW_SECONDS, type Unverified, verifyClientJwt } from '../../crypto/keys/client-jwt'
import type { Keyring } from '../../crypto/keys/keyring'
import type { Trail } from '../../data/audit/trail'
import type { Client, ClientPort } from '../../data/clients/client'
import { assertionKeys, keysFor } from '../../data/clients/credentials'
import { type ClientKeySets, withPublished } from '../../data/clients/key-sets'
import { claimName, type TicketPort } from '../../data/tickets/ticket'
import type { HttpRequest } from '../../http/message'
import { addSeconds, type Clock, epochSeconds } from '../../kernel/clock'
import { invalidClient, invalidRequest, unknownClient } from '../../kernel/errors'
import { isStorable } from '../../kernel/json'
import type { Parameters } from '../../kernel/parameters'

export type AssertionDeps = {
  clients: Pick<ClientPort, 'find'>
  trail: Trail
  tickets: Pick<TicketPort, 'claim'>
  clock: Clock
  keyring: Pick<Keyring, 'current'>
  keySets: ClientKeySets
  baseUrl: string
}

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const MAX_LIFETIME = 300
const MAX_JTI_LENGTH = 255
/** A JWT of another type, such as a request object, is not an assertion (RFC 8725 3.11). */
const TOKEN_TYPES = ['jwt', 'client-authentication+jwt']

export async function authenticateByAssertion(
  request: HttpRequest,
  parameters: Parameters,
  deps: AssertionDeps,
): Promise<Client> {
  const { token, unverified, clientId } = readAssertion(request, parameters)
  const client = await deps.clients.find(clientId)
  if (client) deps.trail.context({ client })
  const now = deps.clock.now()
  const signs = client?.authMethods.has('private_key_jwt') ? client : null
  const registered = signs && (await withPublished(unverified.header, assertionKeys(signs.settings), deps))
  const keys = registered ? keysFor(unverified.header, registered, now) : []
  const verified = await verifyClientJwt(token, keys.length > 0 ? keys : [decoy(deps)], now)
  if (!client) throw unknownClient(clientId)
  if (!client.authMethods.has('private_key_jwt')) {
    throw invalidClient('wrong_auth_method', `registered for ${client.authMethod}, sent private_key_jwt`)
  }
  if (keys.length === 0) throw invalidClient('assertion_invalid', 'assertion: no key of the client fits')
  if ('problem' in verified) throw invalidClient('assertion_invalid', `assertion: ${verified.problem}`)
  checkAudience(verified.claims, client, request, deps)
  const { jti, until } = checkClaims(verified.claims, clientId, now)
  const isFirst = await claimName('client-assertion', JSON.stringify([deps.baseUrl, clientId, jti]), until, deps)
  if (!isFirst) throw invalidClient('assertion_invalid', 'assertion: used before')
  return client
}

type Assertion = { token: string; unverified: Unverified; clientId: string }

function readAssertion(request: HttpRequest, parameters: Parameters): Assertion {
  const { client_assertion: token, client_assertion_type: type, client_id, client_secret } = parameters
  const basic = /^Basic /i.test(request.headers.authorization ?? '')
  if (client_secret !== undefined || basic)
    throw invalidRequest('More than one client authentication method was used', { reason: 'credentials_misplaced' })
  if (type !== TYPE) throw invalidClient('assertion_invalid', 'unknown client_assertion_type')
  const unverified = token === undefined ? null : readUnverified(token)
  if (token === undefined || !unverified)
    throw invalidClient('assertion_invalid', 'no client_assertion that can be read')
  if (!isAssertionType(unverified.header.typ)) throw invalidClient('assertion_invalid', 'assertion: of another kind')
  const { sub } = unverified.claims
  if (typeof sub !== 'string' || !isStorable(sub)) throw invalidClient('assertion_invalid', 'assertion: no sub')
  if (client_id !== undefined && client_id !== sub)
    throw invalidClient('assertion_invalid', 'assertion: of another client')
  return { token, unverified, clientId: sub }
}

const isAssertionType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && TOKEN_TYPES.includes(typ.toLowerCase()))

/** Equalizes the work for a client without keys; the result is ignored. */
const decoy = ({ keyring }: AssertionDeps) => createPublicKey(keyring.current.privateKey)

/** The issuer first. */
const audiences = ({ path }: HttpRequest, { baseUrl }: AssertionDeps): string[] => [
  `${baseUrl}/`,
  `${baseUrl}/oauth/token`,
  `${baseUrl}${path}`,
]

function checkAudience({ aud }: JWTPayload, { profile }: Client, request: HttpRequest, deps: AssertionDeps): void {
  const accepted = audiences(request, deps)
  const given = [aud].flat()
  const isOurs =
    profile === 'fapi2'
      ? aud === accepted[0]
      : given.length > 0 && given.every((each) => each !== undefined && accepted.includes(each))
  if (!isOurs) throw invalidClient('assertion_invalid', 'assertion: for another audience')
}

function checkClaims({ iss, exp, iat, jti }: JWTPayload, clientId: string, now: Date) {
  if (iss !== clientId) throw invalidClient('assertion_invalid', 'assertion: iss is not the client')
  if (exp === undefined) throw invalidClient('assertion_invalid', 'assertion: no exp')
  const begin = Math.min(iat ?? Number.POSITIVE_INFINITY, epochSeconds(addSeconds(now, SKEW_SECONDS)))
  if (exp - begin > MAX_LIFETIME) throw invalidClient('assertion_invalid', 'assertion: lives too long')
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
    throw invalidClient('assertion_invalid', 'assertion: no jti')
  return { jti, until: new Date(exp * 1000) }
}
