// The scopes of a refresh: what was granted, or fewer of it (RFC 6749 6). A scope that does not exist is dropped, as at /authorize.
import type { ApiPort } from '../../../data/apis/api'
import type { TokenFamily } from '../../../tokens/family'
import { narrowScopes } from '../scope'

/** `requested` is null if the request names no scope. Throws `invalid_scope` for a scope that exists and was not granted. */
export async function refreshedScopes(
  { scopes, audience }: Pick<TokenFamily, 'scopes' | 'audience'>,
  requested: readonly string[] | null,
  { apis }: { apis: ApiPort },
): Promise<string[]> {
  if (requested === null) return scopes
  return narrowScopes(scopes, requested, audience === null ? null : await apis.find(audience))
}
