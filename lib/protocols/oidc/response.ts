// The response to /authorize: what the response type names, or an error, in the requested response mode (OAuth 2.0 Multiple
// Response Types; Form Post Response Mode; RFC 9207: `iss` in every response; `state` is returned byte for byte). The modes that end in
// `jwt` put all of it into one signed JWT (JARM).
// - The ReturnTo has been proven by target.ts.
// - A code and the tokens of the same request belong to one token family: revoking the family revokes all of them (CO2).

import { signJwt } from '../../crypto/keys/jwt'
import type { Client, ClientPort } from '../../data/clients/client'
import { acrOf } from '../../identity/mfa/acr'
import type { RequestDescription } from '../../identity/tenant-code/events'
import { type Clock, epochSeconds } from '../../kernel/clock'
import type { DomainError } from '../../kernel/errors'
import { originOf } from '../../kernel/origin'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { hasMfa } from '../../login/flow/mfa-evidence'
import type { LoginOutcome, LoginProtocol, Restart } from '../../login/transaction'
import type { VisitorResponse } from '../../login/visitor-response'
import { type AuthorizationCode, writeCode } from '../../tokens/authorization-code'
import { newFamily } from '../../tokens/birth'
import { proofOf } from '../../tokens/family'
import { type FrontChannelDeps, issueInFront, sessionEnded } from './front-channel'
import type { AuthorizeRequest } from './request'
import { carries, carriesToken } from './response-type'
import type { ReturnTo } from './target'

export type OidcDeps = FrontChannelDeps & {
  issuer: string
  baseUrl: string
  clients: ClientPort
  clock: Clock
  random: Random
  vault: Vault
}

export const oidcProtocol = (deps: OidcDeps): LoginProtocol => ({
  respond: (request, outcome) => answer(request as AuthorizeRequest, outcome, deps),
  refuse: (request, error) => refuse(request as AuthorizeRequest, error, deps),
  describe: (request) => describe(request as AuthorizeRequest),
  restart: (request) => restart(request as AuthorizeRequest, deps),
})

function describe({
  responseType,
  responseMode,
  redirectUri,
  state,
  parameters,
}: AuthorizeRequest): RequestDescription {
  const kind = !carries(responseType, 'code') ? 'implicit' : carriesToken(responseType) ? 'hybrid' : 'basic'
  return {
    protocol: `oidc-${kind}-profile`,
    responseType: responseType.split(' '),
    responseMode,
    redirectUri,
    ...(state === null ? {} : { state }),
    query: parameters,
  }
}

const restart = ({ pushed, parameters }: AuthorizeRequest, { baseUrl }: OidcDeps): Restart | null =>
  pushed ? null : { url: `${baseUrl}/authorize?${new URLSearchParams(parameters)}`, replays: true }

async function answer(request: AuthorizeRequest, outcome: LoginOutcome, deps: OidcDeps): Promise<VisitorResponse> {
  const granted = grantOf(request, outcome, deps)
  const code = carries(request.responseType, 'code') ? await codeFor(request, outcome, granted, deps) : null
  const tokens = carriesToken(request.responseType) ? await issueInFront(request, outcome, granted, code, deps) : {}
  return deliver(request, code === null ? tokens : { code, ...tokens }, deps)
}

const MAX_IN_CODE = 1024

/**
 * Parameters that do not fit an address are stored with the family that the code names. An access token in the same response
 * creates the family anyway.
 */
async function codeFor(
  { responseType }: AuthorizeRequest,
  { client }: LoginOutcome,
  granted: AuthorizationCode,
  deps: OidcDeps,
): Promise<string> {
  const { custom, refresh, ...authentication } = granted.authentication
  if (custom === undefined && refresh === undefined) return writeCode(granted, deps)
  if (JSON.stringify([custom, refresh]).length <= MAX_IN_CODE) return writeCode(granted, deps)
  const isKept = carries(responseType, 'token') || (await keepFamily(granted, client, deps))
  if (!isKept) throw sessionEnded()
  return writeCode({ ...granted, authentication, kept: true }, deps)
}

