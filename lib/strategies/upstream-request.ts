// The authorization request to a provider (RFC 6749 4.1.1, RFC 7636, OIDC Core 3.1.2.1).
// - Parameters of the client's request are forwarded, but never replace parameters of the protocol.
// - Nonce and verifier are derived from the state under LATCHKEY_SECRET, so the stored data alone cannot complete the flow.
import * as client from 'openid-client'
import type { FederatedConnection } from '../connections/connection'
import type { ProviderRow } from '../connections/upstream/providers'
import { callbackUrl, type UpstreamAsk, type UpstreamDeps, UpstreamError } from '../connections/upstream/upstream'
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
  const scope = scopesOf(row, options, ask).join(' ')
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
    ...(row.protocol === 'oidc' ? { nonce: derived('nonce', ask, deps) } : {}),
    ...(verifier === undefined
      ? {}
      : { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  })
  if (!/^https?:$/.test(url.protocol))
    throw new UpstreamError('unreachable', 'the authorization endpoint is no address')
  return url.href
}

function scopesOf(row: ProviderRow, { scope = [] }: Options, { parameters }: UpstreamAsk): string[] {
  const requested = [row.scope, parameters.connection_scope ?? ''].flatMap((text) => text.split(/[\s,]+/))
  return [...new Set([...requested, ...scope])].filter((name) => name !== '')
}

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

export const derived = (what: 'nonce' | 'verifier', { state }: { state: string }, { vault }: UpstreamDeps): string =>
  vault.mac(`upstream ${what}`, state).toString('base64url')

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
