// How the tenant's rules have decided a login, kept with it until it ends: they run once for each person that it is of, and what
// they asked for (a factor, a way round by another site) is answered before it goes on. Pure.

import { claimsOf, scopesOf, wantsFactor } from '../../rules/effects'
import type { Effects } from '../../rules/trigger'
import type { User } from '../../users/user'
import type { Decisions, LoginOutcome } from '../transaction'

export type RuleDraft = {
  /** Whom they ran for: of another they have decided nothing. */
  userId: string
  effects: Effects
  /** While the browser is away: what its state must hold. */
  left?: string
}

type Decided = { decisions: Decisions; user: User | null }

export const draftOf = ({ decisions: { rules }, user }: Decided): RuleDraft | null =>
  rules !== undefined && rules.userId === user?.id ? rules : null

/** What rules ask of the second factor, in the policy's words; null where they ask nothing. */
export function demandOfRules(state: Decided): 'always' | 'step-up' | null {
  const draft = draftOf(state)
  if (!draft || !wantsFactor(draft.effects)) return null
  const { multifactor } = draft.effects
  return multifactor?.kind !== 'none' && multifactor?.allowRememberBrowser ? 'always' : 'step-up'
}

/** What is told of the login, where rules changed it. */
export function endedBy(draft: RuleDraft | null, scopes: string[]): Partial<Pick<LoginOutcome, 'custom' | 'scopes'>> {
  if (!draft) return {}
  const custom = claimsOf(draft.effects)
  return { scopes: scopesOf(scopes, draft.effects), ...(custom === undefined ? {} : { custom }) }
}
