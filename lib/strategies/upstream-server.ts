// A connection's server as openid-client configuration: from discovery, or from the provider's row and the connection's
// options. It is cached for ten minutes with its keys, and rebuilt when the connection changes. A failure is cached for five
// seconds.
// - Every request goes through `callOut`, which decides which URLs may be called and requires https (SSRF protection).
import * as client from 'openid-client'
import type { FederatedConnection } from '../connections/connection'
import { PROVIDERS, type ProviderRow } from '../connections/upstream/providers'
import { openSecret, type SealedSecrets } from '../connections/upstream/secrets'
import { type UpstreamDeps, UpstreamError } from '../connections/upstream/upstream'
import type { CallOut } from '../kernel/call-out'
import { addSeconds, lasts, PROVIDER_SKEW_SECONDS } from '../kernel/clock'
import { signClientSecret } from '../keys/client-secret-jwt'
import type { PublishedKeys } from '../keys/published-keys'
import { checkSignature, keysAt } from './upstream-keys'

const KEPT_SECONDS = 600
/** Limits how often an unreachable provider is retried. */
const RETRY_SECONDS = 5
const TIMEOUT_SECONDS = 10

type Opened = { configuration: client.Configuration; keys: PublishedKeys }

export type Server = Opened & { row: ProviderRow }

export async function serverOf(connection: FederatedConnection, deps: UpstreamDeps): Promise<Server> {
  const row: ProviderRow = PROVIDERS[connection.strategy]
  const fingerprint = JSON.stringify([connection.strategy, connection.settings, connection.sealed])
  const now = deps.clock.now()
  const known = deps.upstreamServers.get(connection.id)
  if (known?.fingerprint === fingerprint && lasts(known.until, now, KEPT_SECONDS)) {
    return { row, ...((await known.server) as Opened) }
  }
  const server = open(row, connection, deps)
  const entry = { fingerprint, until: addSeconds(now, KEPT_SECONDS), server }
  deps.upstreamServers.set(connection.id, entry)
  server.catch(() => {
    entry.until = addSeconds(now, RETRY_SECONDS)
  })
  return { row, ...(await server) }
}

const CLOCKS = { [client.clockTolerance]: PROVIDER_SKEW_SECONDS }

async function open(row: ProviderRow, connection: FederatedConnection, deps: UpstreamDeps): Promise<Opened> {
  const { options } = connection.settings
  if (options.client_id === undefined) throw new UpstreamError('unreachable', 'the connection has no client_id')
  const auth = await authOf(row, connection, options.client_id, deps)
  const known = metadataOf(row, options)
  const fetch = fetchThrough(deps.callOut, row.protocol === 'oauth2' ? (known?.token_endpoint ?? null) : null)
  const configuration = known
    ? new client.Configuration(known, options.client_id, CLOCKS, auth)
    : await client.discovery(new URL(placeOf(row, options)), options.client_id, CLOCKS, auth, {
        [client.customFetch]: fetch,
        timeout: TIMEOUT_SECONDS,
        execute: [client.allowInsecureRequests],
      })
  const keys = keysAt(configuration.serverMetadata().jwks_uri, deps)
  configuration[client.customFetch] = withSignature(fetch, keys)
  configuration.timeout = TIMEOUT_SECONDS
  client.allowInsecureRequests(configuration)
  checkIssuer(configuration, options.issuer)
  return { configuration, keys }
}

/** A user-info answer that is a JWT counts by its signature, like an ID token (OIDC Core 5.3.2). */
const withSignature =
  (fetch: client.CustomFetch, keys: PublishedKeys): client.CustomFetch =>
  async (address, options) => {
    const answer = await fetch(address, options)
    const isSigned = /^application\/jwt\b/i.test(answer.headers.get('content-type') ?? '')
    if (isSigned) await checkSignature(await answer.clone().text(), keys)
    return answer
  }

type Options = FederatedConnection['settings']['options']

