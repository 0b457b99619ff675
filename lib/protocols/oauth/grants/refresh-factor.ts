// MFA at a refresh (threat-model.md MF1): once the policy requires a second factor, a browserless login without one is not refreshed.
// The refusal spends nothing. Completing its `mfa_token` replaces the token family.
// - A login in a browser is judged at /authorize instead, because that browser may be remembered.
import { stillOpen } from '../../../data/apis/audience'
import type { Client } from '../../../data/clients/client'
import { type Evidence, withRecorded } from '../../../data/sessions/session'
import { listFactors } from '../../../identity/mfa/enrolled'
import { enrollableFactors, policyOf } from '../../../identity/mfa/policy'
import { wantsOf } from '../../../login/browserless/browserless-wants'
import { mfaRequired } from '../../../login/browserless/grant-login'
import { isLive, type TokenFamily } from '../../../tokens/family'
import type { RefreshTokenRef } from '../../../tokens/refresh-token'
import type { GrantDeps } from './grant'
import { refreshedScopes } from './refresh-scopes'

type Refresh = { ref: RefreshTokenRef; scopes: string[] | null; client: Client; ip: string }

export async function checkFactor({ ref, scopes, client, ip }: Refresh, deps: GrantDeps): Promise<void> {
  const policy = policyOf(deps.settings, client)
  if ((policy !== 'always' && policy !== 'enrolled') || enrollableFactors(deps.settings).length === 0) return
  const found = await deps.families.find(ref.familyId)
  if (!found?.user || found.user.blocked || !lacksFactor(found.family, ref, client, deps)) return
  const { family, user } = found
  deps.trail.follow(family.authentication?.login)
  const enrolments = await listFactors(user, deps)
  if (policy === 'enrolled' && !enrolments.chosen) return
  const refreshed = await refreshedScopes(family, scopes, deps)
  const api = family.audience === null ? null : await stillOpen(family.audience, client, deps)
  if (family.audience !== null && !api) return
  const wants = wantsOf({
    ...{ client, api, scopes: refreshed },
    organizationId: family.authentication?.organization,
  })
  const beginning = { user, gty: family.gty, protocol: 'oauth2-refresh-token', ip, replaces: family.id }
  const facts = { wants, evidence: evidenceOf(family), decisions: {} }
  throw await mfaRequired(beginning, facts, enrolments, deps)
}

/** Other faults of the token are reported by the rotation. */
function lacksFactor(family: TokenFamily, ref: RefreshTokenRef, client: Client, { clock }: GrantDeps): boolean {
  const isCurrent = family.clientId === client.clientId && family.generation === ref.generation
  const proven = family.authentication?.methods.includes('mfa') ?? false
  return isCurrent && isLive(family, clock.now()) && family.sid === null && !proven
}

export function evidenceOf({ authentication }: TokenFamily): Evidence[] {
  const at = new Date((authentication?.time ?? 0) * 1000).toISOString()
  const factors = [...(authentication?.factors ?? [])]
  const evidence = (authentication?.methods ?? []).map((method): Evidence => {
    const factor = method === 'mfa' ? factors.shift() : undefined
    return { method, at, connection: '', inherited: true, ...(factor === undefined ? {} : { factor }) }
  })
  return withRecorded(evidence, authentication?.recorded)
}
