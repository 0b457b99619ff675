// Login at an OpenID Connect or OAuth 2.0 provider (RFC 6749 4.1, RFC 7636, RFC 9207, OIDC Core 3.1) with openid-client, which
// validates the response. The state was validated before (lib/login/upstream/upstream.ts).
import * as client from 'openid-client'
import type { FederatedConnection } from '../connections/connection'
import { idOf, profileOf } from '../connections/upstream/claims'
import type { ProviderRow } from '../connections/upstream/providers'
import {
  callbackUrl,
  type RedirectStrategy,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamIdentity,
  type UpstreamReply,
} from '../connections/upstream/upstream'
import { readUnverified } from '../keys/client-jwt'
import { explained } from './upstream-failure'
import { checkSignature } from './upstream-keys'
import { claimsOf, replyClaims } from './upstream-person'
import { derived, requestUrl, verifierOf } from './upstream-request'
import { serverOf } from './upstream-server'

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
  const tokens = await client.authorizationCodeGrant(configuration, answered(row, options, reply, deps), {
    expectedState: reply.state,
    ...(row.protocol === 'oidc' ? { expectedNonce: derived('nonce', reply, deps), idTokenExpected: true } : {}),
    ...(verifier === undefined ? {} : { pkceCodeVerifier: verifier }),
  })
  checkAlgorithm(tokens.id_token, options)
  if (row.protocol === 'oidc') await checkSignature(tokens.id_token, server.keys)
  const claims = { ...replyClaims(row, reply), ...(await claimsOf(server, tokens)) }
  const id = idOf(claims, row, options)
  if (id === null) throw new UpstreamError('unreachable', 'the provider does not say who it is')
  return {
    provider: connection.strategy,
    providerUserId: isNamed(connection, row) ? `${connection.name}|${id}` : id,
    profile: profileOf(claims, row, options),
    tokens: {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
      idToken: tokens.id_token ?? null,
      expiresIn: tokens.expires_in ?? null,
      scope: tokens.scope ?? null,
    },
    logoutHint: tokens.id_token ?? null,
  }
}

function checkAlgorithm(
  idToken: string | undefined,
  { id_token_signed_response_algs: allowed }: FederatedConnection['settings']['options'],
): void {
  const { alg } = readUnverified(idToken ?? '')?.header ?? {}
  if (allowed && idToken !== undefined && !allowed.some((each) => each === alg))
    throw new UpstreamError('forged', `the ID token is signed with ${alg}, which the connection does not allow`)
}

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
