// Login at an OpenID Connect or OAuth 2.0 provider (RFC 6749 4.1, RFC 7636, RFC 9207, OIDC Core 3.1) with openid-client, which
// validates the response. The state was validated before (lib/login/upstream/upstream.ts).
import * as client from 'openid-client'
import { PROVIDER_JWT_ALGORITHMS } from '../../crypto/keys/algorithms'
import { readUnverified } from '../../crypto/keys/client-jwt'
import type { FederatedConnection } from '../../data/connections/connection'
import { idOf, profileOf } from '../../data/connections/upstream/claims'
import type { ProviderRow } from '../../data/connections/upstream/providers'
import {
  callbackUrl,
  type RedirectStrategy,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamIdentity,
  type UpstreamReply,
} from '../../data/connections/upstream/upstream'
import type { JsonObject } from '../../kernel/json'
import { explained } from './upstream-failure'
import { checkSignature } from './upstream-keys'
import { type Known, knownOf, type ProviderTokens, replyClaims } from './upstream-person'
import { nonceOf, requestUrl, verifierOf } from './upstream-request'
import { type Server, serverOf } from './upstream-server'

export const federated = (connection: FederatedConnection) =>
  ({
    start: (ask, deps) => explained(() => requestUrl(connection, ask, deps)),
    complete: (reply, deps) => explained(() => complete(connection, reply, deps)),
    logoutUrl: (out, deps) =>
      explained(async () => {
        const { configuration } = await serverOf(connection, deps)
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null
        return client.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: out.returnTo,
          state: out.state,
          ...(out.hint === null ? {} : { id_token_hint: out.hint }),
        }).href
      }),
  }) satisfies RedirectStrategy<UpstreamDeps>

async function complete(
  connection: FederatedConnection,
  reply: UpstreamReply,
  deps: UpstreamDeps,
): Promise<UpstreamIdentity> {
  const server = await serverOf(connection, deps)
  const { row, configuration } = server
  const { options } = connection.settings
  const verifier = verifierOf(row, options, reply, deps)
  const nonce = nonceOf(row, options, reply, deps)
  const tokens = await client.authorizationCodeGrant(configuration, answered(row, options, reply, deps), {
    expectedState: reply.state,
    ...(row.protocol === 'oidc' ? { idTokenExpected: true } : {}),
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    ...(verifier === undefined ? {} : { pkceCodeVerifier: verifier }),
  })
  checkAlgorithm(tokens.id_token, server)
  if (row.protocol === 'oidc') await checkSignature(tokens.id_token, server.keys)
  const isScripted = row.protocol === 'oauth2' && options.scripts?.fetchUserProfile !== undefined
  const known = isScripted ? await scripted(connection, tokens, deps) : await knownOf(server, tokens)
  const claims = { ...replyClaims(row, reply), ...known.claims }
  // The script has mapped the provider's names.
  const mapped = isScripted
    ? { ...options, attribute_map: undefined, fieldsMap: undefined, userid_attribute: undefined }
    : options
  const id = idOf(claims, row, mapped, known.missing)
  if (id === null) throw new UpstreamError('unreachable', 'the provider does not say who it is')
  return {
    provider: connection.strategy,
    providerUserId: isNamed(connection, row) ? `${connection.name}|${id}` : id,
    profile: profileOf(claims, row, mapped, known.missing),
    tokens: {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
      idToken: tokens.id_token ?? null,
      expiresIn: tokens.expires_in ?? null,
      scope: tokens.scope ?? null,
    },
    logoutHint: tokens.id_token ?? null,
    received: { kind: row.protocol === 'oidc' ? 'id_token' : 'profile', claims },
    ...(known.reason === null ? {} : { missed: known.reason }),
  }
}

async function scripted(connection: FederatedConnection, tokens: ProviderTokens, deps: UpstreamDeps): Promise<Known> {
  const context = JSON.parse(JSON.stringify(tokens)) as JsonObject
  const claims = await deps.profileByScript?.(connection, tokens.access_token, context)
  if (!claims) throw new UpstreamError('unreachable', 'no script can run here')
  return { claims, missing: null, reason: null }
}

function checkAlgorithm(idToken: string | undefined, { options, announced }: Server): void {
  const allowed = options.id_token_signed_response_algs ?? announced
  if (!allowed || idToken === undefined) return
  const { alg = 'none' } = readUnverified(idToken)?.header ?? {}
  if (allowed.map(unified).includes(unified(alg))) return
  const list = options.id_token_signed_response_algs ? 'id_token_signed_response_algs' : "the provider's metadata"
  const failure = isAsymmetric(alg) ? 'unfit' : 'forged'
  throw new UpstreamError(failure, `the ID token is signed with ${alg}, which ${list} does not list`, {
    reason: failure === 'unfit' ? 'signature_algorithm' : undefined,
  })
}

const isAsymmetric = (algorithm: string): boolean => PROVIDER_JWT_ALGORITHMS.some((each) => each === unified(algorithm))

/** Two names of one algorithm, the curve of the keys being the same (RFC 9864). */
const unified = (algorithm: string): string => (algorithm === 'EdDSA' ? 'Ed25519' : algorithm)

/** User ids of a provider are shared by its connections, unless the tenant may have several such providers. */
const isNamed = ({ name, strategy }: FederatedConnection, { keyedBy, enterprise }: ProviderRow): boolean =>
  keyedBy === 'connection' || (!enterprise && name !== strategy)

/**
 * The response as the callback URL it arrived at. For a plain OAuth 2.0 server without a configured issuer, `iss` proves
 * nothing.
 */
function answered(
  row: ProviderRow,
  { issuer }: FederatedConnection['settings']['options'],
  reply: UpstreamReply,
  deps: UpstreamDeps,
): URL {
  const url = new URL(callbackUrl(deps))
  const unnamed = row.protocol === 'oauth2' && issuer === undefined
  for (const [name, value] of Object.entries(reply)) {
    if (name !== 'iss' || !unnamed) url.searchParams.append(name, value)
  }
  return url
}
