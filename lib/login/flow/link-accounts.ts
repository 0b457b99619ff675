// Carries out account linking once all requirements of a login are met: first for the account that signed in, then for the
// other one. Then both accounts are joined and the login continues as the account that stays (threat-model.md UP7).

import { type Evidence, oldestProof } from '../../data/sessions/session'
import type { ProvenAccount } from '../../data/users/linked-accounts'
import type { User } from '../../data/users/user'
import { composeSignInMail, onceEach } from '../../identity/accounts/sign-in-mail'
import { factorSettings } from '../../identity/mfa/administrator-factors'
import { enrollableKinds } from '../../identity/mfa/policy'
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { LinkDraft, LoginTransaction, OtherAccount } from '../transaction'
import type { Visitor } from '../visitor'
import type { VisitorResponse } from '../visitor-response'
import { agreedBefore, askingAgain, organizationDecision } from './linking'
import { hasMfa } from './mfa-evidence'
import { evaluateLogin, type LoginContinues, type OpenTransaction, passed } from './open'
import { showScreen } from './screen-urls'

/** The login to finish, or the page to show before. */
export async function followLink(
  open: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<LoginContinues | VisitorResponse> {
  const { linking } = open.transaction.decisions
  if (linking?.phase === 'accepted') return turnTo(linking.other, open, visitor, deps)
  if (linking?.phase === 'proving') return joinBoth(linking, open, visitor, deps)
  return passed(open)
}

/** The login did not finish: the user is asked first. */
export function suggestLink(
  other: OtherAccount,
  open: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
): Promise<VisitorResponse> {
  const { transaction, state } = open
  const decisions = { ...transaction.decisions, linking: { phase: 'offered' as const, other } }
  return showNext(open, { ...transaction, decisions }, state.user, visitor, deps)
}

/** Sets the first account's proof aside and drops the decisions made for that account. */
function turnTo(other: OtherAccount, open: OpenTransaction, visitor: Visitor, deps: LoginDeps) {
  const { transaction, state } = open
  const { user } = state
  if (!user) throw new Error('an account is linked before any is proven')
  const evidence = transaction.evidence.filter((proof) => !proof.inherited)
  const linking = { phase: 'proving' as const, other, first: { userId: user.id, evidence } }
  const { decisions: before } = transaction
  const kept = { ...agreedBefore(before), ...organizationDecision(before), linking, account: 'selected' as const }
  const decisions = user.email === null ? kept : { ...kept, identifier: user.email }
  return showNext(open, { ...transaction, userId: null, evidence: [], decisions }, null, visitor, deps)
}

type Proving = Extract<LinkDraft, { phase: 'proving' }>

async function joinBoth({ first, other }: Proving, open: OpenTransaction, visitor: Visitor, deps: LoginDeps) {
  const { transaction } = open
  const { handleDigest, revision } = transaction
  const at = deps.clock.now()
  const evidence = [...first.evidence, ...transaction.evidence]
  const decisions = { ...transaction.decisions, linking: { phase: 'done' as const } }
  const both = await Promise.all([first.userId, other.id].map((id) => deps.users.find(id)))
  const change = { what: 'added', ways: ['connected-account'] } as const
  const composed = await Promise.all(both.map((user) => user && composeSignInMail(user, change, deps)))
  const joined = await deps.accountJoins.join({
    mails: onceEach(composed),
    accounts: [
      await provenAccount(first.userId, first.evidence, at, deps),
      await provenAccount(other.id, transaction.evidence, at, deps),
    ],
    login: { handleDigest, revision, evidence, decisions },
    at,
  })
  if (joined === 'lost') return showScreen('login', open.handle, deps)
  if (typeof joined === 'string') {
    const notice = joined === 'last_owner' ? 'link_last_owner' : 'link_failed'
    return goBack({ first, other }, open, visitor, deps, notice)
  }
  deps.trail.record('changed', { user: joined, change: 'account linked' })
  deps.mailer.wake()
  const next = { ...transaction, revision: revision + 1, userId: joined.id, evidence, decisions }
  const moved = { handle: open.handle, transaction: next, ...(await evaluateLogin(next, joined, visitor, deps)) }
  return moved.screen === null ? passed(moved) : showScreen(moved.screen, open.handle, deps)
}

const provenAccount = async (
  userId: string,
  evidence: Evidence[],
  at: Date,
  deps: LoginDeps,
): Promise<ProvenAccount> => ({
  userId,
  provenAt: oldestProof(evidence) ?? at,
  needsFactor: hasMfa(evidence) ? [] : enrollableKinds(await factorSettings({ id: userId }, deps)),
})

/** Returns to the question, signed in as the first account. */
async function goBack(
  { first, other }: Pick<Proving, 'first' | 'other'>,
  open: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
  notice: NoticeCode,
): Promise<VisitorResponse> {
  const { transaction } = open
  const user = await deps.users.find(first.userId)
  const decisions = askingAgain(transaction.decisions, other)
  const next = { ...transaction, userId: user?.id ?? null, evidence: first.evidence, decisions }
  return showNext(open, next, user, visitor, deps, notice)
}

async function showNext(
  open: OpenTransaction,
  next: LoginTransaction,
  user: User | null,
  visitor: Visitor,
  deps: LoginDeps,
  notice?: NoticeCode,
): Promise<VisitorResponse> {
  const { handleDigest, revision } = open.transaction
  const { screen } = await evaluateLogin(next, user, visitor, deps)
  await deps.transactions.update(handleDigest, revision, next)
  return showScreen(screen ?? 'login', open.handle, deps, notice)
}
