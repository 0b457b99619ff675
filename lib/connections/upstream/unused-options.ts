// The options of a connection that its provider's row leaves without effect: the address of a server that is always at the same one,
// for instance.
import { speaksWsFederation, WAAD } from '../wsfed-options'
import { type ProviderRow, providerOf } from './providers'

type Options = Readonly<Record<string, unknown>>

/** The names of the options; values of a wrong type are their schema's matter. */
export function unusedOptions(strategy: string, options: Options): string[] {
  const row = providerOf(strategy)
  if (!row) return []
  const isUsed = strategy === WAAD && speaksWsFederation(options) ? usedByWsFederation : usedByProvider(row, options)
  return Object.keys(options).filter((name) => isGiven(options[name]) && !isUsed(name))
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const OPENID = [
  'client_id',
  'scope',
  'store_tokens',
  'domain',
  'issuer',
  'discovery_url',
  'jwks_uri',
  'end_session_endpoint',
]
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'authorizationURL', 'tokenURL']
const ASKING = ['token_endpoint_auth_method', 'id_token_signed_response_algs', 'connection_settings', 'pkce_enabled']

const usedByWsFederation = (name: string): boolean =>
  ![...OPENID, ...ENDPOINTS, ...ASKING, 'attribute_map', 'use_common_endpoint', 'team_id', 'kid'].includes(name)

function usedByProvider(row: ProviderRow, options: Options): (name: string) => boolean {
  const isOpenId = row.protocol === 'oidc'
  const [authorization, token] = [
    options.authorization_endpoint ?? options.authorizationURL,
    options.token_endpoint ?? options.tokenURL,
  ]
  /** Without all of them the addresses are those of the discovery document. */
  const isWhole = [options.issuer, authorization, token, options.jwks_uri].every(isGiven)
  const named = (place: string): boolean => row.issuer?.includes(`{${place}}`) === true
  const addressed = (fixed: string | undefined): boolean => fixed === undefined && (!isOpenId || isWhole)
  const used: Readonly<Record<string, boolean>> = {
    domain: named('domain') || (isOpenId && row.issuer === undefined),
    tenant_domain: named('tenant'),
    use_common_endpoint: named('tenant'),
    discovery_url: isOpenId && row.issuer === undefined && !isWhole,
    authorization_endpoint: addressed(row.authorization),
    authorizationURL: addressed(row.authorization),
    token_endpoint: addressed(row.token),
    tokenURL: addressed(row.token),
    userinfo_endpoint: addressed(row.userinfo),
    jwks_uri: isOpenId && isWhole,
    end_session_endpoint: addressed(undefined),
    token_endpoint_auth_method: row.auth !== 'signed',
    id_token_signed_response_algs: isOpenId,
    team_id: row.auth === 'signed',
    kid: row.auth === 'signed',
    entityId: false,
    fieldsMap: false,
  }
  return (name) => used[name] !== false
}
