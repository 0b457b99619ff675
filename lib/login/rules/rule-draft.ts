// The effects of the tenant's rules on a login, stored until the login ends. Rules run once per user of the login; a required
// factor or redirect comes before the login continues. Pure functions.

import { claimsOf, scopesOf, wantsFactor } from '../../rules/effects'
import type { Effects } from '../../rules/trigger'
import type { User } from '../../users/user'
import type { Decisions, LoginOutcome } from '../transaction'

export type RuleDraft = {
  /** The user they ran for; for another user they must run again. */
  userId: string
  effects: Effects
  /** The value that the returned `state` must contain while the browser is at another site. */
  left?: string
}

type Decided = { decisions: Decisions; user: User | null }

export const draftOf = ({ decisions: { rules }, user }: Decided): RuleDraft | null =>
  rules !== undefined && rules.userId === user?.id ? rules : null

/** The MFA demand of the rules, as a policy value; null if they require no factor. */
export function demandOfRules(state: Decided): 'always' | 'step-up' | null {
  const draft = draftOf(state)
  if (!draft || !wantsFactor(draft.effects)) return null
  const { multifactor } = draft.effects
  return multifactor?.kind !== 'none' && multifactor?.allowRememberBrowser ? 'always' : 'step-up'
}

/** What rules changed in the login outcome. */
export function endedBy(draft: RuleDraft | null, scopes: string[]): Partial<Pick<LoginOutcome, 'custom' | 'scopes'>> {
  if (!draft) return {}
  const custom = claimsOf(draft.effects)
  return { scopes: scopesOf(scopes, draft.effects), ...(custom === undefined ? {} : { custom }) }
}
