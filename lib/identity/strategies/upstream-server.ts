// A connection's server as openid-client configuration, made of what upstream-metadata.ts knows. It is cached for ten minutes with its
// keys, and rebuilt when the connection changes. A failure is cached for five seconds.
// - Every request goes through `callOut`, which decides which URLs may be called and requires https (SSRF protection).
import * as client from 'openid-client'
import { PROVIDER_JWT_ALGORITHMS } from '../../crypto/keys/algorithms'
import type { PublishedKeys } from '../../crypto/keys/published-keys'
import type { FederatedConnection } from '../../data/connections/connection'
import { hasOwnServer, PROVIDERS, type ProviderRow } from '../../data/connections/upstream/providers'
import { openValues } from '../../data/connections/upstream/secrets'
import { callingProvider, type UpstreamDeps, UpstreamError } from '../../data/connections/upstream/upstream'
import type { CallOut } from '../../kernel/call-out'
import { addSeconds, type Clock, lasts, PROVIDER_SKEW_SECONDS } from '../../kernel/clock'
import { parseUrl } from '../../kernel/url'
import { objectOf, readTokenAnswer } from './token-answer'
import { assertionKey, authenticationOf } from './upstream-authentication'
import { keysAt } from './upstream-keys'
import { type KnownMetadata, knownMetadata, type Options } from './upstream-metadata'

const KEPT_SECONDS = 600
/** Limits how often an unreachable provider is retried. */
const RETRY_SECONDS = 5
const TIMEOUT_SECONDS = 10

type Opened = {
  configuration: client.Configuration
  keys: PublishedKeys
  /** The algorithms that the provider's metadata lists for ID tokens; null without such a list. */
  announced: readonly string[] | null
}

export type Server = Opened & { row: ProviderRow; options: Options; clock: Clock }

export async function serverOf(connection: FederatedConnection, deps: UpstreamDeps): Promise<Server> {
  const row: ProviderRow = PROVIDERS[connection.strategy]
  const { options } = connection.settings
  const fingerprint = JSON.stringify([
    connection.strategy,
    connection.settings,
    connection.sealed,
    assertionKey(options, deps)?.kid,
  ])
  const now = deps.clock.now()
  const known = deps.upstreamServers.get(connection.id)
  if (known?.fingerprint === fingerprint && lasts(known.until, now, KEPT_SECONDS)) {
    return { row, options, clock: deps.clock, ...((await known.server) as Opened) }
  }
  const server = open(row, connection, deps)
  const entry = { fingerprint, until: addSeconds(now, KEPT_SECONDS), server }
  deps.upstreamServers.set(connection.id, entry)
  server.catch(() => {
    entry.until = addSeconds(now, RETRY_SECONDS)
  })
  return { row, options, clock: deps.clock, ...(await server) }
}

const CLOCKS = { [client.clockTolerance]: PROVIDER_SKEW_SECONDS }

async function open(row: ProviderRow, connection: FederatedConnection, deps: UpstreamDeps): Promise<Opened> {
  const known = knownMetadata(row, connection.settings.options)
  const fixed = !hasOwnServer(row) && (row.protocol === 'oauth2' || known.whole === null)
  const callOut = callingProvider((address, request) => deps.callOut(address, { ...request, fixed }))
  const { options } = connection.settings
  if (options.client_id === undefined) throw new UpstreamError('unreachable', 'the connection has no client_id')
  const auth = await authenticationOf(row, connection, options.client_id, deps)
  const places: Places = { token: known.metadata.token_endpoint }
  const headers = { ...options.customHeaders, ...openValues('customHeaders', connection.sealed, deps.vault) }
  const fetch = fetchThrough(callOut, row.protocol, places, headers)
  const { configuration, announced } = await configured(known, options.client_id, auth, fetch)
  places.token = configuration.serverMetadata().token_endpoint
  configuration[client.customFetch] = fetch
  configuration.timeout = TIMEOUT_SECONDS
  client.allowInsecureRequests(configuration)
  checkIssuer(configuration, options.issuer)
  return {
    configuration,
    announced,
    keys: keysAt(configuration.serverMetadata().jwks_uri, { callOut, clock: deps.clock }),
  }
}

