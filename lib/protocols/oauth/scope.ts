// The scope parameter (RFC 6749 3.3) and which scopes can be granted.
// - Duplicates collapse; order is kept.
// - A scope that neither OpenID Connect nor the API defines is dropped, as the vendor does (threat-model.md AZ11).
// - A third-party client gets no scope of an API about the person (lib/data/apis/built-in.ts).
// - `offline_access` needs a client that may refresh and an API, if any, that allows it.
import type { Api } from '../../data/apis/api'
import { OIDC_SCOPES } from '../../data/claims/claims'
import type { Client } from '../../data/clients/client'
import { DomainError } from '../../kernel/errors'
import type { Reason } from '../../kernel/reasons'

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const MAX_SCOPES = 200

export function parseScope(value: string | undefined): string[] {
  if (value === undefined) return []
  const scopes = [...new Set(value.split(' ').filter((token) => token !== ''))]
  if (scopes.length > MAX_SCOPES || !scopes.every((scope) => SCOPE_TOKEN.test(scope))) {
    throw new DomainError('invalid_scope', 'The scope is malformed')
  }
  return scopes
}

export const grantableScopes = (requested: readonly string[], client: Client, api: Api | null): string[] =>
  requested.filter((scope) => {
    if (scope === 'offline_access') return mayRefresh(client, api)
    return isOidcScope(scope) || (isFor(client, api) && api.scopes.has(scope))
  })

type Noting = { context(facts: { dropped: DroppedScopes }): void }

export type DroppedScopes = { scopes: string[]; reason: Reason }

/** What of a request is not granted, for the log; null if nothing. A refresh token that is missed comes first. */
export function droppedScopes(requested: readonly string[], client: Client, api: Api | null): DroppedScopes | null {
  const granted = grantableScopes(requested, client, api)
  const scopes = requested.filter((scope) => !granted.includes(scope))
  if (scopes.length === 0) return null
  if (!scopes.includes('offline_access')) return { scopes, reason: 'scope_unknown' }
  const reason = client.grantTypes.has('refresh_token') ? 'offline_access_not_allowed' : 'refresh_not_allowed'
  return { scopes, reason }
}

const isOidcScope = (scope: string): boolean => (OIDC_SCOPES as readonly string[]).includes(scope)

const isFor = ({ settings }: Client, api: Api | null): api is Api =>
  api !== null && (!api.personal || settings.is_first_party)

/** The default without a scope parameter in a browserless login: all scopes of the API, or all OpenID scopes. */
export function scopesWithoutPage(sent: string | undefined, client: Client, api: Api | null, trail: Noting): string[] {
  const requested = parseScope(sent)
  const dropped = droppedScopes(requested, client, api)
  if (dropped) trail.context({ dropped })
  if (requested.length > 0) return grantableScopes(requested, client, api)
  if (api) return isFor(client, api) ? [...(api.personal?.scopes ?? api.scopes.keys())] : []
  return OIDC_SCOPES.filter((scope) => scope !== 'offline_access')
}

const mayRefresh = (client: Client, api: Api | null): boolean =>
  client.grantTypes.has('refresh_token') && (api === null || api.settings.allow_offline_access)

/** A refresh may narrow the granted scopes, never widen them (RFC 6749 6). Scopes that do not exist are dropped. */
export function narrowScopes(granted: readonly string[], requested: readonly string[], api: Api | null): string[] {
  const within = requested.filter((scope) => granted.includes(scope))
  const exceeds = requested.some((scope) => !within.includes(scope) && (isOidcScope(scope) || api?.scopes.has(scope)))
  if (exceeds)
    throw new DomainError('invalid_scope', 'The scope exceeds what was granted', { reason: 'scope_exceeds_grant' })
  return within
}
