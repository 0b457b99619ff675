// The raw parameters that are stored with a request, in addition to what was parsed.
// - Repeatable parameters restart the same request: no token, no secret, nothing that is valid once.
// - Extra parameters, a subset of these, are unknown to this server and are forwarded to the provider behind a connection.
// The size of a request bounds what is stored (lib/server/endpoints/oauth/authorize.ts).
import type { Parameters } from '../../kernel/parameters'

const OURS = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'audience',
  'resource',
  'connection',
  'prompt',
  'max_age',
  'login_hint',
  'screen_hint',
  'ui_locales',
  'acr_values',
  'claims',
  'organization',
  'organization_name',
  'code_challenge',
  'code_challenge_method',
  'dpop_jkt',
])

/** Secrets, tokens, and parameters that describe the client library only. */
const NEVER_KEPT = new Set([
  'invitation',
  'id_token_hint',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'request',
  'request_uri',
  'registration',
  'login_ticket',
  'access_token',
  'username',
  'password',
  'auth0Client',
])

function pick(parameters: Parameters, keep: (name: string) => boolean): Record<string, string> {
  const kept: [string, string][] = []
  for (const name in parameters) {
    const value = parameters[name]
    if (value !== undefined && keep(name)) kept.push([name, value])
  }
  return Object.fromEntries(kept)
}

/** The parameters that restart the same request. */
export const repeatableOf = (parameters: Parameters): Record<string, string> =>
  pick(parameters, (name) => !NEVER_KEPT.has(name))

/** The parameters that are forwarded to an upstream provider (the contract's "Authorize (social)", additional parameters). */
export const extraOf = (parameters: Parameters): Record<string, string> =>
  pick(parameters, (name) => !NEVER_KEPT.has(name) && !OURS.has(name))
