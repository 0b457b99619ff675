// The options of a connection that its provider's row leaves without effect: the address of a server that is always at the same one,
// for instance.
import { objectIn } from '../../../kernel/json'
import { speaksWsFederation, WAAD } from '../wsfed-options'
import { hasOwnServer, type ProviderRow, providerOf } from './providers'

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
  'oidc_metadata',
]
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'authorizationURL', 'tokenURL']
const SIGNING = ['token_endpoint_auth_signing_alg', 'token_endpoint_jwtca_aud_format']
const PLAIN = ['fieldsMap', 'authParams', 'authParamsMap', 'customHeaders', 'logoutUrl', 'scripts']
const ASKING = [
  'token_endpoint_auth_method',
  'id_token_signed_response_algs',
  'connection_settings',
  'pkce_enabled',
  'send_back_channel_nonce',
  'useOauthSpecScope',
  ...SIGNING,
  ...PLAIN.filter((name) => name !== 'fieldsMap'),
]

const usedByWsFederation = (name: string): boolean =>
  ![...OPENID, ...ENDPOINTS, ...ASKING, 'attribute_map', 'use_common_endpoint', 'team_id', 'kid'].includes(name)

function usedByProvider(row: ProviderRow, options: Options): (name: string) => boolean {
  const isOpenId = row.protocol === 'oidc'
  const isOwn = hasOwnServer(row)
  const isPlain = isOwn && !isOpenId
  const named = (place: string): boolean => row.issuer?.includes(`{${place}}`) === true
  const signs = isOpenId && options.token_endpoint_auth_method === 'private_key_jwt'
  const used: Readonly<Record<string, boolean>> = {
    domain: named('domain') || (isOpenId && row.issuer === undefined),
    tenant_domain: named('tenant'),
    use_common_endpoint: named('tenant'),
    discovery_url: isOpenId && isOwn && isUsedBeside(options),
    oidc_metadata: isOpenId && isOwn,
    ...allOf(ENDPOINTS, isOwn),
    jwks_uri: isOpenId && isOwn,
    end_session_endpoint: isOwn || !isOpenId,
    token_endpoint_auth_method: row.auth !== 'signed',
    ...allOf(SIGNING, signs),
    id_token_signed_response_algs: isOpenId,
    send_back_channel_nonce: isOpenId,
    useOauthSpecScope: options.useOauthSpecScope !== false || isPlain,
    ...allOf(PLAIN, isPlain),
    team_id: row.auth === 'signed',
    kid: row.auth === 'signed',
    entityId: false,
    end_refresh_tokens_with_session: false,
  }
  return (name) => used[name] !== false
}

const allOf = (names: readonly string[], isUsed: boolean): Record<string, boolean> =>
  Object.fromEntries(names.map((name) => [name, isUsed]))

const NEEDED = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']

/** Metadata that is given whole stands in for the document. */
function isUsedBeside({ oidc_metadata, ...options }: Options): boolean {
  const metadata = objectIn(oidc_metadata)
  if (Object.keys(metadata).length === 0) return true
  const { authorizationURL, tokenURL } = options
  const given: Options = { ...metadata, authorization_endpoint: authorizationURL, token_endpoint: tokenURL, ...options }
  return !NEEDED.every((name) => isGiven(given[name] ?? metadata[name]))
}
