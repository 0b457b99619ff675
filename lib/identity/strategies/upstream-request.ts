// The authorization request to a provider (RFC 6749 4.1.1, RFC 7636, OIDC Core 3.1.2.1).
// - Parameters of the client's request are forwarded, but never replace parameters of the protocol.
// - Nonce and verifier are derived from the state under LATCHKEY_SECRET, so the stored data alone cannot complete the flow.
import * as client from 'openid-client'
import type { FederatedConnection } from '../../data/connections/connection'
import type { ProviderRow } from '../../data/connections/upstream/providers'
import {
  callbackUrl,
  type UpstreamAsk,
  type UpstreamDeps,
  UpstreamError,
} from '../../data/connections/upstream/upstream'
import { configured } from './upstream-parameters'
import { serverOf } from './upstream-server'

type Options = FederatedConnection['settings']['options']

export async function requestUrl(
  connection: FederatedConnection,
  ask: UpstreamAsk,
  deps: UpstreamDeps,
): Promise<string> {
  const { row, configuration } = await serverOf(connection, deps)
  const { options } = connection.settings
  const verifier = verifierOf(row, options, ask, deps)
  const nonce = nonceOf(row, options, ask, deps)
  const scope = scopeOf(row, options, ask)
  const url = client.buildAuthorizationUrl(configuration, {
    ...forwarded(ask.parameters),
    ...(row.protocol === 'oidc' && ask.loginHint !== null ? { login_hint: ask.loginHint } : {}),
    ...(row.reauthenticates && ask.anew ? { prompt: 'login' } : {}),
    ...row.params,
    ...configured(options, ask),
    redirect_uri: callbackUrl(deps),
    state: ask.state,
    ...(scope === '' ? {} : { scope }),
    ...(row.mode === undefined ? {} : { response_mode: row.mode }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(verifier === undefined
      ? {}
      : { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  })
  if (!/^https?:$/.test(url.protocol))
    throw new UpstreamError('unreachable', 'the authorization endpoint is no address')
  return url.href
}

/** The connection's list, or else the strategy's, and `connection_scope` of the application's request. */
function scopeOf(row: ProviderRow, { scope = [], useOauthSpecScope }: Options, { parameters }: UpstreamAsk): string {
  const { connection_scope: more = '' } = parameters
  const isPlain = row.protocol === 'oauth2' && !row.scope.split(' ').includes(OPENID)
  if (isPlain && typeof scope === 'string' && scope.trim() !== '' && more === '') return scope
  const own = wordsOf(scope)
  const chosen = own.length > 0 ? own : wordsOf(row.scope)
  const needed = isPlain || chosen.includes(OPENID) ? [] : [OPENID]
  return [...new Set([...needed, ...chosen, ...wordsOf(more)])].join(
    isPlain && more !== '' && useOauthSpecScope === false ? ',' : ' ',
  )
}

const OPENID = 'openid'

const wordsOf = (text: string | readonly string[]): string[] =>
  [text]
    .flat()
    .flatMap((part) => part.split(/[\s,]+/))
    .filter((word) => word !== '')

/** Parameters with a meaning in the protocol or on this server. */
const NEVER_FORWARDED = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'code',
  'resource',
  'dpop_jkt',
  'display',
  'connection_scope',
  'realm',
  'protocol',
  'owp',
  'invitation',
  'organization_name',
])

const forwarded = (parameters: UpstreamAsk['parameters']): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !NEVER_FORWARDED.has(name) && !/^ext-/.test(name)))

const derived = (what: 'nonce' | 'verifier', { state }: { state: string }, { vault }: UpstreamDeps): string =>
  vault.mac(`upstream ${what}`, state).toString('base64url')

/** Undefined for a server that does not return it: the code is then bound to this request by PKCE, and never by neither. */
export function nonceOf(
  row: ProviderRow,
  options: Options,
  ask: { state: string },
  deps: UpstreamDeps,
): string | undefined {
  if (row.protocol !== 'oidc') return undefined
  const isOff = options.send_back_channel_nonce === false && verifierOf(row, options, ask, deps) !== undefined
  return isOff ? undefined : derived('nonce', ask, deps)
}

export function verifierOf(
  { pkce }: ProviderRow,
  { connection_settings, pkce_enabled }: Options,
  ask: { state: string },
  deps: UpstreamDeps,
): string | undefined {
  const wanted = connection_settings?.pkce
  const off = wanted === 'disabled' || pkce_enabled === false || (!pkce && wanted !== 'S256' && !pkce_enabled)
  return off ? undefined : derived('verifier', ask, deps)
}
