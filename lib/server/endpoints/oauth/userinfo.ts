// GET and POST /userinfo (OIDC Core 5.3): the user's current claims, by the token's scopes.
// - The token's family is looked up, so a revoked login fails here at once, before the token expires (D5).
// - A token that is bound to a key needs a proof by that key (RFC 9449).
// - One token per request: in the header, or in the body of a form post; in the query only for a client configured for it (D9).

import * as z from 'zod'
import type { SigningAlgorithm } from '../../../crypto/keys/algorithms'
import { signJwt } from '../../../crypto/keys/jwt'
import { type Claims, claimsFor } from '../../../data/claims/claims'
import type { Client } from '../../../data/clients/client'
import type { Organization } from '../../../data/organizations/organization'
import { optional } from '../../../http/description'
import { defineEndpoint } from '../../../http/endpoint'
import {
  bodyParameters,
  type HttpRequest,
  type HttpResponse,
  json,
  queryParameters,
  respond,
} from '../../../http/message'
import { bearerText } from '../../../http/render-errors'
import type { CustomClaims } from '../../../identity/tenant-code/claims/compile'
import { insufficientScope, invalidRequest, invalidToken } from '../../../kernel/errors'
import type { CountRequest } from '../../../kernel/request-meter'
import { presentedToken } from '../../../protocols/oauth/dpop'
import { type Presentation, readAccessToken, userinfoAudience } from '../../../tokens/access-token'
import { customClaims } from '../../../tokens/custom-claims'
import type { FamilyUser } from '../../../tokens/family'
import { organizationClaims } from '../../../tokens/organization-claims'
import type { Runtime } from '../../runtime/runtime'

export const userinfo = defineEndpoint<Runtime>({
  name: 'userinfo',
  limit: 'userinfo',
  shed: 'last',
  refused: 'change_refused',
  limited: 'userinfo_limited',
  cors: 'open',
  errors: bearerText,
  methods: { GET: handle, POST: handle },
  describe: () => ({
    tag: 'Tokens',
    GET: {
      summary: 'Read the claims of the person (OpenID Connect Core 5.3)',
      ...COMMON,
      query: z.object({ access_token: optional('The access token, if the client may send it here') }),
      answers: claims(),
      examples: { claims: {} },
    },
    POST: {
      summary: 'The same, with the access token in a form',
      ...COMMON,
      body: z.object({ access_token: optional('The access token, unless it is in the header') }),
      answers: claims(),
      examples: { claims: {} },
    },
  }),
})

const COMMON = { caller: ['access_token'], scopes: ['openid'] } as const

const JWT = 'application/jwt'

const claims = () => ({
  200: {
    says: 'The claims of the scopes; a signed JWT for a client that registered `userinfo_signed_response_alg`',
    schema: z.looseObject({ sub: z.string() }),
    orType: JWT,
  },
})

async function handle(request: HttpRequest, runtime: Runtime, count: CountRequest): Promise<HttpResponse> {
  const { sent, inQuery } = await tokenOf(request, runtime)
  const presented = await readAccessToken(sent, { audience: userinfoAudience(runtime.baseUrl) }, runtime.issuing())
  if (!presented.scopes.includes('openid')) throw insufficientScope('openid')
  await count(presented.subject)
  const client = await runtime.clients.find(presented.clientId)
  if (!client) throw invalidToken('The token has been revoked', { reason: 'client_gone' })
  runtime.trail.context({ client })
  if (inQuery && !client.settings.allow_userinfo_query_token) {
    throw invalidToken('The access token must be sent in the Authorization header', { reason: 'token_in_query' })
  }
  const found = await runtime.families.findUser(presented.familyId, runtime.clock.now())
  if (!found) throw invalidToken('The token has been revoked', { reason: 'token_revoked' })
  runtime.trail.context({ user: found.user })
  const { updated_at } = runtime.settings.tenant.compat
  const format = updated_at === 'contract' ? 'epoch-string' : updated_at
  const organization = await organizationOrRevoked(found, runtime)
  const user = runtime.portray(found.user)
  const claims = claimsFor(user, presented.scopes, format, found.claims?.userinfo)
  const isPlain = found.custom === null && runtime.claimRules === null
  const facts = { scopes: presented.scopes, client, organization, ip: request.ip }
  const custom = isPlain ? {} : await customOf({ ...found, user }, facts, runtime)
  const forOrganization = organization ? organizationClaims(organization, runtime.issuing()) : {}
  const answer = { ...custom, ...claims, ...forOrganization, sub: user.id }
  const { userinfo_signed_response_alg: algorithm } = client.settings
  return algorithm === undefined ? json(answer) : signed(answer, client, algorithm, runtime)
}

/**
 * A JWT for this client (OIDC Core 5.3.2). It has no `iat` and `exp`, which ID tokens and access tokens need, so it never passes
 * for one of them.
 */
const signed = async (
  claims: Claims,
  { clientId }: Client,
  algorithm: SigningAlgorithm,
  { issuer, keyring }: Runtime,
): Promise<HttpResponse> =>
  respond(200, JWT, await signJwt({ ...claims, iss: issuer, aud: clientId }, 'JWT', keyring, algorithm))

/** The organization of the token's login; a token for one that was deleted is worth nothing. */
async function organizationOrRevoked(
  { organization: id }: FamilyUser,
  { organizations }: Runtime,
): Promise<Organization | null> {
  if (id === null) return null
  const organization = await organizations.find(id)
  if (organization) return organization
  throw invalidToken('The token has been revoked', { reason: 'organization_unknown' })
}

type TokenFacts = { scopes: readonly string[]; client: Client; organization: Organization | null; ip: string }

/** The custom claims that a new ID token would have. */
async function customOf(
  { user, custom }: FamilyUser,
  { scopes, client, organization, ip }: TokenFacts,
  runtime: Runtime,
): Promise<CustomClaims> {
  const request = { ip, protocol: 'userinfo', audience: null, scopes, methods: [] }
  return (await customClaims({ user, client, organization, request }, custom ?? undefined, runtime)).idToken
}

async function tokenOf(request: HttpRequest, runtime: Runtime): Promise<{ sent: Presentation; inQuery: boolean }> {
  const inHeader = await presentedToken(request, runtime)
  const query = queryParameters(request).access_token
  const isForm = request.method === 'POST' && request.body.length > 0
  const inBody = isForm ? bodyParameters(request).access_token : undefined
  const all = [inHeader?.token, query, inBody].filter((token) => token !== undefined)
  if (all.length > 1) throw invalidRequest('More than one access token was sent')
  const [token] = all
  if (token === undefined) throw invalidToken('An access token is required', { reason: 'token_missing' })
  return { sent: inHeader ?? { token, jkt: undefined }, inQuery: query !== undefined }
}
