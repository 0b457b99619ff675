// The effects of the tenant's actions on a login, stored until the login ends. Actions run once per user of the login; a required
// factor or redirect comes before the login continues. Pure functions.
import { type Api, isBuiltIn } from '../../data/apis/api'
import type { Evidence } from '../../data/sessions/session'
import type { SessionChanges } from '../../data/sessions/session-changes'
import type { User } from '../../data/users/user'
import type { TypeDemand } from '../../identity/mfa/accepted'
import { challengedTypes, claimsOf, scopesOf, wantsFactor } from '../../identity/tenant-code/effects'
import type { Effects } from '../../identity/tenant-code/trigger'
import { hasFreshMfa } from '../flow/mfa-evidence'
import type { Decisions, LoginOutcome } from '../transaction'

export type PostLoginDraft = {
  /** The user they ran for; for another user they must run again. */
  userId: string
  effects: Effects
  /** The value that the returned `state` must contain while the browser is at another site. */
  left?: string
}

type Decided = { decisions: Decisions; user: User | null }
type Proving = Decided & { evidence: readonly Evidence[] }

export const draftOf = ({ decisions: { rules }, user }: Decided): PostLoginDraft | null =>
  rules !== undefined && rules.userId === user?.id ? rules : null

/** The MFA demand of the actions, as a policy value; null if they require no factor. */
export function factorDemandOf(state: Decided): 'always' | 'step-up' | null {
  const draft = draftOf(state)
  if (!draft || !wantsFactor(draft.effects)) return null
  const { multifactor } = draft.effects
  return multifactor?.kind !== 'none' && multifactor?.allowRememberBrowser ? 'always' : 'step-up'
}

/** The types of factor that the actions require; null for any type, and where they require no factor. */
export function typeDemandOf(state: Proving): TypeDemand | null {
  const draft = draftOf(state)
  return draft && typeDemand(draft.effects, state.evidence)
}

/** Only a challenge is refused to a user who has no such factor; other demands let the user add one. */
export function typeDemand(effects: Effects, evidence: readonly Evidence[]): TypeDemand | null {
  const types = challengedTypes(effects)
  if (types === null) return null
  return { types, mayEnroll: effects.multifactor?.kind !== 'challenge', factorProven: hasFreshMfa(evidence) }
}

/** What actions changed in the login outcome. The requirements of a login judge which scopes of a built-in API it gives, so actions add none. */
export function endedBy(
  draft: PostLoginDraft | null,
  scopes: string[],
  api: Api | null,
): Partial<Pick<LoginOutcome, 'custom' | 'scopes' | 'saml' | 'refresh'> & { session: SessionChanges }> {
  if (!draft) return {}
  const { saml, session, refreshToken: refresh } = draft.effects
  const custom = claimsOf(draft.effects)
  const changed = scopesOf(scopes, draft.effects)
  const kept =
    api && isBuiltIn(api) ? changed.filter((scope) => scopes.includes(scope) || !api.scopes.has(scope)) : changed
  return {
    scopes: kept,
    ...(custom === undefined ? {} : { custom }),
    ...(saml === undefined ? {} : { saml }),
    ...(session === undefined ? {} : { session }),
    ...(refresh === undefined ? {} : { refresh }),
  }
}