/** The server's metadata if it is known without discovery. */
function metadataOf(row: ProviderRow, options: Options): client.ServerMetadata | null {
  const authorization = row.authorization ?? options.authorization_endpoint ?? options.authorizationURL
  const token = row.token ?? options.token_endpoint ?? options.tokenURL
  const userinfo = row.userinfo ?? options.userinfo_endpoint
  if (row.protocol === 'oidc' && !(options.issuer && authorization && token && options.jwks_uri)) return null
  if (authorization === undefined || token === undefined) {
    throw new UpstreamError('unreachable', 'the connection names no authorization and token endpoint')
  }
  return {
    issuer: options.issuer ?? new URL(authorization).origin,
    authorization_endpoint: authorization,
    token_endpoint: token,
    ...(userinfo === undefined ? {} : { userinfo_endpoint: userinfo }),
    ...(options.jwks_uri === undefined ? {} : { jwks_uri: options.jwks_uri }),
    ...(options.end_session_endpoint === undefined ? {} : { end_session_endpoint: options.end_session_endpoint }),
  }
}

/** The URL of the discovery document, or the issuer it belongs to. */
function placeOf(row: ProviderRow, options: Options): string {
  if (row.issuer === undefined) {
    const place = options.discovery_url ?? options.issuer ?? (options.domain && `https://${options.domain}`)
    if (place) return place
    throw new UpstreamError('unreachable', 'the connection names no issuer')
  }
  const tenant = options.use_common_endpoint ? 'common' : options.tenant_domain
  return row.issuer.replace(/\{(domain|tenant)\}/, (_, name: string) => {
    const value = name === 'tenant' ? tenant : options.domain?.replace(/\/$/, '')
    if (value) return value
    throw new UpstreamError('unreachable', `the connection names no ${name}`)
  })
}

/** A discovery document at another URL must be for the issuer that the connection names. */
function checkIssuer(configuration: client.Configuration, expected: string | undefined): void {
  if (expected !== undefined && configuration.serverMetadata().issuer !== expected) {
    throw new UpstreamError('unreachable', 'the server is not the issuer that the connection names')
  }
}

async function authOf(
  row: ProviderRow,
  { settings: { options }, sealed }: FederatedConnection,
  clientId: string,
  deps: UpstreamDeps,
): Promise<client.ClientAuth> {
  if (row.auth === 'signed') return client.ClientSecretPost(await signedSecret(options, clientId, sealed, deps))
  const secret = openSecret('client_secret', sealed, deps.vault)
  if (secret === null || options.token_endpoint_auth_method === 'none') return client.None()
  const basic = (options.token_endpoint_auth_method ?? `client_secret_${row.auth}`) === 'client_secret_basic'
  return basic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
}

async function signedSecret(
  { team_id: issuer, kid: keyId }: Options,
  subject: string,
  sealed: SealedSecrets,
  { vault, clock }: UpstreamDeps,
): Promise<string> {
  const key = openSecret('app_secret', sealed, vault)
  if (!key || !issuer || !keyId) throw new UpstreamError('unreachable', 'app_secret, team_id or kid is missing')
  const claims = { keyId, issuer, subject, audience: 'https://appleid.apple.com', now: clock.now() }
  return signClientSecret(key, claims).catch((error: unknown) => {
    throw new UpstreamError('unreachable', 'app_secret is not a private key that can sign', error)
  })
}

const fetchThrough =
  (callOut: CallOut, looseTokens: string | null): client.CustomFetch =>
  async (address, { method, headers, body }) => {
    const sent = body instanceof URLSearchParams ? body.toString() : body
    if (sent !== undefined && sent !== null && typeof sent !== 'string') throw new TypeError('unexpected request body')
    const answer = await callOut(address, { method, headers, body: sent ?? undefined })
    const content = address === looseTokens && answer.status === 200 ? tidied(answer.body) : answer.body
    return new Response(answer.status === 204 ? null : content, { status: answer.status, headers: answer.headers })
  }

/**
 * Plain OAuth 2.0 providers send scopes as a list, omit the token type, or add an ID token without the requested nonce. So the
 * ID token is dropped: the user's claims come from the provider's API, by the token received over TLS.
 */
function tidied(body: Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  try {
    const { id_token: _, ...answer } = JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>
    const scope = Array.isArray(answer.scope) ? answer.scope.join(' ') : answer.scope
    return JSON.stringify({ token_type: 'bearer', ...answer, scope })
  } catch {
    return body
  }
}