function keepFamily(granted: AuthorizationCode, client: Client, { families, clock }: OidcDeps): Promise<boolean> {
  const { familyId: id, userId, scopes, audience, sid, authentication } = granted
  const now = clock.now()
  return families.insert(newFamily({ id, userId, scopes, audience, sid, authentication, gty: null }, client, now), now)
}

/** What a code would stand for. */
export const grantOf = (
  request: AuthorizeRequest,
  outcome: LoginOutcome,
  { random }: Pick<OidcDeps, 'random'>,
): AuthorizationCode => ({
  clientId: outcome.client.clientId,
  userId: outcome.user.id,
  familyId: random.uuid(),
  redirectUri: request.parameters.redirect_uri ?? null,
  codeChallenge: request.codeChallenge,
  ...(request.parameters.dpop_jkt === undefined ? {} : { jkt: request.parameters.dpop_jkt }),
  nonce: request.nonce,
  scopes: outcome.scopes,
  audience: outcome.audience,
  sid: outcome.sid,
  authentication: {
    login: outcome.login,
    time: epochSeconds(outcome.authTime),
    ...proofOf(outcome.evidence, outcome.scopes),
    ...(request.acr === undefined ? {} : { acr: acrOf(request.acr, hasMfa(outcome.evidence)) }),
    tell: request.tellAuthTime,
    ...(outcome.organization === undefined ? {} : { organization: outcome.organization.id }),
    ...(request.claims === null ? {} : { claims: request.claims }),
    ...(outcome.custom === undefined ? {} : { custom: outcome.custom }),
    ...(outcome.refresh === undefined ? {} : { refresh: outcome.refresh }),
  },
  issuedAt: outcome.at,
})

export function refuse(returnTo: ReturnTo, error: DomainError, deps: OidcDeps): Promise<VisitorResponse> {
  return deliver(returnTo, { error: error.code, error_description: error.description }, deps)
}

async function deliver(returnTo: ReturnTo, answer: Record<string, string>, deps: OidcDeps): Promise<VisitorResponse> {
  const { redirectUri, responseMode, state } = returnTo
  const plain = Object.assign({}, answer, state === null ? null : { state }, { iss: deps.issuer })
  const fields = responseMode.endsWith('.jwt') ? { response: await signed(plain, returnTo, deps) } : plain
  switch (responseMode) {
    case 'query':
    case 'query.jwt':
      return { kind: 'redirect', to: appendQuery(redirectUri, fields) }
    case 'fragment':
    case 'fragment.jwt':
      return { kind: 'redirect', to: `${redirectUri}#${encode(fields)}` }
    case 'form_post':
    case 'form_post.jwt':
      return { kind: 'form', to: redirectUri, fields }
    case 'web_message':
      // To `null` no browser posts.
      return { kind: 'message', origin: originOf(redirectUri) ?? 'null', fields }
  }
}

/** Ten minutes are the most that JARM 2.1 recommends. Only its receiver uses it, once. */
const RESPONSE_SECONDS = 600

/** It has no `iat` and no `sub`, which our tokens need, so it never passes for one of them. */
async function signed(
  fields: Record<string, string>,
  { clientId }: ReturnTo,
  { clients, clock, issuing }: OidcDeps,
): Promise<string> {
  const claims = { ...fields, aud: clientId, exp: epochSeconds(clock.now()) + RESPONSE_SECONDS }
  const algorithm = (await clients.find(clientId))?.settings.authorization_signed_response_alg
  return signJwt(claims, 'JWT', issuing().keyring, algorithm)
}

const appendQuery = (uri: string, fields: Record<string, string>): string =>
  `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${encode(fields)}`

/**
 * `%20`, not `+`: a fragment is not form data, and every client decodes `%20`. Names are constants, and most values are letters
 * and digits: this test is seven times as fast as encoding them, and a code is long.
 */
const encode = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${/[^\w.~-]/.test(value) ? encodeURIComponent(value) : value}`)
    .join('&')