/** The library would refuse what the metadata does not list; which algorithms count is decided where the ID token is read. */
const EVERY_ALGORITHM = { id_token_signing_alg_values_supported: [...PROVIDER_JWT_ALGORITHMS] }

type Configured = Pick<Opened, 'configuration' | 'announced'>

async function configured(
  { metadata, whole, place }: KnownMetadata,
  clientId: string,
  auth: client.ClientAuth,
  fetch: client.CustomFetch,
): Promise<Configured> {
  if (place !== null) {
    const { issuer: _, ...given } = metadata
    const found = await discovered(new URL(place), given, clientId, auth, fetch).catch((error: unknown) => {
      if (whole === null) throw error
      return null
    })
    if (found) return found
  }
  const server = { ...(whole ?? metadata), issuer: whole?.issuer ?? '', ...EVERY_ALGORITHM }
  const configuration = new client.Configuration(server, clientId, CLOCKS, auth)
  return { configuration, announced: listed(metadata.id_token_signing_alg_values_supported) }
}

/** The members that are given replace those of the document. */
async function discovered(
  place: URL,
  given: KnownMetadata['metadata'],
  clientId: string,
  auth: client.ClientAuth,
  fetch: client.CustomFetch,
): Promise<Configured> {
  let announced: Opened['announced'] = null
  const reading: client.CustomFetch = async (...request) => {
    const answer = await fetch(...request)
    const document = answer.status === 200 ? objectOf(await answer.clone().text()) : null
    if (!document) return answer
    const merged = { ...document, ...given }
    announced = listed(merged.id_token_signing_alg_values_supported)
    return Response.json({ ...merged, ...EVERY_ALGORITHM })
  }
  const configuration = await client.discovery(place, clientId, CLOCKS, auth, {
    [client.customFetch]: reading,
    timeout: TIMEOUT_SECONDS,
    execute: [client.allowInsecureRequests],
  })
  return { configuration, announced }
}

const listed = (algorithms: unknown): string[] | null =>
  Array.isArray(algorithms) ? algorithms.filter((each) => typeof each === 'string') : null

/** A discovery document at another URL must be for the issuer that the connection names. */
function checkIssuer(configuration: client.Configuration, expected: string | undefined): void {
  const { issuer } = configuration.serverMetadata()
  // The one of the metadata is compared with tokens; here a last slash may differ.
  if (expected !== undefined && parseUrl(issuer)?.href !== parseUrl(expected)?.href) {
    throw new UpstreamError('unreachable', 'the server is not the issuer that the connection names')
  }
}

/** The token endpoint may be known only after discovery. */
type Places = { token: string | undefined }

const JSON_HEADERS = { 'content-type': 'application/json' }

const fetchThrough =
  (
    callOut: CallOut,
    protocol: ProviderRow['protocol'],
    places: Places,
    customHeaders: Readonly<Record<string, string>>,
  ): client.CustomFetch =>
  async (address, { method, headers, body }) => {
    const sent = body instanceof URLSearchParams ? body.toString() : body
    if (sent !== undefined && sent !== null && typeof sent !== 'string') throw new TypeError('unexpected request body')
    const isToken = address === places.token
    const added = isToken ? { ...headers, ...lowerCase(customHeaders) } : headers
    const answer = await callOut(address, { method, headers: added, body: sent ?? undefined })
    const tokens = isToken ? readTokenAnswer(answer, protocol) : null
    if (tokens) return new Response(JSON.stringify(tokens.answer), { status: tokens.status, headers: JSON_HEADERS })
    const isJson = objectOf(Buffer.from(answer.body).toString()) !== null
    return new Response(answer.status === 204 ? null : answer.body, {
      status: answer.status,
      headers: { ...answer.headers, ...(isJson ? JSON_HEADERS : {}) },
    })
  }

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
