// A second factor for a refresh (threat-model.md MF1): a login that no browser saw and that proved none goes on only with one,
// once the policy has come to ask always. Nothing is spent by the refusal, and what its `mfa_token` gives in the end takes
// the place of the token family.
// - Of a login in a browser, /authorize judges that: the browser may be one that is remembered.
import type { Client } from '../../clients/client'
import { wantsOf } from '../../login/browserless/browserless-wants'
import { mfaRequired } from '../../login/browserless/grant-login'
import { listFactors } from '../../mfa/enrolled'
import { enrollableFactors, policyOf } from '../../mfa/policy'
import { isLive, type TokenFamily } from '../../tokens/family'
import type { RefreshTokenRef } from '../../tokens/refresh-token'
import { checkWithin } from '../scope'
import type { GrantDeps } from './grant'

type Refresh = { ref: RefreshTokenRef; scopes: string[] | null; client: Client; ip: string }

export async function checkFactor({ ref, scopes, client, ip }: Refresh, deps: GrantDeps): Promise<void> {
  if (policyOf(deps.settings, client) !== 'always' || enrollableFactors(deps.settings).length === 0) return
  const found = await deps.families.find(ref.familyId)
  if (!found?.user || found.user.blocked || !lacksFactor(found.family, ref, client, deps)) return
  const { family, user } = found
  checkWithin(family.scopes, scopes ?? [])
  const api = family.audience === null ? null : await deps.apis.find(family.audience)
  if (family.audience !== null && !api) return
  const wants = wantsOf({ client, api, scopes: scopes ?? family.scopes })
  const beginning = { user, gty: family.gty, protocol: 'oauth2-refresh-token', ip, replaces: family.id }
  const facts = { wants, evidence: evidenceOf(family), decisions: {} }
  throw await mfaRequired(beginning, facts, await listFactors(user, deps), deps)
}

/** Whatever else is wrong with the token is said where it is rotated. */
function lacksFactor(family: TokenFamily, ref: RefreshTokenRef, client: Client, { clock }: GrantDeps): boolean {
  const isCurrent = family.clientId === client.clientId && family.generation === ref.generation
  const proven = family.authentication?.methods.includes('mfa') ?? false
  return isCurrent && isLive(family, clock.now()) && family.sid === null && !proven
}

export function evidenceOf({ authentication }: TokenFamily) {
  const at = new Date((authentication?.time ?? 0) * 1000).toISOString()
  return (authentication?.methods ?? []).map((method) => ({ method, at, connection: '' }))
}
