// What is kept of a request's parameters beside what was read of them.
// - All that it takes to begin the same request anew: no token, no secret, nothing that may be used once.
// - Of these, the ones that are nobody's here: ignored by us, meant for the provider behind a connection.
// How much anybody may have kept is bounded by what a request may bring (lib/endpoints/oauth/authorize.ts).
import type { Parameters } from '../../http/message'

const OURS = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'audience',
  'connection',
  'prompt',
  'max_age',
  'login_hint',
  'screen_hint',
  'ui_locales',
  'acr_values',
  'claims',
  'organization',
  'code_challenge',
  'code_challenge_method',
])

/** Secrets and tokens, and what says something about the client library alone. */
const NEVER_KEPT = new Set([
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

/** What it takes to begin the same request anew. */
export const repeatableOf = (parameters: Parameters): Record<string, string> =>
  pick(parameters, (name) => !NEVER_KEPT.has(name))

/** What is forwarded to an upstream provider (the contract's "Authorize (social)", additional parameters). */
export const extraOf = (parameters: Parameters): Record<string, string> =>
  pick(parameters, (name) => !NEVER_KEPT.has(name) && !OURS.has(name))
