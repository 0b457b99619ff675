// What is known about a connection's server, by precedence: the provider's row, the endpoints that the connection gives by hand, its
// `oidc_metadata`, the discovery document.
// - A document is read where the rest is not everything, or where the connection names it by `discovery_url` and brings no
//   `oidc_metadata`. If everything else is known, a document that cannot be read stops no login.
// - The issuer that the connection names must be that of the document.
import type * as client from 'openid-client'
import type { FederatedConnection } from '../../data/connections/connection'
import { hasOwnServer, type ProviderRow } from '../../data/connections/upstream/providers'
import { UpstreamError } from '../../data/connections/upstream/upstream'

export type Options = FederatedConnection['settings']['options']

type Metadata = Partial<client.ServerMetadata>

/** Without a complete one, `place` is where discovery finds the rest. */
export type KnownMetadata =
  | { metadata: Metadata; whole: client.ServerMetadata; place: string | null }
  | { metadata: Metadata; whole: null; place: string }

export function knownMetadata(row: ProviderRow, options: Options): KnownMetadata {
  const metadata = givenBy(row, options)
  const whole = wholeOf(row, metadata)
  if (whole === null) return { metadata, whole, place: placeOf(row, options) }
  const named = row.protocol === 'oidc' && isEmpty(options.oidc_metadata) ? options.discovery_url : undefined
  return { metadata, whole, place: named ?? null }
}

const isEmpty = (metadata: Options['oidc_metadata']): boolean => Object.keys(metadata ?? {}).length === 0

function givenBy(row: ProviderRow, options: Options): Metadata {
  if (!hasOwnServer(row)) {
    if (row.protocol === 'oidc') {
      // A server that stands in for a fixed provider is given whole, or not at all.
      const given = byHand(options)
      return wholeOf(row, given) === null ? {} : given
    }
    return present({
      issuer: options.issuer,
      authorization_endpoint: row.authorization,
      token_endpoint: row.token,
      userinfo_endpoint: row.userinfo,
      end_session_endpoint: options.end_session_endpoint,
    })
  }
  return { ...present(row.protocol === 'oidc' ? (options.oidc_metadata ?? {}) : {}), ...byHand(options) }
}

const byHand = ({ authorizationURL, tokenURL, logoutUrl, ...options }: Options): Metadata =>
  present({
    issuer: options.issuer,
    authorization_endpoint: options.authorization_endpoint ?? authorizationURL,
    token_endpoint: options.token_endpoint ?? tokenURL,
    userinfo_endpoint: options.userinfo_endpoint,
    jwks_uri: options.jwks_uri,
    end_session_endpoint: options.end_session_endpoint ?? logoutUrl,
  })

/** Exports have null for a member that was never set. */
const present = (metadata: Readonly<Record<string, unknown>>): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined && value !== null)) as Metadata

function wholeOf({ protocol }: ProviderRow, metadata: Metadata): client.ServerMetadata | null {
  const { issuer, authorization_endpoint: authorization, token_endpoint: token, jwks_uri } = metadata
  if (protocol === 'oidc') return issuer && authorization && token && jwks_uri ? { ...metadata, issuer } : null
  if (authorization === undefined || token === undefined) {
    throw new UpstreamError('unreachable', 'the connection names no authorization and token endpoint')
  }
  return { ...metadata, issuer: issuer ?? new URL(authorization).origin }
}

/** The URL of the discovery document, or the issuer it belongs to. */
function placeOf(row: ProviderRow, options: Options): string {
  const { discovery_url, issuer = options.oidc_metadata?.issuer, domain, tenant_domain } = options
  if (hasOwnServer(row)) {
    const place = discovery_url ?? issuer ?? (row.issuer === undefined && domain ? `https://${domain}` : undefined)
    if (typeof place === 'string') return place
  }
  if (row.issuer === undefined) throw new UpstreamError('unreachable', 'the connection names no issuer')
  const tenant = options.use_common_endpoint ? 'common' : tenant_domain
  return row.issuer.replace(/\{(domain|tenant)\}/, (_, name: string) => {
    const value = name === 'tenant' ? tenant : domain?.replace(/\/$/, '')
    if (value) return value
    throw new UpstreamError('unreachable', `the connection names no ${name}`)
  })
}
