// How this server authenticates at a provider's token endpoint: by the connection's secret, by Apple's signed secret, or by a JWT that
// the tenant's own published key signs (private_key_jwt, OIDC Core 9, RFC 7523).
import type * as client from 'openid-client'
import { ClientSecretBasic, ClientSecretPost, None } from 'openid-client'
import { DEFAULT_ALGORITHM } from '../../crypto/keys/algorithms'
import { signClientSecret } from '../../crypto/keys/client-secret-jwt'
import { signJwt } from '../../crypto/keys/jwt'
import type { SigningKey } from '../../crypto/keys/keyring'
import type { FederatedConnection } from '../../data/connections/connection'
import type { ProviderRow } from '../../data/connections/upstream/providers'
import { openSecret, type SealedByName } from '../../data/connections/upstream/secrets'
import { type UpstreamDeps, UpstreamError } from '../../data/connections/upstream/upstream'
import { addSeconds, epochSeconds } from '../../kernel/clock'
import { alphanumeric } from '../../kernel/random'
import { parseUrl } from '../../kernel/url'
import type { Options } from './upstream-metadata'

export async function authenticationOf(
  row: ProviderRow,
  { settings: { options }, sealed }: FederatedConnection,
  clientId: string,
  deps: UpstreamDeps,
): Promise<client.ClientAuth> {
  if (row.auth === 'signed') return ClientSecretPost(await signedSecret(options, clientId, sealed, deps))
  if (options.token_endpoint_auth_method === 'private_key_jwt') return byAssertion(options, clientId, deps)
  const secret = openSecret('client_secret', sealed, deps.vault)
  if (secret === null || options.token_endpoint_auth_method === 'none') return None()
  const usual = options.token_endpoint_auth_method ?? `client_secret_${row.auth}`
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: listed } = server
    const isOpen = options.token_endpoint_auth_method === undefined && Array.isArray(listed)
    const method =
      isOpen && !listed.includes(usual) ? (BY_SECRET.find((each) => listed.includes(each)) ?? usual) : usual
    return (method === 'client_secret_basic' ? basic : post)(server, ...request)
  }
}

/** Without an option of the connection, the provider's metadata may exclude the usual one. */
const BY_SECRET = ['client_secret_post', 'client_secret_basic']

async function signedSecret(
  { team_id: issuer, kid: keyId }: Options,
  subject: string,
  sealed: SealedByName,
  { vault, clock }: UpstreamDeps,
): Promise<string> {
  const key = openSecret('app_secret', sealed, vault)
  if (!key || !issuer || !keyId) throw new UpstreamError('unreachable', 'app_secret, team_id or kid is missing')
  const claims = { keyId, issuer, subject, audience: 'https://appleid.apple.com', now: clock.now() }
  return signClientSecret(key, claims).catch((error: unknown) => {
    throw new UpstreamError('unreachable', 'app_secret is not a private key that can sign', { cause: error })
  })
}

/** The key that signs for this connection; undefined if none does, or if its algorithm was never used before. */
export const assertionKey = (
  { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: algorithm }: Options,
  { keyring }: Pick<UpstreamDeps, 'keyring'>,
): SigningKey | undefined =>
  method === 'private_key_jwt' ? keyring.signing[algorithm ?? DEFAULT_ALGORITHM] : undefined

const ASSERTION_SECONDS = 120

function byAssertion(options: Options, clientId: string, { keyring, clock, random }: UpstreamDeps): client.ClientAuth {
  // Such a JWT would name this server as its issuer, as the tokens of this server do.
  if (/^\/?$/.test(parseUrl(clientId)?.pathname ?? 'no address'))
    throw new UpstreamError('unreachable', 'a client_id that is an issuer cannot use private_key_jwt')
  const { token_endpoint_auth_signing_alg: algorithm, token_endpoint_jwtca_aud_format: format } = options
  return async ({ issuer, token_endpoint }, _client, body) => {
    const now = clock.now()
    const claims = {
      iss: clientId,
      sub: clientId,
      aud: format === 'issuer' ? issuer : (token_endpoint ?? issuer),
      jti: alphanumeric(random, 32),
      iat: epochSeconds(now),
      exp: epochSeconds(addSeconds(now, ASSERTION_SECONDS)),
    }
    body.set('client_id', clientId)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', await signJwt(claims, 'JWT', keyring, algorithm))
  }
}
