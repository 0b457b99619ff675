// `setPrimaryUser`: an action linked the account that was just proven to another user, and the login goes on as that user (threat-model.md
// AC19).
// - Only a user of whom that account is now an identity. Its former user is gone by then, with sessions, tokens and unfinished logins.
// - What was decided for the former user counts no more: blocks, organization, factors, consent and the actions themselves are judged again.
// - A proof that the login only inherited from a session, or a factor of the former user, proves nothing of the new one.

import { type Evidence, oldestProof } from '../../data/sessions/session'
import { type LinkedIdentity, subjectOf } from '../../data/users/profile'
import type { User } from '../../data/users/user'
import type { Effects } from '../../identity/tenant-code/trigger'
import { accessDenied, type DomainError } from '../../kernel/errors'
import type { LoginDeps } from '../deps'
import { organizationDecision } from '../flow/linking'
import type { Decisions, LoginTransaction } from '../transaction'

/** The wish of an action, with the former user and the accounts of that user. */
export type Turning = { userId: string; effects: Effects; user: User; accounts: readonly LinkedIdentity[] }

export type Following = {
  /** The former user. */
  from: string
  to: string
  /** The accounts that may have been proven, as `provider|id`; all have to be the new user's. */
  accounts: readonly string[]
  provenAt: Date
  at: Date
  /** The unfinished login, which linking has ended, as it goes on; null without a browser. */
  login: (Pick<LoginTransaction, 'handleDigest' | 'revision' | 'evidence'> & { decisions: Decisions }) | null
}

/** The proofs that the new user's login may rely on. */
export const freshProofs = (evidence: readonly Evidence[]): Evidence[] =>
  evidence.filter(({ inherited, method }) => !inherited && method !== 'mfa')

/** The new user; null where the login may not go on as that user. */
export async function followAccount(
  { userId, user, accounts }: Turning,
  evidence: readonly Evidence[],
  login: Following['login'],
  deps: LoginDeps,
): Promise<User | null> {
  const at = deps.clock.now()
  const provenAt = oldestProof(evidence)
  const proven = accounts.filter(({ connection }) => evidence.some((proof) => proof.connection === connection))
  if (!provenAt || proven.length === 0) return null
  const following = { from: user.id, to: userId, accounts: proven.map(subjectOf), provenAt, at, login }
  const next = await deps.accountJoins.follow(following)
  if (next) deps.trail.context({ user: next })
  return next
}

/** What stays decided: where the login began, and for which organization; whether the new user is a member is judged. */
export const decisionsAfter = (
  before: Decisions,
  { userId, effects }: Pick<Turning, 'userId' | 'effects'>,
): Decisions => ({
  ...organizationDecision(before),
  ...(before.startAddress === undefined ? {} : { startAddress: before.startAddress }),
  account: 'selected',
  rules: { userId, effects },
})

/** As after a failure of an action, which it is. */
export const notFollowed = (): DomainError =>
  accessDenied('An action of this tenant could not be run', {
    reason: 'action_failed',
    detail:
      'an action names a user of whom the account just proven is no identity, or who may not sign in by that proof',
  })
