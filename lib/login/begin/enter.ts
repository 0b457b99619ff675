// Enters a screen: on entry to the MFA page, the second factor is challenged at once.
import type { NoticeCode } from '../../pages/view'
import type { LoginDeps } from '../deps'
import type { OpenTransaction } from '../flow/open'
import { recognitionsOf } from '../flow/recognized-browser'
import type { FormActionContext } from '../forms/action'
import { askAtOnce } from '../steps/mfa-challenge'
import type { Decisions } from '../transaction'
import type { Visitor } from '../visitor'

type Entered = { decisions: Decisions; notice?: NoticeCode }

export async function enter(moved: OpenTransaction, visitor: Visitor, deps: LoginDeps): Promise<Entered> {
  const { decisions } = moved.transaction
  if (moved.screen !== 'mfa-challenge') return { decisions }
  const { draft, ...rest } = await askAtOnce(moved.state, contextOf(moved, visitor, deps), deps)
  return { decisions: { ...decisions, mfa: draft }, ...rest }
}

export const contextOf = (
  { handle, state, transaction }: OpenTransaction,
  visitor: Visitor,
  deps: LoginDeps,
): FormActionContext => ({
  handle,
  login: transaction.handleDigest,
  ip: visitor.ip,
  locale: deps.localeOf(visitor, state.wants.uiLocales),
  browsers: recognitionsOf(visitor, deps),
  userAgent: visitor.userAgent,
  passkeyOffered: visitor.cookies.passkey !== undefined,
})
